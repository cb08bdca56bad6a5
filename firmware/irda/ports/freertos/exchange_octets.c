/* The framer is software: octets come and go. */
#include "exchange.h"

#include "line.h"

enum { COPIED_OCTETS = 64, PIECE_OCTETS = 256 };

static bool sending_starts, sending;

static size_t copy(uint8_t *octets) {
    const volatile uint8_t *from;
    const uint8_t *lent;
    size_t count = line_lend(&lent);
    if (count > COPIED_OCTETS)
        count = COPIED_OCTETS;
    from = lent;
    for (size_t at = 0; at < count; at++)
        octets[at] = from[at];
    line_return(count);
    return count;
}

void exchange_receive(struct irda *irda, bool lends) {
    uint8_t octets[COPIED_OCTETS];
    const uint8_t *lent;
    size_t count;
    if (line_was_damaged())
        framer_receive_damaged(&irda->framer);
    if (lends) {
        while ((count = line_lend(&lent)) > 0) {
            framer_receive(&irda->framer, lent, count);
            line_return(count);
        }
        return;
    }
    while ((count = copy(octets)) > 0)
        framer_receive(&irda->framer, octets, count);
}

void exchange_start_sending(void *context) {
    sending_starts = true;
}

void exchange_send(struct irda *irda) {
    static uint8_t piece[PIECE_OCTETS];
    if (!sending_starts && !sending)
        return;
    if (sending && !line_is_idle())
        return;
    sending_starts = false;
    size_t count = framer_fetch(&irda->framer, piece, sizeof piece);
    if (count > 0) {
        sending = true;
        line_send(piece, count);
    } else if (sending) {
        sending = false;
        framer_sent(&irda->framer);
    }
}
