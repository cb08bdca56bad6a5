//! The UART, register by register and byte by byte. Eight data bits, one stop bit, divisor 1, PCLK
//! equal to the core clock: a frame is 160 cycles.

use super::super::rig::Rig;
use super::{Parameters, Uart};
use crate::bus::Width;

const DATA: u32 = 0x00;
const IER: u32 = 0x04;
const IIR: u32 = 0x08;
const FCR: u32 = 0x08;
const LCR: u32 = 0x0C;
const LSR: u32 = 0x14;
const TER: u32 = 0x30;
const FRAME: u64 = 160;
/// A character less its stop bit.
const START_UP: u64 = 144;

fn uart() -> Rig {
    let mut rig = Rig::new(Uart::new(Parameters::default()));
    rig.input("pclk_divider", 1).write(LCR, 3).write(FCR, 1);
    rig
}

fn receive(rig: &mut Rig, bytes: std::ops::Range<u32>) {
    for byte in bytes {
        rig.input("rxd", byte);
    }
}

#[test]
fn registers_read_their_reset_values() {
    let mut rig = Rig::new(Uart::new(Parameters::default()));
    let expected = [
        (DATA, 0),
        (IER, 0),
        (IIR, 1),
        (LCR, 0),
        (LSR, 0x60),
        (0x1C, 0),
        (0x20, 0),
        (0x28, 0x10),
        (TER, 0x80),
    ];
    for (offset, value) in expected {
        assert_eq!(rig.read(offset), value, "{offset:#x}");
    }
    assert_eq!(rig.write(LCR, 0x80).read(DATA), 1, "DLL");
    assert_eq!((rig.read(IER), rig.output("interrupt")), (0, 0));
    assert_eq!(rig.output("frame_cycles"), 7 * 16);
}

#[test]
fn the_divisor_latch_hides_behind_dlab() {
    let mut rig = uart();
    rig.write(LCR, 0x83).write(DATA, 0x34).write(IER, 0x12);
    assert_eq!((rig.read(DATA), rig.read(IER)), (0x34, 0x12));
    assert_eq!(rig.output("frame_cycles"), 0x1234 * 160);
    rig.write(LCR, 3);
    assert_eq!((rig.read(DATA), rig.read(IER)), (0, 0));
    assert!(rig.sent("txd").is_empty());
}

#[test]
fn frame_cycles_follow_the_pclk_divider_and_the_fraction() {
    let mut rig = uart();
    rig.input("pclk_divider", 4);
    assert_eq!(rig.output("frame_cycles"), 640);
    rig.write(0x28, 0x21);
    assert_eq!(rig.output("frame_cycles"), 960);
}

#[test]
fn a_byte_leaves_at_the_end_of_its_frame() {
    let mut rig = uart();
    rig.at(1000).write(DATA, 0x41);
    assert_eq!(rig.read(LSR), 0x20, "THR is empty at once, the shift register is not");
    assert_eq!(rig.at(1000 + FRAME - 1).read(LSR), 0x20);
    assert_eq!(rig.at(1000 + FRAME).read(LSR), 0x60);
    assert_eq!(rig.sent("txd"), [(1000 + FRAME, 0x41)]);
}

#[test]
fn bytes_in_a_row_leave_without_a_gap() {
    let mut rig = uart();
    rig.at(7).write(DATA, 1).write(DATA, 2).write(DATA, 3);
    assert_eq!(rig.read(LSR) & 0x60, 0);
    rig.at(10_000);
    assert_eq!(rig.sent("txd"), [(7 + FRAME, 1), (7 + 2 * FRAME, 2), (7 + 3 * FRAME, 3)]);
}

#[test]
fn a_frame_begins_at_a_pclk_edge() {
    let mut rig = uart();
    rig.input("pclk_divider", 4).at(1001).write(DATA, 1);
    rig.at(10_000);
    assert_eq!(rig.sent("txd"), [(1004 + 640, 1)]);
}

#[test]
fn shorter_words_lose_their_high_bits() {
    let mut rig = uart();
    rig.write(LCR, 0).write(DATA, 0xFF).input("rxd", 0xFF);
    assert_eq!(rig.read(DATA), 0x1F);
    rig.at(112);
    assert_eq!(rig.sent("txd"), [(112, 0x1F)]);
}

#[test]
fn sixteen_bytes_wait_behind_the_one_being_sent() {
    let mut rig = uart();
    for byte in 0..18 {
        rig.write(DATA, byte);
    }
    assert_eq!(
        rig.unmodelled(),
        ["a byte written to a full transmit FIFO of uart_16550: it was lost"]
    );
    rig.at(100 * FRAME);
    let expected: Vec<_> = (0..17).map(|n| ((n + 1) * FRAME, n as u32)).collect();
    assert_eq!(rig.sent("txd"), expected);
}

#[test]
fn clearing_ter_finishes_the_byte_and_stops() {
    let mut rig = uart();
    rig.write(DATA, 1).write(DATA, 2).at(10).write(TER, 0);
    rig.at(1000).write(TER, 0x80);
    rig.at(5000);
    assert_eq!(rig.sent("txd"), [(FRAME, 1), (1000 + FRAME, 2)]);
}

#[test]
fn resetting_the_transmit_fifo_leaves_the_byte_on_the_line() {
    let mut rig = uart();
    rig.write(DATA, 1).write(DATA, 2).write(DATA, 3).write(FCR, 5);
    rig.at(5000);
    assert_eq!(rig.sent("txd"), [(FRAME, 1)]);
}

#[test]
fn a_lone_byte_raises_the_transmit_interrupt_one_character_less_a_stop_bit_later() {
    let mut rig = uart();
    rig.at(50).write(IER, 2).write(DATA, 1);
    assert_eq!(rig.output("interrupt"), 0);
    rig.at(5000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (50 + START_UP, 1)]);
}

#[test]
fn a_fifo_that_held_two_raises_it_as_soon_as_it_is_empty() {
    let mut rig = uart();
    rig.write(IER, 2).write(DATA, 1).write(DATA, 2).write(DATA, 3);
    rig.at(5000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (2 * FRAME, 1)]);
}

#[test]
fn writing_thr_withdraws_the_transmit_interrupt() {
    let mut rig = uart();
    rig.write(IER, 2).write(DATA, 1);
    rig.at(200).write(DATA, 2);
    assert_eq!(rig.output("interrupt"), 0);
    rig.at(5000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (144, 1), (200, 0), (200 + START_UP, 1)]);
}

#[test]
fn reading_iir_withdraws_the_transmit_interrupt_only_when_it_is_the_one_reported() {
    let mut rig = uart();
    rig.write(IER, 3).write(DATA, 1).at(1000);
    receive(&mut rig, 5..6);
    assert_eq!(rig.read(IIR), 0xC4, "received data come first");
    rig.read(DATA);
    assert_eq!((rig.read(IIR), rig.read(IIR)), (0xC2, 0xC1));
    assert_eq!(rig.output("interrupt"), 0);
}

#[test]
fn enabling_the_transmit_interrupt_of_an_idle_uart_raises_it_after_the_start_up_delay() {
    let mut rig = uart();
    rig.at(100).write(IER, 2);
    rig.at(5000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (100 + START_UP, 1)]);
}

#[test]
fn received_data_interrupt_at_the_trigger_level_and_stop_below_it() {
    for (bits, trigger) in [(0, 1), (1, 4), (2, 8), (3, 14)] {
        let mut rig = uart();
        rig.write(FCR, bits << 6 | 1).write(IER, 1);
        receive(&mut rig, 0..trigger - 1);
        assert_eq!(rig.output("interrupt"), 0);
        receive(&mut rig, trigger..trigger + 1);
        assert_eq!((rig.output("interrupt"), rig.read(IIR)), (1, 0xC4));
        rig.read(DATA);
        assert_eq!((rig.output("interrupt"), rig.read(IIR)), (0, 0xC1));
    }
}

#[test]
fn bytes_left_below_the_trigger_time_out() {
    let mut rig = uart();
    rig.write(FCR, 0x41).write(IER, 1).at(100);
    receive(&mut rig, 0..2);
    // (8 x 7 - 2) x 8 + (4 - 2) x 8 + 1 = 449 RCLK.
    rig.at(548);
    assert_eq!(rig.output("interrupt"), 0);
    rig.at(549);
    assert_eq!((rig.output("interrupt"), rig.read(IIR)), (1, 0xCC));
    rig.read(DATA);
    assert_eq!(rig.output("interrupt"), 0, "a read clears it");
    rig.at(549 + 457);
    assert_eq!(rig.output("interrupt"), 1, "and it begins anew for the byte that is left");
    rig.read(DATA);
    rig.at(10_000);
    assert_eq!((rig.output("interrupt"), rig.read(LSR)), (0, 0x60));
}

#[test]
fn a_new_byte_postpones_the_time_out() {
    let mut rig = uart();
    rig.write(FCR, 0x81).write(IER, 1);
    for n in 0..5 {
        rig.at(n * FRAME).input("rxd", 0);
    }
    rig.at(4 * FRAME + 432 + 8 * 3);
    assert_eq!(rig.output("interrupt"), 0);
    rig.at(4 * FRAME + 432 + 8 * 3 + 1);
    assert_eq!(rig.output("interrupt"), 1);
}

#[test]
fn a_seventeenth_byte_is_lost_and_the_first_sixteen_are_kept() {
    let mut rig = uart();
    rig.write(IER, 4);
    receive(&mut rig, 0x20..0x31);
    assert_eq!((rig.output("interrupt"), rig.read(IIR)), (1, 0xC6));
    assert_eq!(rig.read(LSR), 0x63);
    assert_eq!((rig.output("interrupt"), rig.read(LSR)), (0, 0x61), "reading LSR clears it");
    let bytes: Vec<_> = (0..16).map(|_| rig.read(DATA)).collect();
    assert_eq!(bytes, (0x20..0x30).collect::<Vec<_>>());
    assert_eq!(rig.read(LSR), 0x60);
}

#[test]
fn an_error_shows_when_its_character_is_first_in_the_fifo() {
    for (mark, bit) in [(1 << 8, 1 << 2), (1 << 9, 1 << 3), (1 << 10, 1 << 4)] {
        let mut rig = uart();
        rig.write(IER, 4).input("rxd", 0x41).input("rxd", 0x42 | mark);
        assert_eq!((rig.output("interrupt"), rig.read(LSR)), (0, 0xE1));
        assert_eq!((rig.read(DATA), rig.output("interrupt")), (0x41, 1));
        assert_eq!(rig.read(LSR), 0xE1 | bit);
        assert_eq!((rig.output("interrupt"), rig.read(LSR)), (0, 0x61));
        assert_eq!(rig.read(DATA), 0x42);
    }
}

#[test]
fn turning_the_fifos_on_or_off_empties_them() {
    let mut rig = uart();
    receive(&mut rig, 0..3);
    rig.write(FCR, 0);
    assert_eq!((rig.read(LSR), rig.read(IIR)), (0x60, 1));
    receive(&mut rig, 0..2);
    assert_eq!(rig.read(LSR), 0x63, "one byte deep");
    rig.write(DATA, 0);
    assert_eq!(rig.unmodelled().len(), 1);
}

#[test]
fn a_pin_that_pinsel_gives_away_loses_its_bytes() {
    let mut rig = Rig::new(Uart::new(Parameters { pin_select_inputs: true }));
    rig.input("pclk_divider", 1).write(LCR, 3).write(FCR, 1);
    rig.write(DATA, 1).input("rxd", 2).at(FRAME);
    assert_eq!((rig.sent("txd").len(), rig.read(LSR)), (0, 0x60));
    assert_eq!(rig.unmodelled().len(), 2);
    rig.input("txd_selected", 1).input("rxd_selected", 1);
    rig.write(DATA, 1).input("rxd", 2).at(2 * FRAME);
    assert_eq!((rig.sent("txd"), rig.read(DATA)), (vec![(2 * FRAME, 1)], 2));
}

#[test]
fn byte_accesses_act_like_word_accesses() {
    let mut rig = uart();
    rig.write_as(DATA, Width::Byte, 0x55).input("rxd", 0x66);
    assert_eq!(rig.read_as(DATA, Width::Byte), 0x66);
    assert_eq!(rig.read(LSR), 0x20);
    rig.at(FRAME);
    assert_eq!(rig.sent("txd"), [(FRAME, 0x55)]);
}

#[test]
fn what_is_not_modelled_says_so() {
    let mut rig = uart();
    rig.write(0x20, 1).write(LCR, 0x43).write(IER, 0x100).write(0x28, 0).write(0x10, 1);
    rig.read(0x01);
    assert_eq!(rig.unmodelled().len(), 6, "{:?}", rig.unmodelled());
}
