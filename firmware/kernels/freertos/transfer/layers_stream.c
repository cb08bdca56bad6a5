/* Octets are copied into a stream buffer of the kernel, and from there to the reader's own. */
#include "layers.h"
#include "stream_buffer.h"
#include "transfer.h"

enum { CAPACITY = 1024, READ_AT_ONCE = 256 };

static StreamBufferHandle_t octets_came;

void layers_open(void) {
    octets_came = xStreamBufferCreate(CAPACITY, 1);
}

void layers_put(const uint8_t *octets, size_t length, BaseType_t *woken) {
    xStreamBufferSendFromISR(octets_came, octets, length, woken);
}

bool layers_are_full(void) {
    return false;
}

size_t line_receive(const uint8_t **octets) {
    static uint8_t own[READ_AT_ONCE];
    *octets = own;
    return xStreamBufferReceive(octets_came, own, sizeof own, portMAX_DELAY);
}

void line_release(void) {}
