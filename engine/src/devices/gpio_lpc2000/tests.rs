//! The GPIO alone, register by register.

use super::super::rig::Rig;
use super::*;

const IO0PIN: u32 = 0x00;
const IO0SET: u32 = 0x04;
const IO0DIR: u32 = 0x08;
const IO0CLR: u32 = 0x0C;
const FIO0DIR: u32 = 0x100;
const FIO0MASK: u32 = 0x110;
const FIO0PIN: u32 = 0x114;
const FIO0SET: u32 = 0x118;
const FIO0CLR: u32 = 0x11C;

fn gpio(scs: u32) -> Rig {
    let mut rig = Rig::new(Gpio::default());
    rig.input("scs", scs);
    rig
}

#[test]
fn every_pin_is_an_output_and_an_input_of_the_same_number() {
    let names: Vec<_> = pins().map(|(port, bit)| format!("{port}.{bit}")).collect();
    assert_eq!(OUTPUTS, names.iter().map(|n| format!("p{n}")).collect::<Vec<_>>());
    assert_eq!(INPUTS[FIRST_PIN..], names.iter().map(|n| format!("in{n}")).collect::<Vec<_>>());
    assert_eq!(OUTPUTS.len(), 45);
}

#[test]
fn set_and_clear_toggle_an_output_pin() {
    let mut rig = gpio(0);
    rig.write(IO0DIR, 1 << 10);
    rig.at(7).write(IO0SET, 1 << 10);
    rig.at(14).write(IO0CLR, 1 << 10);
    assert_eq!(rig.changes("p0.10"), [(0, 0), (7, 1), (14, 0)]);
}

#[test]
fn an_input_pin_shows_the_world_and_keeps_its_latch() {
    let mut rig = gpio(0);
    rig.write(IO0SET, 1).input("in0.1", 1);
    assert_eq!((rig.read(IO0PIN), rig.read(IO0SET)), (2, 1));
    rig.write(IO0DIR, 3);
    assert_eq!(rig.read(IO0PIN), 1, "now the latch is on both pins");
    assert_eq!((rig.output("p0.0"), rig.output("p0.1")), (1, 0));
}

#[test]
fn writing_the_pin_register_sets_and_clears_at_once() {
    let mut rig = gpio(0);
    rig.write(IO0DIR, 0xFF).write(IO0SET, 0xF0).write(IO0PIN, 0x3C);
    assert_eq!((rig.read(IO0PIN), rig.read(IO0CLR)), (0x3C, 0));
}

#[test]
fn port_one_has_the_upper_sixteen_pins_only() {
    let mut rig = gpio(0);
    rig.write(0x18, !0).write(0x14, !0);
    assert_eq!((rig.read(0x10), rig.output("p1.16"), rig.output("p1.31")), (0xFFFF_0000, 1, 1));
}

#[test]
fn the_mask_protects_pins_of_the_fast_registers() {
    let mut rig = gpio(3);
    rig.write(FIO0DIR, 0xFF).write(FIO0SET, 0x0F).write(FIO0MASK, 0x3C);
    rig.write(FIO0PIN, 0xF0);
    assert_eq!(rig.read(FIO0SET), 0xCC, "bits 5:2 kept");
    assert_eq!(rig.read(FIO0PIN), 0xC0, "and read as zero");
    rig.write(FIO0CLR, 0xFF);
    assert_eq!(rig.read(FIO0SET), 0x0C);
}

#[test]
fn bytes_and_halves_of_the_fast_registers_stand_alone() {
    let mut rig = gpio(3);
    rig.write_as(FIO0DIR + 1, Width::Byte, 0xFF).write_as(FIO0PIN + 1, Width::Byte, 0x5A);
    assert_eq!((rig.read(FIO0DIR), rig.read(FIO0PIN)), (0xFF00, 0x5A00));
    rig.write_as(FIO0SET + 2, Width::Half, 0x0003);
    assert_eq!(rig.read(FIO0SET), 0x0003_5A00);
    assert_eq!(rig.read_as(FIO0SET + 2, Width::Half), 3);
    assert_eq!(rig.read_as(FIO0PIN + 1, Width::Byte), 0x5A);
}

#[test]
fn scs_decides_which_window_is_alive() {
    let mut rig = gpio(1);
    rig.write(IO0DIR, 1).write(FIO0DIR + 0x20, 1 << 16);
    assert_eq!((rig.read(FIO0DIR), rig.read(0x18)), (0, 0));
    assert_eq!(
        rig.unmodelled(),
        [
            "legacy GPIO registers of port 0 while SCS selects the others: no effect",
            "fast GPIO registers of port 1 while SCS selects the others: no effect",
        ]
    );
}

#[test]
fn there_is_nothing_between_the_windows() {
    let mut rig = gpio(0);
    rig.write(0x20, 1);
    assert_eq!(rig.read(0x104), 0);
    assert_eq!(rig.unmodelled().len(), 2);
}
