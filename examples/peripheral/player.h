/* Driver of the sample player (player.py). One task uses it. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stddef.h>
#include <stdint.h>

/* Prepares `length` samples, one in each `period` cycles of the peripheral clock. */
void player_start(uint32_t length, uint32_t period);

/* Passes samples on, and waits for space where there is none. Playing begins when the FIFO is half
 * full. */
void player_write(const uint8_t *samples, size_t count);

/* Waits until the last sample has been played. */
void player_finish(void);

uint16_t player_crc(void);
uint32_t player_underruns(void);

#endif
