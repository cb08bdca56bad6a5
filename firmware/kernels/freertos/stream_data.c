/* A large stream or message buffer, and data for it. */
#include "cases/stream_data.h"

uint8_t *data;

uint32_t large_bytes(const struct series *series) {
    return BUFFER_BYTES(LARGE_CAPACITY) + BLOCK_BYTES(LARGEST);
}

static bool fill_data(void) {
    data = pvPortMalloc(LARGEST);
    for (uint32_t i = 0; data != NULL && i < LARGEST; i++)
        data[i] = (uint8_t)i;
    return data != NULL && buffer != NULL;
}

bool create_large(const struct series *series) {
    buffer = xStreamBufferCreate(LARGE_CAPACITY, 1);
    return fill_data();
}

bool create_large_messages(const struct series *series) {
    buffer = xMessageBufferCreate(LARGE_CAPACITY);
    return fill_data();
}

static bool send_anew(const struct series *series) {
    return xStreamBufferReset(buffer) == pdPASS &&
           xStreamBufferSend(buffer, data, series->x, 0) == series->x;
}

bool create_large_with_data(const struct series *series) {
    return create_large(series) && send_anew(series);
}

bool create_large_with_message(const struct series *series) {
    return create_large_messages(series) && send_anew(series);
}

bool empty_buffer(const struct series *series, uintptr_t sent) {
    return sent == series->x && xStreamBufferReset(buffer) == pdPASS;
}

bool send_data_back(const struct series *series, uintptr_t received) {
    return received == series->x && send_anew(series);
}

void delete_large(const struct series *series) {
    vPortFree(data);
    delete_buffer(series);
}
