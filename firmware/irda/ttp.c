#include "ttp.h"

#include <string.h>

enum {
    FLAG = 0x80, // of connect: parameters follow; of data: segments of this unit follow
    CREDITS = 0x7F,
    MAX_UNIT = 1, // the parameter with the largest unit, in 4 octets
    PARAMETERS_OCTETS = 7,
};

// Credits that may be given now.
static uint8_t owed(const struct ttp *ttp) {
    return ttp->holds ? 0 : (uint8_t)(ttp->window - ttp->peer_credits);
}

static uint8_t give(struct ttp *ttp) {
    uint8_t credits = owed(ttp);
    ttp->peer_credits = (uint8_t)(ttp->peer_credits + credits);
    return credits;
}

// Sends one segment of the unit under way; false if it has to wait.
static bool send_segment(struct ttp *ttp) {
    size_t capacity;
    uint8_t *octets = lmp_reserve(&ttp->lsap, &capacity);
    if (octets == NULL) {
        return false;
    }
    if (ttp->send_credits == 0) {
        ttp->counters.times_without_credit++;
        return false;
    }
    size_t count = ttp->left < capacity - 1 ? ttp->left : capacity - 1;
    octets[0] = (uint8_t)((count < ttp->left ? FLAG : 0) | give(ttp));
    memcpy(octets + 1, ttp->unit, count);
    ttp->unit += count;
    ttp->left -= count;
    ttp->send_credits--;
    ttp->counters.segments_sent++;
    lmp_commit(&ttp->lsap, count + 1);
    return true;
}

// A frame of credits alone, once the other station has used up half of its credits.
static void send_credits(struct ttp *ttp) {
    size_t capacity;
    if (owed(ttp) == 0 || ttp->peer_credits > ttp->window / 2) {
        return;
    }
    uint8_t *octets = lmp_reserve(&ttp->lsap, &capacity);
    if (octets != NULL) {
        octets[0] = give(ttp);
        ttp->counters.credit_frames_sent++;
        lmp_commit(&ttp->lsap, 1);
    }
}

static void flush(void *context) {
    struct ttp *ttp = context;
    if (ttp->is_flushing) {
        return; // `sent` below asked for the next unit, which the loop sends
    }
    ttp->is_flushing = true;
    while (ttp->left > 0 && send_segment(ttp)) {
        if (ttp->left == 0 && ttp->user->sent != NULL) {
            ttp->user->sent(ttp->context);
        }
    }
    send_credits(ttp);
    ttp->is_flushing = false;
}

static void begin(struct ttp *ttp) {
    ttp->assembled = 0;
    ttp->left = 0;
    ttp->peer_credits = ttp->window;
    memset(&ttp->counters, 0, sizeof ttp->counters);
}

// Reads what the other station says in connect or confirm.
static void read_connect(struct ttp *ttp, const uint8_t *octets, size_t count) {
    ttp->send_credits = count > 0 ? octets[0] & CREDITS : 0;
    ttp->peer_unit_octets = 0;
    if (count < 2 || (octets[0] & FLAG) == 0) {
        return;
    }
    size_t end = 2u + octets[1] < count ? 2u + octets[1] : count;
    for (size_t at = 2; at + 2 <= end && at + 2 + octets[at + 1] <= end;
         at += 2u + octets[at + 1]) {
        uint32_t value = 0;
        for (size_t digit = 0; digit < octets[at + 1]; digit++) {
            value = value << 8 | octets[at + 2 + digit];
        }
        if (octets[at] == MAX_UNIT) {
            ttp->peer_unit_octets = value > 0 ? value : UINT32_MAX; // 0: as large as wanted
        }
    }
}

static size_t write_connect(const struct ttp *ttp, uint8_t *octets) {
    octets[0] = FLAG | ttp->window;
    octets[1] = PARAMETERS_OCTETS - 1;
    octets[2] = MAX_UNIT;
    octets[3] = 4;
    for (unsigned digit = 0; digit < 4; digit++) {
        octets[4 + digit] = (uint8_t)(ttp->capacity >> (24 - 8 * digit));
    }
    return 1 + PARAMETERS_OCTETS;
}

static void asked(void *context, const uint8_t *octets, size_t count) {
    struct ttp *ttp = context;
    begin(ttp);
    read_connect(ttp, octets, count);
    ttp->user->asked(ttp->context);
}

static void connected(void *context, const uint8_t *octets, size_t count) {
    struct ttp *ttp = context;
    read_connect(ttp, octets, count);
    if (ttp->user->connected != NULL) {
        ttp->user->connected(ttp->context);
    }
}

static void disconnected(void *context, enum lmp_reason reason) {
    struct ttp *ttp = context;
    ttp->left = 0;
    if (ttp->user->disconnected != NULL) {
        ttp->user->disconnected(ttp->context, reason);
    }
}

// The other station does what TinyTP forbids.
static void fail(struct ttp *ttp) {
    ttp_disconnect(ttp);
    disconnected(ttp, LMP_UNSPECIFIED);
}

static void segment_came(struct ttp *ttp, const uint8_t *octets, size_t count, bool is_last) {
    if (ttp->peer_credits == 0 || count > ttp->capacity - ttp->assembled) {
        fail(ttp);
        return;
    }
    ttp->peer_credits--;
    ttp->counters.segments_received++;
    if (is_last && ttp->assembled == 0) {
        ttp->user->data(ttp->context, octets, count);
        return;
    }
    memcpy(ttp->buffer + ttp->assembled, octets, count);
    ttp->assembled += count;
    if (is_last) {
        size_t whole = ttp->assembled;
        ttp->assembled = 0;
        ttp->user->data(ttp->context, ttp->buffer, whole);
    }
}

static void data_came(void *context, const uint8_t *octets, size_t count) {
    struct ttp *ttp = context;
    if (count < 1) {
        return;
    }
    unsigned credits = ttp->send_credits + (octets[0] & CREDITS);
    ttp->send_credits = (uint8_t)(credits < TTP_MOST_CREDITS ? credits : TTP_MOST_CREDITS);
    if (count > 1) {
        segment_came(ttp, octets + 1, count - 1, (octets[0] & FLAG) == 0);
    }
    if (ttp->lsap.state == LMP_CONNECTED) {
        flush(ttp);
    }
}

static const struct lmp_user lmp_calls = {asked, connected, disconnected, data_came, flush};

void ttp_init(struct ttp *ttp, struct lmp *lmp, const struct ttp_user *user, void *context,
              uint8_t *buffer, size_t capacity, uint8_t window) {
    memset(ttp, 0, sizeof *ttp);
    ttp->user = user;
    ttp->context = context;
    ttp->buffer = buffer;
    ttp->capacity = capacity;
    ttp->window = window;
    lmp_add(lmp, &ttp->lsap, &lmp_calls, ttp);
}

void ttp_listen(struct ttp *ttp, uint8_t local) {
    lmp_listen(&ttp->lsap, local);
}

bool ttp_connect(struct ttp *ttp, uint32_t address, uint8_t remote) {
    uint8_t parameters[1 + PARAMETERS_OCTETS];
    begin(ttp);
    return lmp_connect(&ttp->lsap, address, remote, parameters, write_connect(ttp, parameters));
}

void ttp_accept(struct ttp *ttp) {
    uint8_t parameters[1 + PARAMETERS_OCTETS];
    lmp_accept(&ttp->lsap, parameters, write_connect(ttp, parameters));
}

void ttp_disconnect(struct ttp *ttp) {
    ttp->left = 0;
    lmp_disconnect(&ttp->lsap, LMP_USER_REQUEST);
}

bool ttp_send(struct ttp *ttp, const uint8_t *octets, size_t count) {
    if (ttp->lsap.state != LMP_CONNECTED || ttp->left > 0 || count == 0 ||
        count > ttp_unit_octets(ttp)) {
        return false;
    }
    ttp->unit = octets;
    ttp->left = count;
    flush(ttp);
    return true;
}

size_t ttp_unit_octets(const struct ttp *ttp) {
    return ttp->peer_unit_octets > 0 ? ttp->peer_unit_octets : ttp_segment_octets(ttp);
}

size_t ttp_segment_octets(const struct ttp *ttp) {
    return lmp_capacity(ttp->lsap.lmp) - 1;
}

void ttp_hold(struct ttp *ttp, bool holds) {
    ttp->holds = holds;
    if (ttp->lsap.state == LMP_CONNECTED) {
        flush(ttp);
    }
}
