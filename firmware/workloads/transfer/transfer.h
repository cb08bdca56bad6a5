/* A file that comes in packets over a line; each is answered. A packet is a frame: kind, sequence,
 * body. The settings of the build decide how octets come from the line to the reader. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "frames.h"

/* RECEIVE: the one that takes characters from the line. */
#define RECEIVE_POLL 0  /* the reader, which looks for each all the time */
#define RECEIVE_BYTE 1  /* an interrupt for each */
#define RECEIVE_PDC 2   /* the PDC, with an interrupt for each buffer or pause */
#define RECEIVE_FRAME 3 /* a device that knows frames, with an interrupt for each frame */

/* LAYERS: how they come to the reader. */
#define LAYERS_QUEUE 0  /* one by one, through a queue of the kernel */
#define LAYERS_STREAM 1 /* copied into a stream buffer of the kernel, and out of it */
#define LAYERS_LENT 2   /* the reader reads them where they came, and gives the place back */
#define LAYERS_DIRECT 3 /* the same, and decodes into the file */

enum packet_kind {
    PACKET_BEGIN = 'B',
    PACKET_DATA = 'D',
    PACKET_FINISH = 'F',
    PACKET_TAKEN = 'A',
    PACKET_AGAIN = 'N'
};

enum { FILE_CAPACITY = 16384, SEQUENCES = 64 };

/* The file so far, and what came to it. The lab reads these. */
extern uint8_t file_content[];
extern volatile uint32_t file_length, packets_taken, packets_broken;

/* Starts the line. Called by the reader, before the first octets. */
void line_open(void);

/* Waits for received octets: returns how many there are, and where. They stay until
 * line_release(). Where the device knows frames they are a sound frame's header and body, or none:
 * a broken one. */
size_t line_receive(const uint8_t **octets);
void line_release(void);

/* Sends a packet without a body. */
void line_send(const uint8_t header[FRAME_HEADER]);

/* Takes packets for ever. */
void transfer_run(void);

#endif
