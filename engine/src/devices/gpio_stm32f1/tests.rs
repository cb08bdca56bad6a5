//! The port by hand from RM0041's tables of modes.

use super::*;
use crate::devices::rig::Rig;

const CRL: u32 = 0x00;
const CRH: u32 = 0x04;
const IDR: u32 = 0x08;
const ODR: u32 = 0x0C;
const BSRR: u32 = 0x10;
const BRR: u32 = 0x14;
const LCKR: u32 = 0x18;

fn made() -> Rig {
    Rig::new(Gpio::default())
}

/// CRL with one mode of pin 0.
fn mode(bits: u32) -> u32 {
    0x4444_4440 | bits
}

#[test]
fn after_reset_every_pin_is_a_floating_input() {
    let mut rig = made();
    assert_eq!((rig.read(CRL), rig.read(CRH), rig.read(ODR)), (0x4444_4444, 0x4444_4444, 0));
    assert_eq!(rig.input("p3", 1).read(IDR), 8);
    assert_eq!(rig.output("levels"), 8);
}

#[test]
fn every_mode_of_a_pin() {
    // MODE and CNF; ODR, level outside: the pin as driven, and as read.
    for (bits, data, outside, driven, read) in [
        (0b0000, 1, 1, 0, 0), // analog
        (0b0100, 1, 1, 0, 1), // floating
        (0b0100, 1, 0, 0, 0),
        (0b1000, 1, 0, 0, 0), // pulled up, but driven low from outside
        (0b0001, 1, 0, 1, 1), // output, push-pull
        (0b0011, 0, 1, 0, 0),
        (0b0101, 1, 1, 0, 1), // output, open drain: a 1 leaves the pin alone
        (0b0101, 1, 0, 0, 0),
        (0b0101, 0, 1, 0, 0),
    ] {
        let mut rig = made();
        rig.input("p0", outside).write(CRL, mode(bits)).write(ODR, data);
        assert_eq!((rig.output("p0"), rig.read(IDR) & 1), (driven, read), "{bits:#06b} {data}");
    }
}

#[test]
fn a_pull_holds_an_open_pin() {
    let mut rig = made();
    rig.write(CRL, mode(0b1000)).write(ODR, 1);
    assert_eq!((rig.read(IDR), rig.write(ODR, 0).read(IDR)), (1, 0));
}

#[test]
fn a_peripheral_drives_a_pin_in_an_alternate_mode_alone() {
    let mut rig = made();
    rig.input("af9", 1);
    assert_eq!((rig.output("p9"), rig.output("alternate")), (0, 0));
    rig.write(CRH, 0x4444_44B4);
    assert_eq!((rig.output("p9"), rig.output("alternate"), rig.read(IDR)), (1, 1 << 9, 1 << 9));
    rig.at(7).input("af9", 0);
    assert_eq!(rig.changes("p9"), [(0, 0), (0, 1), (7, 0)]);
}

#[test]
fn sets_go_before_clears() {
    let mut rig = made();
    rig.write(ODR, 0xFF).write(BSRR, 0x000F_0103);
    assert_eq!(rig.read(ODR), 0x1F3);
    assert_eq!((rig.write(BRR, 3).read(ODR), rig.read(BSRR), rig.read(BRR)), (0x1F0, 0, 0));
}

#[test]
fn a_lock_holds_the_modes_of_its_pins() {
    let mut rig = made();
    for value in [LCKK | 1, 1, LCKK | 1] {
        rig.write(LCKR, value);
    }
    assert_eq!(rig.read(LCKR), LCKK | 1);
    rig.write(CRL, 0x1111_1111);
    assert_eq!(rig.read(CRL), 0x1111_1114);
    let mut broken = made();
    for value in [LCKK | 1, 3, LCKK | 1] {
        broken.write(LCKR, value);
    }
    assert_eq!((broken.read(LCKR), broken.write(CRL, 0).read(CRL)), (1, 0));
}

#[test]
fn without_its_clock_it_answers_nothing() {
    let mut rig = made();
    rig.write(ODR, 1).input("halted", 1);
    assert_eq!((rig.read(ODR), rig.write(ODR, 2).input("halted", 0).read(ODR)), (0, 1));
    assert_eq!(rig.unmodelled(), ["an access to gpio_stm32f1 without its clock: it reads 0"]);
    assert_eq!(rig.input("halted", 2).input("halted", 0).read(ODR), 0, "a reset");
}
