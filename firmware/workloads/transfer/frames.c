/* Octets of a line to frames and back. */
#include "frames.h"

enum { CHECK_START = 0xFFFF, CHECK_SOUND = 0xF0B8 };

/* The check of each half octet: a table of 16 entries is small enough for any memory. */
static const uint16_t checks[16] = {
    0x0000, 0x1081, 0x2102, 0x3183, 0x4204, 0x5285, 0x6306, 0x7387,
    0x8408, 0x9489, 0xA50A, 0xB58B, 0xC60C, 0xD68D, 0xE70E, 0xF78F,
};

static inline uint16_t checked(uint16_t check, uint8_t octet) {
    check = (uint16_t)(check >> 4 ^ checks[(check ^ octet) & 15]);
    return (uint16_t)(check >> 4 ^ checks[(check ^ octet >> 4) & 15]);
}

static enum frame_state frame_over(struct frame_decoder *decoder) {
    bool sound = decoder->in_frame && decoder->check == CHECK_SOUND &&
                 decoder->length >= FRAME_HEADER + FRAME_CHECK;
    bool began = decoder->in_frame && decoder->length > 0;
    decoder->in_frame = false;
    if (!sound)
        return began ? FRAME_BROKEN : FRAME_NONE;
    decoder->length -= FRAME_CHECK;
    return FRAME_WHOLE;
}

enum frame_state frame_take(struct frame_decoder *decoder, uint8_t octet) {
    if (octet == FRAME_BEGIN) {
        decoder->in_frame = true;
        decoder->escaped = false;
        decoder->length = 0;
        decoder->check = CHECK_START;
        return FRAME_NONE;
    }
    if (octet == FRAME_END)
        return frame_over(decoder);
    if (!decoder->in_frame)
        return FRAME_NONE;
    if (octet == FRAME_ESCAPE) {
        decoder->escaped = true;
        return FRAME_NONE;
    }
    if (decoder->escaped) {
        octet ^= FRAME_FLIP;
        decoder->escaped = false;
    }
    decoder->check = checked(decoder->check, octet);
    if (decoder->length < FRAME_HEADER)
        decoder->header[decoder->length] = octet;
    else if (decoder->length < FRAME_HEADER + FRAME_MOST_BODY + FRAME_CHECK)
        decoder->body[decoder->length - FRAME_HEADER] = octet;
    else
        decoder->in_frame = false;
    decoder->length++;
    return FRAME_NONE;
}

static uint8_t *stuffed(uint8_t *line, uint8_t octet) {
    if (octet == FRAME_BEGIN || octet == FRAME_END || octet == FRAME_ESCAPE) {
        *line++ = FRAME_ESCAPE;
        octet ^= FRAME_FLIP;
    }
    *line++ = octet;
    return line;
}

size_t frame_make(uint8_t *line, const uint8_t header[FRAME_HEADER], const uint8_t *body,
                  size_t length) {
    uint8_t *at = line;
    uint16_t check = CHECK_START;
    *at++ = FRAME_BEGIN;
    for (size_t n = 0; n < FRAME_HEADER + length; n++) {
        uint8_t octet = n < FRAME_HEADER ? header[n] : body[n - FRAME_HEADER];
        check = checked(check, octet);
        at = stuffed(at, octet);
    }
    check = (uint16_t)~check;
    at = stuffed(at, (uint8_t)check);
    at = stuffed(at, (uint8_t)(check >> 8));
    *at++ = FRAME_END;
    return (size_t)(at - line);
}
