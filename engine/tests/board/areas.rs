//! Which code becomes one function of the host.

use cyclescope_engine::board::{Board, Request, Tier};

use crate::any_program::LPC2148;
use crate::programs::{lpc2148, words, ArmBoard};

const TRANSLATES: bool = cfg!(all(feature = "translate", target_arch = "x86_64"));
/// Executions before a block is translated.
const AFTER: u32 = 100;

/// Runs two loops one behind the other, in a loop that executes `ROUNDS` times. Each of the two executes so often.
fn run(tier: Tier, inner: u32) -> Board {
    let program = [
        0xE3A0_D101,         // mov sp, #0x40000000
        0xE28D_DC02,         // add sp, sp, #0x200
        0xE3A0_5A01,         // mov r5, #4096
        0xE3A0_4000 | inner, // the outer loop: mov r4, #inner
        0xE1A0_4204,         // mov r4, r4, lsl #4
        0xE087_7006,         // add r7, r7, r6
        0xE254_4001,         // subs r4, r4, #1
        0x1AFF_FFFC,         // bne add
        0xE3A0_4000 | inner, // mov r4, #inner
        0xE1A0_4204,         // mov r4, r4, lsl #4
        0xE026_6007,         // eor r6, r6, r7
        0xE286_6001,         // add r6, r6, #1
        0xE254_4001,         // subs r4, r4, #1
        0x1AFF_FFFB,         // bne eor
        0xE255_5001,         // subs r5, r5, #1
        0x1AFF_FFF2,         // bne to the outer loop
        0xEAFF_FFFE,         // b .
    ];
    let mut board = lpc2148();
    board.set_tier(tier);
    board.set_skipping(false);
    board.load_bytes(LPC2148.ram, &words(&program)).unwrap();
    board.reset(Some(LPC2148.ram));
    let instructions = 3 + ROUNDS * instructions_of_a_round(inner);
    let cycles = Some(100 * instructions);
    board.run(&Request { instructions: Some(instructions), cycles, ..Request::default() }).unwrap();
    assert_eq!(board.arm().state().user[5], 0);
    board
}

const ROUNDS: u64 = 4_096;

fn instructions_of_a_round(inner: u32) -> u64 {
    6 + 7 * 16 * u64::from(inner)
}

/// The ways out of short loops execute as often as the loops around. So all becomes one function in the end.
#[test]
fn short_loops_and_the_loop_around_them_become_one_function() {
    let plain = run(Tier::Plain, 4);
    let board = run(Tier::Translated { after: AFTER }, 4);
    assert_eq!(board.cycle(), plain.cycle());
    let made = board.translations();
    if TRANSLATES {
        assert_eq!(made.functions, 3, "each loop has its own: {made:?}");
        assert!(made.entries < 1_000, "{made:?}");
    }
}

/// A loop that executes thousands of instructions is no part of the function of the loop around it.
#[test]
fn loops_that_run_long_stay_functions_by_themselves() {
    let plain = run(Tier::Plain, 64);
    let board = run(Tier::Translated { after: AFTER }, 64);
    assert_eq!(board.cycle(), plain.cycle());
    let made = board.translations();
    if TRANSLATES {
        assert!(made.entries > 2 * ROUNDS, "{made:?}");
    }
}
