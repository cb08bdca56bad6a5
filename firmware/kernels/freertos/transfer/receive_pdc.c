/* The PDC receives into buffers in turn. An interrupt comes when one is full, or when the line has
 * paused. Without a time-out the reader looks at each tick. */
#include "aic_pass.h"
#include "layers.h"
#include "line_entries.h"
#include "usart.h"

/* Of the time-out's count: bits of the line. */
enum { TIME_OUT_UNIT = 4 };
#define EVENTS (CSR_ENDRX | (TIME_OUT > 0 ? CSR_TIME_OUT : 0))

static uint8_t buffers[BUFFERS][BUFFER];
static unsigned filling;
static volatile bool starved;
volatile uint32_t line_overruns;

static void fill(void) {
    usart_set(LINE_RPR, buffers[filling]);
    usart_set(LINE_RCR, BUFFER);
}

void line_open(void) {
    layers_open();
    usart_open(line_entered);
    fill();
    usart_set(LINE_RTOR, TIME_OUT / TIME_OUT_UNIT);
    usart_set(LINE_CR, CR_START_TIME_OUT);
    usart_set(LINE_IER, EVENTS);
}

/* Hands over what is in the buffer, and goes on with the next. The PDC stands still meanwhile, and
 * the USART holds one character; so none is counted to the wrong buffer. A time-out that is still
 * to come goes on counting. */
static void hand_over(BaseType_t *woken) {
    uint32_t status = usart_get(LINE_CSR);
    if (status & CSR_TIME_OUT)
        usart_set(LINE_CR, CR_START_TIME_OUT);
    if (status & CSR_OVERRUN) {
        usart_set(LINE_CR, CR_RESET_STATUS);
        line_overruns++;
    }
    usart_set(LINE_RCR, 0);
    const uint8_t *from = buffers[filling];
    size_t length = usart_get(LINE_RPR) - (uint32_t)from;
    if (length == 0) {
        usart_set(LINE_RCR, BUFFER);
        return;
    }
    filling = (filling + 1) % BUFFERS;
    starved = layers_are_full();
    if (starved)
        usart_set(LINE_IDR, EVENTS);
    else
        fill();
    layers_put(from, length, woken);
}

BaseType_t line_interrupted(void) {
    BaseType_t woken = pdFALSE;
    hand_over(&woken);
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return woken;
}

void driver_released(void) {
    if (!starved)
        return;
    taskENTER_CRITICAL();
    starved = false;
    fill();
    usart_set(LINE_IER, EVENTS);
    taskEXIT_CRITICAL();
}

void driver_look(void) {
    BaseType_t woken = pdFALSE;
    taskENTER_CRITICAL();
    hand_over(&woken);
    taskEXIT_CRITICAL();
}
