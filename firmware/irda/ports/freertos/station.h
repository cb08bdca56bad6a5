/* The settings and the outcome of a station, for whoever loads the image: both lie at the symbols
 * of these names. */
#ifndef IRDA_STATION_H
#define IRDA_STATION_H

#include <stdint.h>

enum { STATION_FILE_OCTETS = 16384 };

struct station_setting {
    uint32_t sends;       /* 1: sends a file, 0: receives files */
    uint32_t seed;        /* of the random bits, another one at each station */
    uint32_t file_octets; /* of the file to send, at most STATION_FILE_OCTETS */
    uint32_t file_seed;   /* of its content: x becomes 1664525 x + 1013904223; bits 31:24 each.
                             0: the content is station_content */
    uint32_t speeds;      /* abilities of the station, as lap_abilities.h has them */
    uint32_t windows;
    uint32_t data_sizes;
    uint32_t min_turnaround;
    uint32_t lends;         /* 1: the framer reads the octets where they came, 0: in a copy */
    uint32_t buffer_octets; /* of each of the two that the line receives into, at most 512 */
    uint32_t time_out_bits; /* of silence that end a block: a multiple of 4, at most 1020 */
};

struct station_outcome {
    uint32_t ended;       /* transfers */
    uint32_t result;      /* enum send_result of the last one */
    uint32_t file_octets; /* of the file sent, or received last */
};

extern const volatile struct station_setting station_setting;
extern const volatile uint8_t station_content[STATION_FILE_OCTETS];
extern volatile struct station_outcome station_outcome;
extern uint8_t station_file[STATION_FILE_OCTETS]; /* the file sent, or received last */

/* Entered when a transfer has ended. */
void station_transfer_ended(void);

#endif
