// The station: time, mode, what is sent next, and where a received frame goes.
#include "lap.h"

#include <string.h>

#include "lap_internal.h"

uint32_t lap_now(const struct lap *lap) {
    return lap->port->now_us(lap->port->context);
}

void lap_enter(struct lap *lap, enum lap_mode mode) {
    lap->mode = mode;
    lap->unit_waits = false;
    lap->timer.runs = false;
}

void lap_timer_start(struct lap *lap, uint32_t after_us) {
    lap->timer.at_us = lap_now(lap) + after_us;
    lap->timer.runs = true;
}

static void start_sending(struct lap *lap) {
    lap->turnaround.runs = false;
    lap->sending = true;
    lap->port->start_sending(lap->port->context);
}

void lap_begin(struct lap *lap) {
    if (lap->sending || lap->turnaround.runs) {
        return;
    }
    if (irda_is_due(lap_now(lap), lap->free_us)) {
        start_sending(lap);
    } else {
        lap->turnaround.at_us = lap->free_us;
        lap->turnaround.runs = true;
    }
}

// Every address but those of no station and of all.
static uint32_t draw_address(const struct lap *lap) {
    uint32_t address;
    do {
        address = lap->port->random(lap->port->context);
    } while (address == LAP_NO_ADDRESS || address == LAP_ALL);
    return address;
}

void lap_rename(struct lap *lap) {
    lap->address = draw_address(lap);
}

void lap_init(struct lap *lap, const struct irda_port *port, const struct lap_client *client,
              const struct lap_config *config) {
    memset(lap, 0, sizeof *lap);
    lap->port = port;
    lap->client = client;
    lap->config = *config;
    lap->config.abilities.speeds |= 0x02; // 9,600 bit/s
    for (unsigned size = 1; size < 6; size++) {
        if ((64u << size) > IRDA_DATA_OCTETS) {
            lap->config.abilities.data_sizes &= (uint8_t) ~(1u << size);
        }
    }
    if (lap->config.kept != NULL) {
        lap->config.abilities.windows = (1u << LAP_KEPT) - 1u;
    }
    if (lap->config.info_octets > LAP_INFO_OCTETS) {
        lap->config.info_octets = LAP_INFO_OCTETS;
    }
    lap->address = config->address;
    if (lap->address == LAP_NO_ADDRESS || lap->address == LAP_ALL) {
        lap->address = draw_address(lap);
    }
    lap->free_us = lap_now(lap);
    lap->busy_until_us = lap->free_us + LAP_MEDIA_SENSE_US;
    port->set_speed(port->context, LAP_CONTENTION_SPEED);
}

void lap_end(struct lap *lap, enum lap_reason reason, bool reports) {
    lap_enter(lap, LAP_IDLE);
    lap->turnaround.runs = false;
    lap->short_waits = false;
    lap->has_medium = false;
    lap->busy_until_us = lap_now(lap) + LAP_MEDIA_SENSE_US;
    lap->port->set_speed(lap->port->context, LAP_CONTENTION_SPEED);
    if (reports && lap->client->disconnected != NULL) {
        lap->client->disconnected(lap->client->context, reason);
    }
}

static void expired(struct lap *lap) {
    switch (lap->mode) {
    case LAP_SENSING:
        if (lap->setup.discovers) {
            lap_discovery_expired(lap);
        } else {
            lap_connect_expired(lap);
        }
        break;
    case LAP_QUERYING:
        lap_discovery_expired(lap);
        break;
    case LAP_CONNECTED:
    case LAP_RESETTING:
    case LAP_CLOSING:
        lap_transfer_expired(lap);
        break;
    default:
        lap_connect_expired(lap);
        break;
    }
}

void lap_run(struct lap *lap) {
    uint32_t now_us = lap_now(lap);
    if (lap->sending) {
        return;
    }
    if (lap->timer.runs && irda_is_due(now_us, lap->timer.at_us)) {
        lap->timer.runs = false;
        expired(lap);
    }
    if (!lap->sending && lap->turnaround.runs && irda_is_due(now_us, lap->turnaround.at_us)) {
        start_sending(lap);
    }
}

bool lap_deadline(const struct lap *lap, uint32_t *at_us) {
    if (lap->sending || (!lap->timer.runs && !lap->turnaround.runs)) {
        return false;
    }
    *at_us = lap->timer.runs ? lap->timer.at_us : lap->turnaround.at_us;
    if (lap->turnaround.runs && irda_is_due(*at_us, lap->turnaround.at_us)) {
        *at_us = lap->turnaround.at_us;
    }
    return true;
}

bool lap_fetch_frame(struct lap *lap, struct lap_frame *frame) {
    bool transfers = lap_is_linked(lap);
    if (!lap->sending || lap->short_sent) {
        return false;
    }
    frame->extra_bofs = transfers ? lap->link.extra_bofs : LAP_CONTENTION_BOFS;
    if (lap->short_waits) {
        lap->short_waits = false;
        lap->short_sent = true;
        frame->octets = lap->short_octets;
        frame->count = lap->short_count;
    } else if (transfers ? !lap_transfer_fetch(lap, frame) : !lap_apart_fetch(lap, frame)) {
        return false;
    }
    lap->counters.frames_sent++;
    return true;
}

void lap_sent(struct lap *lap) {
    lap->sending = false;
    lap->short_sent = false;
    lap->status_sent = false;
    lap->free_us = lap_now(lap);
    switch (lap->mode) {
    case LAP_QUERYING:
        lap_discovery_sent(lap);
        break;
    case LAP_CONNECTED:
    case LAP_RESETTING:
    case LAP_CLOSING:
        lap_transfer_sent(lap);
        break;
    default:
        lap_connect_sent(lap);
        break;
    }
}

void lap_heard(struct lap *lap) {
    lap->heard_us = lap_now(lap);
    if (lap->mode == LAP_IDLE || lap->mode == LAP_SENSING) {
        lap->busy_until_us = lap->heard_us + LAP_MEDIA_SENSE_US;
    }
}

// A frame to all stations, or one that sets a connection up.
static void receive_apart(struct lap *lap, bool command, uint8_t address, uint8_t control,
                          const uint8_t *info, size_t count) {
    if (control == LAP_XID_COMMAND && command) {
        lap_discovery_receive(lap, true, info, count);
    } else if (control == LAP_XID_RESPONSE && !command) {
        lap_discovery_receive(lap, false, info, count);
    } else if (control == LAP_SNRM && command) {
        lap_connect_asked(lap, info, count);
    } else if (address == LAP_BROADCAST && (control == LAP_UI || control == LAP_TEST)) {
        lap_apart_receive(lap, command, control, info, count);
    } else if (lap->mode == LAP_ASKING && !command) {
        lap_connect_answered(lap, address, control, info, count);
    }
}

void lap_receive_frame(struct lap *lap, const uint8_t *octets, size_t count) {
    if (count < 2 || lap->sending) {
        return;
    }
    uint8_t address = octets[0] & 0xFEu;
    bool command = octets[0] & LAP_COMMAND;
    bool has_link = lap_is_linked(lap) || lap->mode == LAP_ANSWERED;
    if (has_link && address == (uint8_t)(lap->link.connection << 1)) {
        if (command == lap->link.primary) {
            return; // an echo
        }
        lap->counters.frames_received++;
        lap->free_us = lap_now(lap) + lap->link.min_turnaround_us;
        if (lap->mode == LAP_ANSWERED) {
            lap_connect_confirmed(lap);
        }
        if ((octets[1] & 3u) == 3u || lap->mode == LAP_RESETTING) {
            lap_link_receive(lap, octets[1], octets + 2, count - 2);
        } else {
            lap_transfer_receive(lap, octets[1], octets + 2, count - 2);
        }
    } else if (address == LAP_BROADCAST || lap->mode == LAP_ASKING) {
        lap->free_us = lap_now(lap) + LAP_CONTENTION_TURNAROUND_US;
        receive_apart(lap, command, address, octets[1] & (uint8_t)~LAP_PF, octets + 2, count - 2);
    }
}
