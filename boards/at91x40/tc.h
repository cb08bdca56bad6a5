/* Values of the timer counter's registers that firmware and FreeRTOS port use (AT91X40 data sheet).
 */
#ifndef TC_H
#define TC_H

/* TC_CCR */
#define TC_CLKEN (1u << 0)
#define TC_CLKDIS (1u << 1)
#define TC_SWTRG (1u << 2)

/* TC_CMR in waveform mode: the clock, MCK / 2 or MCK / 8, is not gated; RC starts the count anew.
 */
#define TC_CLKS_MCK2 0u
#define TC_CLKS_MCK8 1u
#define TC_CLKS_XC1 6u
#define TC_BURST_NONE (0u << 4)
#define TC_CPCTRG (1u << 14)
#define TC_WAVE (1u << 15)

/* TC_CMR in waveform mode: what TIOA does at RA, at RC and at a software trigger. */
#define TC_ACPA_SET (1u << 16)
#define TC_ACPC_CLEAR (2u << 18)
#define TC_ASWTRG_SET (1u << 22)

/* TC_BMR: XC1 is TIOA2. */
#define TC_XC1_TIOA2 (3u << 2)

/* TC_CMR in capture mode: which edge of TIOA loads RA, and which RB. */
#define TC_LDRA_RISING (1u << 16)
#define TC_LDRB_FALLING (2u << 18)

/* TC_SR, TC_IER, TC_IDR: the count came to RC; RA was loaded. */
#define TC_CPCS (1u << 4)
#define TC_LDRAS (1u << 5)

#endif
