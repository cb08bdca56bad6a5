/*
 * Exceptions of an ARMv7-M core, logged word by word and written to the host at the end.
 * It needs flash at 0, 64 KB of RAM at 0x20000000, and semihosting. Priorities have three bits, so
 * that every simulator keeps them.
 */
#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))
#define REG8(address) (*(volatile uint8_t *)(address))
#define ISER REG(0xE000E100)
#define ICER REG(0xE000E180)
#define ISPR REG(0xE000E200)
#define ICPR REG(0xE000E280)
#define IABR REG(0xE000E300)
#define IPR(n) REG8(0xE000E400 + (n))
#define ICSR REG(0xE000ED04)
#define VTOR REG(0xE000ED08)
#define AIRCR REG(0xE000ED0C)
#define CCR REG(0xE000ED14)
#define SHPR(n) REG8(0xE000ED14 + (n)) /* by number of the exception */
#define SHCSR REG(0xE000ED24)
#define CFSR REG(0xE000ED28)
#define HFSR REG(0xE000ED2C)
#define BFAR REG(0xE000ED38)
#define STIR REG(0xE000EF00)

static uint32_t log_words[1500];
static uint32_t logged;
static void (*in_interrupt)(uint32_t number);
static uint32_t skip_bytes;
static uint32_t frame_checked;

extern uint32_t vectors[];

static void log_word(uint32_t word) {
    if (logged < sizeof log_words / sizeof *log_words)
        log_words[logged++] = word;
}

/* A mark, so that a difference is found by its place. */
static void mark(uint32_t number) {
    log_word(0xAA000000 + number);
}

static uint32_t ipsr(void) {
    uint32_t value;
    __asm volatile("mrs %0, ipsr" : "=r"(value));
    return value;
}

static uint32_t control(void) {
    uint32_t value;
    __asm volatile("mrs %0, control" : "=r"(value));
    return value;
}

static void barrier(void) {
    __asm volatile("dsb\n isb" ::: "memory");
}

/* Where the code lies does not count: the frame's return address is logged as a distance from its
 * instruction. */
__attribute__((used)) void handle(uint32_t *frame, uint32_t link) {
    uint32_t number = ipsr();
    log_word(0xEE000000 + number);
    log_word(link);
    log_word(ICSR & 0x0047FFFF);
    log_word(SHCSR);
    if (frame_checked) {
        for (int n = 0; n < 5; n++)
            log_word(frame[n]);
        log_word(frame[7]);
        log_word((uint32_t)frame & 7);
    }
    if (number >= 3 && number <= 6) {
        log_word(CFSR);
        log_word(HFSR);
        if (CFSR & 1 << 15)
            log_word(BFAR);
        CFSR = CFSR;
        HFSR = HFSR;
        if (skip_bytes == 0xFF) {
            frame[6] = frame[5] & ~1u; /* back by LR */
            frame[7] |= 1 << 24;
        } else {
            frame[6] += skip_bytes;
        }
        frame[7] &= ~0x0600FC00u;
    }
    if (in_interrupt)
        in_interrupt(number);
    log_word(0xFF000000 + number);
}

__attribute__((naked, used, aligned(4))) void any_handler(void) {
    __asm volatile("tst lr, #4\n"
                   "ite eq\n"
                   "mrseq r0, msp\n"
                   "mrsne r0, psp\n"
                   "mov r1, lr\n"
                   "push {r4, lr}\n"
                   "bl handle\n"
                   "pop {r4, pc}\n");
}

static void reset_state(void) {
    in_interrupt = 0;
    frame_checked = 0;
    skip_bytes = 0;
    ICER = 0xFFFF;
    ICPR = 0xFFFF;
    for (int n = 0; n < 16; n++)
        IPR(n) = 0;
    AIRCR = 0x05FA0000;
    SHCSR = 0;
    SHPR(11) = 0;
    SHPR(14) = 0;
    SHPR(15) = 0;
    for (int n = 4; n < 7; n++)
        SHPR(n) = 0;
    CCR = 0x200;
    __asm volatile("msr basepri, %0\n msr primask, %0\n msr faultmask, %0" ::"r"(0));
    barrier();
}

static void calls(void) {
    mark(1);
    frame_checked = 1;
    register uint32_t r0 __asm("r0") = 0x11;
    register uint32_t r1 __asm("r1") = 0x22;
    register uint32_t r2 __asm("r2") = 0x33;
    register uint32_t r3 __asm("r3") = 0x44;
    __asm volatile("mov r12, #0x55\n msr apsr_nzcvq, %4\n svc #7"
                   : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3)
                   : "r"(0xA8000000)
                   : "r12", "cc", "memory");
    log_word(r0 + r1 + r2 + r3);
    uint32_t flags;
    /* A call in an IT block: the rest of the block goes on with its conditions. */
    __asm volatile("movs r0, #0\n cmp r0, #0\n itete eq\n svceq #1\n movne r0, #1\n addeq r0, #2\n "
                   "addne r0, #8\n"
                   "mov %0, r0"
                   : "=r"(flags)
                   :
                   : "r0", "cc", "memory");
    log_word(flags);
}

static void pend_sv_in_call(uint32_t number) {
    if (number == 11)
        ICSR = 1 << 28;
}

static void chains(void) {
    mark(2);
    SHPR(11) = 0x40;
    SHPR(14) = 0xE0;
    in_interrupt = pend_sv_in_call;
    __asm volatile("svc #0" ::: "memory");
    barrier();
    log_word(ICSR & 0x1FF);
    /* The other way round: PendSV goes first as soon as it is pending. */
    SHPR(11) = 0xE0;
    SHPR(14) = 0x40;
    __asm volatile("svc #0" ::: "memory");
    barrier();
}

static void raise_in_first(uint32_t number) {
    if (number == 16)
        ISPR = 1 << 1;
    barrier();
    log_word(IABR & 0xFFFF);
    log_word(ISPR & 0xFFFF);
}

static void priorities(void) {
    mark(3);
    IPR(0) = 0x40;
    IPR(1) = 0x20;
    IPR(2) = 0x40;
    IPR(3) = 0x60;
    log_word(REG(0xE000E400));
    ISER = 0xF;
    __asm volatile("cpsid i");
    ISPR = 0xD;
    log_word(ICSR & 0x0047FFFF);
    STIR = 1;
    log_word(ISPR & 0xFFFF);
    in_interrupt = raise_in_first;
    __asm volatile("cpsie i\n isb");
    mark(4);
    /* Groups: 0x20 and 0x60 are of one group when bits 7 to 6 are 0 for both; 0x40 does not
     * interrupt 0x60. */
    AIRCR = 0x05FA0000 | 6 << 8;
    log_word(AIRCR);
    in_interrupt = raise_in_first;
    __asm volatile("cpsid i");
    ISPR = 0xD;
    __asm volatile("cpsie i\n isb");
    mark(5);
    AIRCR = 0x05FA0000 | 7 << 8;
    ISPR = 0x1;
    barrier();
    ICER = 0x4;
    ISPR = 0x4;
    barrier();
    log_word(ISPR & 0xFFFF);
    ISER = 0x4;
    barrier();
}

static void masks(void) {
    mark(6);
    IPR(0) = 0x40;
    IPR(1) = 0x80;
    ISER = 3;
    uint32_t value;
    __asm volatile("msr basepri, %0" ::"r"(0x60));
    ISPR = 3;
    barrier();
    log_word(ISPR & 3);
    __asm volatile("msr basepri_max, %0" ::"r"(0x80));
    __asm volatile("mrs %0, basepri" : "=r"(value));
    log_word(value);
    __asm volatile("msr basepri_max, %0" ::"r"(0x20));
    __asm volatile("mrs %0, basepri" : "=r"(value));
    log_word(value);
    ISPR = 1;
    barrier();
    log_word(ISPR & 3);
    __asm volatile("msr basepri, %0" ::"r"(0));
    barrier();
    log_word(ISPR & 3);
    mark(7);
    __asm volatile("cpsid f");
    ISPR = 3;
    barrier();
    log_word(ISPR & 3);
    __asm volatile("mrs %0, faultmask" : "=r"(value));
    log_word(value);
    __asm volatile("cpsie f\n isb");
    log_word(ISPR & 3);
    /* A call that the mask holds off becomes a HardFault. */
    __asm volatile("cpsid i");
    skip_bytes = 0;
    __asm volatile("svc #0" ::: "memory");
    __asm volatile("cpsie i");
}

static uint32_t process_stack[64] __attribute__((aligned(8)));

static void try_control(uint32_t number) {
    (void)number;
    __asm volatile("msr control, %0\n isb" ::"r"(2));
    log_word(control());
    __asm volatile("msr control, %0\n isb" ::"r"(3));
    log_word(control());
    __asm volatile("msr control, %0\n isb" ::"r"(0));
}

static void stacks(void) {
    mark(8);
    frame_checked = 1;
    uint32_t inside, back;
    __asm volatile("msr psp, %2\n"
                   "movs r0, #2\n"
                   "msr control, r0\n"
                   "isb\n"
                   "movs r0, #1\n movs r1, #2\n movs r2, #3\n movs r3, #4\n mov r12, #5\n"
                   "msr apsr_nzcvq, r0\n"
                   "svc #0\n"
                   "mrs %0, control\n"
                   "mov %1, sp\n"
                   "push {r1}\n"
                   "svc #0\n"
                   "pop {r1}\n"
                   "movs r0, #0\n"
                   "msr control, r0\n"
                   "isb\n"
                   : "=&r"(inside), "=&r"(back)
                   : "r"(process_stack + 64)
                   : "r0", "r1", "r2", "r3", "r12", "cc", "memory");
    log_word(inside);
    log_word((uint32_t)(process_stack + 64) - back);
    mark(9);
    frame_checked = 0;
    in_interrupt = try_control;
    __asm volatile("svc #0" ::: "memory");
    log_word(control());
    mark(10);
    /* A stack that is not aligned to eight bytes, with and without STKALIGN. */
    in_interrupt = 0;
    frame_checked = 1;
    __asm volatile("movs r0, #0\n movs r1, #0\n movs r2, #0\n movs r3, #0\n mov r12, #0\n"
                   "sub sp, #4\n svc #0\n add sp, #4\n"
                   "sub sp, #8\n svc #0\n add sp, #8"
                   :
                   :
                   : "r0", "r1", "r2", "r3", "r12", "cc", "memory");
}

static void give_privilege(uint32_t number) {
    if (number == 11)
        __asm volatile("msr control, %0\n isb" ::"r"(0));
}

static void privilege(void) {
    mark(11);
    uint32_t value, other;
    skip_bytes = 2;
    SHCSR = 7 << 16;
    in_interrupt = give_privilege;
    __asm volatile("movs r0, #1\n msr control, r0\n isb\n"
                   "movs r0, #1\n msr primask, r0\n msr basepri, r0\n cpsid i\n mrs %0, primask\n"
                   "movs r0, #0\n msr control, r0\n isb\n mrs %1, control\n"
                   "ldr r0, =0xE000ED14\n ldr r0, [r0]\n"
                   "svc #0\n"
                   : "=&r"(value), "=&r"(other)
                   :
                   : "r0", "memory");
    log_word(value);
    log_word(other);
    log_word(control());
    __asm volatile("mrs %0, primask\n mrs %1, basepri" : "=r"(value), "=r"(other));
    log_word(value + other);
}

static void faults(void) {
    for (uint32_t enabled = 0; enabled < 2; enabled++) {
        mark(0x20 + enabled);
        SHCSR = enabled ? 7 << 16 : 0;
        barrier();
        skip_bytes = 2;
        __asm volatile("udf #1" ::: "memory");
        skip_bytes = 4;
        __asm volatile("udf.w #1" ::: "memory");
        __asm volatile(".inst.w 0xee000a10" ::: "memory"); /* a coprocessor */
        CCR |= 1 << 4;
        __asm volatile("movs r0, #5\n movs r1, #0\n udiv r0, r0, r1" ::
                           : "r0", "r1", "cc", "memory");
        CCR &= ~(1 << 4); /* QEMU has no UNALIGN_TRP */
        uint32_t quotient;
        __asm volatile("movs r0, #5\n movs r1, #0\n udiv %0, r0, r1"
                       : "=r"(quotient)::"r0", "r1", "cc");
        log_word(quotient);
        /* These are never allowed to be unaligned. */
        skip_bytes = 4;
        __asm volatile("ldr r0, =0x20000002\n ldrd r1, r2, [r0]" ::: "r0", "r1", "r2", "memory");
        skip_bytes = 2;
        __asm volatile("ldr r0, =0x20000002\n ldmia r0, {r0, r1}" ::: "r0", "r1", "memory");
        /* Nothing is there. */
        __asm volatile("ldr r0, =0x70000000\n ldr r0, [r0]" ::: "r0", "memory");
        __asm volatile("ldr r0, =0x70000010\n ldrh r0, [r0]" ::: "r0", "memory");
        /* A target without bit 0; QEMU first wants one that is aligned to a word. */
        skip_bytes = 0xFF;
        __asm volatile("ldr r0, =any_handler\n bic r0, #1\n blx r0" ::: "r0", "lr", "memory");
        /* A fault in an IT block. */
        skip_bytes = 2;
        uint32_t after;
        __asm volatile("movs r0, #0\n cmp r0, #0\n itt eq\n udfeq #0\n addeq r0, #4\n mov %0, r0"
                       : "=r"(after)
                       :
                       : "r0", "cc", "memory");
        log_word(after);
    }
}

static void fault_in_handler(uint32_t number) {
    if (number == 16) {
        skip_bytes = 2;
        __asm volatile("udf #1" ::: "memory");
    }
}

static void nested_faults(void) {
    mark(0x30);
    SHCSR = 7 << 16;
    SHPR(6) = 0x40;
    IPR(0) = 0x60;
    ISER = 1;
    in_interrupt = fault_in_handler;
    ISPR = 1; /* UsageFault interrupts it */
    barrier();
    IPR(0) = 0x20;
    ISPR = 1; /* it becomes a HardFault */
    barrier();
}

static uint32_t word;

/* An entry gives the monitor up: a store fails before any return has. */
static void store_exclusively(uint32_t number) {
    (void)number;
    uint32_t failed;
    __asm volatile("strex %0, %1, [%1]" : "=&r"(failed) : "r"(&word) : "memory");
    log_word(failed);
}

static void exclusives(void) {
    mark(0x40);
    uint32_t failed;
    in_interrupt = store_exclusively;
    __asm volatile("ldrex r0, [%1]\n svc #0\n strex %0, r0, [%1]"
                   : "=&r"(failed)
                   : "r"(&word)
                   : "r0", "memory");
    in_interrupt = 0;
    log_word(failed);
    __asm volatile("ldrex r0, [%1]\n strex %0, r0, [%1]"
                   : "=&r"(failed)
                   : "r"(&word)
                   : "r0", "memory");
    log_word(failed);
    __asm volatile("sev\n wfe");
    mark(0x41);
}

static uint32_t other_vectors[64] __attribute__((aligned(512)));

__attribute__((used)) void handle_other(uint32_t *frame) {
    (void)frame;
    mark(0x51);
}

__attribute__((naked, used)) void other_handler(void) {
    __asm volatile("push {r4, lr}\n bl handle_other\n pop {r4, pc}");
}

static void tables(void) {
    mark(0x50);
    for (int n = 0; n < 64; n++)
        other_vectors[n] = vectors[n];
    other_vectors[11] = (uint32_t)other_handler;
    VTOR = (uint32_t)other_vectors;
    barrier();
    __asm volatile("svc #0" ::: "memory");
    VTOR = 0;
    barrier();
    __asm volatile("svc #0" ::: "memory");
}

static void registers(void) {
    mark(0x60);
    ISER = 0xFFFF;
    ICER = 0x00F0;
    log_word(ISER & 0xFFFF);
    log_word(ICER & 0xFFFF);
    ICER = 0xFFFF;
    ISPR = 0x0F0F;
    ICPR = 0x0F00;
    log_word(ISPR & 0xFFFF);
    log_word(ICPR & 0xFFFF);
    ICPR = 0xFFFF;
    REG(0xE000E404) = 0xE0C0A080;
    log_word(REG(0xE000E404));
    REG8(0xE000E405) = 0x20;
    log_word(REG(0xE000E404));
    log_word(AIRCR >> 16);
    REG(0xE000ED10) = 0x12; /* QEMU has no SLEEPDEEP */
    log_word(REG(0xE000ED10));
    REG(0xE000ED10) = 0;
    CCR = 0x31B;
    log_word(CCR);
    CCR = 0x200;
    ICSR = 1 << 26;
    barrier();
    ICSR = 1 << 28;
    barrier();
}

static void to_host(uint32_t operation, const void *parameter) {
    __asm volatile("mov r0, %0\n mov r1, %1\n bkpt #0xAB" ::"r"(operation), "r"(parameter)
                   : "r0", "r1", "memory");
}

static void write_log(void) {
    static char line[12];
    for (uint32_t n = 0; n < logged; n++) {
        for (int digit = 0; digit < 8; digit++)
            line[digit] = "0123456789abcdef"[log_words[n] >> (28 - 4 * digit) & 15];
        line[8] = '\n';
        line[9] = 0;
        to_host(4, line);
    }
}

__attribute__((used, noreturn)) void start(void) {
    static void (*const parts[])(void) = {calls,      chains,    priorities, masks,
                                          stacks,     privilege, faults,     nested_faults,
                                          exclusives, tables,    registers};
    for (unsigned n = 0; n < sizeof parts / sizeof *parts; n++) {
        reset_state();
        parts[n]();
    }
    reset_state();
    mark(0xFF);
    write_log();
    to_host(0x18, (const void *)0x20026);
    for (;;)
        ;
}

#define H (uint32_t) any_handler
__attribute__((section(".vectors"), used)) uint32_t vectors[64] = {
    0x20010000, (uint32_t)start,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
    H,          H,
};
