/* A stream or message buffer of a few bytes, alone or with a partner. */
#include "cases/stream_case.h"

StreamBufferHandle_t buffer;

uint32_t buffer_bytes(const struct series *series) {
    return BUFFER_BYTES(CAPACITY);
}

bool create_buffer(const struct series *series) {
    buffer = xStreamBufferCreate(CAPACITY, 1);
    return buffer != NULL;
}

bool create_message_buffer(const struct series *series) {
    buffer = xMessageBufferCreate(CAPACITY);
    return buffer != NULL;
}

void delete_buffer(const struct series *series) {
    vStreamBufferDelete(buffer);
}

uint32_t buffer_and_partner_bytes(const struct series *series) {
    return buffer_bytes(series) + PARTNER_BYTES;
}

void delete_buffer_and_partner(const struct series *series) {
    stop_partner();
    delete_buffer(series);
}
