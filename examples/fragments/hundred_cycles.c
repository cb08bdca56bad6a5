/* A fragment that takes exactly 100 cycles where every fetch takes one, call and return included:
 * what techniques are held against, as in Moreno and Fischmeister, table 1. An ARM7TDMI's `bl`
 * takes 3 cycles, 4 in Thumb; `bx lr` takes 3; the rest are instructions of one cycle each. An
 * ATmega2560's `call` and `ret` take 5 each; the loop takes 86 (its last branch is not taken).
 *
 *     cyclescope time examples/fragments/hundred_cycles.c --function hundred_cycles --code sram
 */
#if defined(__thumb__)
#define BODY ".rept 93\n\tmov r0, r0\n\t.endr"
#elif defined(__arm__)
#define BODY ".rept 94\n\tmov r0, r0\n\t.endr"
#elif defined(__AVR__)
#define BODY "ldi r24, 29\n1:\tdec r24\n\tbrne 1b\n\t.rept 3\n\tnop\n\t.endr" : : : "r24"
#else
#define BODY ".rept 94\n\tnop\n\t.endr"
#endif

void hundred_cycles(void) {
    __asm volatile(BODY);
}
