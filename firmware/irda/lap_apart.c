// Frames without a connection and without a procedure: TEST, which comes back, and UI to all.
#include <string.h>

#include "lap_internal.h"

#define ADDRESS_OCTETS 8u // source and destination of TEST

// Plans to send what stands in `unit`.
static void plan(struct lap *lap, uint8_t address, uint8_t control, size_t count) {
    lap->unit.octets[0] = address;
    lap->unit.octets[1] = control;
    lap->unit.count = (uint16_t)count;
    lap->unit_waits = true;
    lap_begin(lap);
}

static bool is_free(const struct lap *lap) {
    return lap->mode == LAP_IDLE && !lap->sending && !lap->unit_waits && !lap->short_waits &&
           irda_is_due(lap_now(lap), lap->busy_until_us);
}

static bool write_test(struct lap *lap, uint32_t to, const uint8_t *octets, size_t count) {
    if (count > LAP_APART_OCTETS - ADDRESS_OCTETS || count > IRDA_DATA_OCTETS - ADDRESS_OCTETS) {
        return false;
    }
    uint8_t *info = lap_put32(lap_put32(lap->unit.octets + 2, lap->address), to);
    if (count > 0) {
        memcpy(info, octets, count);
    }
    return true;
}

bool lap_broadcast(struct lap *lap, const uint8_t *octets, size_t count) {
    if (!is_free(lap) || count > LAP_APART_OCTETS || count > IRDA_DATA_OCTETS) {
        return false;
    }
    if (count > 0) {
        memcpy(lap->unit.octets + 2, octets, count);
    }
    plan(lap, LAP_BROADCAST | LAP_COMMAND, LAP_UI, count);
    return true;
}

bool lap_test(struct lap *lap, uint32_t address, const uint8_t *octets, size_t count) {
    if (!is_free(lap) || !write_test(lap, address, octets, count)) {
        return false;
    }
    plan(lap, LAP_BROADCAST | LAP_COMMAND, LAP_TEST | LAP_PF, ADDRESS_OCTETS + count);
    return true;
}

bool lap_apart_fetch(struct lap *lap, struct lap_frame *frame) {
    if (!lap->unit_waits) {
        return false;
    }
    lap->unit_waits = false;
    lap->short_sent = true;
    frame->octets = lap->unit.octets;
    frame->count = lap->unit.count + 2u;
    return true;
}

// TEST to this station goes back to its sender; the answer to one of this station's is reported.
static void receive_test(struct lap *lap, bool command, const uint8_t *info, size_t count) {
    uint32_t from = lap_get32(info);
    uint32_t to = lap_get32(info + 4);
    const uint8_t *octets = info + ADDRESS_OCTETS;
    count -= ADDRESS_OCTETS;
    if (from == lap->address || (to != lap->address && (to != LAP_ALL || !command))) {
        return;
    }
    lap->counters.frames_received++;
    if (!command) {
        if (lap->client->tested != NULL) {
            lap->client->tested(lap->client->context, from, octets, count);
        }
    } else if (!lap->sending && !lap->unit_waits && !lap->short_waits &&
               write_test(lap, from, octets, count)) {
        plan(lap, LAP_BROADCAST, LAP_TEST | LAP_PF, ADDRESS_OCTETS + count);
    }
}

void lap_apart_receive(struct lap *lap, bool command, uint8_t control, const uint8_t *info,
                       size_t count) {
    if (lap->mode != LAP_IDLE && lap->mode != LAP_SENSING) {
        return;
    }
    if (control == LAP_TEST && count >= ADDRESS_OCTETS) {
        receive_test(lap, command, info, count);
    } else if (control == LAP_UI && command) {
        lap->counters.frames_received++;
        if (lap->client->broadcast != NULL) {
            lap->client->broadcast(lap->client->context, info, count);
        }
    }
}
