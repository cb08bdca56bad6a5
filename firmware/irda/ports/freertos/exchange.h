/* Between line and stack, for the one task that calls both. The build chooses a file: exchange_*.c.
 */
#ifndef IRDA_EXCHANGE_H
#define IRDA_EXCHANGE_H

#include <stdbool.h>

#include "irda.h"

/* Hands what came to the stack. `lends`: from where it came, else from a copy. */
void exchange_receive(struct irda *irda, bool lends);

/* The stack has something to send: irda_port's start_sending. */
void exchange_start_sending(void *context);

/* Sends as much of it as the line takes now. */
void exchange_send(struct irda *irda);

#endif
