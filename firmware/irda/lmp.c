// Connections as their users see them, and what is sent for them.
#include "lmp.h"

#include <string.h>

#include "lmp_internal.h"

static bool send_frame(struct lmp *lmp, const uint8_t *octets, size_t count) {
    size_t capacity;
    uint8_t *buffer = lap_reserve(lmp->lap, &capacity);
    if (buffer == NULL || count > capacity) {
        return false;
    }
    memcpy(buffer, octets, count);
    lap_commit(lmp->lap, count);
    return true;
}

// Replies go before data: a connection's confirm before its first data.
static void send_replies(struct lmp *lmp) {
    if (!lmp->is_linked) {
        return;
    }
    if (lmp->reply_octets > 0 && send_frame(lmp, lmp->reply, lmp->reply_octets)) {
        lmp->reply_octets = 0;
    }
    for (struct lmp_lsap *lsap = lmp->lsaps; lsap != NULL; lsap = lsap->next) {
        if (lsap->reply_octets > 0 && send_frame(lmp, lsap->reply, lsap->reply_octets)) {
            lsap->reply_octets = 0;
        }
    }
}

static void reply(struct lmp_lsap *lsap, uint8_t opcode, uint8_t parameter, const uint8_t *octets,
                  size_t count) {
    if (count > LMP_CONNECT_OCTETS) {
        count = LMP_CONNECT_OCTETS;
    }
    lsap->reply[0] = (uint8_t)(LMP_PDU_CONTROL | lsap->remote);
    lsap->reply[1] = lsap->local;
    lsap->reply[2] = opcode;
    lsap->reply[3] = parameter;
    if (count > 0) {
        memcpy(lsap->reply + 4, octets, count);
    }
    lsap->reply_octets = (uint8_t)(4 + count);
    send_replies(lsap->lmp);
}

void lmp_reply_for_none(struct lmp *lmp, uint8_t remote, uint8_t local, uint8_t opcode,
                        uint8_t parameter, size_t count) {
    if (lmp->reply_octets > 0) {
        return;
    }
    lmp->reply[0] = (uint8_t)(LMP_PDU_CONTROL | remote);
    lmp->reply[1] = local;
    lmp->reply[2] = opcode;
    lmp->reply[3] = parameter;
    lmp->reply[4] = 0;
    lmp->reply_octets = (uint8_t)(LMP_HEADER_OCTETS + count);
    send_replies(lmp);
}

void lmp_end(struct lmp_lsap *lsap, enum lmp_reason reason) {
    lsap->state = LMP_CLOSED;
    if (lsap->user->disconnected != NULL) {
        lsap->user->disconnected(lsap->context, reason);
    }
}

// Offers the window to each LSAP, beginning behind the one that sent last.
static void offer(void *context) {
    struct lmp *lmp = context;
    send_replies(lmp);
    struct lmp_lsap *begin = lmp->first != NULL ? lmp->first : lmp->lsaps;
    struct lmp_lsap *lsap = begin;
    if (begin == NULL) {
        return;
    }
    do {
        if (lsap->state == LMP_CONNECTED && lsap->user->ready != NULL) {
            lsap->user->ready(lsap->context);
        }
        lsap = lsap->next != NULL ? lsap->next : lmp->lsaps;
    } while (lsap != begin);
}

static void link_asked(void *context, uint32_t address) {
    struct lmp *lmp = context;
    (void)address;
    lap_accept(lmp->lap);
}

static void linked(void *context) {
    struct lmp *lmp = context;
    lmp->is_linked = true;
    lmp->address = lmp->lap->link.address;
    send_replies(lmp);
}

static void end_all(struct lmp *lmp, enum lmp_reason why) {
    lmp->reply_octets = 0;
    for (struct lmp_lsap *lsap = lmp->lsaps; lsap != NULL; lsap = lsap->next) {
        lsap->reply_octets = 0;
        if (lsap->state > LMP_LISTENING) {
            lmp_end(lsap, why);
        }
    }
}

static void link_lost(void *context, enum lap_reason reason) {
    struct lmp *lmp = context;
    enum lmp_reason why = lmp->is_linked ? LMP_LINK_LOST : LMP_NO_LINK;
    lmp->is_linked = false;
    lmp->address = LAP_NO_ADDRESS;
    end_all(lmp, why);
    if (lmp->owner.link_ended != NULL) {
        lmp->owner.link_ended(lmp->owner.context, reason);
    }
}

static void link_reset(void *context) {
    struct lmp *lmp = context;
    end_all(lmp, LMP_LINK_RESET);
}

static void discovered(void *context, const struct lap_device *devices, unsigned count,
                       enum lap_reason result) {
    struct lmp *lmp = context;
    if (lmp->owner.discovered != NULL) {
        lmp->owner.discovered(lmp->owner.context, devices, count, result);
    }
}

void lmp_init(struct lmp *lmp, struct lap *lap, const struct lmp_owner *owner) {
    memset(lmp, 0, sizeof *lmp);
    lmp->lap = lap;
    lmp->owner = *owner;
    lmp->client.context = lmp;
    lmp->client.discovered = discovered;
    lmp->client.connect_asked = link_asked;
    lmp->client.connected = linked;
    lmp->client.disconnected = link_lost;
    lmp->client.data = lmp_data_came;
    lmp->client.ready = offer;
    lmp->client.was_reset = link_reset;
}

void lmp_add(struct lmp *lmp, struct lmp_lsap *lsap, const struct lmp_user *user, void *context) {
    memset(lsap, 0, sizeof *lsap);
    lsap->lmp = lmp;
    lsap->user = user;
    lsap->context = context;
    lsap->next = lmp->lsaps;
    lmp->lsaps = lsap;
}

void lmp_listen(struct lmp_lsap *lsap, uint8_t local) {
    lsap->local = local;
    lsap->state = LMP_LISTENING;
}

static bool take_selector(struct lmp_lsap *lsap) {
    for (uint8_t local = LMP_FIRST_FREE_SELECTOR; local <= LMP_LAST_SELECTOR; local++) {
        const struct lmp_lsap *other = lsap->lmp->lsaps;
        while (other != NULL && (other->state == LMP_CLOSED || other->local != local)) {
            other = other->next;
        }
        if (other == NULL) {
            lsap->local = local;
            return true;
        }
    }
    return false;
}

// True if the link to this station is there, or asked for, or can be asked for.
static bool has_link(struct lmp *lmp, uint32_t address) {
    if (lmp->is_linked || lmp->address != LAP_NO_ADDRESS) {
        return lmp->address == address;
    }
    if (!lap_connect(lmp->lap, address)) {
        return false;
    }
    lmp->address = address;
    return true;
}

bool lmp_connect(struct lmp_lsap *lsap, uint32_t address, uint8_t remote, const uint8_t *octets,
                 size_t count) {
    if (lsap->state != LMP_CLOSED || lsap->reply_octets > 0 || !take_selector(lsap) ||
        !has_link(lsap->lmp, address)) {
        return false;
    }
    lsap->remote = remote;
    lsap->state = LMP_ASKING;
    reply(lsap, LMP_PDU_CONNECT, 0, octets, count);
    return true;
}

void lmp_accept(struct lmp_lsap *lsap, const uint8_t *octets, size_t count) {
    if (lsap->state == LMP_ASKED) {
        lsap->state = LMP_CONNECTED;
        reply(lsap, LMP_PDU_CONFIRM, 0, octets, count);
    }
}

void lmp_disconnect(struct lmp_lsap *lsap, enum lmp_reason reason) {
    if (lsap->state > LMP_LISTENING && lsap->lmp->is_linked) {
        reply(lsap, LMP_PDU_DISCONNECT, (uint8_t)reason, NULL, 0);
    } else if (lsap->state > LMP_LISTENING) {
        lsap->reply_octets = 0;
    }
    lsap->state = LMP_CLOSED;
}

uint8_t *lmp_reserve(struct lmp_lsap *lsap, size_t *capacity) {
    if (lsap->state != LMP_CONNECTED || lsap->reply_octets > 0) {
        return NULL;
    }
    uint8_t *buffer = lap_reserve(lsap->lmp->lap, capacity);
    if (buffer == NULL) {
        return NULL;
    }
    buffer[0] = lsap->remote;
    buffer[1] = lsap->local;
    *capacity -= LMP_HEADER_OCTETS;
    return buffer + LMP_HEADER_OCTETS;
}

void lmp_commit(struct lmp_lsap *lsap, size_t count) {
    lsap->lmp->first = lsap->next;
    lap_commit(lsap->lmp->lap, count + LMP_HEADER_OCTETS);
}

size_t lmp_capacity(const struct lmp *lmp) {
    return lmp->lap->link.send_octets - (size_t)LMP_HEADER_OCTETS;
}

void lmp_unlink(struct lmp *lmp) {
    lap_disconnect(lmp->lap);
}
