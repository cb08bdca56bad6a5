// Between send.c (the station), send_sender.c and send_receiver.c.
#ifndef IRDA_SEND_INTERNAL_H
#define IRDA_SEND_INTERNAL_H

#include "send.h"

enum { SEND_FILE = 1, SEND_CONTENT = 2, SEND_END = 3, SEND_RESULT = 4, SEND_NUMBER_OCTETS = 4 };

void send_timer_start(struct send *send, uint32_t after_us);

// Reports the result and returns to waiting for files or to rest.
void send_report(struct send *send, enum send_result result);

void send_put_number(uint8_t *octets, uint32_t value);
uint32_t send_get_number(const uint8_t *octets);

// The sender's part.
void send_look(struct send *send);
void send_discovered(void *context, const struct lap_device *devices, unsigned count,
                     enum lap_reason result);
void send_service_answered(void *context, enum ias_result result, const struct ias_value *value);
void send_connected(struct send *send);
void send_next(struct send *send);
void send_result_came(struct send *send, uint8_t result);
// Ends the link; `result` is reported when it has ended.
void send_close(struct send *send, enum send_result result);

// The receiver's part.
void send_unit_came(struct send *send, const uint8_t *octets, size_t count);

#endif
