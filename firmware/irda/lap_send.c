// The sending half of information transfer: the window, and what goes out while this station has
// the medium.
#include "lap_internal.h"

// For the first frame of an answer, beyond the time that the other station may send.
#define REPLY_MARGIN_US 100000u

static bool has_data(const struct lap *lap) {
    if (lap->selective != 0) {
        return true;
    }
    return !lap->peer_busy && lap->send_next != lap->send_end &&
           lap_distance(lap->send_oldest, lap->send_next) < lap->link.send_window;
}

uint8_t *lap_reserve(struct lap *lap, size_t *capacity) {
    if (lap->mode != LAP_CONNECTED) {
        lap->was_full = lap->mode == LAP_RESETTING;
        return NULL;
    }
    if (lap_distance(lap->send_oldest, lap->send_end) == LAP_WINDOW) {
        lap->was_full = true;
        return NULL;
    }
    *capacity = lap->link.send_octets;
    return lap->window[lap->send_end].octets + 2;
}

void lap_commit(struct lap *lap, size_t count) {
    if (lap->mode != LAP_CONNECTED || lap_distance(lap->send_oldest, lap->send_end) == LAP_WINDOW ||
        count > lap->link.send_octets) {
        return;
    }
    lap->window[lap->send_end].count = (uint16_t)count;
    lap->send_end = lap_after(lap->send_end);
    lap_transfer_go(lap);
}

unsigned lap_pending(const struct lap *lap) {
    return lap->mode == LAP_CONNECTED ? lap_distance(lap->send_oldest, lap->send_end) : 0;
}

void lap_set_busy(struct lap *lap, bool busy) {
    if (lap->mode == LAP_CONNECTED && lap->busy != busy) {
        lap->busy = busy;
        lap->kept = 0; // they come again, as all that comes meanwhile
        lap->answer_due = true;
        lap_transfer_go(lap);
    }
}

void lap_transfer_go(struct lap *lap) {
    if (!lap->has_medium || lap->sending) {
        return;
    }
    if (!lap->link.primary || lap->only_poll || lap->answer_due || lap->reject || lap->unit_waits ||
        lap->mode != LAP_CONNECTED || has_data(lap)) {
        lap->timer.runs = false;
        lap_begin(lap);
    } else if (!lap->timer.runs) {
        lap_timer_start(lap, lap->idle_poll_us);
        lap->idle_poll_us *= 2;
        if (lap->idle_poll_us > lap->link.own_max_turnaround_us) {
            lap->idle_poll_us = lap->link.own_max_turnaround_us;
        }
    }
}

static void frame_short(struct lap *lap, struct lap_frame *frame, uint8_t control) {
    lap->short_octets[0] = lap_connection_address(lap);
    lap->short_octets[1] = control;
    frame->octets = lap->short_octets;
    frame->count = 2;
}

static void frame_packet(struct lap *lap, struct lap_frame *frame, struct lap_packet *packet,
                         uint8_t control) {
    packet->octets[0] = lap_connection_address(lap);
    packet->octets[1] = control;
    frame->octets = packet->octets;
    frame->count = packet->count + 2u;
}

static void frame_data(struct lap *lap, struct lap_frame *frame) {
    uint8_t number = lap->selective ? lap->selective - 1u : lap->send_next;
    if (number == lap->send_highest) {
        lap->send_highest = lap_after(number);
    } else {
        lap->counters.data_repeated++;
    }
    if (lap->selective) {
        lap->selective = 0;
        lap->has_medium = false;
    } else {
        lap->send_next = lap_after(number);
        lap->has_medium = has_data(lap);
    }
    lap->counters.data_sent++;
    lap->answer_due = false;
    frame_packet(lap, frame, &lap->window[number],
                 (uint8_t)(lap->receive_next << 5 | number << 1 | (lap->has_medium ? 0 : LAP_PF)));
}

// What to ask for while packets wait: one that is missing, or all from the first one on.
static uint8_t ask_for_missing(const struct lap *lap) {
    unsigned twice = lap->kept | (unsigned)lap->kept << 8;
    unsigned behind = twice >> (lap->receive_next + 1u) & ((1u << (LAP_KEPT - 1)) - 1u);
    return behind & (behind + 1u) ? LAP_REJ : LAP_SREJ;
}

// RR, RNR, REJ or SREJ with the number that is expected.
static void frame_status(struct lap *lap, struct lap_frame *frame, uint8_t poll) {
    uint8_t code = lap->busy     ? LAP_RNR
                   : lap->kept   ? ask_for_missing(lap)
                   : lap->reject ? LAP_REJ
                                 : LAP_RR;
    lap->counters.rejects_sent += code == LAP_REJ;
    lap->counters.selective_sent += code == LAP_SREJ;
    lap->counters.polls_sent += poll && lap->link.primary;
    lap->reject = false;
    lap->answer_due = false;
    lap->status_sent = true;
    frame_short(lap, frame, (uint8_t)(lap->receive_next << 5 | code | poll));
}

// Ends or resets the connection. A reset that nobody takes becomes an end.
static void frame_end(struct lap *lap, struct lap_frame *frame) {
    lap->has_medium = false;
    if (lap->mode == LAP_RESETTING && lap->setup.tries++ > LAP_TRIES) {
        lap_link_close(lap, LAP_PROTOCOL_ERROR);
    }
    lap->setup.asked = lap->mode == LAP_CLOSING;
    frame_short(lap, frame, (lap->setup.asked ? LAP_DISC : LAP_SNRM) | LAP_PF);
}

bool lap_transfer_fetch(struct lap *lap, struct lap_frame *frame) {
    if (!lap->has_medium) {
        return false;
    }
    if (lap->mode != LAP_CONNECTED) {
        frame_end(lap, frame);
    } else if (lap->only_poll) {
        lap->only_poll = lap->has_medium = false;
        frame_status(lap, frame, LAP_PF);
    } else if (lap->unit_waits) {
        lap->unit_waits = false;
        lap->has_medium =
            !(lap->unit.octets[1] & LAP_PF); // the answer to TEST ends this station's sending
        frame_packet(lap, frame, &lap->unit, lap->unit.octets[1]);
    } else if (!has_data(lap)) {
        lap->has_medium = false;
        frame_status(lap, frame, LAP_PF);
    } else if ((lap->reject || lap->busy || lap->kept) && !lap->status_sent) {
        frame_status(lap, frame, 0);
    } else {
        frame_data(lap, frame);
    }
    return true;
}

void lap_transfer_sent(struct lap *lap) {
    if (lap->link.primary) {
        lap_timer_start(lap, lap->link.peer_max_turnaround_us + lap->link.min_turnaround_us +
                                 REPLY_MARGIN_US);
    } else {
        lap_timer_start(lap, LAP_WATCH_US);
    }
}
