/* Between the interrupts of the line and its reader: one file for each LAYERS. The reader's side is
 * line_receive() and line_release() of transfer.h. */
#ifndef LAYERS_H
#define LAYERS_H

#include <stdbool.h>

#include "FreeRTOS.h"
#include "task.h"

/* Called by the reader before the line opens. */
void layers_open(void);

/* Called by interrupts: octets came and stand at `octets`. Sets `woken` if that woke a task of
 * higher priority. */
void layers_put(const uint8_t *octets, size_t length, BaseType_t *woken);

/* Whether the driver has no buffer left once it hands one more over. */
bool layers_are_full(void);

/* The driver's: the reader gave a buffer back. */
void driver_released(void);

/* The driver's: looks for octets that no interrupt announces. Called by the reader. */
void driver_look(void);

#endif
