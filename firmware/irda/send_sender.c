// The sender: finds a station, asks for the service, and sends file, content and end.
#include <string.h>

#include "crc32.h"
#include "send_internal.h"

#define SLOTS 6

static void wait_and_look_again(struct send *send) {
    send->phase = SEND_WAITING;
    send_timer_start(send, SEND_AGAIN_US);
}

// Asks the next station found for the service, or looks for stations.
void send_look(struct send *send) {
    if (send->station < send->station_count) {
        send->phase = SEND_ASKING;
        send_timer_start(send, SEND_STALL_US);
        if (ias_ask(&send->asker, send->stations[send->station], SEND_CLASS, IAS_TINYTP)) {
            return;
        }
    } else if (send->tries == 0) {
        send_report(send, SEND_NO_STATION);
        return;
    } else {
        send->phase = SEND_LOOKING;
        if (lap_discover(send->lmp->lap, SLOTS)) {
            return;
        }
    }
    wait_and_look_again(send);
}

void send_discovered(void *context, const struct lap_device *devices, unsigned count,
                     enum lap_reason result) {
    struct send *send = context;
    if (send->phase != SEND_LOOKING) {
        return;
    }
    send->tries--;
    send->station = 0;
    send->station_count = 0;
    for (unsigned at = 0; at < count && at < SEND_STATIONS && result == LAP_DISCONNECTED; at++) {
        send->stations[send->station_count++] = devices[at].address;
    }
    wait_and_look_again(send);
    if (send->station_count > 0) {
        send->timer_runs = false;
        send_look(send);
    }
}

void send_service_answered(void *context, enum ias_result result, const struct ias_value *value) {
    struct send *send = context;
    if (send->phase != SEND_ASKING) {
        return;
    }
    if (result == IAS_NO_ANSWER) {
        send_close(send, SEND_NO_LINK);
    } else if (result != IAS_SUCCESS || value->type != IAS_INTEGER || value->integer < 1 ||
               value->integer > (int32_t)LMP_LAST_SELECTOR) {
        send_close(send, SEND_NO_SERVICE);
    } else {
        send->phase = SEND_CONNECTING;
        send_timer_start(send, SEND_ANSWER_US);
        if (!ttp_connect(&send->ttp, send->stations[send->station], (uint8_t)value->integer)) {
            send_close(send, SEND_NO_LINK);
        }
    }
}

void send_connected(struct send *send) {
    size_t count = strlen(send->name);
    send->phase = SEND_SENDING;
    send_timer_start(send, SEND_STALL_US);
    send->done = 0;
    send->crc = 0;
    send->out[0] = SEND_FILE;
    send_put_number(send->out + 1, send->size);
    memcpy(send->out + 1 + SEND_NUMBER_OCTETS, send->name, count);
    ttp_send(&send->ttp, send->out, 1 + SEND_NUMBER_OCTETS + count);
}

// Octets of a unit of content: whole segments, so that no short one stands between two units.
static size_t unit_octets(const struct send *send) {
    size_t segment = ttp_segment_octets(&send->ttp);
    size_t most = ttp_unit_octets(&send->ttp);
    if (most > sizeof send->out) {
        most = sizeof send->out;
    }
    return most > segment ? most / segment * segment : most;
}

void send_next(struct send *send) {
    size_t capacity = unit_octets(send) - 1;
    if (capacity > send->size - send->done) {
        capacity = send->size - send->done;
    }
    size_t count =
        capacity > 0 ? send->calls.read(send->calls.context, send->out + 1, capacity) : 0;
    if (count > 0) {
        send->out[0] = SEND_CONTENT;
        send->crc = crc32_add(send->crc, send->out + 1, count);
        send->done += (uint32_t)count;
        send_timer_start(send, SEND_STALL_US);
    } else {
        send->phase = SEND_CHECKING;
        send_timer_start(send, SEND_ANSWER_US);
        send->out[0] = SEND_END;
        send_put_number(send->out + 1, send->crc);
        count = SEND_NUMBER_OCTETS;
    }
    ttp_send(&send->ttp, send->out, count + 1);
}

void send_result_came(struct send *send, uint8_t result) {
    ttp_disconnect(&send->ttp);
    send_close(send, result == 0 ? SEND_DONE : result == 1 ? SEND_DIFFERS : SEND_REFUSED);
}

void send_close(struct send *send, enum send_result result) {
    send->phase = SEND_CLOSING;
    send->result = result;
    send_timer_start(send, SEND_ANSWER_US);
    if (send->lmp->address == LAP_NO_ADDRESS) {
        send->phase = SEND_IDLE;
        send_report(send, result);
    } else {
        lmp_unlink(send->lmp);
    }
}

bool send_file(struct send *send, const char *name, uint32_t size, unsigned tries) {
    if (send->phase != SEND_IDLE) {
        return false;
    }
    strncpy(send->name, name, SEND_NAME_OCTETS);
    send->size = size;
    send->tries = tries;
    send->station_count = 0;
    send->station = 0;
    ttp_disconnect(&send->ttp); // stops to wait for files
    send_look(send);
    return true;
}
