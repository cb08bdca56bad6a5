// A station's offers in the negotiation of an IrLAP connection: bits, as they stand in its
// parameters. parameters.
#ifndef IRDA_LAP_ABILITIES_H
#define IRDA_LAP_ABILITIES_H

#include <stdint.h>

struct lap_abilities {
    uint8_t speeds; // bit 1: 9,600, 2: 19,200, 3: 38,400, 4: 57,600, 5: 115,200 bit/s; 9,600 is
                    // always there
    uint8_t max_turnaround; // bit 0: 500, 1: 250, 2: 100, 3: 50 ms
    uint8_t data_sizes; // bit 0: 64, 1: 128, 2: 256, 3: 512, 4: 1,024, 5: 2,048 octets; received at
                        // most
    uint8_t windows;    // bit n: n + 1 frames; received at most
    uint8_t extra_bofs; // bit 0: 48, 1: 24, 2: 12, 3: 5, 4: 3, 5: 2, 6: 1, 7: 0, at 115,200 bit/s;
                        // needed
    uint8_t
        min_turnaround; // bit 0: 10, 1: 5, 2: 1, 3: 0.5, 4: 0.1, 5: 0.05, 6: 0.01, 7: 0 ms; needed
    uint8_t disconnect; // bit 0: 3, 1: 8, 2: 12, 3: 16, 4: 20, 5: 25, 6: 30, 7: 40 s
};

// All speeds, sizes and windows; 500 ms; 12 extra BOFs; 1 ms; all disconnect times.
#define LAP_ALL_ABILITIES \
    { 0x3E, 0x01, 0x3F, 0x7F, 0x04, 0x04, 0xFF }

#endif
