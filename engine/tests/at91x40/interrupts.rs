//! Interrupts to the cycle, and the sleep that they end.

use crate::*;

/// The handler of source n ends its interrupt: a read of TC_SR2, a write of AIC_EOICR, the return.
const HANDLER: [u32; 5] = [
    0xe596_c0a0, // ldr r12, [r6, #0xA0]: TC_SR of channel 2
    0xe587_c130, // str r12, [r7, #0x130]: AIC_EOICR
    0xe25e_f004, // subs pc, lr, #4
    0,
    0,
];

/// Channel 2 interrupts at each RC of MCK / 2, and the core spins or sleeps.
pub fn ticking(main: &[u32], clocks: u32) -> (Board, u32) {
    let (at, handler) = (INTERNAL + 0x800, INTERNAL + 0x900);
    let setup = [
        (EBI + 0x20, 1),
        (AIC + 4 * 6, 3),
        (AIC + 0x80 + 4 * 6, handler),
        (AIC + 0x120, 1 << 6),
        (TC + 0x84, 1 << 14 | 1 << 15),
        (TC + 0x9C, clocks),
        (TC + 0xA4, 1 << 4),
        (TC + 0x80, 5),
    ];
    let mut board = board(&setup, at);
    // r6: timer, r7: controller, r8: power saving, r9: 1.
    load(&mut board, at, &[0xe59f_6010, 0xe59f_7010, 0xe59f_8010, 0xe3a0_9001]);
    load(&mut board, at + 16, &[0xea00_0003, NOP, TC, AIC]);
    load(&mut board, at + 32, &[PS]);
    load(&mut board, at + 32 + 4, main);
    load(&mut board, handler, &HANDLER);
    (board, at + 36)
}

#[test]
fn a_timer_interrupt_is_taken_at_the_cycle_that_the_rules_give() {
    let (mut board, spin) = ticking(&[B_SELF], 250);
    board.watch(&[spin, 0x18], &[]);
    let interrupt = record(&mut board, &["tc.interrupt2"]);
    arrives(&mut board, spin);
    let from = board.cycle();
    run_to(&mut board, from + 5_000);
    let rises = rises(&interrupt);
    assert!(rises.len() > 7, "{rises:?}");
    assert!(rises.windows(2).all(|two| two[1] - two[0] == 500), "RC clocks of MCK / 2");
    let log: Vec<_> = board.take_executed().iter().map(|one| (one.cycle, one.address)).collect();
    let vectors: Vec<_> = log.iter().filter(|one| one.1 == 0x18).map(|one| one.0).collect();
    for (rise, vector) in rises.iter().zip(&vectors) {
        let last = log.iter().rfind(|one| one.1 == spin && one.0 < *vector).unwrap().0;
        assert!(last < rise + SYNCHRONISER && last + 3 >= rise + SYNCHRONISER);
        assert_eq!(*vector, last + 3 + ENTRY_CYCLES);
    }
    nothing_refused(&board);
}

#[test]
fn power_saving_stops_the_core_until_the_line_rises_masked_or_not() {
    for mask in [NOP, 0xe321_f0d3 /* msr cpsr_c, #0xD3: both masked */] {
        // str r9, [r8]; nop; b to the store
        let (mut board, main) = ticking(&[mask, 0xe588_9000, NOP, 0xeaff_fffc], 500);
        let (interrupt, sleep) =
            (record(&mut board, &["tc.interrupt2"]), record(&mut board, &["ps.sleep"]));
        arrives(&mut board, main);
        let from = board.cycle();
        run_to(&mut board, from + 2_500);
        let (rises, slept) = (rises(&interrupt), sleep.take());
        let woken: Vec<_> =
            slept.iter().filter(|one| one.level == 0).map(|one| one.cycle).collect();
        assert_eq!(woken[0], *rises.iter().find(|rise| **rise > slept[0].cycle).unwrap());
        nothing_refused(&board);
    }
}

#[test]
fn a_source_that_the_controller_masks_raises_no_line_and_wakes_nothing() {
    // mov r10, #0x40; str r10, [r7, #0x124]: AIC_IDCR; str r9, [r8]; b .
    let (mut board, main) = ticking(&[0xe3a0_a040, 0xe587_a124, 0xe588_9000, NOP, B_SELF], 500);
    let (interrupt, sleep) =
        (record(&mut board, &["tc.interrupt2"]), record(&mut board, &["ps.sleep"]));
    arrives(&mut board, main);
    let stop = board.run(&Request { cycles: Some(100_000), ..Request::default() }).unwrap();
    assert_eq!(rises(&interrupt).len(), 1, "the timer asks");
    assert_eq!((stop.reason, sleep.take().len()), (Reason::Asleep, 1), "it sleeps on");
    board.drive("ps.wake_fiq", 1, None).unwrap();
    arrives(&mut board, main + 16);
}
