// Options of send_host, NAME=VALUE each:
//
//   file=PATH          what is sent; may be given again: one transfer after the other
//   into=PATH          where the received octets go, of all files one after the other
//   log=PATH           takes the octets of the line (medium.h)
//   until=SECONDS      of simulated time, at most (60)
//   seed, errors, latency, echo, chunk, wait   of the medium (medium.h); errors per 1e9 bits
//   lose=STATION:MASK:VALUE:SKIP:COUNT         frames that are lost, by their control octet (hex)
//   speeds, sizes, windows, bofs, turnaround   abilities (lap_abilities.h), hexadecimal
//   selective=1        stations keep packets that come out of sequence, and ask by SREJ
//   credits=NUMBER     of TinyTP (14)
//   receiver=0         there is no station 1; receiver=2: it takes connections, but has no class;
//                      receiver=3: station 1 is such a one, and station 2 takes files
//   refuse=1           the receiver refuses the file; refuse=2: it gives up after the first octets
//   hold=SECONDS:SECONDS    the receiver gives no credits from the first time to the second one
//   vanish=SECONDS     the receiver is gone from this time
//   tries=NUMBER       discoveries (3)
#ifndef IRDA_SEND_OPTIONS_H
#define IRDA_SEND_OPTIONS_H

#include "lap_abilities.h"
#include "medium.h"

#define SEND_OPTIONS_FILES 16

struct options {
    struct medium_config medium;
    const char *files[SEND_OPTIONS_FILES];
    unsigned file_count;
    const char *into;
    double until_s, hold_s, go_on_s, vanish_s;
    unsigned credits, receiver, refuse, tries, selective;
    struct lap_abilities abilities;
    struct medium_loss losses[MEDIUM_LOSSES];
    unsigned loss_count;
};

// Reads the options; what none is given for gets its default. Prints the reason and returns false
// if one is unknown.
bool read_options(struct options *options, int count, char **arguments);

#endif
