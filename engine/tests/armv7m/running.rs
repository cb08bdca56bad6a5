//! Small programs, counted by hand.

use cyclescope_engine::board::Request;

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
