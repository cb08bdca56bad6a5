//! Stores beside code leave what was decoded; stores to code are alike in all tiers.

use cyclescope_engine::board::{Board, Request, Tier};

use crate::any_program::{LPC2148, RAM_SIZE};
use crate::programs::{lpc2148, words, ArmBoard};

const TRANSLATED: Tier = Tier::Translated { after: 2 };
const TRANSLATES: bool = cfg!(all(feature = "translate", target_arch = "x86_64"));

/// Runs so many instructions of a program at the start of the RAM.
fn run(tier: Tier, program: &[u32], instructions: u64) -> Board {
    let mut board = lpc2148();
    board.set_tier(tier);
    // The search for loops that wait steps: hundreds of instructions of each slice of a run.
    board.set_skipping(false);
    board.load_bytes(LPC2148.ram, &words(program)).unwrap();
    board.reset(Some(LPC2148.ram));
    let cycles = Some(100 * instructions);
    board.run(&Request { instructions: Some(instructions), cycles, ..Request::default() }).unwrap();
    board
}

/// All that must be alike.
fn outcome(board: &mut Board) -> (String, u64, Vec<u8>) {
    let memory = board.read_memory(LPC2148.ram, RAM_SIZE).unwrap();
    (format!("{:?}", board.arm().state()), board.cycle(), memory)
}

/// Data in the same 64 bytes as a loop that writes them.
#[test]
fn a_store_beside_code_leaves_the_code_as_it_is() {
    let mut program = vec![
        0xE3A0_5A05, // mov r5, #20480
        0xE28F_4028, // add r4, pc, #40: place 13
        0xE1A0_D004, // mov sp, r4
        0xE884_0007, // stmia r4, {r0-r2}
        0xE584_5000, // str r5, [r4]
        0xE5C4_5005, // strb r5, [r4, #5]
        0xE594_6004, // ldr r6, [r4, #4]
        0xE087_7006, // add r7, r7, r6
        0xE255_5001, // subs r5, r5, #1
        0x1AFF_FFF8, // bne stmia
        0xEAFF_FFFE, // b .
    ];
    program.resize(16, 0);
    let instructions = 3 + 7 * 20_480;
    let mut plain = run(Tier::Plain, &program, instructions);
    let expected = outcome(&mut plain);
    for tier in [Tier::Blocks, TRANSLATED] {
        let mut board = run(tier, &program, instructions);
        assert!(outcome(&mut board) == expected, "{tier:?}");
        let made = board.translations();
        assert!(made.stepped < instructions / 100, "{tier:?}: {made:?}");
        let translated = if TRANSLATES && tier == TRANSLATED { instructions / 100 * 95 } else { 0 };
        assert!(made.instructions >= translated, "{tier:?}: {made:?}");
    }
}

/// Data that are fetched ahead, behind the last instruction of a function that writes them.
#[test]
fn of_code_that_data_follow_only_its_end_is_stepped() {
    const ROUNDS: u64 = 20_480;
    let mut program = vec![
        0xE3A0_5A05, // mov r5, #20480
        0xE28F_4024, // add r4, pc, #36: place 12
        0xE1A0_D004, // mov sp, r4
        0xEB00_0002, // bl function
        0xE255_5001, // subs r5, r5, #1
        0x1AFF_FFFC, // bne bl
        0xEAFF_FFFE, // b .
        0xE584_5000, // function: str r5, [r4]
        0xE087_7005, // add r7, r7, r5
        0xE594_6000, // ldr r6, [r4]
        0xE027_7006, // eor r7, r7, r6
        0xE1A0_F00E, // mov pc, lr
    ];
    program.resize(16, 0);
    let instructions = 3 + 8 * ROUNDS;
    let expected = outcome(&mut run(Tier::Plain, &program, instructions));
    for tier in [Tier::Blocks, TRANSLATED] {
        let mut board = run(tier, &program, instructions);
        assert!(outcome(&mut board) == expected, "{tier:?}");
        let made = board.translations();
        assert!(made.stepped < 2 * ROUNDS + 500, "{tier:?}: {made:?}");
        let translated = if TRANSLATES && tier == TRANSLATED { 5 * ROUNDS } else { 0 };
        assert!(made.instructions >= translated, "{tier:?}: {made:?}");
    }
}

/// A store over the word that was fetched while it executed: that executes once more as it was.
#[test]
fn a_word_that_is_fetched_already_executes_as_it_was() {
    const ROUNDS: u64 = 41;
    let program = [
        0xE28F_204C, // add r2, pc, #76: a place behind
        0xE1A0_D002, // mov sp, r2
        0xE28F_2024, // add r2, pc, #36: place 13
        0xE3A0_5029, // mov r5, #41
        0xE59F_6034, // ldr r6, place 19
        0xE59F_7034, // ldr r7, place 20
        0xE3A0_00D3, // the loop: mov r0, #0xD3
        0xE3A0_1053, // mov r1, #0x53
        0xE026_6007, // eor r6, r6, r7
        0xE027_7006, // eor r7, r7, r6
        0xE026_6007, // eor r6, r6, r7: both are exchanged
        0xE582_6000, // str r6, [r2]
        0xE121_F000, // msr cpsr_c, r0: the block ends before it
        0xE121_F000, // place 13: msr cpsr_c, r0, or r1
        0xE10F_3000, // mrs r3, cpsr
        0xE203_30FF, // and r3, r3, #0xFF
        0xE088_8003, // add r8, r8, r3
        0xE255_5001, // subs r5, r5, #1
        0x1AFF_FFF2, // bne to the loop
        0xE121_F000, // msr cpsr_c, r0
        0xE121_F001, // msr cpsr_c, r1
    ];
    let instructions = 6 + 13 * ROUNDS;
    let mut plain = run(Tier::Plain, &program, instructions);
    let expected = outcome(&mut plain);
    assert_eq!(plain.arm().state().user[8], 21 * 0xD3 + 20 * 0x53);
    for tier in [Tier::Blocks, TRANSLATED] {
        let mut board = run(tier, &program, instructions);
        assert!(outcome(&mut board) == expected, "{tier:?}");
        assert!(board.translations().in_blocks > 2 * ROUNDS, "{tier:?}");
    }
}

/// A hot loop stores `count` words from `before` words ahead of a function on, and calls it.
fn storing_over(count: u32, before: u32) -> Vec<u32> {
    const FUNCTION: u32 = 64;
    const TABLE: u32 = 96;
    let load =
        |place: u32, register: u32, at: u32| 0xE59F_0000 | register << 12 | (4 * (at - place - 2));
    let list = (1 << count) - 1;
    let mut program = vec![
        0xE3A0_A00C,                      // mov r10, #12
        load(1, 11, 14),                  // ldr r11, the table
        load(2, 12, 15),                  // ldr r12, a place without code
        load(3, 13, 16),                  // ldr sp, the function or before it
        0xE89B_0000 | list,               // ldmia r11, {r0...}
        0xE35A_0003,                      // cmp r10, #3
        0x01A0_C00D,                      // moveq r12, sp
        0xE88C_0000 | list,               // stmia r12, {r0...}
        0xEB00_0000 | (FUNCTION - 8 - 2), // bl function
        0xE25A_A001,                      // subs r10, r10, #1
        0x1AFF_FFF8,                      // bne ldmia
        0xEAFF_FFFE,                      // b .
        0,
        0,
        LPC2148.ram + 4 * TABLE,
        LPC2148.ram + 4 * 160,
        LPC2148.ram + 4 * (FUNCTION - before),
    ];
    program.resize(TABLE as usize + 16, 0);
    let at = FUNCTION as usize;
    // add r9, r9, #1; mov pc, lr; mov pc, lr
    program[at..at + 3].copy_from_slice(&[0xE289_9001, 0xE1A0_F00E, 0xE1A0_F00E]);
    for word in 0..count {
        program[(TABLE + word) as usize] = match word.wrapping_sub(before) {
            0 => 0xE289_9003, // add r9, r9, #3
            1 => 0xE289_9005, // add r9, r9, #5
            2 => 0xE1A0_F00E, // mov pc, lr
            other => other,
        };
    }
    program
}

/// Whichever of the words of a store is the code's, and however many there are.
#[test]
fn a_store_that_ends_begins_or_passes_over_code_is_alike_in_all_tiers() {
    for count in 1..=9 {
        for before in 0..count {
            let program = storing_over(count, before);
            let instructions = 4 + 9 * 12;
            let expected = outcome(&mut run(Tier::Plain, &program, instructions));
            for tier in [Tier::Blocks, TRANSLATED] {
                let mut board = run(tier, &program, instructions);
                assert!(
                    outcome(&mut board) == expected,
                    "{tier:?}: {count} words, {before} before"
                );
                let ran = board.translations().instructions;
                assert!(!TRANSLATES || tier != TRANSLATED || ran > 20, "{ran}");
            }
        }
    }
}
