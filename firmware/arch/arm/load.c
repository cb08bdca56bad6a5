/* Loads the arguments of an execution (arguments.h). Its time is separated from the
 * call's, if it is the same each time. So it touches no data in flash, and is longer than any
 * accelerator remembers: the next time begins as strange as the first. */
#define LINES_OF_FLASH ".rept 32\n nop\n .endr\n"

#ifdef __thumb__
#define LOAD                \
    " ldr r2, [r6]\n"       \
    " mov r0, sp\n"         \
    " mov r1, r6\n"         \
    " add r1, #20\n"        \
    "1: sub r2, #4\n"       \
    " blt 2f\n"             \
    " ldr r3, [r1, r2]\n"   \
    " str r3, [r0, r2]\n"   \
    " b 1b\n"               \
    "2: ldr r0, [r6, #4]\n" \
    " ldr r1, [r6, #8]\n"   \
    " ldr r2, [r6, #12]\n"  \
    " ldr r3, [r6, #16]\n"  \
    " bx lr\n"
#define CALL_INITIALISE                                                                            \
    ".weak fragment_initialise\n push {r4, lr}\n bl fragment_initialise\n pop {r2, r3}\n mov lr, " \
    "r3\n"
#else
#define LOAD                \
    " ldr r2, [r6]\n"       \
    " add r1, r6, #20\n"    \
    "1: subs r2, r2, #4\n"  \
    " ldrge r3, [r1, r2]\n" \
    " strge r3, [sp, r2]\n" \
    " bge 1b\n"             \
    " ldmib r6, {r0-r3}\n"  \
    " bx lr\n"
#define CALL_INITIALISE \
    ".weak fragment_initialise\n push {r4, lr}\n bl fragment_initialise\n pop {r4, lr}\n"
#endif

void fragment_load(void);
void fragment_initialise_and_load(void);

__attribute__((naked, aligned(64))) void fragment_load(void) {
    __asm volatile(LINES_OF_FLASH LOAD);
}

__attribute__((naked, aligned(64))) void fragment_initialise_and_load(void) {
    __asm volatile(CALL_INITIALISE LINES_OF_FLASH LOAD);
}
