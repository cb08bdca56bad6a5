/* The chains of chains.h. Latencies of a multiplication: 3 cycles on x86-64 since 2008 (Fog,
 * "Instruction tables"), 3 or 4 on the 64-bit ARM cores of that kind. */
#include "chains.h"

#if defined(__x86_64__)
#define LINK "imul %%r11, %%r11"
#define REGISTER "r11", "cc"
#elif defined(__aarch64__)
#define LINK "mul x15, x15, x15"
#define REGISTER "x15"
#else
#error "no chain is written for this machine: add one multiplication and the register it uses"
#endif

#define DEFINE_CHAIN(n)                                                     \
    void chain_##n(void) {                                                  \
        __asm volatile(".rept " #n "\n\t" LINK "\n\t.endr" : : : REGISTER); \
    }
CHAINS(DEFINE_CHAIN)
