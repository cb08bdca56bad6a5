//! Small programs, counted by hand.

use cyclescope_engine::board::{Request, Tier};

use crate::board::*;

#[test]
fn a_loop_adds_up_the_numbers_to_ten() {
    // movs r0, #0; movs r1, #10; 1: adds r0, r0, r1; subs r1, #1; bne 1b; b .
    let mut board = with_code(&[0x2000, 0x210A, 0x1840, 0x3901, 0xD1FC, 0xE7FE]);
    let request = Request { instructions: Some(2 + 30), ..Request::default() };
    board.run(&request).unwrap();
    let found = state(&board);
    assert_eq!((found.r[0], found.r[1], found.pc), (55, 0, 0x20A));
    // Nine of ten branches are taken, and cost 2.
    assert_eq!(board.cycle(), 2 + 30 + 9);
}

#[test]
fn a_base_that_a_store_writes_back_is_no_value_that_was_held_before() {
    let code = [
        0x2005, // movs r0, #5
        0xF842, 0x1B04, // str r1, [r2], #4
        0x1C43, // adds r3, r0, #1
        0x2007, // movs r0, #7
        0xF842, 0x1F04, // str r1, [r2, #4]!
        0x1C44, // adds r4, r0, #1
        0xF842, 0x1B04, // str r1, [r2], #4
        0x1C55, // adds r5, r2, #1
        0xE7FE, // b .
    ];
    for tier in [Tier::Plain, Tier::Blocks] {
        let mut board = with_code(&code);
        board.set_tier(tier);
        let mut begin = state(&board);
        (begin.r[1], begin.r[2]) = (0x1234, RAM + 0x100);
        set_state(&mut board, &begin);
        board.run(&Request { instructions: Some(20), ..Request::default() }).unwrap();
        let found = state(&board);
        assert_eq!(found.r[2..6], [RAM + 0x10C, 6, 8, RAM + 0x10D], "{tier:?}");
        let stored = board.read_memory(RAM + 0x100, 12).unwrap();
        let words = stored.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        assert_eq!(words.collect::<Vec<_>>(), [0x1234, 0, 0x1234], "{tier:?}");
    }
}
