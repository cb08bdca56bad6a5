// Framing alone, between standard input and output; for tests.
//
// usage: sir_host fcs | frame EXTRA_BOFS CHUNK | read
//
// `fcs` prints the frame check sequence of the input and the sum over both, in hexadecimal. `frame`
// writes the line's octets of the input as one frame, CHUNK at a time. `read` prints each frame
// that it finds, in hexadecimal, and at the end how many were good, wrong, broken off and too long.
#include "sir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_fcs(void) {
    uint16_t fcs = SIR_FCS_START;
    for (int octet = getchar(); octet != EOF; octet = getchar()) {
        fcs = sir_fcs(fcs, (uint8_t)octet);
    }
    uint16_t sent = (uint16_t)~fcs;
    uint16_t sum = sir_fcs(sir_fcs(fcs, (uint8_t)sent), (uint8_t)(sent >> 8));
    printf("%04x %04x\n", sent, sum);
}

static void frame_input(uint16_t extra_bofs, size_t chunk) {
    static uint8_t frame[1 << 16];
    uint8_t line[4096];
    struct sir_sender sender;
    size_t sent;
    size_t capacity = chunk < sizeof line ? chunk : sizeof line;
    sir_begin(&sender, frame, fread(frame, 1, sizeof frame, stdin), extra_bofs);
    do {
        sent = sir_send(&sender, line, capacity);
        fwrite(line, 1, sent, stdout);
    } while (sent == capacity);
}

static void read_frames(void) {
    static struct sir_receiver receiver;
    sir_receiver_init(&receiver);
    for (int octet = getchar(); octet != EOF; octet = getchar()) {
        size_t count = sir_receive(&receiver, (uint8_t)octet);
        for (size_t at = 0; at < count; at++) {
            printf("%02x%s", receiver.frame[at], at + 1 == count ? "\n" : "");
        }
    }
    printf("%u %u %u %u\n", (unsigned)receiver.good_frames, (unsigned)receiver.wrong_fcs,
           (unsigned)receiver.broken_off, (unsigned)receiver.too_long);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "fcs") == 0) {
        print_fcs();
    } else if (count == 4 && strcmp(arguments[1], "frame") == 0 && atoi(arguments[3]) > 0) {
        frame_input((uint16_t)atoi(arguments[2]), (size_t)atoi(arguments[3]));
    } else if (count == 2 && strcmp(arguments[1], "read") == 0) {
        read_frames();
    } else {
        fprintf(stderr, "usage: sir_host fcs | frame EXTRA_BOFS CHUNK | read\n");
        return 2;
    }
    return 0;
}
