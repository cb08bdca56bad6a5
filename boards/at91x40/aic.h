/* Values of the interrupt controller's registers that the FreeRTOS port uses (AT91X40 data sheet).
 */
#ifndef AIC_H
#define AIC_H

/* AIC_SMR: a source inside the part requests while its line is high. */
#define AIC_SRCTYPE_INT_LEVEL_SENSITIVE (0u << 5)

#endif
