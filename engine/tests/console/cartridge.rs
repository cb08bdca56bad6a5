//! Code in the cartridge.

use crate::*;

/// Three nops, a load from IWRAM, three nops, a loop to itself.
const PROGRAM: [u32; 9] = [NOP, NOP, NOP, 0xe59d_2000, NOP, NOP, NOP, B_SELF, NOP];

#[test]
fn wait_states_are_those_of_waitcnt() {
    for tier in tiers() {
        for (waitcnt, n, s) in [(0, 5, 3), (0x0004, 4, 3), (0x0010, 5, 2), (0x001C, 9, 2)] {
            let mut board = board(&[(WAITCNT, waitcnt)], ROM + 0x100, &PROGRAM);
            board.set_tier(tier);
            let costs = costs(&mut board, ROM + 0x100, 7);
            // A word is two transfers. Behind the load's I cycle the first of them is N.
            let (next, load) = (2 * s, 2 * s + 2);
            assert_eq!(costs, [next, next, next, load, n + s, next], "{waitcnt:#x} {tier:?}");
            nothing_refused(&board);
        }
    }
}

#[test]
fn the_unit_reads_ahead_while_a_load_is_elsewhere() {
    for tier in tiers() {
        for (waitcnt, s) in [(0x4000, 3), (0x4010, 2)] {
            let mut board = board(&[(WAITCNT, waitcnt)], ROM + 0x100, &PROGRAM);
            board.set_tier(tier);
            let costs = costs(&mut board, ROM + 0x100, 7);
            // Two of the next word's cycles go by during the load's data and I cycles.
            let next = 2 * s;
            assert_eq!(
                costs,
                [next, next, next, next + 2, next - 2, next],
                "{waitcnt:#x} {tier:?}"
            );
        }
    }
}

#[test]
fn a_border_of_128_kilobytes_costs_n_once() {
    let main = ROM + 0x2_0000 - 20;
    for tier in tiers() {
        for (waitcnt, s, border) in [(0, 6, 8), (0x4000, 6, 8)] {
            let mut board = board(&[(WAITCNT, waitcnt)], main, &[NOP; 9]);
            board.set_tier(tier);
            let costs = costs(&mut board, main, 7);
            // Two words are fetched ahead of the instruction that executes.
            assert_eq!(costs, [s, s, s, border, s, s], "{waitcnt:#x} {tier:?}");
        }
    }
}

#[test]
fn memories_repeat_at_the_end_of_their_regions() {
    // ldr r2, [r3]; b .
    for (near, far) in [(IWRAM + 0x7FFC, 0x03FF_FFFC), (0x0700_03FC, 0x07FF_FFFC)] {
        let main = IWRAM + 0x400;
        let mut board =
            board(&[(near, 0x1234_5678)], main, &[0xe59f_3004, 0xe593_2000, B_SELF, far]);
        arrives(&mut board, main + 8);
        assert_eq!(register(&board, "r2"), 0x1234_5678, "{far:#x}");
        nothing_refused(&board);
    }
}

#[test]
fn a_wait_for_a_flag_takes_as_long_skipped_or_not() {
    // ldr r0, [pc, #20]; wait: ldrh r1, [r0, #2]; ldr r2, [pc, #16]; tst r1, #8; beq wait; b .
    let program =
        [0xe59f_0014, 0xe1d0_10b2, 0xe59f_2010, 0xe311_0008, 0x0aff_fffb, B_SELF, NOP, ENABLES, 7];
    for waitcnt in [0, 0x4000, 0x4014] {
        let run = |skips: bool| {
            let main = ROM + 0x1_FFF0;
            let setup = [(WAITCNT, waitcnt), (TIMER0, 0x00C0_0000)];
            let mut board = board(&setup, main, &program);
            board.set_skipping(skips);
            let at = arrives(&mut board, main + 20);
            nothing_refused(&board);
            ((at, board.instructions()), board.skipped_cycles())
        };
        let ((skipped, cycles), (executed, none)) = (run(true), run(false));
        assert_eq!(skipped, executed, "{waitcnt:#x}");
        assert!(cycles > 30_000 && none == 0, "{cycles}");
    }
}
