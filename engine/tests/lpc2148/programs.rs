//! Programs and registers of these tests.

pub const SRAM: u32 = 0x4000_0000;
pub const IRQ_VECTOR: u32 = 0x18;

/// The IRQ vector reads the VIC. The start writes (address, value) pairs up to address 0, loads r3 to
/// r8 from behind them, lets interrupts in and goes to r3.
pub const START: (u32, &[u32]) = (
    0x00,
    &[
        0xeaff_fffe, // b .
        0xeaff_fffe, // b .
        0xeaff_fffe, // b .
        0xeaff_fffe, // b .
        0xeaff_fffe, // b .
        0xeaff_fffe, // b .
        0xe51f_fff0, // ldr pc, [pc, #-0xFF0]
        0xeaff_fffe, // b .
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,           // to the end of the window shown at 0
        0xe59f_2018, // ldr r2, table
        0xe8b2_0003, // next: ldmia r2!, {r0, r1}
        0xe350_0000, // cmp r0, #0
        0x1580_1000, // strne r1, [r0]
        0x1aff_fffb, // bne next
        0xe892_01f8, // ldmia r2, {r3-r8}
        0xe321_f013, // msr cpsr_c, #0x13
        0xe12f_ff13, // bx r3
        SETUP,       // table: .word SETUP
    ],
);
pub const ENTRY: u32 = SRAM + 0x40;
pub const SETUP: u32 = SRAM + 0x400;

/// Three cycles an iteration.
pub const SPIN: (u32, &[u32]) = (0x100, &[0xeaff_fffe /* b . */]);

/// Logs the time, clears the interrupt at r6, ends it.
pub const TIMER_ISR: (u32, &[u32]) = (
    0x120,
    &[
        0xe594_c000, // ldr r12, [r4]
        0xe485_c004, // str r12, [r5], #4
        0xe3a0_c001, // mov r12, #1
        0xe586_c000, // str r12, [r6]
        0xe587_c000, // str r12, [r7]
        0xe25e_f004, // subs pc, lr, #4
    ],
);

/// Ends the interrupt.
pub const EMPTY_ISR: (u32, &[u32]) = (
    0x160,
    &[
        0xe587_c000, // str r12, [r7]
        0xe25e_f004, // subs pc, lr, #4
    ],
);

/// Logs IIR, then all that the UART at r6 has received.
pub const UART_ISR: (u32, &[u32]) = (
    0x180,
    &[
        0xe596_c008, // ldr r12, [r6, #8]
        0xe485_c004, // str r12, [r5], #4
        0xe596_c014, // more: ldr r12, [r6, #0x14]
        0xe31c_0001, // tst r12, #1
        0x1596_c000, // ldrne r12, [r6]
        0x1485_c004, // strne r12, [r5], #4
        0x1aff_fffa, // bne more
        0xe587_c000, // str r12, [r7]
        0xe25e_f004, // subs pc, lr, #4
    ],
);

/// Sends back all that the UART at r6 has received.
pub const ECHO_ISR: (u32, &[u32]) = (
    0x1c0,
    &[
        0xe596_c014, // more: ldr r12, [r6, #0x14]
        0xe31c_0001, // tst r12, #1
        0x1596_c000, // ldrne r12, [r6]
        0x1586_c000, // strne r12, [r6]
        0x1aff_fffa, // bne more
        0xe587_c000, // str r12, [r7]
        0xe25e_f004, // subs pc, lr, #4
    ],
);

/// Waits for PLOCK in PLLSTAT, at r4, then connects PLL0.
pub const LOCK: (u32, &[u32]) = (
    0x200,
    &[
        0xe594_0000, // wait: ldr r0, [r4]
        0xe310_0b01, // tst r0, #0x400
        0x0aff_fffc, // beq wait
        0xe3a0_0003, // mov r0, #3
        0xe504_0008, // str r0, [r4, #-8]
        0xe3a0_00aa, // mov r0, #0xAA
        0xe584_0004, // str r0, [r4, #4]
        0xe3a0_0055, // mov r0, #0x55
        0xe584_0004, // str r0, [r4, #4]
        0xeaff_fffe, // b .
    ],
);

/// Sleeps by writing 1 to PCON, at r8, again and again.
pub const IDLE: (u32, &[u32]) = (
    0x240,
    &[
        0xe3a0_0001, // idle: mov r0, #1
        0xe588_0000, // str r0, [r8]
        0xe1a0_0000, // nop
        0xeaff_fffb, // b idle
    ],
);

pub const LOG: u32 = SRAM + 0x1000;
pub const MEASUREMENT_TIMER: u32 = 0x3FFF_8000;

pub const MAMCR: u32 = 0xE01F_C000;
pub const MAMTIM: u32 = 0xE01F_C004;
pub const MEMMAP: u32 = 0xE01F_C040;
pub const PLLCON: u32 = 0xE01F_C080;
pub const PLLCFG: u32 = 0xE01F_C084;
pub const PLLSTAT: u32 = 0xE01F_C088;
pub const PLLFEED: u32 = 0xE01F_C08C;
pub const PCON: u32 = 0xE01F_C0C0;
pub const VPBDIV: u32 = 0xE01F_C100;
pub const T0IR: u32 = 0xE000_4000;
pub const T0TCR: u32 = 0xE000_4004;
pub const T0MCR: u32 = 0xE000_4014;
pub const T0MR0: u32 = 0xE000_4018;
pub const U0THR: u32 = 0xE000_C000;
pub const U0IER: u32 = 0xE000_C004;
pub const U0FCR: u32 = 0xE000_C008;
pub const U0LCR: u32 = 0xE000_C00C;
pub const U0FDR: u32 = 0xE000_C028;
pub const PINSEL0: u32 = 0xE002_C000;
pub const VIC_ENABLE: u32 = 0xFFFF_F010;
pub const VIC_ADDRESS: u32 = 0xFFFF_F030;
pub const VIC_DEFAULT: u32 = 0xFFFF_F034;
pub const VIC_ADDRESS0: u32 = 0xFFFF_F100;
pub const VIC_CONTROL0: u32 = 0xFFFF_F200;
