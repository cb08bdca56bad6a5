/* Which entry the interrupt controller names for a source. */
#ifndef AIC_PASS_H
#define AIC_PASS_H

#include "registers.h"

#define AIC_SOFTWARE 1
#define AIC_USART 3
/* Modes of a source. */
#define AIC_HIGHEST_PRIORITY 7
#define AIC_EDGE (1 << 5)

/* Lets the controller pass the interrupts of a source to `entry`. */
static inline void aic_pass(unsigned source, uint32_t mode, void (*entry)(void)) {
    AT91C_BASE_AIC->AIC_SVR[source] = (uint32_t)entry;
    AT91C_BASE_AIC->AIC_SMR[source] = mode;
    AT91C_BASE_AIC->AIC_IECR = 1u << source;
}

#endif
