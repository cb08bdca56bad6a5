/* Packs a file into frames as HDLC has them, disturbs some, and reads them again by states.
 * framing INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAG = 0x7E, ESCAPE = 0x7D, FLIP = 0x20, PAYLOAD = 96 };

static uint16_t sum(uint16_t crc, uint8_t byte) {
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0x8408) : (uint16_t)(crc >> 1);
    return crc;
}

struct receiver;
typedef void state(struct receiver *, uint8_t);

struct receiver {
    state *now;
    uint8_t buffer[PAYLOAD + 3];
    size_t filled;
    uint16_t crc;
    unsigned good, damaged, lost, expected;
    FILE *output;
};

static state outside, inside, escaped, skipping;

static void begin(struct receiver *of) {
    of->filled = 0;
    of->crc = 0xFFFF;
    of->now = inside;
}

static void deliver(struct receiver *of) {
    if (of->filled < 3 || of->crc != 0xF0B8) {
        of->damaged += of->filled > 0;
        return;
    }
    unsigned number = of->buffer[0];
    of->lost += (number - of->expected) & 0xFF;
    of->expected = (number + 1) & 0xFF;
    of->good++;
    fwrite(of->buffer + 1, 1, of->filled - 3, of->output);
}

static void take(struct receiver *of, uint8_t byte) {
    if (of->filled == sizeof of->buffer) {
        of->damaged++;
        of->now = skipping;
        return;
    }
    of->buffer[of->filled++] = byte;
    of->crc = sum(of->crc, byte);
}

static void outside(struct receiver *of, uint8_t byte) {
    if (byte == FLAG)
        begin(of);
}

static void inside(struct receiver *of, uint8_t byte) {
    if (byte == FLAG) {
        deliver(of);
        begin(of);
    } else if (byte == ESCAPE) {
        of->now = escaped;
    } else {
        take(of, byte);
    }
}

static void escaped(struct receiver *of, uint8_t byte) {
    of->now = inside;
    if (byte == FLAG) {
        of->damaged++;
        begin(of);
    } else {
        take(of, byte ^ FLIP);
    }
}

static void skipping(struct receiver *of, uint8_t byte) {
    if (byte == FLAG)
        begin(of);
}

static uint8_t *stuffed(uint8_t *to, uint8_t byte) {
    if (byte == FLAG || byte == ESCAPE) {
        *to++ = ESCAPE;
        byte ^= FLIP;
    }
    *to++ = byte;
    return to;
}

int main(int argc, char **argv) {
    uint8_t payload[PAYLOAD], wire[2 * PAYLOAD + 10];
    unsigned number = 0, noise = 12345;
    size_t length;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    struct receiver *to = calloc(1, sizeof *to);
    if (input == NULL || to == NULL || (to->output = fopen(argv[2], "wb")) == NULL)
        return 1;
    to->now = outside;
    while ((length = fread(payload, 1, 1 + number * 7 % PAYLOAD, input)) > 0) {
        uint8_t *end = wire;
        uint16_t crc = sum(0xFFFF, (uint8_t)number);
        *end++ = FLAG;
        end = stuffed(end, (uint8_t)number++);
        for (size_t i = 0; i < length; i++) {
            crc = sum(crc, payload[i]);
            end = stuffed(end, payload[i]);
        }
        crc ^= 0xFFFF;
        end = stuffed(end, (uint8_t)crc);
        end = stuffed(end, (uint8_t)(crc >> 8));
        *end++ = FLAG;
        noise = noise * 1103515245u + 12345u;
        if (noise >> 28 == 7)
            wire[(noise >> 8) % (unsigned)(end - wire)] ^= (uint8_t)(1 << (noise >> 5 & 7));
        for (const uint8_t *byte = wire; byte < end; byte++)
            to->now(to, *byte);
    }
    printf("%u sent, %u good, %u damaged, %u lost\n", number, to->good, to->damaged, to->lost);
    fclose(input);
    int failed = fclose(to->output);
    free(to);
    return failed != 0;
}
