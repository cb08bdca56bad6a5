/* Loads the arguments of an execution (arguments.h). Its time is separated from the call's, as it
 * is the same each time. */
#define LOAD                     \
    " ldr r2, [r6]\n"            \
    " add r1, r6, #20\n"         \
    " mov r0, sp\n"              \
    "1: subs r2, #4\n"           \
    " blt 2f\n"                  \
    " ldr r3, [r1, r2]\n"        \
    " str r3, [r0, r2]\n"        \
    " b 1b\n"                    \
    "2: ldrd r0, r1, [r6, #4]\n" \
    " ldrd r2, r3, [r6, #12]\n"  \
    " bx lr\n"
#define CALL_INITIALISE \
    ".weak fragment_initialise\n push {r4, lr}\n bl fragment_initialise\n pop {r4, lr}\n"

void fragment_load(void);
void fragment_initialise_and_load(void);

__attribute__((naked, aligned(64))) void fragment_load(void) {
    __asm volatile(LOAD);
}

__attribute__((naked, aligned(64))) void fragment_initialise_and_load(void) {
    __asm volatile(CALL_INITIALISE LOAD);
}
