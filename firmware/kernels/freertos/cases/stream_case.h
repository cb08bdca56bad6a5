/* Shared by the cases of stream and message buffers (stream_case.c). */
#ifndef STREAM_CASE_H
#define STREAM_CASE_H

#include "freertos_case.h"

#include "message_buffer.h"
#include "stream_buffer.h"

extern StreamBufferHandle_t buffer;

/* A buffer of a few bytes: hooks of a case that has it alone, and of one that has a partner too. */
enum { CAPACITY = 16 };
#define BUFFER_BYTES(capacity) BLOCK_BYTES(sizeof(StaticStreamBuffer_t) + (capacity) + 1)
uint32_t buffer_bytes(const struct series *series);
bool create_buffer(const struct series *series);
bool create_message_buffer(const struct series *series);
void delete_buffer(const struct series *series);
uint32_t buffer_and_partner_bytes(const struct series *series);
void delete_buffer_and_partner(const struct series *series);

#endif
