// Discovery: commands in numbered slots, answers in slots drawn by chance, new addresses where two
// are equal.
#include <string.h>

#include "lap_internal.h"

#define XID_FORMAT 0x01u
#define XID_OCTETS 12u       // of the information field before the discovery information
#define NEW_ADDRESS 0x04u    // in the flags
#define LAST_SLOT 0xFFu      // its command ends the discovery
#define SLOT_US 90000u       // the longest answer takes 65 ms
#define SLOT_MOST_US 250000u // with answers that collide or are noise
#define QUIET_US 20000u
#define ROUNDS 3u        // of new addresses
#define REPLY_US 600000u // without a command: the other station gave up
#define SENSE_SPREAD_US 130000u
#define SENSE_MOST_US 10000000u

static const uint8_t slot_numbers[] = {1, 6, 8, 16};

static void send_xid(struct lap *lap, bool command, uint32_t to, uint8_t flags, uint8_t slot) {
    bool informs = !command || slot == LAST_SLOT;
    uint8_t *info = lap_short_begin(lap, command ? LAP_BROADCAST | LAP_COMMAND : LAP_BROADCAST,
                                    (command ? LAP_XID_COMMAND : LAP_XID_RESPONSE) | LAP_PF);
    *info++ = XID_FORMAT;
    info = lap_put32(info, lap->address);
    info = lap_put32(info, to);
    *info++ = flags;
    *info++ = slot;
    *info++ = 0; // version
    if (informs) {
        memcpy(info, lap->config.info, lap->config.info_octets);
        info += lap->config.info_octets;
    }
    lap_short_end(lap, info);
}

static void report(struct lap *lap, enum lap_reason result) {
    lap_enter(lap, LAP_IDLE);
    if (lap->client->discovered != NULL) {
        lap->client->discovered(lap->client->context, lap->discovery.devices, lap->discovery.found,
                                result);
    }
}

static uint8_t slot_flags(unsigned slots) {
    uint8_t flags = 0;
    while (slot_numbers[flags] != slots) {
        flags++;
    }
    return flags;
}

static void send_slot(struct lap *lap) {
    struct lap_discovery *discovery = &lap->discovery;
    uint8_t flags = slot_flags(discovery->slots);
    lap_enter(lap, LAP_QUERYING);
    discovery->slot_begin_us = lap_now(lap);
    lap->counters.slots_sent++;
    send_xid(lap, true, discovery->addressed,
             discovery->addressed == LAP_ALL ? flags : flags | NEW_ADDRESS,
             discovery->slot < discovery->slots ? discovery->slot : LAST_SLOT);
}

// Listens until the medium is free, and by chance a little longer than others who listen.
static void sense(struct lap *lap) {
    uint32_t now_us = lap_now(lap);
    uint32_t busy_us = irda_is_due(now_us, lap->busy_until_us) ? 0 : lap->busy_until_us - now_us;
    lap_timer_start(lap, busy_us + lap->port->random(lap->port->context) % SENSE_SPREAD_US);
}

bool lap_discover(struct lap *lap, unsigned slots) {
    if (lap->mode != LAP_IDLE || (slots != 1 && slots != 6 && slots != 8 && slots != 16)) {
        return false;
    }
    memset(&lap->discovery, 0, sizeof lap->discovery);
    lap->discovery.slots = (uint8_t)slots;
    lap->discovery.addressed = LAP_ALL;
    lap->setup.discovers = true;
    lap->setup.until_us = lap_now(lap) + SENSE_MOST_US;
    lap_enter(lap, LAP_SENSING);
    sense(lap);
    return true;
}

// The address of two stations of the log, or of one and this station; LAP_NO_ADDRESS if there is
// none.
static uint32_t conflict(const struct lap *lap) {
    const struct lap_discovery *discovery = &lap->discovery;
    for (unsigned at = 0; at < discovery->found; at++) {
        uint32_t address = discovery->devices[at].address;
        if (address == lap->address) {
            return address;
        }
        for (unsigned other = 0; other < at; other++) {
            if (discovery->devices[other].address == address) {
                return address;
            }
        }
    }
    return LAP_NO_ADDRESS;
}

static void remove_address(struct lap_discovery *discovery, uint32_t address) {
    uint8_t kept = 0;
    for (unsigned at = 0; at < discovery->found; at++) {
        if (discovery->devices[at].address != address) {
            discovery->devices[kept++] = discovery->devices[at];
        }
    }
    discovery->found = kept;
}

static void finish(struct lap *lap) {
    struct lap_discovery *discovery = &lap->discovery;
    uint32_t address = conflict(lap);
    if (address == LAP_NO_ADDRESS || discovery->rounds == ROUNDS) {
        report(lap, LAP_DISCONNECTED);
        return;
    }
    remove_address(discovery, address);
    discovery->addressed = address;
    discovery->slot = 0;
    discovery->rounds++;
    send_slot(lap);
}

void lap_discovery_sent(struct lap *lap) {
    if (lap->discovery.slot >= lap->discovery.slots) {
        finish(lap);
    } else {
        lap_timer_start(lap, SLOT_US);
    }
}

void lap_discovery_expired(struct lap *lap) {
    uint32_t now_us = lap_now(lap);
    if (lap->mode == LAP_SENSING) {
        if (irda_is_due(now_us, lap->busy_until_us)) {
            send_slot(lap);
        } else if (irda_is_due(now_us, lap->setup.until_us)) {
            report(lap, LAP_MEDIA_BUSY);
        } else {
            sense(lap);
        }
    } else if (now_us - lap->heard_us < QUIET_US &&
               now_us - lap->discovery.slot_begin_us < SLOT_MOST_US) {
        lap_timer_start(lap, QUIET_US); // somebody is answering
    } else {
        lap->discovery.slot++;
        send_slot(lap);
    }
}

static void read_device(struct lap_device *device, uint32_t address, const uint8_t *info,
                        size_t count) {
    device->address = address;
    device->info_octets = (uint8_t)(count < LAP_INFO_OCTETS ? count : LAP_INFO_OCTETS);
    memcpy(device->info, info, device->info_octets);
}

static void was_discovered(struct lap *lap, uint32_t from, const uint8_t *info, size_t count) {
    struct lap_device device;
    lap->reply.active = false;
    if (from != lap->address && lap->client->was_discovered != NULL) {
        read_device(&device, from, info, count);
        lap->client->was_discovered(lap->client->context, &device);
    }
}

static void reply(struct lap *lap, uint32_t from, uint32_t to, uint8_t flags, uint8_t slot) {
    struct lap_reply *mine = &lap->reply;
    uint8_t slots = slot_numbers[flags & 3u];
    uint32_t now_us = lap_now(lap);
    if (slot >= slots) {
        return;
    }
    if (!mine->active || mine->from != from || irda_is_due(now_us, mine->until_us)) {
        if (flags & NEW_ADDRESS) {
            lap_rename(lap);
        }
        mine->active = true;
        mine->replied = false;
        mine->from = from;
        mine->to = to;
        mine->slot = (uint8_t)(slot + lap->port->random(lap->port->context) % (slots - slot));
    }
    mine->until_us = now_us + REPLY_US;
    if (!mine->replied && slot >= mine->slot) {
        mine->replied = true;
        send_xid(lap, false, from, flags, slot);
    }
}

static void receive_command(struct lap *lap, uint32_t from, uint32_t to, const uint8_t *info,
                            size_t count) {
    bool renamed = lap->reply.active && lap->reply.from == from && lap->reply.to == to;
    if (to != LAP_ALL && to != lap->address && !renamed) {
        return;
    }
    if (lap->mode == LAP_QUERYING) { // of two who query, the higher address goes on
        if (from <= lap->address) {
            return;
        }
        lap->short_waits = false;
        lap->turnaround.runs = false;
        report(lap, LAP_MEDIA_BUSY);
    }
    if (lap->mode != LAP_IDLE && lap->mode != LAP_SENSING) {
        return;
    }
    if (info[10] == LAST_SLOT) {
        was_discovered(lap, from, info + XID_OCTETS, count - XID_OCTETS);
    } else {
        reply(lap, from, to, info[9], info[10]);
    }
}

void lap_discovery_receive(struct lap *lap, bool command, const uint8_t *info, size_t count) {
    struct lap_discovery *discovery = &lap->discovery;
    if (count < XID_OCTETS || info[0] != XID_FORMAT) {
        return;
    }
    uint32_t from = lap_get32(info + 1);
    uint32_t to = lap_get32(info + 5);
    if (from == LAP_NO_ADDRESS || from == LAP_ALL) {
        return;
    }
    lap->counters.frames_received++;
    if (command) {
        receive_command(lap, from, to, info, count);
    } else if (lap->mode == LAP_QUERYING && to == lap->address && discovery->found < LAP_DEVICES) {
        read_device(&discovery->devices[discovery->found++], from, info + XID_OCTETS,
                    count - XID_OCTETS);
    }
}
