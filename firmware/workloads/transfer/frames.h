/* Frames on a line of octets: a flag before and behind, escapes within, and a check of 16 bits
 * (CRC-16/X.25). Flags and escape are those of asynchronous IrDA. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_BEGIN = 0xC0, FRAME_END = 0xC1, FRAME_ESCAPE = 0x7D, FRAME_FLIP = 0x20 };
enum { FRAME_HEADER = 2, FRAME_CHECK = 2, FRAME_MOST_BODY = 512 };

/* Octets that a frame with so long a body can take on the line. */
#define FRAME_ON_LINE(body) (2 + 2 * (FRAME_HEADER + (body) + FRAME_CHECK))

/* The frame under way, so far. `body` takes its octets behind the header, and the check.
 */
struct frame_decoder {
    uint8_t header[FRAME_HEADER];
    uint8_t *body;
    uint16_t length; /* octets so far: header, body and check */
    uint16_t check;
    bool in_frame, escaped;
};

enum frame_state { FRAME_NONE, FRAME_WHOLE, FRAME_BROKEN };

/* Takes one octet of the line. Returns whether it ended a frame, and whether that one is sound;
 * then `length` counts its header and body alone. */
enum frame_state frame_take(struct frame_decoder *decoder, uint8_t octet);

/* Writes a frame to `line`, which has FRAME_ON_LINE(length) octets of space; returns its length. */
size_t frame_make(uint8_t *line, const uint8_t header[FRAME_HEADER], const uint8_t *body,
                  size_t length);

#endif
