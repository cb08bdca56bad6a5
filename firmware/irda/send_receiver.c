// The receiver: takes file, content and end, and answers with the result.
#include <string.h>

#include "crc32.h"
#include "send_internal.h"

static void answer(struct send *send, enum send_result result) {
    send->out[0] = SEND_RESULT;
    send->out[1] = (uint8_t)result;
    ttp_send(&send->ttp, send->out, 2);
}

static void file_came(struct send *send, const uint8_t *octets, size_t count) {
    size_t name_octets = count - SEND_NUMBER_OCTETS;
    if (name_octets > SEND_NAME_OCTETS) {
        name_octets = SEND_NAME_OCTETS;
    }
    memcpy(send->name, octets + SEND_NUMBER_OCTETS, name_octets);
    send->name[name_octets] = 0;
    send->size = send_get_number(octets);
    send->done = 0;
    send->crc = 0;
    if (send->calls.begin(send->calls.context, send->name, send->size)) {
        send->phase = SEND_RECEIVING;
    } else {
        answer(send, SEND_REFUSED);
    }
}

static void content_came(struct send *send, const uint8_t *octets, size_t count) {
    send->done += (uint32_t)count;
    send->crc = crc32_add(send->crc, octets, count);
    if (!send->calls.write(send->calls.context, octets, count)) {
        send_report(send, SEND_REFUSED);
        answer(send, SEND_REFUSED);
    }
}

static void end_came(struct send *send, const uint8_t *octets) {
    bool same = send->done == send->size && send->crc == send_get_number(octets);
    answer(send, same ? SEND_DONE : SEND_DIFFERS);
    send_report(send, same ? SEND_DONE : SEND_DIFFERS);
}

void send_unit_came(struct send *send, const uint8_t *octets, size_t count) {
    if (send->phase == SEND_IDLE && octets[0] == SEND_FILE && count > SEND_NUMBER_OCTETS) {
        file_came(send, octets + 1, count - 1);
    } else if (send->phase == SEND_RECEIVING && octets[0] == SEND_CONTENT) {
        content_came(send, octets + 1, count - 1);
    } else if (send->phase == SEND_RECEIVING && octets[0] == SEND_END &&
               count > SEND_NUMBER_OCTETS) {
        end_came(send, octets + 1);
    }
}
