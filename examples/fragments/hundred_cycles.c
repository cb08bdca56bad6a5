/* A fragment that takes exactly 100 cycles where every fetch takes one, call and return included:
 * what techniques are held against, as in Moreno and Fischmeister, table 1. An ARM7TDMI's `bl`
 * takes 3 cycles, 4 in Thumb; `bx lr` takes 3; the rest are instructions of one cycle each.
 *
 *     cyclescope time examples/fragments/hundred_cycles.c --function hundred_cycles --code sram
 */
#if defined(__thumb__)
#define BODY ".rept 93\n\tmov r0, r0\n\t.endr"
#elif defined(__arm__)
#define BODY ".rept 94\n\tmov r0, r0\n\t.endr"
#else
#define BODY ".rept 94\n\tnop\n\t.endr"
#endif

void hundred_cycles(void) {
    __asm volatile(BODY);
}
