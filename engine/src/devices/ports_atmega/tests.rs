//! Ports and interrupts of pins by the data sheet.

use super::*;
use crate::devices::rig::Rig;

// Port B, its registers in order, and the first of port L.
const PINB: u32 = 0x03;
const DDRB: u32 = 0x04;
const PORTB: u32 = 0x05;
const PIND: u32 = 0x09;
const PINL: u32 = 0x29;

fn rig() -> Rig {
    Rig::new(Ports::default())
}

#[test]
fn every_port_drives_its_pins() {
    for (n, name) in PORTS.into_iter().enumerate() {
        let base = if n < EARLIER { 3 * n as u32 } else { 0x20 + 3 * (n - EARLIER) as u32 };
        let bits = if name == 'G' { 6 } else { 8 };
        for bit in 0..bits {
            let mut rig = rig();
            rig.at(5).write(base + 1, 1 << bit).at(7).write(base + 2, 1 << bit);
            let pin = format!("p{}{bit}", name.to_ascii_lowercase());
            assert_eq!(rig.changes(&pin), [(0, 0), (7, 1)], "{pin}");
            assert_eq!(rig.outputs().iter().filter(|one| rig.output(one) == 1).count(), 1);
            assert_eq!(rig.at(8).write(base, 1 << bit).changes(&pin).last(), Some(&(8, 0)));
        }
    }
}

#[test]
fn a_one_in_pinx_toggles_portx_and_nothing_else() {
    let mut rig = rig();
    rig.write(DDRB, 0xFF).write(PORTB, 0x0F).at(3).write(PINB, 0x81);
    assert_eq!(rig.read(PORTB), 0x8E);
    assert_eq!((rig.output("pb7"), rig.output("pb0"), rig.output("pb1")), (1, 0, 1));
    assert_eq!(rig.write(PINB, 0).read(PORTB), 0x8E);
    // An instruction for one bit writes this bit alone.
    assert_eq!(rig.write_bits(PINB, 0x02, 0x02).read(PORTB), 0x8C);
    assert_eq!(rig.write_bits(PINB, 0x04, 0).read(PORTB), 0x8C);
    assert_eq!(rig.write_bits(PORTB, 0x04, 0).read(PORTB), 0x88);
}

#[test]
fn the_cpu_sees_a_pin_behind_its_synchroniser() {
    // Figure 13-4: OUT ends at 10. An IN behind it reads at 10, and reads the old level; behind a NOP the new one.
    let mut rig = rig();
    rig.write(DDRB, 0xFF).at(10).write(PORTB, 0x55);
    let reads: Vec<_> = (10..13).map(|at| rig.at(at).read(PINB)).collect();
    assert_eq!(reads, [0, 0x55, 0x55]);
    // The same for a level from outside, and changes in every cycle are seen one by one.
    for (at, level) in [(20, 1), (21, 0), (22, 1), (23, 1), (24, 0)] {
        rig.at(at).input("in_pd3", level);
        let before = [0, 1, 0, 1, 1][at as usize - 20];
        assert_eq!(rig.read(PIND) >> 3, before, "at {at}");
    }
}

#[test]
fn an_input_reads_the_world_or_its_pull_up() {
    let mut rig = rig();
    rig.write(PORTB, 0x01).at(5);
    assert_eq!((rig.read(PINB), rig.output("pb0")), (1, 1), "pulled up");
    assert_eq!(rig.input("pull_ups_off", 1).at(7).read(PINB), 0);
    rig.input("pull_ups_off", 0).input("in_pb0", 0).at(9);
    assert_eq!(rig.read(PINB), 0, "driven low");
    rig.write(DDRB, 1).at(11);
    assert_eq!(rig.read(PINB), 1, "an output");
    assert_eq!(rig.at(20).read(PINL), 0);
}

#[test]
fn timers_take_pins_that_are_outputs() {
    for (n, &(port, bit)) in COMPARE_PINS.iter().enumerate() {
        let mut rig = rig();
        let pin = rig.outputs()[pins_of(port).1 + bit];
        let compare = rig.inputs()[COMPARE + n];
        rig.at(5).input(compare, 3);
        assert_eq!(rig.output(pin), 0, "{pin} is an input");
        let base =
            if port < EARLIER { 3 * port as u32 } else { 0x20 + 3 * (port - EARLIER) as u32 };
        rig.at(6).write(base + 1, 1 << bit).at(8).input(compare, 2).at(9).write(base + 2, 1 << bit);
        assert_eq!(rig.changes(pin), [(0, 0), (6, 1), (8, 0)], "{compare} has {pin}");
        assert_eq!(rig.at(10).input(compare, 0).output(pin), 1, "PORTx has it again");
    }
}

#[test]
fn external_interrupts_sense_edges_and_levels() {
    // Sense, then levels of INT2 and INT6 by cycle, and the cycles at which the request rises.
    let levels = [(10, 1), (20, 0), (30, 1)];
    for (sense, rises) in [(1, vec![12, 22, 32]), (2, vec![22]), (3, vec![12, 32])] {
        for (n, register, pin) in [(2, EICRA, "in_pd2"), (6, EICRB, "in_pe6")] {
            let mut rig = rig();
            rig.write(register, sense << 4).write(EIMSK, 1 << n);
            let name = format!("int{n}");
            for (at, level) in levels {
                rig.at(at).input(pin, level).at(at + 5);
                if rig.output(&name) == 1 {
                    assert_eq!(rig.read(EIFR), 1 << n);
                    rig.acknowledge(&name);
                }
            }
            let risen: Vec<_> = rig.changes(&name).into_iter().filter(|one| one.1 == 1).collect();
            assert_eq!(risen.iter().map(|one| one.0).collect::<Vec<_>>(), rises, "{name} {sense}");
        }
    }
    let mut rig = rig();
    rig.input("in_pd0", 1)
        .at(5)
        .write(EIMSK, 1)
        .at(10)
        .input("in_pd0", 0)
        .at(20)
        .input("in_pd0", 1)
        .at(30);
    assert_eq!(rig.changes("int0"), [(0, 0), (12, 1), (22, 0)], "while the pin is low");
    assert_eq!(rig.read(EIFR), 0);
}

#[test]
fn without_the_io_clock_int4_to_7_sense_no_edge() {
    let mut rig = rig();
    rig.write(EICRA, 0xFF).write(EICRB, 0xFF).write(EIMSK, 0xFF).input("stopped", 1);
    rig.at(10).input("in_pd3", 1).input("in_pe7", 1).at(20);
    assert_eq!((rig.output("int3"), rig.output("int7")), (1, 0));
}

#[test]
fn a_flag_is_cleared_by_a_one() {
    let mut rig = rig();
    rig.write(EICRA, 3).at(10).input("in_pd0", 1).at(20);
    assert_eq!((rig.read(EIFR), rig.output("int0")), (1, 0), "masked");
    assert_eq!(rig.write(EIMSK, 1).output("int0"), 1);
    assert_eq!((rig.write(EIFR, 1).read(EIFR), rig.output("int0")), (0, 0));
}

#[test]
fn pin_changes_of_a_group_request() {
    // Section 13.3: PCINT0 is PB0, PCINT8 PE0, PCINT9 PJ0, PCINT15 PJ6, PCINT16 PK0.
    for (group, bit, pin) in [
        (0, 0, "in_pb0"),
        (0, 7, "in_pb7"),
        (1, 0, "in_pe0"),
        (1, 1, "in_pj0"),
        (1, 7, "in_pj6"),
        (2, 0, "in_pk0"),
        (2, 7, "in_pk7"),
    ] {
        let mut rig = rig();
        rig.write(PCICR, 7).write(PCMSK0 + group, 1 << bit);
        rig.at(10).input(pin, 1).at(15);
        let name = format!("pcint{group}");
        assert_eq!(rig.changes(&name), [(0, 0), (13, 1)], "{pin}");
        assert_eq!(rig.read(PCIFR), 1 << group);
        rig.acknowledge(&name).at(20).input(pin, 0).at(30);
        assert_eq!(rig.changes(&name)[2..], [(15, 0), (23, 1)]);
        assert_eq!(rig.write(PCIFR, 7).output(&name), 0);
    }
    let mut rig = rig();
    rig.write(PCICR, 1).write(PCMSK0, 0xFE).at(10).input("in_pb0", 1).at(30);
    assert_eq!(rig.read(PCIFR), 0, "masked");
}

#[test]
fn a_pin_that_the_program_reads_wakes_a_waiting_loop() {
    let mut rig = rig();
    rig.at(5).read(PIND);
    rig.at(10).input("in_pd0", 1);
    assert_eq!(rig.next_event(), 11);
    let mut rig = self::rig();
    rig.at(10).input("in_pd0", 1);
    assert_eq!(rig.next_event(), crate::time::NEVER, "nobody looks");
    rig.read(PIND);
    assert_eq!(rig.next_event(), 11);
}
