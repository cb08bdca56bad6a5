// Frames that the medium takes away, by the control octet.
#include "medium.h"

#define BOF 0xC0u
#define ESCAPE 0x7Du

bool medium_lose(struct medium *medium, const struct medium_loss *loss) {
    if (medium->loss_count == MEDIUM_LOSSES) {
        return false;
    }
    medium->losses[medium->loss_count++] = *loss;
    return true;
}

// True if a rule takes this frame away, of which the control octet is being sent.
static bool is_to_lose(struct medium *medium, unsigned station, uint8_t control) {
    for (unsigned at = 0; at < medium->loss_count; at++) {
        struct medium_loss *loss = &medium->losses[at];
        if (loss->station != station || loss->count == 0 || (control & loss->mask) != loss->value) {
            continue;
        }
        if (loss->skip > 0) {
            loss->skip--;
        } else {
            loss->count--;
            return true;
        }
    }
    return false;
}

bool medium_loses(struct medium *medium, unsigned number, uint8_t value) {
    struct medium_station *station = &medium->stations[number];
    bool loses = station->loses && value != BOF;
    if (value == BOF) {
        station->field = 1;
        station->escapes = station->loses = false;
    } else if (value == ESCAPE) {
        station->escapes = true;
    } else {
        uint8_t octet = station->escapes ? value ^ 0x20u : value;
        station->escapes = false;
        if (station->field == 2 && is_to_lose(medium, number, octet)) {
            station->loses = true;
        }
        station->field += station->field > 0;
    }
    return loses;
}
