//! The USART by hand counts from the data sheet.

use super::*;
use crate::devices::rig::Rig;

/// 8N1, transmitter and receiver on, at this UBRR.
fn line(divisor: u32, double: bool) -> Rig {
    let mut rig = Rig::new(Usart::default());
    rig.write(UBRRH, divisor >> 8).write(UBRRL, divisor & 0xFF);
    rig.write(UCSRA, if double { u32::from(U2X) } else { 0 });
    rig.write(UCSRB, u32::from(RXEN | TXEN));
    rig
}

fn status(rig: &mut Rig) -> u8 {
    rig.read(UCSRA) as u8 & !U2X
}

#[test]
fn after_reset_it_is_idle() {
    let mut rig = Rig::new(Usart::default());
    let values: Vec<_> = [UCSRA, UCSRB, UCSRC, UBRRL, UBRRH].map(|at| rig.read(at)).into();
    assert_eq!(values, [0x20, 0, 0x06, 0, 0]);
    assert_eq!((rig.output("rx"), rig.output("udre"), rig.output("tx")), (0, 0, 0));
}

#[test]
fn a_character_begins_at_the_next_tick_of_the_baud_rate_generator() {
    // Table 22-1: a bit takes 16 (UBRR + 1) cycles, or 8 (UBRR + 1).
    for (divisor, double) in [(0, true), (8, false), (16, true), (103, false)] {
        let tick = Cycle::from(divisor) + 1;
        for phase in 0..2 * tick {
            let mut rig = line(divisor, double);
            let written = 1000 * tick + phase;
            rig.at(written).write(UDR, 0x5A);
            assert_eq!(status(&mut rig), 0, "the buffer is full");
            let begins = (written / tick + 1) * tick;
            assert_eq!(status(rig.at(begins - 1)), 0);
            assert_eq!(status(rig.at(begins)), UDRE);
            let ends = begins + 10 * tick * if double { 8 } else { 16 };
            assert_eq!(status(rig.at(ends - 1)), UDRE);
            assert_eq!(status(rig.at(ends)), UDRE | TXC);
            assert_eq!(rig.sent("txd"), [(ends, 0x5A)], "UBRR {divisor}, phase {phase}");
        }
    }
}

#[test]
fn frames_of_a_full_buffer_follow_one_another() {
    let mut rig = line(0, true);
    rig.at(10).write(UDR, 1).at(20).write(UDR, 2).at(30).write(UDR, 3);
    let frame = 80;
    assert_eq!(rig.unmodelled(), ["a character written to UDRn while UDREn is 0: it is lost"]);
    rig.at(11 + frame + 1).write(UDR, 4).at(1000);
    assert_eq!(rig.sent("txd"), [(11 + frame, 1), (11 + 2 * frame, 2), (11 + 3 * frame, 4)]);
    // TXCn is set where nothing follows.
    assert_eq!(rig.at(1001).read(UCSRA) as u8 & TXC, TXC);
    assert_eq!(rig.write(UCSRA, TXC.into()).at(1002).read(UCSRA) as u8 & TXC, 0);
}

#[test]
fn every_format_has_its_frame() {
    // Start bit, data, parity, stop bits.
    for (size, data) in [(0, 5), (1, 6), (2, 7), (3, 8), (7, 9)] {
        for (parity, bits) in [(0, 0), (2, 1), (3, 1)] {
            for stop in [1, 2] {
                let mut rig = line(3, false);
                rig.write(UCSRB, u32::from(RXEN | TXEN | TXB8) | (size & 4));
                rig.write(UCSRC, parity << 4 | (stop - 1) << 3 | (size & 3) << 1);
                let bits = 1 + data + bits + stop;
                assert_eq!(rig.output("frame_cycles"), bits * 64);
                rig.write(UDR, 0xFF).at(4 + u64::from(bits) * 64);
                let sent = if data == 9 { 0xFF | NINTH } else { (1 << data) - 1 };
                assert_eq!(rig.sent("txd"), [(4 + u64::from(bits) * 64, sent)]);
            }
        }
    }
}

#[test]
fn two_characters_wait_in_the_buffer_and_a_third_in_the_shift_register() {
    let mut rig = line(0, true);
    for (n, at) in (0..5).zip((100..).step_by(100)) {
        rig.at(at).input("rxd", 0x41 + n);
    }
    // 0x43 was overrun by 0x44, and that by 0x45.
    let mut read = Vec::new();
    for at in 601..605 {
        let status = status(rig.at(at));
        read.push((status & RXC != 0, status & DOR != 0, rig.read(UDR)));
    }
    assert_eq!(
        read,
        [(true, false, 0x41), (true, false, 0x42), (true, true, 0x45), (false, false, 0)]
    );
}

#[test]
fn errors_go_with_their_characters() {
    let mut rig = line(0, true);
    rig.write(UCSRC, 0x26).input("rxd", 1 | PARITY_ERROR).input("rxd", 2 | FRAMING_ERROR);
    rig.at(1);
    let mut both = || {
        let errors = status(&mut rig) & (FE | DOR | UPE);
        (errors, rig.read(UDR))
    };
    assert_eq!([both(), both()], [(UPE, 1), (FE, 2)]);
    rig.input("rxd", BREAK).at(2);
    assert_eq!((status(&mut rig) & FE, rig.read(UDR)), (FE, 0));
}

#[test]
fn the_ninth_bit_is_read_before_the_others() {
    let mut rig = line(0, true);
    rig.write(UCSRB, u32::from(RXEN | TXEN | UCSZ2)).input("rxd", 0x55 | NINTH).input("rxd", 0x66);
    let bit = |rig: &mut Rig| rig.read(UCSRB) as u8 & RXB8;
    assert_eq!((bit(&mut rig), rig.read(UDR), bit(&mut rig), rig.read(UDR)), (RXB8, 0x55, 0, 0x66));
}

#[test]
fn interrupts_are_levels_but_for_the_end_of_transmission() {
    let mut rig = line(0, true);
    rig.write(UCSRB, u32::from(RXEN | TXEN) | 0xE0).at(5);
    assert_eq!((rig.output("rx"), rig.output("udre"), rig.output("tx")), (0, 1, 0));
    assert_eq!(rig.acknowledge("udre").output("udre"), 1, "as long as the buffer is empty");
    rig.write(UDR, 1).at(6).write(UDR, 2);
    assert_eq!(rig.output("udre"), 0);
    rig.at(1000).input("rxd", 9);
    assert_eq!(rig.changes("tx"), [(0, 0), (6 + 160, 1)]);
    assert_eq!((rig.acknowledge("rx").output("rx"), rig.acknowledge("tx").output("tx")), (1, 0));
    assert_eq!((rig.read(UDR), rig.output("rx")), (9, 0));
}

#[test]
fn a_receiver_that_is_off_hears_nothing_and_forgets() {
    let mut rig = line(0, true);
    rig.input("rxd", 1).write(UCSRB, TXEN.into()).input("rxd", 2).at(1);
    assert_eq!(rig.read(UCSRA) as u8 & RXC, 0);
    rig.write(UCSRB, 0).write(UDR, 5).at(500);
    assert_eq!(rig.sent("txd"), []);
    assert_eq!(rig.unmodelled(), ["a character written to UDRn without TXENn: it is lost"]);
}

#[test]
fn what_is_not_modelled_is_reported() {
    let mut rig = line(0, true);
    rig.write(UCSRC, 0x46).write(UCSRC, 0x04).write(UCSRB, 0x1C).write(UCSRA, 3).write(3, 1);
    rig.write(UDR, 1).at(1).write(UBRRL, 7).input("halted", 1).input("rxd", 1);
    assert_eq!(
        rig.unmodelled(),
        [
            "UCSRnC: a synchronous mode, the line stays asynchronous",
            "UCSRnB: a reserved UCSZn, characters keep the bits of UCSZn1:0",
            "UCSRnA: MPCMn, no character is filtered",
            "register at offset 0x03 of usart_atmega",
            "a new format or rate of usart_atmega in a frame: it ends as it began",
            "usart_atmega without its clock in a frame: the frame goes on",
            "a character to usart_atmega without its clock: it is lost",
        ]
    );
}
