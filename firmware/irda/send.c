#include "send.h"

#include <string.h>

#include "send_internal.h"

static uint32_t now(const struct send *send) {
    const struct irda_port *port = send->lmp->lap->port;
    return port->now_us(port->context);
}

void send_timer_start(struct send *send, uint32_t after_us) {
    send->timer_at_us = now(send) + after_us;
    send->timer_runs = true;
}

void send_report(struct send *send, enum send_result result) {
    send->phase = SEND_IDLE;
    send->timer_runs = false;
    send->calls.ended(send->calls.context, result);
}

void send_put_number(uint8_t *octets, uint32_t value) {
    for (unsigned at = 0; at < SEND_NUMBER_OCTETS; at++) {
        octets[at] = (uint8_t)(value >> (24 - 8 * at));
    }
}

uint32_t send_get_number(const uint8_t *octets) {
    return (uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 | (uint32_t)octets[2] << 8 |
           octets[3];
}

static void asked(void *context) {
    struct send *send = context;
    ttp_accept(&send->ttp);
}

static void connected(void *context) {
    send_connected(context);
}

static void disconnected(void *context, enum lmp_reason reason) {
    struct send *send = context;
    switch (send->phase) {
    case SEND_CONNECTING:
        send_close(send, reason == LMP_NO_SERVICE ? SEND_NO_SERVICE : SEND_REFUSED);
        break;
    case SEND_SENDING:
    case SEND_CHECKING:
        send_close(send, SEND_LINK_LOST);
        break;
    case SEND_RECEIVING:
        send_report(send, SEND_LINK_LOST);
        send_receive(send);
        break;
    case SEND_IDLE:
        send_receive(send);
        break;
    default:
        break;
    }
}

static void unit_came(void *context, const uint8_t *octets, size_t count) {
    struct send *send = context;
    if (send->phase == SEND_SENDING || send->phase == SEND_CHECKING) {
        if (count == 2 && octets[0] == SEND_RESULT) {
            send_result_came(send, octets[1]);
        }
    } else {
        send_unit_came(send, octets, count);
    }
}

static void sent(void *context) {
    struct send *send = context;
    if (send->phase == SEND_SENDING) {
        send_next(send);
    }
}

static const struct ttp_user calls_of_ttp = {asked, connected, disconnected, unit_came, sent};

static void link_ended(void *context, enum lap_reason reason) {
    struct send *send = context;
    (void)reason;
    if (send->phase == SEND_CLOSING) {
        if (send->result == SEND_NO_SERVICE && send->station + 1 < send->station_count) {
            send->station++;
            send_look(send);
        } else {
            send_report(send, send->result);
        }
    }
}

// The class of this application, and Device, which every station has.
static void fill_attributes(struct send *send, const char *device_name) {
    static const uint8_t support[] = {1, 0, 0}; // version; no optional part of IAS and of LM-MUX
    const struct ias_attribute attributes[] = {
        {"Device",
         0,
         "DeviceName",
         {IAS_STRING, 0, (const uint8_t *)device_name, strlen(device_name)}},
        {"Device", 0, "IrLMPSupport", {IAS_OCTETS, 0, support, sizeof support}},
        {SEND_CLASS, 1, IAS_TINYTP, {IAS_INTEGER, SEND_SELECTOR, NULL, 0}},
    };
    memcpy(send->attributes, attributes, sizeof attributes);
}

void send_init(struct send *send, struct lmp *lmp, const struct send_calls *calls,
               const char *device_name, uint8_t window) {
    memset(send, 0, sizeof *send);
    send->lmp = lmp;
    send->calls = *calls;
    lmp->owner.context = send;
    lmp->owner.discovered = send_discovered;
    lmp->owner.link_ended = link_ended;
    fill_attributes(send, device_name);
    ias_serve(&send->server, lmp, send->attributes,
              sizeof send->attributes / sizeof *send->attributes);
    ias_client_init(&send->asker, lmp, send_service_answered, send);
    ttp_init(&send->ttp, lmp, &calls_of_ttp, send, send->in, sizeof send->in, window);
}

void send_receive(struct send *send) {
    if (send->ttp.lsap.state == LMP_CLOSED) {
        ttp_listen(&send->ttp, SEND_SELECTOR);
    }
}

void send_hold(struct send *send, bool holds) {
    ttp_hold(&send->ttp, holds);
}

void send_run(struct send *send) {
    if (!send->timer_runs || !irda_is_due(now(send), send->timer_at_us)) {
        return;
    }
    send->timer_runs = false;
    if (send->phase == SEND_WAITING) {
        send_look(send);
    } else if (send->phase == SEND_CLOSING) {
        send_report(send, send->result);
    } else if (send->phase != SEND_IDLE) {
        send_close(send, SEND_NO_ANSWER);
    }
}

bool send_deadline(const struct send *send, uint32_t *at_us) {
    *at_us = send->timer_at_us;
    return send->timer_runs;
}
