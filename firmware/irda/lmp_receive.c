// Frames that came: to which connection they belong, and what they do to it.
#include "lmp_internal.h"

static struct lmp_lsap *find(struct lmp *lmp, uint8_t local, uint8_t remote) {
    for (struct lmp_lsap *lsap = lmp->lsaps; lsap != NULL; lsap = lsap->next) {
        if (lsap->state > LMP_LISTENING && lsap->local == local && lsap->remote == remote) {
            return lsap;
        }
    }
    return NULL;
}

static struct lmp_lsap *find_listener(struct lmp *lmp, uint8_t local) {
    for (struct lmp_lsap *lsap = lmp->lsaps; lsap != NULL; lsap = lsap->next) {
        if (lsap->state == LMP_LISTENING && lsap->local == local && lsap->reply_octets == 0) {
            return lsap;
        }
    }
    return NULL;
}

static void connect_came(struct lmp *lmp, uint8_t local, uint8_t remote, const uint8_t *octets,
                         size_t count) {
    struct lmp_lsap *lsap = find_listener(lmp, local);
    if (lsap == NULL || find(lmp, local, remote) != NULL) {
        lmp_reply_for_none(lmp, remote, local, LMP_PDU_DISCONNECT, LMP_NO_SERVICE, 2);
        return;
    }
    lsap->remote = remote;
    lsap->state = LMP_ASKED;
    lsap->user->asked(lsap->context, octets, count);
}

static void control_came(struct lmp *lmp, uint8_t local, uint8_t remote, const uint8_t *octets,
                         size_t count) {
    uint8_t opcode = octets[0];
    struct lmp_lsap *lsap = find(lmp, local, remote);
    const uint8_t *data = octets + (count < 2 ? count : 2);
    size_t data_octets = count < 2 ? 0 : count - 2;
    if (opcode == LMP_PDU_CONNECT) {
        connect_came(lmp, local, remote, data, data_octets);
    } else if (opcode == LMP_PDU_CONFIRM && lsap != NULL && lsap->state == LMP_ASKING) {
        lsap->state = LMP_CONNECTED;
        if (lsap->user->connected != NULL) {
            lsap->user->connected(lsap->context, data, data_octets);
        }
    } else if (opcode == LMP_PDU_DISCONNECT && lsap != NULL) {
        lsap->reply_octets = 0;
        lmp_end(lsap, count > 1 ? (enum lmp_reason)octets[1] : LMP_UNSPECIFIED);
    } else if (opcode == LMP_PDU_ACCESS_MODE) {
        lmp_reply_for_none(lmp, remote, local, LMP_PDU_ACCESS_MODE_CONFIRM, LMP_PDU_UNSUPPORTED, 3);
    }
}

void lmp_data_came(void *context, const uint8_t *octets, size_t count) {
    struct lmp *lmp = context;
    if (count < LMP_HEADER_OCTETS) {
        return;
    }
    uint8_t local = octets[0] & LMP_PDU_SELECTOR;
    uint8_t remote = octets[1] & LMP_PDU_SELECTOR;
    const uint8_t *data = octets + LMP_HEADER_OCTETS;
    if ((octets[0] & LMP_PDU_CONTROL) != 0) {
        if (count > LMP_HEADER_OCTETS) {
            control_came(lmp, local, remote, data, count - LMP_HEADER_OCTETS);
        }
        return;
    }
    struct lmp_lsap *lsap = find(lmp, local, remote);
    if (lsap != NULL && lsap->state == LMP_CONNECTED) {
        lsap->user->data(lsap->context, data, count - LMP_HEADER_OCTETS);
    } else if (lsap == NULL && local <= LMP_LAST_SELECTOR) { // others are for no connection
        lmp_reply_for_none(lmp, remote, local, LMP_PDU_DISCONNECT, LMP_NOT_CONNECTED, 2);
    }
}
