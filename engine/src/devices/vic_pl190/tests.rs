//! The VIC alone, register by register.

use super::super::rig::Rig;
use super::*;

const INT_SELECT: u32 = 0x00C;
const INT_ENABLE: u32 = 0x010;
const INT_EN_CLR: u32 = 0x014;
const SOFT_INT: u32 = 0x018;
const VECT_ADDR: u32 = 0x030;
const DEF_VECT_ADDR: u32 = 0x034;

/// Slot n: source 4 + n, vector 0x1000 + n, for two slots; default vector 0xDEF; sources 4 to 6 on.
fn controller() -> Rig {
    let mut rig = Rig::new(Vic::default());
    for n in 0..2 {
        rig.write(0x100 + 4 * n, 0x1000 + n).write(0x200 + 4 * n, SLOT_ENABLE | (4 + n));
    }
    rig.write(DEF_VECT_ADDR, 0xDEF).write(INT_ENABLE, 0x70);
    rig
}

#[test]
fn a_request_reaches_irq_only_while_enabled() {
    let mut rig = Rig::new(Vic::default());
    rig.at(5).input("line4", 1);
    assert_eq!((rig.output("irq"), rig.read(0x008), rig.read(0x000)), (0, 0x10, 0));
    rig.at(6).write(INT_ENABLE, 0x10);
    assert_eq!((rig.output("irq"), rig.read(0x000)), (1, 0x10));
    rig.at(7).write(INT_EN_CLR, 0x10);
    assert_eq!((rig.output("irq"), rig.read(INT_ENABLE)), (0, 0));
    rig.at(8).write(INT_ENABLE, 0x10);
    rig.at(9).input("line4", 0);
    assert_eq!(rig.changes("irq"), [(0, 0), (6, 1), (7, 0), (8, 1), (9, 0)]);
}

#[test]
fn open_are_the_sources_that_would_reach_irq() {
    let mut rig = controller();
    assert_eq!(rig.output("open"), 0x70);
    rig.write(INT_SELECT, 0x20);
    assert_eq!(rig.output("open"), 0x50, "source 5 goes to FIQ");
    rig.write(INT_SELECT, 0).write(INT_EN_CLR, 0x40);
    assert_eq!(rig.output("open"), 0x30);
    rig.write(INT_ENABLE, 0x40).input("line5", 1).read(VECT_ADDR);
    assert_eq!(rig.output("open"), 0x10, "slot 1 is in service: slot 0 nests, 5 and 6 wait");
    rig.input("line4", 1).read(VECT_ADDR);
    assert_eq!(rig.output("open"), 0);
    rig.write(VECT_ADDR, 0).write(VECT_ADDR, 0);
    assert_eq!(rig.output("open"), 0x70);
}

#[test]
fn a_selected_source_goes_to_fiq_without_priority() {
    let mut rig = controller();
    rig.write(INT_SELECT, 0x30).input("line4", 1).input("line5", 1);
    assert_eq!((rig.output("irq"), rig.output("fiq")), (0, 1));
    assert_eq!((rig.read(0x000), rig.read(0x004)), (0, 0x30));
    rig.input("line4", 0);
    assert_eq!(rig.output("fiq"), 1);
    rig.input("line5", 0);
    assert_eq!(rig.output("fiq"), 0);
}

#[test]
fn software_requests_like_hardware() {
    let mut rig = controller();
    rig.write(SOFT_INT, 0x20);
    assert_eq!((rig.read(0x008), rig.read(SOFT_INT), rig.output("irq")), (0x20, 0x20, 1));
    rig.write(0x01C, 0x20);
    assert_eq!(rig.output("irq"), 0);
}

#[test]
fn the_lowest_slot_wins() {
    let mut rig = controller();
    rig.input("line5", 1).input("line4", 1);
    assert_eq!(rig.read(VECT_ADDR), 0x1000);
}

#[test]
fn of_two_slots_with_one_source_the_lowest_gives_the_vector() {
    let mut rig = controller();
    rig.write(0x204, SLOT_ENABLE | 4).input("line4", 1);
    assert_eq!(rig.read(VECT_ADDR), 0x1000);
    rig.write(VECT_ADDR, 0).write(0x200, 4);
    assert_eq!(rig.read(VECT_ADDR), 0x1001);
}

#[test]
fn reading_the_vector_masks_its_priority_and_below_until_the_write() {
    let mut rig = controller();
    rig.input("line5", 1);
    assert_eq!(rig.read(VECT_ADDR), 0x1001);
    assert_eq!(rig.output("irq"), 0, "the request itself is masked");
    rig.input("line6", 1);
    assert_eq!(rig.output("irq"), 0, "and so is the non-vectored one");
    assert_eq!(rig.read(0x000), 0x60, "the status register shows both all the same");
    rig.write(VECT_ADDR, 0);
    assert_eq!(rig.output("irq"), 1);
}

#[test]
fn a_higher_priority_nests_and_each_write_ends_one_level() {
    let mut rig = controller();
    rig.input("line5", 1);
    assert_eq!(rig.read(VECT_ADDR), 0x1001);
    rig.input("line4", 1);
    assert_eq!((rig.output("irq"), rig.read(VECT_ADDR)), (1, 0x1000));
    rig.input("line4", 0).write(VECT_ADDR, 0);
    assert_eq!(rig.output("irq"), 0, "the outer one is still in service");
    rig.write(VECT_ADDR, 0);
    assert_eq!(rig.output("irq"), 1);
}

#[test]
fn a_source_without_a_slot_gives_the_default_vector_and_masks_its_kind() {
    let mut rig = controller();
    rig.input("line6", 1);
    assert_eq!((rig.read(VECT_ADDR), rig.output("irq")), (0xDEF, 0));
    rig.input("line5", 1);
    assert_eq!(rig.output("irq"), 1, "a vectored one nests");
}

#[test]
fn disabling_its_slot_makes_a_source_non_vectored() {
    let mut rig = controller();
    rig.input("line4", 1).write(0x200, 4);
    assert_eq!((rig.output("irq"), rig.read(VECT_ADDR)), (1, 0xDEF));
}

#[test]
fn a_spurious_read_gives_the_default_vector_and_masks_nothing() {
    let mut rig = controller();
    rig.input("line4", 1).input("line4", 0);
    assert_eq!(rig.read(VECT_ADDR), 0xDEF);
    rig.input("line6", 1);
    assert_eq!(rig.output("irq"), 1);
    rig.write(VECT_ADDR, 0);
    assert_eq!(rig.output("irq"), 1, "an end without a beginning changes nothing");
}

#[test]
fn a_narrow_read_of_the_vector_acknowledges_too() {
    let mut rig = controller();
    rig.input("line4", 1);
    assert_eq!((rig.read_as(VECT_ADDR, Width::Byte), rig.output("irq")), (0x00, 0));
}

#[test]
fn registers_keep_their_bits_and_reset_to_zero() {
    let mut rig = Rig::new(Vic::default());
    for n in 0..16 {
        assert_eq!((rig.read(0x100 + 4 * n), rig.read(0x200 + 4 * n)), (0, 0));
        rig.write(0x100 + 4 * n, 0xF000_0000 + n).write(0x200 + 4 * n, !0);
        assert_eq!((rig.read(0x100 + 4 * n), rig.read(0x200 + 4 * n)), (0xF000_0000 + n, 0x3F));
    }
    assert_eq!((rig.read(0x014), rig.read(0x01C)), (0, 0));
    assert!(rig.unmodelled().is_empty());
}

#[test]
fn protection_and_undefined_offsets_are_reported() {
    let mut rig = Rig::new(Vic::default());
    rig.write(0x020, 1).write(0x300, 1);
    assert_eq!((rig.read(0x020), rig.read(0xFE0)), (1, 0));
    assert_eq!(rig.unmodelled().len(), 3, "{:?}", rig.unmodelled());
}

#[test]
fn observers_learn_which_sources_request_and_which_is_served() {
    let mut rig = controller();
    rig.input("line5", 1).input("line4", 1).input("line6", 1).input("line9", 1);
    assert_eq!(rig.output("requests"), 0x70, "source 9 is not enabled");
    rig.read(VECT_ADDR);
    assert_eq!(rig.served, [(4, Service::Begun)]);
    rig.input("line4", 0).write(VECT_ADDR, 0).input("line5", 0).read(VECT_ADDR);
    assert_eq!(rig.served[1..], [(6, Service::Begun)], "a source without a slot");
}
