/* The PDC receives into two buffers in turn. A block ends when its buffer is full, and at a silence
 * if the other buffer is free, as in the driver of Linux on this board. */
#include "aic_pass.h"
#include "entries.h"
#include "line_internal.h"
#include "usart_registers.h"

enum { TIME_OUT_UNIT_BITS = 4 };
#define BLOCK_ENDS (CSR_ENDRX | CSR_TIME_OUT)

static uint8_t buffers[2][LINE_BUFFER_OCTETS];
static size_t buffer_octets;        /* used of each */
static volatile unsigned filling;   /* the buffer that the controller fills */
static volatile bool other_is_full; /* its block has ended, and is to be taken first */
static volatile size_t other_octets;
static volatile bool starved; /* both are full */
static size_t taken;          /* octets taken of the buffer that is taken from */
static volatile bool damaged;

static void fill(void) {
    usart_set(LINE_RPR, buffers[filling]);
    usart_set(LINE_RCR, buffer_octets);
}

void line_start(void *task, size_t octets_of_each, uint32_t time_out_bits) {
    line_task = task;
    buffer_octets = octets_of_each;
    line_clock_start();
    usart_open(line_entered);
    usart_set(LINE_RTOR, time_out_bits / TIME_OUT_UNIT_BITS);
    fill();
    usart_set(LINE_CR, CR_RESET_STATUS | CR_START_TIME_OUT);
    usart_set(LINE_IER, BLOCK_ENDS);
}

void line_wait(uint32_t at_us) {
    line_clock_sleep(at_us);
}

static const uint8_t *oldest(void) {
    return buffers[other_is_full ? 1 - filling : filling];
}

/* How many octets the oldest buffer has. */
static size_t came(void) {
    if (other_is_full)
        return other_octets;
    return usart_get(LINE_RPR) - (uint32_t)buffers[filling];
}

/* Goes on with the other buffer. */
static void end_block(size_t octets) {
    other_octets = octets;
    other_is_full = true;
    filling = 1 - filling;
    fill();
}

/* Lets the PDC have a buffer of which all is taken. */
static void let_go(void) {
    if (!other_is_full || taken < other_octets)
        return;
    other_is_full = false;
    taken = 0;
    if (starved) {
        starved = false;
        end_block(buffer_octets);
        usart_set(LINE_IER, BLOCK_ENDS);
    }
}

size_t line_lend(const uint8_t **octets) {
    taskENTER_CRITICAL();
    let_go(); /* a block may end behind its last octet, when all are taken */
    *octets = oldest() + taken;
    size_t count = came() - taken;
    taskEXIT_CRITICAL();
    return count;
}

void line_return(size_t count) {
    taskENTER_CRITICAL();
    taken += count;
    let_go();
    taskEXIT_CRITICAL();
}

bool line_was_damaged(void) {
    taskENTER_CRITICAL();
    bool was = damaged;
    damaged = false;
    taskEXIT_CRITICAL();
    return was;
}

/* With both buffers full the PDC stands still until one is free: then octets are lost. */
static void buffer_is_full(void) {
    starved = other_is_full;
    if (starved)
        usart_set(LINE_IDR, BLOCK_ENDS);
    else
        end_block(buffer_octets);
}

/* While the count is 0 the USART holds one octet, so none goes to the wrong buffer. */
static void line_is_silent(void) {
    usart_set(LINE_CR, CR_START_TIME_OUT);
    if (other_is_full || usart_get(LINE_RPR) == (uint32_t)buffers[filling])
        return;
    usart_set(LINE_RCR, 0);
    end_block(usart_get(LINE_RPR) - (uint32_t)buffers[filling]);
}

BaseType_t line_usart_taken(void) {
    uint32_t status = usart_get(LINE_CSR) & (usart_get(LINE_IMR) | CSR_DAMAGED);
    damaged |= usart_note_damage(status);
    if (status & CSR_ENDRX)
        buffer_is_full();
    if (status & CSR_TIME_OUT)
        line_is_silent();
    if (status & CSR_ENDTX) {
        usart_set(LINE_IDR, CSR_ENDTX);
        usart_set(LINE_IER, CSR_TXEMPTY);
    }
    if (status & CSR_TXEMPTY)
        usart_set(LINE_IDR, CSR_TXEMPTY);
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return line_wake();
}
