#include "line.h"

#include "FreeRTOS.h"
#include "task.h"

#include "aic.h"
#include "board.h"
#include "entries.h"
#include "tc.h"

enum { CR_RESET_BOTH = 1 << 2 | 1 << 3, CR_ENABLE_BOTH = 1 << 4 | 1 << 6 };
enum { CR_RESET_STATUS = 1 << 8, CR_START_TIME_OUT = 1 << 11 };
enum { MR_8N1 = 3 << 6 | 4 << 9 };
enum {
    CSR_ENDRX = 1 << 3,
    CSR_ENDTX = 1 << 4,
    CSR_OVRE = 1 << 5,
    CSR_FRAME = 1 << 6,
    CSR_DAMAGED = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 7, /* break, overrun, framing, parity */
    CSR_TIMEOUT = 1 << 8,
    CSR_TXEMPTY = 1 << 9,
};

/* MCK / 128: 256 kHz, of which 16 bits are 256 ms. */
enum { TC_CLKS_MCK128 = 3, COUNTS_PER_MS = BOARD_CORE_HZ / 128 / 1000 };
enum { LONGEST_WAIT_US = 200000 };
_Static_assert(COUNTS_PER_MS * 128 * 1000 == BOARD_CORE_HZ, "a millisecond is whole counts");

static TaskHandle_t woken_task;
static uint8_t buffers[2][LINE_BUFFER_OCTETS];
static size_t buffer_octets;        /* used of each */
static volatile unsigned filling;   /* the buffer that the controller fills */
static volatile bool other_is_full; /* and is to be taken first */
static size_t taken;                /* octets taken of the buffer that is taken from */
static volatile bool damaged;
static uint16_t last_count;
static uint32_t counts; /* since the start, wraps */

volatile struct line_losses line_losses;

void line_start(void *task, size_t octets_of_each, uint32_t time_out_bits) {
    woken_task = task;
    buffer_octets = octets_of_each;
    AT91C_BASE_TC1->TC_CMR = TC_CLKS_MCK128;
    AT91C_BASE_TC1->TC_IDR = ~0u;
    AT91C_BASE_TC1->TC_CCR = TC_CLKEN | TC_SWTRG;
    AT91C_BASE_AIC->AIC_SVR[AT91C_ID_TC1] = (uint32_t)line_clock_entered;
    AT91C_BASE_AIC->AIC_SMR[AT91C_ID_TC1] = AIC_SRCTYPE_INT_LEVEL_SENSITIVE;
    AT91C_BASE_AIC->AIC_IECR = 1 << AT91C_ID_TC1;

    AT91C_BASE_US1->US_IDR = ~0u;
    AT91C_BASE_US1->US_CR = CR_RESET_BOTH;
    AT91C_BASE_US1->US_MR = MR_8N1;
    line_set_speed(9600);
    AT91C_BASE_US1->US_RTOR = time_out_bits / 4;
    AT91C_BASE_US1->US_CR = CR_ENABLE_BOTH;
    AT91C_BASE_US1->US_RPR = (uint32_t)buffers[0];
    AT91C_BASE_US1->US_RCR = buffer_octets;
    AT91C_BASE_US1->US_CR = CR_RESET_STATUS | CR_START_TIME_OUT;
    AT91C_BASE_US1->US_IER = CSR_ENDRX | CSR_TIMEOUT;
    AT91C_BASE_AIC->AIC_SVR[AT91C_ID_US1] = (uint32_t)line_usart_entered;
    AT91C_BASE_AIC->AIC_SMR[AT91C_ID_US1] = AIC_SRCTYPE_INT_LEVEL_SENSITIVE;
    AT91C_BASE_AIC->AIC_IECR = 1 << AT91C_ID_US1;
}

uint32_t line_now_us(void) {
    static uint32_t ms, rest;
    uint16_t count = (uint16_t)AT91C_BASE_TC1->TC_CV;
    uint16_t passed = (uint16_t)(count - last_count);
    last_count = count;
    counts += passed;
    rest += passed;
    ms += rest / COUNTS_PER_MS;
    rest %= COUNTS_PER_MS;
    return ms * 1000 + rest * 1000 / COUNTS_PER_MS;
}

void line_wake_at(uint32_t at_us) {
    uint32_t wait_us = at_us - line_now_us();
    if (wait_us > LONGEST_WAIT_US)
        wait_us = (int32_t)wait_us < 0 ? 0 : LONGEST_WAIT_US;
    uint32_t wait = wait_us * (COUNTS_PER_MS / 8) / 125 + 2;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_TC1->TC_RC = (uint16_t)(AT91C_BASE_TC1->TC_CV + wait);
    AT91C_BASE_TC1->TC_IER = TC_CPCS;
}

void line_set_speed(uint32_t bits_per_second) {
    uint32_t sixteenth = 16 * bits_per_second;
    AT91C_BASE_US1->US_BRGR = (BOARD_CORE_HZ + sixteenth / 2) / sixteenth;
}

void line_send(const uint8_t *octets, size_t count) {
    AT91C_BASE_US1->US_TPR = (uint32_t)octets;
    AT91C_BASE_US1->US_TCR = count;
    AT91C_BASE_US1->US_IER = CSR_ENDTX;
}

bool line_is_idle(void) {
    uint32_t status = AT91C_BASE_US1->US_CSR;
    return (status & CSR_ENDTX) && (status & CSR_TXEMPTY);
}

static const uint8_t *oldest(void) {
    return buffers[other_is_full ? 1 - filling : filling];
}

/* How many octets the oldest buffer has. */
static size_t came(void) {
    if (other_is_full)
        return buffer_octets;
    return AT91C_BASE_US1->US_RPR - (uint32_t)buffers[filling];
}

/* Leaves a full buffer when all of it is taken. */
static void let_go(void) {
    if (other_is_full && taken == buffer_octets) {
        other_is_full = false;
        taken = 0;
    }
}

size_t line_receive(uint8_t *octets, size_t capacity) {
    size_t count = 0;
    taskENTER_CRITICAL();
    const uint8_t *from = oldest();
    size_t there = came();
    while (count < capacity && taken < there)
        octets[count++] = ((const volatile uint8_t *)from)[taken++];
    let_go();
    taskEXIT_CRITICAL();
    return count;
}

size_t line_lend(const uint8_t **octets) {
    taskENTER_CRITICAL();
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

static void wake(void) {
    BaseType_t switches = pdFALSE;
    vTaskNotifyGiveFromISR(woken_task, &switches);
    if (switches)
        vTaskSwitchContext();
}

void line_usart_taken(void) {
    uint32_t status = AT91C_BASE_US1->US_CSR & (AT91C_BASE_US1->US_IMR | CSR_DAMAGED);
    if (status & CSR_DAMAGED) {
        damaged = true;
        line_losses.overruns += (status & CSR_OVRE) != 0;
        line_losses.framing_errors += (status & CSR_FRAME) != 0;
        AT91C_BASE_US1->US_CR = CR_RESET_STATUS;
    }
    if (status & CSR_ENDRX) {
        damaged |= other_is_full; /* the task was too slow: these octets are lost */
        filling = 1 - filling;
        other_is_full = true;
        AT91C_BASE_US1->US_RPR = (uint32_t)buffers[filling];
        AT91C_BASE_US1->US_RCR = buffer_octets;
    }
    if (status & CSR_TIMEOUT)
        AT91C_BASE_US1->US_CR = CR_START_TIME_OUT;
    if (status & CSR_ENDTX) {
        AT91C_BASE_US1->US_IDR = CSR_ENDTX;
        AT91C_BASE_US1->US_IER = CSR_TXEMPTY;
    }
    if (status & CSR_TXEMPTY)
        AT91C_BASE_US1->US_IDR = CSR_TXEMPTY;
    AT91C_BASE_AIC->AIC_EOICR = 0;
    wake();
}

void line_clock_taken(void) {
    AT91C_BASE_TC1->TC_IDR = TC_CPCS;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_EOICR = 0;
    wake();
}
