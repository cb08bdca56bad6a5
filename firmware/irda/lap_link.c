// Unnumbered frames of a connection: UI, TEST, the end of the connection, and frames that are not
// allowed.
#include <string.h>

#include "lap_internal.h"

bool lap_send_unit(struct lap *lap, const uint8_t *octets, size_t count) {
    if (lap->mode != LAP_CONNECTED || lap->unit_waits || count > lap->link.send_octets) {
        return false;
    }
    lap->unit.octets[1] = LAP_UI;
    memcpy(lap->unit.octets + 2, octets, count);
    lap->unit.count = (uint16_t)count;
    lap->unit_waits = true;
    lap_transfer_go(lap);
    return true;
}

// Sends a last answer, then the connection is gone.
static void leave(struct lap *lap, uint8_t control, enum lap_reason reason) {
    lap->setup.reason = reason;
    lap_enter(lap, LAP_LEAVING);
    lap_short_end(lap, lap_short_begin(lap, lap_connection_address(lap), control | LAP_PF));
}

void lap_link_close(struct lap *lap, enum lap_reason reason) {
    if (lap->mode != LAP_CLOSING) {
        lap->mode = LAP_CLOSING;
        lap->setup.tries = 0;
        lap->setup.asked = false;
        lap->setup.reason = reason;
    }
}

// The next frame asks for a reset, or begins it. A station that is about to end does not.
static void begin_reset(struct lap *lap) {
    if (lap->mode == LAP_CONNECTED) {
        lap->mode = LAP_RESETTING;
        lap->setup.tries = 0;
    }
}

static void was_reset(struct lap *lap) {
    lap_transfer_clear(lap);
    if (lap->mode == LAP_RESETTING) { // a station that is about to end stays so
        lap->mode = LAP_CONNECTED;
    }
    lap->counters.resets++;
    if (lap->client->was_reset != NULL) {
        lap->client->was_reset(lap->client->context);
    }
    if (lap->was_full) {
        lap->was_full = false;
        if (lap->client->ready != NULL) {
            lap->client->ready(lap->client->context);
        }
    }
}

void lap_reset(struct lap *lap) {
    begin_reset(lap);
    lap_transfer_go(lap);
}

void lap_link_reject(struct lap *lap, uint8_t control, uint8_t why) {
    lap->counters.frames_rejected++;
    if (lap->link.primary) {
        begin_reset(lap);
        if (control & LAP_PF) {
            lap_transfer_polled(lap);
        }
    } else if (control & LAP_PF) {
        uint8_t *info = lap_short_begin(lap, lap_connection_address(lap), LAP_FRMR | LAP_PF);
        *info++ = control;
        *info++ = (uint8_t)(lap->receive_next << 5 | LAP_PF |
                            lap->send_next << 1); // a command was rejected
        *info++ = why;
        lap->timer.runs = false;
        lap_short_end(lap, info);
    }
}

static void answer_test(struct lap *lap, uint8_t control, const uint8_t *info, size_t count) {
    if (count <= IRDA_DATA_OCTETS && !lap->unit_waits) {
        lap->unit.octets[1] = LAP_TEST | (control & LAP_PF);
        memcpy(lap->unit.octets + 2, info, count);
        lap->unit.count = (uint16_t)count;
        lap->unit_waits = true;
    }
    if (control & LAP_PF) {
        lap_transfer_polled(lap);
    }
}

// The primary resets the connection: UA, then numbers begin anew.
static void accept_reset(struct lap *lap) {
    lap->has_medium = false;
    lap->timer.runs = false;
    was_reset(lap);
    lap_short_end(lap, lap_short_begin(lap, lap_connection_address(lap), LAP_UA | LAP_PF));
}

static void receive_command(struct lap *lap, uint8_t control, const uint8_t *info, size_t count) {
    switch (control & (uint8_t)~LAP_PF) {
    case LAP_DISC:
        leave(lap, LAP_UA, LAP_DISCONNECTED);
        break;
    case LAP_TEST:
        answer_test(lap, control, info, count);
        break;
    case LAP_SNRM:
        accept_reset(lap);
        break;
    default:
        lap_link_reject(lap, control, LAP_UNKNOWN_CONTROL);
        break;
    }
}

static void receive_response(struct lap *lap, uint8_t control) {
    switch (control & (uint8_t)~LAP_PF) {
    case LAP_UA:
        if (lap->mode == LAP_CLOSING && lap->setup.asked) {
            lap_end(lap, lap->setup.reason, true);
        } else if (lap->mode != LAP_CONNECTED) { // of a reset, even if the client has ended since
            was_reset(lap);
            lap_transfer_polled(lap);
        }
        break;
    case LAP_DM:
        lap_end(lap, LAP_DISCONNECTED, true);
        break;
    case LAP_DISC: // as response: RD
        lap_link_close(lap, LAP_DISCONNECTED);
        lap_transfer_polled(lap);
        break;
    case LAP_FRMR:
        lap->counters.frames_rejected++;
        begin_reset(lap);
        lap_transfer_polled(lap);
        break;
    case LAP_SNRM: // as response: RNRM
        begin_reset(lap);
        lap_transfer_polled(lap);
        break;
    default:
        if (control & LAP_PF) {
            lap_transfer_polled(lap);
        }
        break;
    }
}

void lap_link_receive(struct lap *lap, uint8_t control, const uint8_t *info, size_t count) {
    lap_transfer_alive(lap);
    if ((control & 3u) != 3u) { // while the connection is reset
        if (control & LAP_PF) {
            lap_transfer_polled(lap);
        }
    } else if ((control & (uint8_t)~LAP_PF) == LAP_UI) {
        if (lap->client->unit_data != NULL) {
            lap->client->unit_data(lap->client->context, info, count);
        }
        if (control & LAP_PF) {
            lap_transfer_polled(lap);
        }
    } else if (lap->link.primary) {
        receive_response(lap, control);
    } else {
        receive_command(lap, control, info, count);
    }
}
