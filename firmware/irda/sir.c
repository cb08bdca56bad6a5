#include "sir.h"

enum sending { EXTRA_BOFS, BODY, FCS_LOW, FCS_HIGH, END, NOTHING };
enum receiving { OUTSIDE, INSIDE, ESCAPED };

// Takes an octet at a time without a table. The polynomial x^16 + x^12 + x^5 + 1 has few taps, so
// eight steps of its shift register come down to three shifts.
uint16_t sir_fcs(uint16_t fcs, uint8_t octet) {
    uint32_t low = (octet ^ fcs) & 0xFFu;
    low ^= (low << 4) & 0xFFu;
    return (uint16_t)((uint32_t)(fcs >> 8) ^ (low << 8) ^ (low << 3) ^ (low >> 4));
}

void sir_begin(struct sir_sender *sender, const uint8_t *octets, size_t count,
               uint16_t extra_bofs) {
    sender->octets = octets;
    sender->count = count;
    sender->next = 0;
    sender->extra_bofs = extra_bofs;
    sender->fcs = SIR_FCS_START;
    sender->escaped = 0;
    sender->phase = EXTRA_BOFS;
}

// Sends an octet of the body or the FCS; the octet behind an escape waits in `escaped`.
static uint8_t stuffed(struct sir_sender *sender, uint8_t octet) {
    if (octet != SIR_BOF && octet != SIR_EOF && octet != SIR_ESCAPE) {
        return octet;
    }
    sender->escaped = octet ^ SIR_ESCAPED;
    return SIR_ESCAPE;
}

static uint8_t next_octet(struct sir_sender *sender) {
    uint8_t octet;
    switch (sender->phase) {
    case EXTRA_BOFS:
        if (sender->extra_bofs > 0) {
            sender->extra_bofs--;
            return SIR_EXTRA_BOF;
        }
        sender->phase = sender->count > 0 ? BODY : FCS_LOW;
        return SIR_BOF;
    case BODY:
        octet = sender->octets[sender->next++];
        sender->fcs = sir_fcs(sender->fcs, octet);
        if (sender->next == sender->count) {
            sender->phase = FCS_LOW;
        }
        return stuffed(sender, octet);
    case FCS_LOW:
        sender->phase = FCS_HIGH;
        return stuffed(sender, (uint8_t)~sender->fcs);
    case FCS_HIGH:
        sender->phase = END;
        return stuffed(sender, (uint8_t)(~sender->fcs >> 8));
    default:
        sender->phase = NOTHING;
        return SIR_EOF;
    }
}

size_t sir_send(struct sir_sender *sender, uint8_t *line, size_t capacity) {
    size_t sent = 0;
    while (sent < capacity) {
        if (sender->escaped) { // never zero: no mark with its bit 5 toggled is
            line[sent++] = sender->escaped;
            sender->escaped = 0;
        } else if (sender->phase != NOTHING) {
            line[sent++] = next_octet(sender);
        } else {
            break;
        }
    }
    return sent;
}

void sir_receiver_init(struct sir_receiver *receiver) {
    receiver->count = 0;
    receiver->fcs = SIR_FCS_START;
    receiver->phase = OUTSIDE;
    receiver->good_frames = 0;
    receiver->wrong_fcs = 0;
    receiver->broken_off = 0;
    receiver->too_long = 0;
}

static void break_off(struct sir_receiver *receiver) {
    if (receiver->phase != OUTSIDE && receiver->count > 0) {
        receiver->broken_off++;
    }
    receiver->phase = OUTSIDE;
}

void sir_receive_damaged(struct sir_receiver *receiver) {
    break_off(receiver);
}

static size_t end_frame(struct sir_receiver *receiver) {
    if (receiver->phase == OUTSIDE) {
        return 0;
    }
    if (receiver->phase == ESCAPED) { // the sender's abort
        break_off(receiver);
        return 0;
    }
    receiver->phase = OUTSIDE;
    if (receiver->count < 4 || receiver->fcs != SIR_FCS_GOOD) {
        receiver->wrong_fcs++;
        return 0;
    }
    receiver->good_frames++;
    return receiver->count - 2;
}

static void take(struct sir_receiver *receiver, uint8_t octet) {
    if (receiver->count == sizeof receiver->frame) {
        receiver->too_long++;
        receiver->phase = OUTSIDE;
        return;
    }
    receiver->frame[receiver->count++] = octet;
    receiver->fcs = sir_fcs(receiver->fcs, octet);
}

size_t sir_receive(struct sir_receiver *receiver, uint8_t octet) {
    if (octet == SIR_BOF) {
        break_off(receiver);
        receiver->phase = INSIDE;
        receiver->count = 0;
        receiver->fcs = SIR_FCS_START;
    } else if (octet == SIR_EOF) {
        return end_frame(receiver);
    } else if (receiver->phase == ESCAPED) {
        receiver->phase = INSIDE;
        take(receiver, octet ^ SIR_ESCAPED);
    } else if (octet == SIR_ESCAPE && receiver->phase == INSIDE) {
        receiver->phase = ESCAPED;
    } else if (receiver->phase == INSIDE) {
        take(receiver, octet);
    }
    return 0;
}
