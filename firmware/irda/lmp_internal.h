// Between lmp.c and lmp_receive.c.
#ifndef IRDA_LMP_INTERNAL_H
#define IRDA_LMP_INTERNAL_H

#include "lmp.h"

enum {
    LMP_PDU_CONTROL = 0x80, // in the destination: an opcode follows
    LMP_PDU_SELECTOR = 0x7F,
    LMP_PDU_CONNECT = 0x01,
    LMP_PDU_CONFIRM = 0x81,
    LMP_PDU_DISCONNECT = 0x02,
    LMP_PDU_ACCESS_MODE = 0x03,
    LMP_PDU_ACCESS_MODE_CONFIRM = 0x83,
    LMP_PDU_UNSUPPORTED = 0xFF,
};

// Answers to a selector that no LSAP of ours has; `count` parameters, the second one is 0. A second
// answer that has to wait is dropped: the other station asks again or gives up.
void lmp_reply_for_none(struct lmp *lmp, uint8_t remote, uint8_t local, uint8_t opcode,
                        uint8_t parameter, size_t count);

// A connection ended: its user hears why.
void lmp_end(struct lmp_lsap *lsap, enum lmp_reason reason);

// IrLAP's next packet.
void lmp_data_came(void *context, const uint8_t *octets, size_t count);

#endif
