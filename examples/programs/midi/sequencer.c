/* Plays a song of several tracks on a synthesiser's list of events: what sounds when, for how long,
 * and how loud.   sequencer SONG.mid OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRACKS 8
#define HELD 64

typedef struct {
    const uint8_t *at, *end;
    uint32_t due;
    uint8_t running, open;
} track_t;

typedef struct {
    uint64_t began_us;
    uint8_t channel, key, loud, used;
} note_t;

typedef struct {
    uint32_t tempo_us, now;
    uint64_t now_us;
    uint16_t division;
    uint8_t programs[16], volumes[16];
    int16_t bends[16];
    note_t held[HELD];
    unsigned notes, lost, most, holding;
} player_t;

static const char *const names[12] = {"C",  "C#", "D",  "D#", "E",  "F",
                                      "F#", "G",  "G#", "A",  "A#", "B"};
static FILE *output;

static uint32_t big_endian(const uint8_t *from, int size) {
    uint32_t value = 0;
    while (size--)
        value = value << 8 | *from++;
    return value;
}

static uint32_t take_length(track_t *track) {
    uint32_t value = 0;
    uint8_t byte;
    do {
        if (track->at >= track->end)
            return 0;
        byte = *track->at++;
        value = value << 7 | (byte & 127);
    } while (byte & 128);
    return value;
}

static void note_off(player_t *player, uint8_t channel, uint8_t key) {
    for (int i = 0; i < HELD; i++) {
        note_t *note = &player->held[i];
        if (!note->used || note->channel != channel || note->key != key)
            continue;
        unsigned long from = (unsigned long)(note->began_us / 1000),
                      last = (unsigned long)((player->now_us - note->began_us) / 1000);
        fprintf(output, "%8lu %6lu ch%-2u p%-3u %s%-2d v%u bend %d\n", from, last, channel,
                player->programs[channel], names[key % 12], key / 12 - 1,
                note->loud * player->volumes[channel] / 127, player->bends[channel]);
        note->used = 0;
        player->holding--;
        return;
    }
    player->lost++;
}

static void note_on(player_t *player, uint8_t channel, uint8_t key, uint8_t loud) {
    if (loud == 0) {
        note_off(player, channel, key);
        return;
    }
    for (int i = 0; i < HELD; i++)
        if (!player->held[i].used) {
            player->held[i] = (note_t){player->now_us, channel, key, loud, 1};
            player->notes++;
            if (++player->holding > player->most)
                player->most = player->holding;
            return;
        }
    player->lost++;
}

static void meta(player_t *player, track_t *track) {
    uint8_t type = *track->at++;
    uint32_t size = take_length(track);
    if (type == 0x51 && size == 3)
        player->tempo_us = big_endian(track->at, 3);
    else if (type == 0x2F)
        track->open = 0;
    else if (type >= 1 && type <= 7)
        fprintf(output, "%8lu # %.*s\n", (unsigned long)(player->now_us / 1000), (int)size,
                (const char *)track->at);
    track->at += size;
}

static void event(player_t *player, track_t *track) {
    uint8_t status = *track->at;
    if (status & 0x80)
        track->at++;
    else
        status = track->running;
    if (status < 0xF0)
        track->running = status;
    uint8_t channel = status & 15;
    const uint8_t *data = track->at;
    switch (status >> 4) {
    case 8:
        note_off(player, channel, data[0]);
        track->at += 2;
        break;
    case 9:
        note_on(player, channel, data[0], data[1]);
        track->at += 2;
        break;
    case 0xB:
        if (data[0] == 7)
            player->volumes[channel] = data[1];
        else if (data[0] == 123)
            for (int key = 0; key < 128; key++)
                for (int i = 0; i < HELD; i++)
                    if (player->held[i].used && player->held[i].channel == channel &&
                        player->held[i].key == key)
                        note_off(player, channel, (uint8_t)key);
        track->at += 2;
        break;
    case 0xC:
        player->programs[channel] = data[0];
        track->at++;
        break;
    case 0xE:
        player->bends[channel] = (int16_t)((data[0] | data[1] << 7) - 8192);
        track->at += 2;
        break;
    case 0xF:
        if (status == 0xFF)
            meta(player, track);
        else
            track->at += take_length(track);
        break;
    case 0xD:
        track->at++;
        break;
    default:
        track->at += 2;
    }
}

int main(int argc, char **argv) {
    static player_t player;
    static track_t tracks[TRACKS];
    uint8_t head[14];
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    output = fopen(argv[2], "w");
    if (!input || !output || fread(head, 1, 14, input) != 14 || memcmp(head, "MThd", 4))
        return 1;
    unsigned count = big_endian(head + 10, 2), events = 0;
    player.division = (uint16_t)big_endian(head + 12, 2);
    player.tempo_us = 500000;
    memset(player.volumes, 100, sizeof player.volumes);
    for (unsigned i = 0; i < count && i < TRACKS; i++) {
        if (fread(head, 1, 8, input) != 8 || memcmp(head, "MTrk", 4))
            return 1;
        uint32_t size = big_endian(head + 4, 4);
        uint8_t *data = malloc(size + 4);
        if (!data || fread(data, 1, size, input) != size)
            return 1;
        tracks[i] = (track_t){.at = data, .end = data + size, .open = 1};
        tracks[i].due = take_length(&tracks[i]);
    }
    for (;;) {
        track_t *next = NULL;
        for (unsigned i = 0; i < count; i++)
            if (tracks[i].open && (!next || tracks[i].due < next->due))
                next = &tracks[i];
        if (!next)
            break;
        player.now_us += (uint64_t)(next->due - player.now) * player.tempo_us / player.division;
        player.now = next->due;
        event(&player, next);
        events++;
        if (next->at >= next->end)
            next->open = 0;
        if (next->open)
            next->due += take_length(next);
    }
    printf("%u events, %u notes, %u at once, %u lost, %lu ms\n", events, player.notes, player.most,
           player.lost, (unsigned long)(player.now_us / 1000));
    fclose(input);
    return fclose(output) != 0;
}
