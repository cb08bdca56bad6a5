/* The reader gets the driver's own buffers, one after another, and gives each back. */
#include "layers.h"
#include "transfer.h"

struct span {
    const uint8_t *octets;
    size_t length;
};

static struct span spans[BUFFERS];
/* Spans that came, and that were given back, since the beginning. */
static volatile uint32_t came, released;
static TaskHandle_t reader;

void layers_open(void) {
    reader = xTaskGetCurrentTaskHandle();
}

void layers_put(const uint8_t *octets, size_t length, BaseType_t *woken) {
    spans[came % BUFFERS] = (struct span){octets, length};
    came++;
    vTaskNotifyGiveFromISR(reader, woken);
}

bool layers_are_full(void) {
    return came - released + 1 == BUFFERS;
}

size_t line_receive(const uint8_t **octets) {
    while (came == released)
        if (ulTaskNotifyTake(pdTRUE, TIME_OUT > 0 ? portMAX_DELAY : 1) == 0)
            driver_look();
    const struct span *span = &spans[released % BUFFERS];
    *octets = span->octets;
    return span->length;
}

void line_release(void) {
    released++;
    driver_released();
}
