/* A queue with space for one word, and a partner that waits at it (word_queue.c). */
#ifndef WORD_QUEUE_H
#define WORD_QUEUE_H

#include "freertos_case.h"

extern QueueHandle_t queue;
extern uint32_t word, received;

/* The body of tasks that wait to receive. */
void receive_for_ever(void *unused);

/* Hooks. */
uint32_t queue_and_partner_bytes(const struct series *series);
bool create_empty(const struct series *series);
bool create_full(const struct series *series);
void delete_queue_and_partner(const struct series *series);

/* Hooks of a case whose partner, of lower priority, waits to send; the queue is full. */
bool create_sender(const struct series *series);
bool send_again(const struct series *series, uintptr_t passed);

#endif
