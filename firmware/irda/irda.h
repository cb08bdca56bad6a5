// A whole station: IrDA from the line's octets to files. A port has one, and nothing else.
//
// The port calls framer_receive(), framer_fetch() and framer_sent() of `framer` as port.h says, and
// irda_run() and irda_deadline() instead of those of single layers.
#ifndef IRDA_IRDA_H
#define IRDA_IRDA_H

#include "framer.h"
#include "lap.h"
#include "send.h"

struct irda {
    struct framer framer;
    struct lap lap;
    struct lmp lmp;
    struct send send;
};

struct irda_config {
    uint32_t address; // LAP_NO_ADDRESS: drawn
    const char *name; // of the station, stays the caller's
    uint8_t credits;  // of TinyTP that the other station has at most, 1 to 127
    struct lap_abilities abilities;
    struct lap_packet *kept; // as struct lap_config has it
};

// Prepares a station; send_file() or send_receive() of `send` follows. All that is passed stays
// the caller's.
void irda_init(struct irda *irda, const struct irda_port *port, const struct send_calls *calls,
               const struct irda_config *config);

// Does what is due at this time.
void irda_run(struct irda *irda);

// The time at which irda_run() has something to do; false if nothing is planned.
bool irda_deadline(const struct irda *irda, uint32_t *at_us);

#endif
