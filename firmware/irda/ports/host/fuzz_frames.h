// Frames and packets of wrong content, by chance: for fuzz_host.
#ifndef IRDA_FUZZ_FRAMES_H
#define IRDA_FUZZ_FRAMES_H

#include "lap.h"

#define FUZZ_FRAME_OCTETS (SIR_FRAME_OCTETS + 128)

// The same numbers for the same seed.
void fuzz_seed(uint64_t seed);

// A number below `below`.
uint32_t fuzz_draw(uint32_t below);

// Changes a packet of IrLMP; returns its new length, at most 64 octets more.
size_t fuzz_packet(uint8_t *octets, size_t count);

// Changes a frame of IrLAP; returns its new length, at most 64 octets more.
size_t fuzz_frame(uint8_t *octets, size_t count);

// Writes a frame to a station; returns its length, at most SIR_FRAME_OCTETS. It is often nearly
// right: of the connection with numbers that are expected, or of discovery, connection or test.
size_t fuzz_new_frame(const struct lap *lap, uint8_t *octets);

#endif
