//! Registers as software accesses them.

use crate::*;

#[test]
fn a_byte_or_halfword_of_a_register_acts_on_the_whole_register_and_is_reported_once() {
    let main = INTERNAL + 0x800;
    let mut board = board(&[(PIO + 0x20, 0xFFFF_FFFF)], main);
    // r0: PIO, r1: 0x1FF. A byte at offset 0x25 clears bits 7 to 0 of IFSR, as a word at 0x24 would.
    let program = [
        0xe59f_0010, // ldr r0, [pc, #16]
        0xe59f_1010, // ldr r1, [pc, #16]
        0xe5c0_1025, // strb r1, [r0, #0x25]
        0xe5d0_202b, // ldrb r2, [r0, #0x2B]
        0xe1d0_32ba, // ldrh r3, [r0, #0x2A]
        B_SELF,
        PIO,
        0x1FF,
    ];
    load(&mut board, main, &program);
    arrives(&mut board, main + 0x14);
    assert_eq!((register(&board, "r2"), register(&board, "r3")), (0x00, 0xFF00));
    let texts: Vec<_> = board.unmodelled().iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["an access of pio that is no word: it acts on the whole register"]);
}

/// Registers that Linux 6.1 and 6.12 write on this part, with values that they write.
const WRITTEN: [(u32, u32); 33] = [
    (0xFFFC_C004, 0x8C0),
    (0xFFFC_C020, 0x12),
    (0xFFFC_C030, 0x0139_7400),
    (0xFFFC_C034, 0x200),
    (0xFFFC_C038, 0x0118_285B),
    (0xFFFC_C03C, 0),
    (0xFFFC_C008, 0x108),
    (0xFFFC_C00C, 0x810),
    (0xFFFC_C000, 0x800),
    (0xFFFD_0004, 0x8C0),
    (0xFFFD_0020, 0x12),
    (0xFFFD_0030, 0x011F_CE00),
    (0xFFFD_0034, 0x200),
    (0xFFFD_0038, 0x0139_69D2),
    (0xFFFD_003C, 0xD),
    (0xFFFD_0008, 0x810),
    (0xFFFD_000C, 0x810),
    (0xFFFD_0000, 0x40),
    (0xFFFE_0004, 0x0049_8000),
    (0xFFFE_0014, 0),
    (0xFFFE_001C, 0x8000),
    (0xFFFE_0028, 0xFF),
    (0xFFFE_0044, 0x8006),
    (0xFFFE_0068, 0xFF),
    (0xFFFE_00C4, 8),
    (0xFFFE_0000, 1),
    (0xFFFE_0040, 1),
    (0xFFFE_0084, 0xC004),
    (0xFFFE_009C, 0x140),
    (0xFFFE_00A8, 0xFF),
    (0xFFFE_00A4, 0x10),
    (0xFFFE_0080, 5),
    (0xFFFE_00C0, 1),
];
/// Registers that it reads. Of both USARTs: pointers and counts of the PDC, CSR, IMR and MR. Of the timers: counts
/// and status. Of the controller: SMR, IVR and ISR.
const READ: [u32; 22] = [
    0xFFFC_C004,
    0xFFFC_C010,
    0xFFFC_C014,
    0xFFFC_C030,
    0xFFFC_C034,
    0xFFFC_C038,
    0xFFFC_C03C,
    0xFFFD_0004,
    0xFFFD_0010,
    0xFFFD_0014,
    0xFFFD_0030,
    0xFFFD_0034,
    0xFFFD_0038,
    0xFFFD_003C,
    0xFFFE_0010,
    0xFFFE_0050,
    0xFFFE_00A0,
    0xFFFF_F008,
    0xFFFF_F00C,
    0xFFFF_F018,
    0xFFFF_F100,
    0xFFFF_F108,
];

#[test]
fn every_register_that_linux_touches_is_modelled_but_one() {
    let vectors = (0..32).map(|n| (AIC + 0x80 + 4 * n, n));
    let modes = [2, 3, 6].map(|n| (AIC + 4 * n, 0x40 | n));
    let controller =
        [(0x130, 4), (0x134, !0), (0x138, 0), (0x124, !0), (0x128, !0), (0x120, 1 << 6)];
    let setup: Vec<(u32, u32)> = ([(EBI + 4, RAM | 0x2081), REMAP].into_iter())
        .chain(controller.map(|(offset, value)| (AIC + offset, value)))
        .chain(vectors)
        .chain(modes)
        .chain(WRITTEN)
        .collect();
    let (main, table) = (INTERNAL + 0x800, INTERNAL + 0x900);
    let mut board = board(&setup, main);
    // Interrupts off; then sleeps until the timer's. next: ldr r1, [r0], #4; cmp r1, #0; ldrne r2, [r1]; bne next
    let program = [
        0xe321_f0d3, // msr cpsr_c, #0xD3
        0xe59f_0020, // ldr r0, [pc, #32]
        0xe59f_1020, // ldr r1, [pc, #32]
        0xe3a0_2001, // mov r2, #1
        0xe581_2000, // str r2, [r1]: PS_CR
        0xe490_1004, // next: ldr r1, [r0], #4
        0xe351_0000, // cmp r1, #0
        0x1591_2000, // ldrne r2, [r1]
        0x1aff_fffb, // bne next
        B_SELF,
        NOP,
        table,
        PS,
    ];
    load(&mut board, main, &program);
    let reads: Vec<u32> = READ.into_iter().chain([0]).collect();
    load(&mut board, table, &reads);
    board.reset(Some(CODE));
    let request = Request { pcs: vec![main + 0x24], cycles: Some(2_000_000), ..Request::default() };
    let stop = board.run(&request).unwrap();
    assert_eq!(stop.reason, Reason::Pc, "{stop:?}");
    assert!(stop.cycle > 320 * 1024, "it slept for the timer's period");
    let texts: Vec<_> = board.unmodelled().iter().map(|one| one.text.as_str()).collect();
    // AIC_DCR, which later parts have: Linux writes 0.
    assert_eq!(texts, ["register at offset 0x138 of aic_at91"]);
    assert!(board.receive("usart0.txd").unwrap().len() == 0xD, "the PDC sent its characters");
}
