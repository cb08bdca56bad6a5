#include "framer.h"

#include "lap.h"

void framer_init(struct framer *framer, struct lap *lap) {
    framer->lap = lap;
    framer->sending = false;
    framer->frame_under_way = false;
    sir_receiver_init(&framer->receiver);
}

void framer_receive(struct framer *framer, const uint8_t *octets, size_t count) {
    if (framer->sending || count == 0) {
        return;
    }
    lap_heard(framer->lap);
    for (size_t at = 0; at < count; at++) {
        size_t frame = sir_receive(&framer->receiver, octets[at]);
        if (frame > 0) {
            lap_receive_frame(framer->lap, framer->receiver.frame, frame);
        }
    }
}

void framer_receive_damaged(struct framer *framer) {
    if (!framer->sending) {
        lap_heard(framer->lap);
        sir_receive_damaged(&framer->receiver);
    }
}

size_t framer_fetch(struct framer *framer, uint8_t *octets, size_t capacity) {
    size_t fetched = 0;
    framer->sending = true;
    while (fetched < capacity) {
        struct lap_frame frame;
        if (!framer->frame_under_way) {
            if (!lap_fetch_frame(framer->lap, &frame)) {
                break;
            }
            sir_begin(&framer->sender, frame.octets, frame.count, frame.extra_bofs);
            framer->frame_under_way = true;
        }
        size_t sent = sir_send(&framer->sender, octets + fetched, capacity - fetched);
        framer->frame_under_way = sent == capacity - fetched;
        fetched += sent;
    }
    return fetched;
}

void framer_sent(struct framer *framer) {
    framer->sending = false;
    // A frame that began before this station sent is lost: its end was not heard.
    sir_receive_damaged(&framer->receiver);
    lap_sent(framer->lap);
}
