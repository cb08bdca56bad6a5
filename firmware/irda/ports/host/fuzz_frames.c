#include "fuzz_frames.h"

#include <string.h>

enum { COMMAND = 1, FINAL = 0x10, ADDRESS_OCTETS = 4, STRANGER = 0x33333333 };

static uint64_t state;

void fuzz_seed(uint64_t seed) {
    state = seed * 2 + 1;
}

uint32_t fuzz_draw(uint32_t below) { // xorshift64*
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717u >> 33) % below);
}

static void fill(uint8_t *octets, size_t count, uint32_t below) {
    for (size_t at = 0; at < count; at++) {
        octets[at] = (uint8_t)fuzz_draw(below);
    }
}

size_t fuzz_packet(uint8_t *octets, size_t count) {
    size_t at = count > 0 ? fuzz_draw((uint32_t)(count < 12 ? count : 12)) : 0;
    switch (fuzz_draw(6)) {
    case 0: // a bit
        octets[at] ^= (uint8_t)(1u << fuzz_draw(8));
        return count;
    case 1: // an octet
        octets[at] = (uint8_t)fuzz_draw(256);
        return count;
    case 2: // an end that is cut off
        return fuzz_draw((uint32_t)count + 1);
    case 3: // an end that is added
        fill(octets + count, 64, 256);
        return count + fuzz_draw(65);
    case 4: // one of IrLMP's opcodes, to some LSAP
        octets[0] = (uint8_t)(0x80 | (fuzz_draw(2) != 0 ? octets[0] : fuzz_draw(4)));
        octets[2] = (uint8_t)(fuzz_draw(5) | fuzz_draw(2) << 7);
        return count < 3 ? 3 : count;
    default: // a question, answer or unit of any length
        for (size_t end = 2; end < count + 64; end++) {
            octets[end] = (uint8_t)(fuzz_draw(3) == 0 ? fuzz_draw(256) : fuzz_draw(6));
        }
        return 2 + fuzz_draw((uint32_t)count + 62);
    }
}

size_t fuzz_frame(uint8_t *octets, size_t count) {
    if (count > 4 && fuzz_draw(2) == 0) {
        return 2 + fuzz_packet(octets + 2, count - 2);
    }
    switch (fuzz_draw(4)) {
    case 0: // a bit of address or control
        octets[fuzz_draw(2)] ^= (uint8_t)(1u << fuzz_draw(8));
        return count;
    case 1: // another kind of frame
        octets[1] = (uint8_t)fuzz_draw(256);
        return count;
    case 2: // anything at all
        count = fuzz_draw(fuzz_draw(8) == 0 ? SIR_FRAME_OCTETS : 64);
        fill(octets, count, 256);
        return count;
    default:
        fill(octets + count, 64, 256);
        return count + fuzz_draw(64);
    }
}

static uint8_t *put_address(uint8_t *at, uint32_t address) {
    const uint32_t some[] = {address, LAP_ALL, LAP_NO_ADDRESS, STRANGER};
    uint32_t value = some[fuzz_draw(8) < 5 ? 0 : fuzz_draw(4)];
    for (unsigned octet = 0; octet < ADDRESS_OCTETS; octet++) {
        *at++ = (uint8_t)(value >> (8 * octet));
    }
    return at;
}

// Negotiation parameters of which some are unknown, cut off or without an octet.
static uint8_t *put_parameters(uint8_t *at) {
    static const uint8_t identifiers[] = {0x01, 0x82, 0x83, 0x84, 0x85, 0x86, 0x08, 0x7E};
    for (unsigned left = fuzz_draw(10); left > 0; left--) {
        *at++ = identifiers[fuzz_draw(sizeof identifiers)];
        *at++ = (uint8_t)(fuzz_draw(6) == 0 ? fuzz_draw(256) : 1);
        *at++ = (uint8_t)fuzz_draw(256);
    }
    return at;
}

static size_t new_apart(const struct lap *lap, uint8_t *octets) {
    static const uint8_t controls[] = {0x3F, 0xBF, 0x93, 0x73, 0x1F, 0xF3, 0x03};
    uint8_t *at = octets + 2;
    octets[0] = (uint8_t)(0xFE | fuzz_draw(2));
    octets[1] = controls[fuzz_draw(sizeof controls)];
    if ((octets[1] | 0x90) == 0xBF) {
        *at++ = (uint8_t)(fuzz_draw(8) != 0);
    }
    at = put_address(put_address(at, STRANGER), lap->address);
    fill(at, 3, fuzz_draw(2) == 0 ? 8 : 256);
    at += fuzz_draw(4);
    if (fuzz_draw(2) == 0) {
        at = put_parameters(at);
    } else {
        size_t count = fuzz_draw(fuzz_draw(4) == 0 ? 400 : 40);
        fill(at, count, 256);
        at += count;
    }
    return (size_t)(at - octets);
}

size_t fuzz_new_frame(const struct lap *lap, uint8_t *octets) {
    static const uint8_t controls[] = {0x01, 0x05, 0x09, 0x0D, 0x03, 0xE3, 0x83, 0x63, 0x87};
    bool is_linked = lap->mode >= LAP_ANSWERED && lap->mode <= LAP_CLOSING;
    uint32_t expected = fuzz_draw(4) == 0 ? fuzz_draw(8) : lap->send_next;
    uint32_t number = fuzz_draw(3) == 0 ? fuzz_draw(8) : lap->receive_next;
    if (!is_linked || fuzz_draw(6) == 0) {
        return new_apart(lap, octets);
    }
    octets[0] = (uint8_t)(lap->link.connection << 1 | (lap->link.primary ? 0 : COMMAND));
    octets[1] = (uint8_t)(fuzz_draw(2) == 0 ? FINAL : 0);
    if (fuzz_draw(2) == 0) {
        octets[1] |= controls[fuzz_draw(sizeof controls)];
        octets[1] |= (uint8_t)((octets[1] & 3) == 1 ? expected << 5 : 0);
        fill(octets + 2, 20, 256);
        return 2 + (fuzz_draw(4) == 0 ? fuzz_draw(20) : 0);
    }
    octets[1] |= (uint8_t)(expected << 5 | number << 1);
    octets[2] = (uint8_t)(fuzz_draw(2) << 7 | (fuzz_draw(2) == 0 ? fuzz_draw(4) : fuzz_draw(128)));
    octets[3] = (uint8_t)(fuzz_draw(2) == 0 ? 0x10 + fuzz_draw(2) : fuzz_draw(4));
    size_t count = fuzz_draw(fuzz_draw(8) == 0 ? IRDA_DATA_OCTETS - 2 : 60);
    fill(octets + 4, count, fuzz_draw(2) == 0 ? 6 : 256);
    return 4 + count;
}
