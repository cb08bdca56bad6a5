//! Timers, DMA and interrupts.

use crate::*;

#[test]
fn a_timers_interrupt_is_seen_three_cycles_after_its_overflow() {
    // The vector goes to a loop; nops lie at the interrupted place.
    for reload in 0xFFC0..0xFFD4 {
        let main = IWRAM + 0x400;
        let setup = [(ENABLES, 1 << 3), (SWITCH, 1)];
        // ldr r0, [pc, #8]; ldr r1, [pc, #8]; str r1, [r0]; nop …
        let mut program = vec![0xe59f_0008, 0xe59f_1008, 0xe580_1000, 0xea00_0001, TIMER0];
        program.push(0x00C0_0000 | reload);
        program.extend([NOP; 80]);
        let mut board = board(&setup, main, &program);
        load(&mut board, 0x18, &[B_SELF]);
        board.reset(Some(CODE));
        // The store completes at the next boundary; the timer counts 2 cycles later.
        let starts = arrives(&mut board, main + 12) + 2;
        let overflow = starts + u64::from(0x1_0000 - reload);
        let enters = arrives(&mut board, 0x18);
        // Every nop takes a cycle, so there is a boundary in each; entry takes 3.
        assert_eq!(enters, overflow + 3 + 3, "{reload:#x}");
    }
}

/// Stores that let channel 3 move units, in order; the last starts it.
fn channel(n: u32, source: u32, destination: u32, control: u32) -> [(u32, u32); 3] {
    let base = DMA0 + 12 * n;
    [(base, source), (base + 4, destination), (base + 8, control)]
}

#[test]
fn dma_keeps_the_core_from_the_bus_for_its_cycles() {
    // (control, units, cycles): from EWRAM (3 cycles a halfword) to IWRAM, and a cycle on either side.
    for (control, cycles) in [(0x8000_0001, 6), (0x8000_0004, 18), (0x8400_0003, 23)] {
        let main = IWRAM + 0x400;
        let [source, destination, start] = channel(3, EWRAM, IWRAM + 0x2000, control);
        let setup = [(EWRAM, 0x1122_3344), (EWRAM + 4, 0x5566_7788), source, destination];
        // ldr r0, [pc, #8]; ldr r1, [pc, #8]; str r1, [r0]; b over the values
        let mut program = vec![0xe59f_0008, 0xe59f_1008, 0xe580_1000, 0xea00_0001];
        program.extend([start.0, start.1]);
        program.extend([NOP; 40]);
        let mut board = board(&setup, main, &program);
        let stored = arrives(&mut board, main + 12);
        // A branch and nine nops.
        let ends = arrives(&mut board, main + 24 + 36);
        assert_eq!(ends - stored, 3 + 9 + cycles, "{control:#x}");
        assert_eq!(board.read_memory(IWRAM + 0x2000, 2).unwrap(), [0x44, 0x33]);
        nothing_refused(&board);
    }
}

#[test]
fn the_end_of_a_block_interrupts_and_disables_the_channel() {
    let main = IWRAM + 0x400;
    let mut setup = vec![(ENABLES, 1 << 9), (SWITCH, 1)];
    setup.extend(channel(1, EWRAM, IWRAM + 0x2000, 0xC400_0002));
    let mut board = board(&setup, main, &[NOP; 200]);
    load(&mut board, 0x18, &[B_SELF]);
    board.reset(Some(CODE));
    arrives(&mut board, 0x18);
    assert_eq!(board.read_memory(IWRAM + 0x2000, 4).unwrap(), [0; 4]);
    nothing_refused(&board);
}

#[test]
fn a_display_that_is_not_there_is_reported() {
    let main = IWRAM + 0x400;
    let mut board = board(&[(0x0400_0000, 0x80)], main, &[B_SELF]);
    arrives(&mut board, main);
    assert_eq!(board.unmodelled().len(), 1);
}
