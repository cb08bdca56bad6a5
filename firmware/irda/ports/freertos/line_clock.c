/* Microseconds by channel 1 of the timer counter. */
#include "aic.h"
#include "aic_pass.h"
#include "board.h"
#include "entries.h"
#include "line_internal.h"
#include "receivers.h"
#include "tc.h"

/* MCK / 128: 256 kHz, of which 16 bits are 256 ms. */
enum { TC_CLKS_MCK128 = 3, COUNTS_PER_MS = BOARD_CORE_HZ / 128 / 1000 };
enum { LONGEST_WAIT_US = 200000 };
_Static_assert(COUNTS_PER_MS * 128 * 1000 == BOARD_CORE_HZ, "a millisecond is whole counts");

TaskHandle_t line_task;

static uint16_t last_count;

void line_clock_start(void) {
    AT91C_BASE_TC1->TC_CMR = TC_CLKS_MCK128;
    AT91C_BASE_TC1->TC_IDR = ~0u;
    AT91C_BASE_TC1->TC_CCR = TC_CLKEN | TC_SWTRG;
#if RECEIVE != RECEIVE_POLL
    aic_pass(AT91C_ID_TC1, AIC_SRCTYPE_INT_LEVEL_SENSITIVE, line_clock_entered);
#endif
}

uint32_t line_now_us(void) {
    static uint32_t ms, rest;
    uint16_t count = (uint16_t)AT91C_BASE_TC1->TC_CV;
    uint16_t passed = (uint16_t)(count - last_count);
    last_count = count;
    rest += passed;
    ms += rest / COUNTS_PER_MS;
    rest %= COUNTS_PER_MS;
    return ms * 1000 + rest * 1000 / COUNTS_PER_MS;
}

#if RECEIVE != RECEIVE_POLL
void line_clock_sleep(uint32_t at_us) {
    uint32_t wait_us = at_us - line_now_us();
    if (wait_us > LONGEST_WAIT_US)
        wait_us = (int32_t)wait_us < 0 ? 0 : LONGEST_WAIT_US;
    uint32_t wait = wait_us * (COUNTS_PER_MS / 8) / 125 + 2;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_TC1->TC_RC = (uint16_t)(AT91C_BASE_TC1->TC_CV + wait);
    AT91C_BASE_TC1->TC_IER = TC_CPCS;
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

BaseType_t line_wake(void) {
    BaseType_t switches = pdFALSE;
    vTaskNotifyGiveFromISR(line_task, &switches);
    return switches;
}

BaseType_t line_clock_taken(void) {
    AT91C_BASE_TC1->TC_IDR = TC_CPCS;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return line_wake();
}
#endif
