/* An interrupt for each character, which makes no call of the kernel: it fills a ring. The end of a
 * frame requests an interrupt of software, whose handler wakes the reader. */
#include "aic_pass.h"
#include "layers.h"
#include "line_entries.h"
#include "ring.h"
#include "usart.h"

uint8_t ring[RING_OCTETS];
uint8_t *volatile ring_readable = ring;

static const uint8_t *reading = ring;
static size_t lent;
static TaskHandle_t reader;

void line_open(void) {
    reader = xTaskGetCurrentTaskHandle();
    aic_pass(AIC_SOFTWARE, AIC_EDGE, wake_entered);
    usart_open(line_entered);
    line_prepare_entry();
    usart_set(LINE_IER, CSR_RXRDY);
}

BaseType_t wake_requested(void) {
    BaseType_t woken = pdFALSE;
    vTaskNotifyGiveFromISR(reader, &woken);
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return woken;
}

size_t line_receive(const uint8_t **octets) {
    while (ring_readable == reading)
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    const uint8_t *end = ring_readable;
    lent = (size_t)((end > reading ? end : ring + RING_OCTETS) - reading);
    *octets = reading;
    return lent;
}

void line_release(void) {
    reading += lent;
    if (reading == ring + RING_OCTETS)
        reading = ring;
}
