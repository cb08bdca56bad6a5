//! The USART by hand counts from RM0041.

use super::*;
use crate::devices::rig::Rig;

const SR: u32 = 0x00;
const DR: u32 = 0x04;
const BRR: u32 = 0x08;
const CR1: u32 = 0x0C;
const CR2: u32 = 0x10;
const CR3: u32 = 0x14;
const IDLE_FRAME: Cycle = 160;

/// 8N1 at 16 clocks a bit, transmitter and receiver on; the idle frame is over.
fn line() -> Rig {
    let mut rig = Rig::new(Usart::default());
    rig.write(BRR, 16).write(CR1, UE | TE | RE).at(IDLE_FRAME).write(SR, !TC);
    rig
}

#[test]
fn after_reset_it_is_empty() {
    let mut rig = Rig::new(Usart::default());
    let values = [SR, BRR, CR1, CR2, CR3, 0x18].map(|at| rig.read(at));
    assert_eq!((values, rig.output("interrupt")), ([TXE | TC, 0, 0, 0, 0, 0], 0));
}

#[test]
fn the_transmitter_begins_with_an_idle_frame() {
    let mut rig = Rig::new(Usart::default());
    rig.write(BRR, 16).at(10).write(CR1, UE | TE).at(20).write(DR, 0x55);
    assert_eq!(rig.read(SR) & TXE, 0, "it waits");
    assert_eq!(rig.at(10 + 160).read(SR) & TXE, TXE);
    assert_eq!(rig.at(1000).sent("txd"), [(10 + 160 + 160, 0x55)]);
}

#[test]
fn a_bit_takes_as_many_clocks_as_brr_says() {
    // 24 MHz and 115,200 Bd: 208; the divider of the bus; OVER8, whose fraction has three bits.
    for (brr, over8, divider, bit) in
        [(208, 0, 1, 208), (208, 0, 4, 832), (0x1A, OVER8, 1, 10), (0x2625, OVER8, 2, 9770)]
    {
        let mut rig = Rig::new(Usart::default());
        rig.input("pclk_divider", divider).write(BRR, brr).write(CR1, UE | TE | over8);
        rig.at(10 * bit).write(SR, 0).write(DR, 0x12A);
        assert_eq!(rig.output("frame_cycles"), 10 * bit as u32);
        assert_eq!(rig.at(20 * bit - 1).read(SR) & TC, 0);
        assert_eq!(rig.at(20 * bit).read(SR) & TC, TC);
        assert_eq!(rig.sent("txd"), [(20 * bit, 0x2A)]);
    }
}

#[test]
fn frames_follow_one_another_and_tc_comes_behind_the_last() {
    let mut rig = line();
    rig.write(DR, 1).write(DR, 2);
    assert_eq!(rig.at(IDLE_FRAME + 159).read(SR) & (TXE | TC), 0);
    assert_eq!(rig.at(IDLE_FRAME + 160).read(SR) & (TXE | TC), TXE);
    rig.at(IDLE_FRAME + 320);
    assert_eq!(rig.sent("txd"), [(320, 1), (480, 2)]);
    // A write of DR clears TC if SR was read before. So does a 0.
    assert_eq!(rig.write(DR, 3).at(1000).read(SR) & TC, TC);
    assert_eq!(rig.write(DR, 4).read(SR) & TC, 0);
    assert_eq!(rig.at(2000).read(SR) & TC, TC);
    assert_eq!(rig.write(SR, !TC).read(SR) & TC, 0);
}

#[test]
fn every_format_has_its_frame() {
    for (control, data, parity) in
        [(0, 8, 0), (M, 9, 0), (PCE, 7, 1), (PCE | PS, 7, 1), (M | PCE, 8, 1)]
    {
        for (stop, half_bits) in [(0, 2), (1, 1), (2, 4), (3, 3)] {
            let mut rig = Rig::new(Usart::default());
            rig.write(BRR, 32).write(CR2, stop << 12).write(CR1, UE | TE | control);
            let half_bits: u64 = 2 * (1 + data + parity) + half_bits;
            assert_eq!(u64::from(rig.output("frame_cycles")), half_bits * 16);
            rig.at(10_000).write(DR, 0x1FF).at(20_000);
            let value = [0x7F, 0xFF, 0xFF | NINTH][data as usize - 7];
            assert_eq!(rig.sent("txd"), [(10_000 + half_bits * 16, value)]);
        }
    }
}

#[test]
fn a_character_is_read_with_its_parity_bit() {
    for (control, value, word) in [
        (0, 0xA5, 0xA5),
        (M, 0xA5 | NINTH, 0x1A5),
        (PCE, 0x03, 0x03),
        (PCE, 0x07, 0x87),
        (PCE | PS, 0x03, 0x83),
        (M | PCE, 0xFE, 0x1FE),
        (M | PCE | PS, 0xFE, 0x0FE),
    ] {
        let mut rig = Rig::new(Usart::default());
        rig.write(BRR, 16).write(CR1, UE | RE | control).input("rxd", value);
        assert_eq!((rig.read(SR) & (RXNE | PE), rig.read(DR)), (RXNE, word), "{control:#x}");
        rig.input("rxd", value | PARITY_ERROR);
        let error = if control & PCE != 0 { PE } else { 0 };
        assert_eq!(rig.read(SR) & PE, error);
    }
}

#[test]
fn an_overrun_keeps_the_first_character() {
    let mut rig = line();
    rig.input("rxd", 1).input("rxd", 2).input("rxd", 3);
    assert_eq!(rig.read(SR) & (RXNE | ORE), RXNE | ORE);
    assert_eq!((rig.read(DR), rig.read(SR) & (RXNE | ORE)), (1, 0));
}

#[test]
fn errors_are_cleared_by_reading_both_registers_in_order() {
    let mut rig = line();
    rig.input("rxd", 7 | FRAMING_ERROR);
    assert_eq!(rig.read(DR), 7);
    assert_eq!(rig.read(SR) & (FE | RXNE), FE, "DR alone does not");
    assert_eq!((rig.read(DR), rig.read(SR) & FE), (7, 0));
    rig.input("rxd", BREAK);
    assert_eq!((rig.read(SR) & FE, rig.read(DR), rig.read(SR) & FE), (FE, 0, 0));
}

#[test]
fn a_line_is_idle_one_frame_behind_a_character() {
    let mut rig = line();
    rig.write(CR1, UE | TE | RE | IDLEIE).at(1000).input("rxd", 1).at(1100).input("rxd", 2);
    assert_eq!(rig.at(1259).read(SR) & IDLE, 0);
    assert_eq!(rig.at(1260).read(SR) & IDLE, IDLE);
    assert_eq!(rig.output("interrupt"), 1);
    rig.read(DR);
    assert_eq!((rig.output("interrupt"), rig.at(9000).read(SR) & IDLE), (0, 0), "once");
}

#[test]
fn every_flag_has_its_enable() {
    let mut rig = line();
    for (enable, requests) in [(TXEIE, 1), (TCIE, 0), (RXNEIE, 0), (PEIE, 0), (IDLEIE, 0)] {
        rig.write(CR1, UE | TE | RE | enable);
        assert_eq!(rig.output("interrupt"), requests, "{enable:#x}");
    }
    rig.write(CR1, UE | TE | RE | RXNEIE | TCIE).at(200).input("rxd", 1).at(210).read(DR);
    rig.at(300).write(DR, 1).at(500);
    let times = [(200, 1), (210, 0), (460, 1)];
    assert_eq!(rig.changes("interrupt")[rig.changes("interrupt").len() - 3..], times);
    rig.write(CR3, EIE | DMAR).write(CR1, UE | TE | RE).input("rxd", FRAMING_ERROR);
    assert_eq!((rig.output("interrupt"), rig.output("dma_rx")), (1, 1));
}

#[test]
fn dma_is_asked_while_a_flag_is_set() {
    let mut rig = line();
    rig.write(CR3, DMAT | DMAR).at(200).write(DR, 1).at(210).write(DR, 2).at(1000);
    assert_eq!(rig.changes("dma_tx"), [(0, 0), (160, 1), (210, 0), (360, 1)]);
    rig.input("rxd", 1).at(1010).read(DR);
    assert_eq!(rig.changes("dma_rx"), [(0, 0), (1000, 1), (1010, 0)]);
}

#[test]
fn a_break_is_one_frame() {
    let mut rig = line();
    rig.write(CR1, UE | TE | SBK).at(IDLE_FRAME + 159).write(DR, 3);
    assert_eq!(rig.read(CR1) & SBK, SBK);
    assert_eq!(rig.at(IDLE_FRAME + 160).read(CR1) & SBK, 0);
    assert_eq!(rig.at(1000).sent("txd"), [(320, BREAK), (480, 3)]);
}

#[test]
fn a_character_reaches_the_line_by_an_alternate_output() {
    let given = Parameters { tx_pin: Some(9) };
    let mut rig = Rig::new(Usart::new(given).unwrap());
    rig.write(BRR, 16).write(CR1, UE | TE).at(200).write(DR, 1).at(400);
    assert_eq!(rig.sent("txd"), []);
    assert_eq!(rig.unmodelled().len(), 1);
    rig.input("alternate", 1 << 9).write(DR, 2).at(600);
    assert_eq!(rig.sent("txd"), [(560, 2)]);
    assert!(Usart::new(Parameters { tx_pin: Some(16) }).is_err());
}

#[test]
fn without_its_clock_it_hears_nothing() {
    let mut rig = line();
    rig.input("halted", 1).input("rxd", 1);
    assert_eq!((rig.read(SR), rig.input("halted", 0).read(SR) & RXNE), (0, 0));
    rig.input("halted", 2);
    assert_eq!(rig.input("halted", 0).read(CR1), 0, "a reset");
    assert_eq!(rig.unmodelled().len(), 2);
}
