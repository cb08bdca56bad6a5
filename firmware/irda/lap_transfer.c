// Information transfer: packets by number, acknowledgement, repetition, and who has the medium.
//
// The medium goes to the other station with P (primary) or F (secondary), and comes back with the
// other bit. Its acknowledgement says what is missing, and sending goes on from there.
#include <string.h>

#include "lap_internal.h"

void lap_transfer_clear(struct lap *lap) {
    lap->send_next = lap->send_oldest = lap->send_highest = lap->send_end = lap->receive_next = 0;
    lap->selective = 0;
    lap->kept = 0;
    lap->reject = lap->busy = lap->peer_busy = lap->unit_waits = lap->answer_due = false;
}

void lap_transfer_start(struct lap *lap) {
    bool primary = lap->link.primary;
    lap_enter(lap, LAP_CONNECTED);
    lap_transfer_clear(lap);
    lap->was_full = lap->is_silent = false;
    lap->has_medium = primary;
    lap->only_poll = primary; // a short frame first: it confirms the UA
    lap->idle_poll_us = LAP_FIRST_POLL_US;
    lap->valid_us = lap_now(lap);
    if (primary) {
        lap->free_us = lap->valid_us + LAP_CONTENTION_TURNAROUND_US;
    } else {
        lap_timer_start(lap, LAP_WATCH_US);
    }
    if (lap->client->connected != NULL) {
        lap->client->connected(lap->client->context);
    }
    lap_transfer_go(lap);
}

// ---- time

// Ends the connection if the other station is silent for too long; true if so.
static bool gave_up(struct lap *lap) {
    uint32_t silent_us = lap_now(lap) - lap->valid_us;
    if (silent_us >= lap->link.disconnect_us ||
        (lap->mode == LAP_CLOSING && lap->setup.tries++ == LAP_TRIES)) {
        lap_end(lap, lap->mode == LAP_CLOSING ? lap->setup.reason : LAP_NO_RESPONSE, true);
        return true;
    }
    if (lap->link.threshold_us && silent_us >= lap->link.threshold_us && !lap->is_silent) {
        lap->is_silent = true;
        if (lap->client->silent != NULL) {
            lap->client->silent(lap->client->context, true);
        }
    }
    return false;
}

void lap_transfer_expired(struct lap *lap) {
    if (lap->link.primary && lap->has_medium) { // nothing to send: ask the other station
        lap->only_poll = true;
    } else if (lap->link.primary) {
        lap->counters.final_timeouts++;
        if (gave_up(lap)) {
            return;
        }
        lap->has_medium = lap->only_poll = true;
    } else {
        lap->counters.watchdog_timeouts++;
        if (gave_up(lap)) {
            return;
        }
        lap_timer_start(lap, LAP_WATCH_US);
        return;
    }
    lap_transfer_go(lap);
}

void lap_transfer_alive(struct lap *lap) {
    lap->valid_us = lap_now(lap);
    if (lap->is_silent) {
        lap->is_silent = false;
        if (lap->client->silent != NULL) {
            lap->client->silent(lap->client->context, false);
        }
    }
}

void lap_transfer_polled(struct lap *lap) {
    lap->has_medium = true;
    lap->timer.runs = false;
    lap_transfer_go(lap);
}

// ---- receiving

static void acknowledge(struct lap *lap, uint8_t number) {
    lap->send_oldest = number;
    if (lap->was_full && lap_distance(number, lap->send_end) < LAP_WINDOW) {
        lap->was_full = false;
        if (lap->client->ready != NULL) {
            lap->client->ready(lap->client->context);
        }
    }
}

// Passes on the packets that waited for the one before them.
static void pass_kept(struct lap *lap) {
    while (lap->kept >> lap->receive_next & 1u && lap->mode == LAP_CONNECTED) {
        const struct lap_packet *packet = &lap->config.kept[lap->receive_next % LAP_KEPT];
        lap->kept &= (uint8_t) ~(1u << lap->receive_next);
        lap->receive_next = lap_after(lap->receive_next);
        lap->counters.data_received++;
        lap->client->data(lap->client->context, packet->octets, packet->count);
    }
}

// Keeps a packet that came out of sequence; false if this station keeps none. A packet that came
// before is dropped: its number lies a whole window behind the next one, or less.
static bool keep(struct lap *lap, unsigned number, const uint8_t *info, size_t count) {
    struct lap_packet *packet;
    if (lap->config.kept == NULL || lap->busy || lap->mode != LAP_CONNECTED) {
        return false;
    }
    packet = &lap->config.kept[number % LAP_KEPT];
    if (lap_distance(lap->receive_next, number) < LAP_KEPT && !(lap->kept >> number & 1u)) {
        lap->kept |= (uint8_t)(1u << number);
        packet->count = (uint16_t)count;
        memcpy(packet->octets, info, count);
        lap->counters.data_kept++;
    } else {
        lap->counters.data_discarded++;
    }
    return true;
}

static void receive_data(struct lap *lap, uint8_t number, const uint8_t *info, size_t count) {
    lap->answer_due = true;
    lap->idle_poll_us = LAP_FIRST_POLL_US;
    if (number == lap->receive_next && !lap->busy && lap->mode == LAP_CONNECTED) {
        lap->receive_next = lap_after(number);
        lap->reject = false;
        lap->counters.data_received++;
        lap->client->data(lap->client->context, info, count);
        if (lap->kept != 0) {
            pass_kept(lap);
        }
    } else if (!keep(lap, number, info, count)) {
        lap->counters.data_discarded++;
        lap->reject = !lap->busy;
    }
}

static void receive_status(struct lap *lap, uint8_t code, uint8_t number) {
    lap->peer_busy = code == LAP_RNR;
    lap->counters.busy_received += code == LAP_RNR;
    lap->counters.rejects_received += code == LAP_REJ;
    if (code == LAP_SREJ && number != lap->send_highest) {
        lap->counters.selective_received++;
        lap->selective = number + 1u;
    }
}

void lap_transfer_receive(struct lap *lap, uint8_t control, const uint8_t *info, size_t count) {
    uint8_t number = control >> 5;
    bool is_data = (control & 1u) == 0;
    lap_transfer_alive(lap);
    if (lap_distance(lap->send_oldest, number) >
        lap_distance(lap->send_oldest, lap->send_highest)) {
        lap_link_reject(lap, control, LAP_WRONG_NUMBER);
        return;
    }
    if (is_data && count > SIR_FRAME_OCTETS - 2) {
        lap_link_reject(lap, control, LAP_TOO_LONG);
        return;
    }
    if (number != lap->send_oldest) {
        lap->idle_poll_us = LAP_FIRST_POLL_US;
        acknowledge(lap, number);
    }
    if (is_data) {
        receive_data(lap, control >> 1 & LAP_NUMBERS, info, count);
    } else {
        receive_status(lap, control & 0x0Fu, number);
    }
    if (control & LAP_PF) {
        lap->send_next = number;
        lap_transfer_polled(lap);
    }
}
