// Parts that several frames of IrLAP share.
#include "lap_internal.h"

uint32_t lap_get32(const uint8_t *octets) {
    return octets[0] | (uint32_t)octets[1] << 8 | (uint32_t)octets[2] << 16 |
           (uint32_t)octets[3] << 24;
}

uint8_t *lap_put32(uint8_t *octets, uint32_t value) {
    for (unsigned at = 0; at < 4; at++) {
        *octets++ = (uint8_t)value;
        value >>= 8;
    }
    return octets;
}

uint8_t *lap_short_begin(struct lap *lap, uint8_t address, uint8_t control) {
    lap->short_octets[0] = address;
    lap->short_octets[1] = control;
    return lap->short_octets + 2;
}

void lap_short_end(struct lap *lap, const uint8_t *end) {
    lap->short_count = (uint8_t)(end - lap->short_octets);
    lap->short_waits = true;
    lap_begin(lap);
}

uint8_t lap_connection_address(const struct lap *lap) {
    return (uint8_t)(lap->link.connection << 1 | (lap->link.primary ? LAP_COMMAND : 0));
}
