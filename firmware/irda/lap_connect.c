// The way to a connection: SNRM and UA, the change of speed, and what happens when one of them is
// lost.
#include "lap_internal.h"

#define ADDRESS_OCTETS 8u // source and destination in SNRM and UA
#define ASK_MOST_US 8000000u
#define ASK_US 500000u // for the answer
#define ASK_SPREAD_US 200000u
#define QUIET_US 30000u // on the line, before SNRM is sent again
#define DECIDE_US 400000u
// At one speed, after UA: two polls or two SNRMs of the primary come in this time.
#define LISTEN_US 1300000u

static uint32_t chance_us(struct lap *lap, uint32_t most_us) {
    return lap->port->random(lap->port->context) % most_us;
}

static void ask(struct lap *lap) {
    uint8_t *info = lap_short_begin(lap, LAP_BROADCAST | LAP_COMMAND, LAP_SNRM | LAP_PF);
    info = lap_put32(info, lap->address);
    info = lap_put32(info, lap->setup.address);
    *info++ = (uint8_t)(lap->setup.connection << 1);
    lap_enter(lap, LAP_ASKING);
    lap_short_end(lap, lap_parameters_write(&lap->config.abilities, info));
}

bool lap_connect(struct lap *lap, uint32_t address) {
    if (lap->mode != LAP_IDLE || address == LAP_NO_ADDRESS || address == LAP_ALL) {
        return false;
    }
    lap->setup.discovers = false;
    lap->setup.address = address;
    lap->setup.connection = (uint8_t)(1u + chance_us(lap, 0x7E));
    lap->setup.until_us = lap_now(lap) + ASK_MOST_US;
    lap_enter(lap, LAP_SENSING);
    lap_timer_start(lap, 0);
    return true;
}

static void answer(struct lap *lap) {
    uint8_t *info = lap_short_begin(lap, (uint8_t)(lap->setup.connection << 1), LAP_UA | LAP_PF);
    info = lap_put32(info, lap->address);
    info = lap_put32(info, lap->setup.address);
    lap_enter(lap, LAP_ANSWERED);
    lap->setup.at_new_speed = false;
    lap_short_end(lap, lap_parameters_write(&lap->config.abilities, info));
}

bool lap_accept(struct lap *lap) {
    if (lap->mode != LAP_ASKED) {
        return false;
    }
    lap->setup.until_us = lap_now(lap) + ASK_MOST_US;
    answer(lap);
    return true;
}

static void refuse(struct lap *lap) {
    lap_enter(lap, LAP_IDLE);
    lap_short_end(lap, lap_short_begin(lap, LAP_BROADCAST, LAP_DM | LAP_PF));
}

void lap_disconnect(struct lap *lap) {
    switch (lap->mode) {
    case LAP_CONNECTED:
    case LAP_RESETTING:
        lap_link_close(lap, LAP_DISCONNECTED);
        lap_transfer_go(lap);
        break;
    case LAP_ASKED:
        refuse(lap);
        break;
    case LAP_SENSING:
    case LAP_ASKING:
    case LAP_ANSWERED:
        lap->setup.reason = LAP_DISCONNECTED;
        if (lap->sending) {
            lap_enter(lap, LAP_LEAVING);
        } else {
            lap_end(lap, LAP_DISCONNECTED, true);
        }
        break;
    default:
        break;
    }
}

// This station's own plans give way to the other one's SNRM. True if it asked that one itself.
static bool give_way(struct lap *lap, uint32_t from) {
    bool same = !lap->setup.discovers && lap->setup.address == from;
    enum lap_mode mode = lap->mode;
    lap->short_waits = false;
    lap->turnaround.runs = false;
    lap_enter(lap, LAP_ASKED);
    if (mode == LAP_SENSING && lap->setup.discovers && lap->client->discovered != NULL) {
        lap->client->discovered(lap->client->context, NULL, 0, LAP_MEDIA_BUSY);
    } else if (mode == LAP_SENSING && !same && lap->client->disconnected != NULL) {
        lap->client->disconnected(lap->client->context, LAP_MEDIA_BUSY);
    }
    return same && (mode == LAP_SENSING || mode == LAP_ASKING);
}

static bool may_be_asked(const struct lap *lap, uint32_t from) {
    switch (lap->mode) {
    case LAP_IDLE:
    case LAP_SENSING:
        return true;
    case LAP_ASKING: // of two who ask each other, the higher address becomes primary
        return from == lap->setup.address && from > lap->address;
    case LAP_ANSWERED:
        return from == lap->setup.address;
    default:
        return false;
    }
}

void lap_connect_asked(struct lap *lap, const uint8_t *info, size_t count) {
    struct lap_abilities offered;
    if (count <= ADDRESS_OCTETS) {
        return;
    }
    uint32_t from = lap_get32(info);
    uint32_t to = lap_get32(info + 4);
    bool again = lap->mode == LAP_ANSWERED;
    if (lap_is_linked(lap) && lap->mode != LAP_CLOSING && !lap->link.primary &&
        from == lap->link.address) {
        lap_end(lap, LAP_NO_RESPONSE, true); // the other station began anew
    }
    if (from == lap->address || (to != lap->address && to != LAP_ALL) || !may_be_asked(lap, from)) {
        return;
    }
    lap->counters.frames_received++;
    if (!lap_parameters_read(&offered, info + ADDRESS_OCTETS + 1, count - ADDRESS_OCTETS - 1)) {
        return;
    }
    bool agreed = again || give_way(lap, from);
    lap->setup.address = from;
    lap->setup.connection = info[ADDRESS_OCTETS] >> 1;
    lap->link.address = from;
    lap->link.connection = lap->setup.connection;
    lap->link.primary = false;
    if (!lap_parameters_agree(&lap->link, &lap->config.abilities, &offered) ||
        (!agreed && lap->client->connect_asked == NULL)) {
        refuse(lap);
        return;
    }
    if (again) { // the UA was lost
        answer(lap);
        return;
    }
    lap_enter(lap, LAP_ASKED);
    lap_timer_start(lap, DECIDE_US);
    if (agreed) {
        lap_accept(lap);
    } else {
        lap->client->connect_asked(lap->client->context, from);
    }
}

void lap_connect_answered(struct lap *lap, uint8_t address, uint8_t control, const uint8_t *info,
                          size_t count) {
    struct lap_abilities offered;
    if (control == LAP_DM) {
        lap->counters.frames_received++;
        lap_end(lap, LAP_REFUSED, true);
        return;
    }
    if (control != LAP_UA || count < ADDRESS_OCTETS || lap_get32(info) != lap->setup.address ||
        lap_get32(info + 4) != lap->address ||
        (address != LAP_BROADCAST && address != (uint8_t)(lap->setup.connection << 1))) {
        return;
    }
    lap->counters.frames_received++;
    if (!lap_parameters_read(&offered, info + ADDRESS_OCTETS, count - ADDRESS_OCTETS)) {
        return;
    }
    lap->link.address = lap->setup.address;
    lap->link.connection = lap->setup.connection;
    lap->link.primary = true;
    if (!lap_parameters_agree(&lap->link, &lap->config.abilities, &offered)) {
        lap_end(lap, LAP_NOTHING_COMMON, true);
        return;
    }
    lap->port->set_speed(lap->port->context, lap->link.speed);
    lap_transfer_start(lap);
}

void lap_connect_confirmed(struct lap *lap) {
    lap_transfer_start(lap);
}

static void listen(struct lap *lap, bool at_new_speed) {
    lap->setup.at_new_speed = at_new_speed;
    lap->port->set_speed(lap->port->context, at_new_speed ? lap->link.speed : LAP_CONTENTION_SPEED);
    lap_timer_start(lap, LISTEN_US);
}

void lap_connect_sent(struct lap *lap) {
    switch (lap->mode) {
    case LAP_ASKING:
        lap_timer_start(lap, ASK_US + chance_us(lap, ASK_SPREAD_US));
        break;
    case LAP_ANSWERED:
        listen(lap, true);
        break;
    case LAP_LEAVING:
        lap_end(lap, lap->setup.reason, true);
        break;
    default:
        break;
    }
}

void lap_connect_expired(struct lap *lap) {
    uint32_t now_us = lap_now(lap);
    if (lap->mode == LAP_ASKED) { // the client did not decide
        refuse(lap);
    } else if (irda_is_due(now_us, lap->setup.until_us)) {
        lap_end(lap, lap->mode == LAP_SENSING ? LAP_MEDIA_BUSY : LAP_NO_RESPONSE, true);
    } else if (lap->mode == LAP_ANSWERED) {
        // The primary polls at the new speed if it heard the UA. If not, it repeats SNRM at 9,600
        // bit/s.
        listen(lap, !lap->setup.at_new_speed);
    } else if (lap->mode == LAP_SENSING && !irda_is_due(now_us, lap->busy_until_us)) {
        lap_timer_start(lap, lap->busy_until_us - now_us);
    } else if (lap->mode == LAP_ASKING && now_us - lap->heard_us < QUIET_US) {
        lap_timer_start(lap, QUIET_US + chance_us(lap, ASK_SPREAD_US));
    } else {
        lap->counters.connect_repeated += lap->mode == LAP_ASKING;
        ask(lap);
    }
}
