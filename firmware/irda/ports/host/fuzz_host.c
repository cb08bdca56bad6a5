// Damages what comes, while files go from one station to the other: a station must bear whatever
// another one sends. Build it with SANITIZE=1.
//
// usage: fuzz_host SEED ROUNDS [frames]
//
// Each round is a transfer, of which packets are damaged that IrLAP passes up. With `frames`, the
// frames are damaged that IrLAP gets, each with a right check sequence. Among them come frames that
// nobody sent, and the stations reset the connection or become busy. All come in a block of memory
// of their own size. After each round the same stations make a transfer without damage, which has
// to succeed. Prints counts and results.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_frames.h"
#include "irda.h"
#include "medium.h"

enum { ROUND_US = 200000000, FILE_OCTETS = 3000, RESULTS = 8 };

struct station {
    struct irda irda;
    void (*data)(void *context, const uint8_t *octets, size_t count);
    struct sir_receiver reader;
    struct lap_packet kept[LAP_KEPT];
    uint32_t left;
    long result;
};

static struct medium medium;
static struct station stations[2];
static bool damages, damages_frames;
static uint32_t rarity; // of damage to frames, of a round
static unsigned long packets, damaged, frames, added, resets, selective;

static void intercept(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context == &stations[0].irda.lmp ? &stations[0] : &stations[1];
    uint8_t changed[4096];
    memcpy(changed, octets, count);
    packets++;
    if (damages && !damages_frames && fuzz_draw(8) == 0) {
        damaged++;
        count = fuzz_packet(changed, count);
    }
    uint8_t *block = malloc(count > 0 ? count : 1);
    memcpy(block, changed, count);
    station->data(context, block, count);
    free(block);
}

static size_t read_file(void *context, uint8_t *octets, size_t capacity) {
    struct station *station = context;
    size_t count = station->left < capacity ? station->left : capacity;
    memset(octets, 'x', count);
    station->left -= (uint32_t)count;
    return count;
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    (void)context;
    (void)octets;
    return strlen(name) <= SEND_NAME_OCTETS;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    uint8_t sum = 0;
    (void)context;
    for (size_t at = 0; at < count; at++) {
        sum ^= octets[at]; // reads what was passed, for the checks of addresses
    }
    return sum != 1;
}

static void ended(void *context, enum send_result result) {
    ((struct station *)context)->result = (long)result;
}

static void pass_frame(struct station *station, const uint8_t *octets, size_t count) {
    uint8_t *block = malloc(count > 0 ? count : 1);
    memcpy(block, octets, count);
    lap_receive_frame(&station->irda.lap, block, count);
    free(block);
    frames++;
}

// Does things that a layer above may do at any time.
static void disturb(struct lap *lap) {
    switch (fuzz_draw(40 * rarity)) {
    case 0:
        lap_reset(lap);
        break;
    case 1:
    case 2:
        lap_set_busy(lap, !lap->busy);
        break;
    case 3:
        lap_send_unit(lap, (const uint8_t *)"unit", 4);
        break;
    case 4:
        lap_test(lap, LAP_ALL, (const uint8_t *)"test", 4);
        break;
    case 5:
        lap_broadcast(lap, (const uint8_t *)"all", 3);
        break;
    default:
        break;
    }
}

// A frame came; with damage also others, before it or instead of it.
static void frame_came(struct station *station, const uint8_t *octets, size_t count) {
    uint8_t changed[FUZZ_FRAME_OCTETS];
    if (!damages || !damages_frames) {
        pass_frame(station, octets, count);
        return;
    }
    disturb(&station->irda.lap);
    while (fuzz_draw(rarity) == 0) {
        added++;
        pass_frame(station, changed, fuzz_new_frame(&station->irda.lap, changed));
    }
    memcpy(changed, octets, count);
    if (fuzz_draw(2 * rarity) == 0) {
        damaged++;
        count = fuzz_frame(changed, count);
    }
    pass_frame(station, changed, count);
}

static void receive(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context;
    if (station->irda.framer.sending || count == 0) {
        return;
    }
    lap_heard(&station->irda.lap);
    for (size_t at = 0; at < count; at++) {
        size_t frame = sir_receive(&station->reader, octets[at]);
        if (frame > 0) {
            frame_came(station, station->reader.frame, frame);
        }
    }
}

static void receive_damaged(void *context) {
    sir_receive_damaged(&((struct station *)context)->reader);
}

static size_t fetch(void *context, uint8_t *octets, size_t capacity) {
    return framer_fetch(&((struct station *)context)->irda.framer, octets, capacity);
}

static void sent(void *context) {
    framer_sent(&((struct station *)context)->irda.framer);
    sir_receive_damaged(&((struct station *)context)->reader);
}

static void run(void *context) {
    irda_run(&((struct station *)context)->irda);
}

static bool deadline(void *context, uint32_t *at_us) {
    return irda_deadline(&((struct station *)context)->irda, at_us);
}

static void begin_round(uint64_t seed) {
    struct medium_config config = {.seed = seed};
    medium_init(&medium, &config);
    for (unsigned number = 0; number < 2; number++) {
        struct station *station = &stations[number];
        struct medium_driver driver = {station, receive, receive_damaged, fetch,
                                       sent,    run,     deadline};
        struct send_calls calls = {station, read_file, begin_file, write_file, ended};
        struct irda_config settings = {.name = "Station",
                                       .credits = 14,
                                       .abilities = {0x3E, 0x01, 0x01, 0x7F, 0x80, 0x10, 0x01},
                                       .kept = seed % 3 == number ? station->kept : NULL};
        if (seed > 1) {
            resets += station->irda.lap.counters.resets;
            selective += station->irda.lap.counters.selective_sent;
        }
        sir_receiver_init(&station->reader);
        irda_init(&station->irda, medium_add(&medium, &driver), &calls, &settings);
        station->data = station->irda.lmp.client.data;
        station->irda.lmp.client.data = intercept;
    }
    send_receive(&stations[1].irda.send);
}

// Returns how the transfer ended, or -1 if it did not.
static long transfer(void) {
    stations[0].left = FILE_OCTETS;
    stations[0].result = -1;
    send_file(&stations[0].irda.send, "file", FILE_OCTETS, 3);
    medium_run(&medium, medium_now_us(&medium) + ROUND_US);
    return stations[0].result;
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: fuzz_host SEED ROUNDS [frames]\n");
        return 2;
    }
    unsigned long results[RESULTS + 1] = {0};
    damages_frames = count > 3 && strcmp(arguments[3], "frames") == 0;
    fuzz_seed(strtoull(arguments[1], NULL, 10));
    for (unsigned long round = 0; round < strtoul(arguments[2], NULL, 10); round++) {
        damages = true;
        rarity = 4u << fuzz_draw(6);
        begin_round(round + 1);
        results[1 + transfer()]++;
        damages = false;
        long result = transfer();
        if (result != SEND_DONE) {
            printf("failed after round %lu: %ld\n", round, result);
            return 1;
        }
    }
    printf("frames %lu\nadded %lu\nresets %lu\nselective %lu\n", frames, added, resets, selective);
    printf("packets %lu\ndamaged %lu\nnot_ended %lu\n", packets, damaged, results[0]);
    for (unsigned result = 0; result < RESULTS; result++) {
        printf("result_%u %lu\n", result, results[1 + result]);
    }
    return 0;
}
