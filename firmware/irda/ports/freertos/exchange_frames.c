/* The line frames by itself: whole frames come and go, and there is no framer. */
#include "exchange.h"

#include "line.h"

static bool sending_starts, sending;

void exchange_receive(struct irda *irda, bool lends) {
    const uint8_t *frame;
    size_t count;
    if (line_has_heard())
        lap_heard(&irda->lap);
    while ((count = line_lend_frame(&frame)) > 0) {
        lap_receive_frame(&irda->lap, frame, count);
        line_return_frame();
    }
}

void exchange_start_sending(void *context) {
    sending_starts = true;
}

void exchange_send(struct irda *irda) {
    struct lap_frame frame;
    if (!sending_starts && !sending)
        return;
    if (sending && !line_is_idle())
        return;
    sending_starts = false;
    if (lap_fetch_frame(&irda->lap, &frame)) {
        sending = true;
        line_send_frame(frame.octets, frame.count, frame.extra_bofs);
    } else if (sending) {
        sending = false;
        lap_sent(&irda->lap);
    }
}
