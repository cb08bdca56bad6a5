/* A large stream or message buffer, and data for it (stream_data.c). */
#ifndef STREAM_DATA_H
#define STREAM_DATA_H

#include "stream_case.h"

/* Hooks: x bytes of the data are sent at once. Each sample starts with the buffer's ends at its
 * beginning, so that no copy wraps around. */
enum { LARGE_CAPACITY = 272, LARGEST = 256 };
extern uint8_t *data;
uint32_t large_bytes(const struct series *series);
bool create_large(const struct series *series);
bool create_large_with_data(const struct series *series);
bool create_large_messages(const struct series *series);
bool create_large_with_message(const struct series *series);
bool empty_buffer(const struct series *series, uintptr_t sent);
bool send_data_back(const struct series *series, uintptr_t received);
void delete_large(const struct series *series);

#endif
