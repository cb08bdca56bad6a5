//! The USART, rule by rule.

use super::super::rig::Rig;
use super::*;

const CR: u32 = 0x00;
const MR: u32 = 0x04;
const IER: u32 = 0x08;
const IDR: u32 = 0x0C;
const IMR: u32 = 0x10;
const CSR: u32 = 0x14;
const RHR: u32 = 0x18;
const THR: u32 = 0x1C;
const BRGR: u32 = 0x20;
const RTOR: u32 = 0x24;
const TTGR: u32 = 0x28;
const RPR: u32 = 0x30;
const RCR: u32 = 0x34;
const TPR: u32 = 0x38;
const TCR: u32 = 0x3C;

const RSTRX: u32 = 1 << 2;
const RSTTX: u32 = 1 << 3;
const RXEN: u32 = 1 << 4;
const TXEN: u32 = 1 << 6;
const TXDIS: u32 = 1 << 7;
const RSTSTA: u32 = 1 << 8;
const STTBRK: u32 = 1 << 9;
const STPBRK: u32 = 1 << 10;
const STTTO: u32 = 1 << 11;
const SENDA: u32 = 1 << 12;

/// Eight bits, no parity, one stop bit.
const PLAIN: u32 = 0x8C0;
/// Cycles of a bit and of a frame at CD = 2.
const BIT: Cycle = 32;
const CHARACTER: Cycle = 10 * BIT;

/// Both halves on, 32 cycles a bit.
fn usart() -> Rig {
    let mut rig = Rig::new(Usart::default());
    rig.write(MR, PLAIN).write(BRGR, 2).write(CR, RXEN | TXEN);
    rig
}

#[test]
fn after_reset_both_counts_are_over_and_nothing_is_ready() {
    let mut rig = Rig::new(Usart::default());
    assert_eq!(rig.read(CSR), ENDRX | ENDTX);
    for offset in [MR, IMR, RHR, BRGR, RTOR, TTGR, RPR, RCR, TPR, TCR] {
        assert_eq!(rig.read(offset), 0, "{offset:#x}");
    }
    rig.write(CR, TXEN);
    assert_eq!(rig.read(CSR), ENDRX | ENDTX | TXRDY | TXEMPTY);
    assert_eq!(rig.write(IER, !0).write(IDR, 1).read(IMR), 0x3FE);
}

#[test]
fn characters_leave_at_the_line_s_rate_two_held_at_most() {
    let mut rig = usart();
    rig.at(100).write(THR, 0x41);
    assert_eq!(rig.read(CSR) & (TXRDY | TXEMPTY), TXRDY, "the shift register took it");
    rig.write(THR, 0x142);
    assert_eq!(rig.read(CSR) & (TXRDY | TXEMPTY), 0);
    rig.at(100 + CHARACTER);
    assert_eq!(rig.read(CSR) & (TXRDY | TXEMPTY), TXRDY);
    rig.at(100 + 2 * CHARACTER);
    assert_eq!(rig.read(CSR) & (TXRDY | TXEMPTY), TXRDY | TXEMPTY);
    assert_eq!(rig.sent("txd"), [(100 + CHARACTER, 0x41), (100 + 2 * CHARACTER, 0x42)]);
    assert_eq!(rig.output("frame_cycles"), CHARACTER as u32);
}

#[test]
fn one_written_before_the_other_left_is_lost_and_reported() {
    let mut rig = usart();
    rig.write(THR, 1).write(THR, 2).write(THR, 3).at(10 * CHARACTER);
    assert_eq!(rig.sent("txd").iter().map(|one| one.1).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(rig.unmodelled().len(), 1);
}

#[test]
fn the_time_guard_is_idle_line_behind_each_character() {
    let mut rig = usart();
    rig.write(TTGR, 5).write(THR, 1).write(THR, 2).at(10 * CHARACTER);
    let ends = rig.sent("txd").iter().map(|one| one.0).collect::<Vec<_>>();
    assert_eq!(ends, [CHARACTER, 2 * CHARACTER + 5 * BIT]);
}

#[test]
fn without_a_clock_or_enable_nothing_is_sent() {
    let mut rig = usart();
    rig.write(BRGR, 0).write(THR, 1).at(10_000);
    assert_eq!(rig.sent("txd"), []);
    let mut rig = usart();
    rig.write(THR, 1).write(THR, 2).write(CR, TXDIS).at(10_000);
    assert_eq!(rig.sent("txd"), [(CHARACTER, 1)], "the frame under way ends");
    rig.write(CR, TXEN).at(20_000);
    assert_eq!(rig.sent("txd")[1..], [(10_000 + CHARACTER, 2)]);
    rig.write(THR, 3).write(THR, 4).write(CR, RSTTX).write(CR, TXEN).at(30_000);
    let sent = rig.sent("txd");
    assert_eq!(sent[2..], [(20_000 + CHARACTER, 3)], "a reset forgets what waits");
    assert_eq!(rig.unmodelled().len(), 1);
}

#[test]
fn a_character_not_read_in_time_is_overwritten() {
    let mut rig = usart();
    rig.input("rxd", 0x31);
    assert_eq!((rig.read(CSR) & (RXRDY | OVRE), rig.read(RHR)), (RXRDY, 0x31));
    assert_eq!(rig.read(CSR) & RXRDY, 0);
    rig.input("rxd", 0x32).input("rxd", 0x33);
    assert_eq!((rig.read(CSR) & (RXRDY | OVRE), rig.read(RHR)), (RXRDY | OVRE, 0x33));
    rig.write(CR, RSTSTA);
    assert_eq!(rig.read(CSR) & OVRE, 0);
    rig.input("rxd", 0x34).write(CR, RSTRX).input("rxd", 0x35);
    assert_eq!(rig.read(CSR) & RXRDY, 0, "off, and what it held is gone");
}

#[test]
fn errors_of_the_line_stay_until_the_status_is_reset() {
    for (value, flag) in [(PARITY_ERROR, PARE), (FRAMING_ERROR, FRAME)] {
        let mut rig = usart();
        rig.input("rxd", 0x55 | value).input("rxd", 0x56).read(RHR);
        assert_eq!(rig.read(CSR) & (PARE | FRAME | RXBRK), flag);
        assert_eq!(rig.write(CR, RSTSTA).read(CSR) & (PARE | FRAME), 0);
    }
    let mut rig = usart();
    rig.input("rxd", BREAK);
    assert_eq!(rig.read(CSR) & (RXBRK | RXRDY), RXBRK, "a break is no character");
}

#[test]
fn a_pause_behind_a_character_times_out_once() {
    let mut rig = usart();
    rig.write(RTOR, 10).write(IER, TIMEOUT).input("rxd", 1).at(5_000);
    assert_eq!(rig.read(CSR) & TIMEOUT, 0, "not started");
    rig.write(CR, STTTO).at(9_000);
    assert_eq!(rig.read(CSR) & TIMEOUT, 0, "it waits for a first character");
    rig.input("rxd", 2).at(9_000 + 30 * BIT).input("rxd", 3).at(20_000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (9_000 + 70 * BIT, 1)]);
    rig.input("rxd", 4).at(30_000).write(CR, RSTSTA);
    assert_eq!(rig.read(CSR) & TIMEOUT, TIMEOUT, "only STTTO ends it");
    rig.write(CR, STTTO).at(40_000);
    assert_eq!((rig.read(CSR) & TIMEOUT, rig.output("interrupt")), (0, 0));
}

#[test]
fn a_break_holds_the_line_until_it_is_stopped() {
    let mut rig = usart();
    rig.write(THR, 1).write(CR, STTBRK);
    assert_eq!(rig.read(CSR) & (TXRDY | TXEMPTY), 0);
    rig.at(5_000);
    assert_eq!(rig.sent("txd"), [(CHARACTER, 1), (2 * CHARACTER, BREAK)]);
    rig.write(CR, STPBRK).write(THR, 2).at(10_000);
    assert_eq!(rig.sent("txd")[2..], [(5_000 + 12 * BIT + CHARACTER, 2)]);
    // Stopped at once, it lasts a character all the same.
    let mut rig = usart();
    rig.write(CR, STTBRK).write(CR, STPBRK).write(THR, 3).at(10_000);
    assert_eq!(rig.sent("txd"), [(CHARACTER, BREAK), (2 * CHARACTER + 12 * BIT, 3)]);
}

#[test]
fn loops_and_echo_join_the_two_halves() {
    let mut rig = usart();
    rig.write(MR, PLAIN | 1 << 14).at(CHARACTER - 1).input("rxd", 6);
    assert_eq!((rig.sent("txd"), rig.read(RHR)), (vec![], 6), "it began before the echo");
    rig.at(CHARACTER).input("rxd", 7);
    assert_eq!((rig.sent("txd"), rig.read(RHR)), (vec![(CHARACTER, 7)], 7), "echo");
    let mut rig = usart();
    rig.write(MR, PLAIN | 2 << 14).write(THR, 9).input("rxd", 7).at(CHARACTER);
    assert_eq!((rig.sent("txd"), rig.read(RHR)), (vec![], 9), "local loopback");
    let mut rig = usart();
    rig.write(MR, PLAIN | 3 << 14).at(CHARACTER).input("rxd", 7);
    let sent = (rig.sent("txd"), rig.read(CSR) & RXRDY);
    assert_eq!(sent, (vec![(CHARACTER, 7)], 0), "remote loopback");
}

#[test]
fn a_ninth_bit_travels_and_marks_addresses() {
    let mut rig = usart();
    rig.write(MR, PLAIN | 1 << 17).write(THR, 0x155).at(10_000).input("rxd", NINTH | 0x44);
    assert_eq!((rig.sent("txd"), rig.read(RHR)), (vec![(11 * BIT, NINTH | 0x55)], 0x144));
    let mut rig = usart();
    rig.write(MR, 0xCC0).write(CR, SENDA).write(THR, 0x55).write(THR, 0x56).at(10_000);
    assert_eq!(rig.sent("txd").iter().map(|one| one.1).collect::<Vec<_>>(), [NINTH | 0x55, 0x56]);
    rig.input("rxd", NINTH | 0x44);
    assert_eq!((rig.read(CSR) & PARE, rig.read(RHR)), (PARE, 0x44), "an address");
}

#[test]
fn the_pdc_sends_from_memory_character_by_character() {
    let mut rig = usart();
    rig.write(IER, ENDTX).write(TPR, 0x100).at(10).write(TCR, 3);
    assert_eq!((rig.output("interrupt"), rig.transfers()), (0, 1));
    let first = rig.transfer(Ok(0x61));
    assert_eq!((first.address, first.access.width(), first.write), (0x100, Width::Byte, None));
    assert_eq!(rig.transfers(), 1, "THR is free again at once: the shift register has it");
    rig.transfer(Ok(0x62));
    assert_eq!((rig.transfers(), rig.read(TPR), rig.read(TCR)), (0, 0x102, 1));
    rig.at(10 + CHARACTER);
    assert_eq!((rig.transfers(), rig.output("interrupt")), (1, 0));
    rig.transfer(Ok(0x63));
    assert_eq!((rig.read(TCR), rig.output("interrupt")), (0, 1), "the last is in THR, not sent");
    rig.at(10 + 3 * CHARACTER);
    assert_eq!(rig.sent("txd").iter().map(|one| one.1).collect::<Vec<_>>(), [0x61, 0x62, 0x63]);
}

#[test]
fn the_pdc_receives_into_memory_and_says_when_it_is_full() {
    let mut rig = usart();
    rig.write(IER, ENDRX).write(RPR, 0x200).write(RCR, 2).input("rxd", 0x71);
    let first = rig.transfer(Ok(0));
    assert_eq!((first.address, first.write, rig.read(CSR) & RXRDY), (0x200, Some(0x71), 0));
    rig.input("rxd", 0x72);
    assert_eq!((rig.transfer(Ok(0)).address, rig.output("interrupt")), (0x201, 1));
    rig.input("rxd", 0x73);
    assert_eq!((rig.transfers(), rig.read(CSR) & RXRDY), (0, RXRDY), "full: the core must read");
    rig.write(RCR, 1);
    assert_eq!((rig.transfers(), rig.output("interrupt")), (1, 0));
}

#[test]
fn a_transfer_where_nothing_answers_is_reported() {
    let mut rig = usart();
    rig.write(RPR, 0x200).write(RCR, 1).input("rxd", 1).transfer(Err(Abort));
    assert_eq!((rig.unmodelled().len(), rig.read(RCR)), (1, 0));
}

#[test]
fn without_its_clock_it_hears_nothing() {
    let mut rig = usart();
    rig.input("halted", 1).input("rxd", 1).input("halted", 0);
    assert_eq!(rig.read(CSR) & RXRDY, 0);
}

#[test]
fn without_its_clock_it_sends_nothing_until_the_clock_is_back() {
    let mut rig = usart();
    rig.input("halted", 1).write(THR, 0x66).at(100_000);
    assert_eq!((rig.sent("txd").len(), rig.read(CSR) & TXEMPTY), (0, 0));
    rig.input("halted", 0).at(200_000);
    assert_eq!((rig.sent("txd").len(), rig.read(CSR) & TXEMPTY), (1, TXEMPTY));
}

#[test]
fn a_block_ends_when_its_buffer_is_full_or_its_count_is_written_anew() {
    let mut rig = usart();
    rig.write(RPR, 0x200).write(RCR, 2);
    for value in [0x71, 0x72] {
        rig.input("rxd", value).transfer(Ok(0));
    }
    assert_eq!(rig.blocks, [(RECEIVE, 2)]);
    rig.write(RCR, 5).input("rxd", 0x73).transfer(Ok(0));
    rig.write(RCR, 5).write(RCR, 4);
    assert_eq!(rig.blocks, [(RECEIVE, 2), (RECEIVE, 1)], "a buffer that got nothing is no block");
    rig.write(TPR, 0x100).write(TCR, 1).transfer(Ok(0x61));
    assert_eq!(rig.blocks[2..], [(TRANSMIT, 1)]);
}
