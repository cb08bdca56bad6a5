//! The system control block, register by register.

use super::super::rig::Rig;
use super::{Parameters, SystemControl};

const PLLCON: u32 = 0x080;
const PLLCFG: u32 = 0x084;
const PLLSTAT: u32 = 0x088;
const PLLFEED: u32 = 0x08C;
const PLOCK: u32 = 1 << 10;

fn block(oscillator_hz: u32) -> Rig {
    Rig::new(SystemControl::new(Parameters { oscillator_hz, pll_lock_ns: 100_000 }))
}

fn feed(rig: &mut Rig) {
    rig.write(PLLFEED, 0xAA).write(PLLFEED, 0x55);
}

#[test]
fn after_reset_all_outputs_have_the_manuals_values() {
    let rig = block(12_000_000);
    assert_eq!(rig.output("mam"), 0x700);
    assert_eq!(rig.output("memmap"), 1);
    assert_eq!(rig.output("core_hz"), 12_000_000);
    assert_eq!(rig.output("pclk_divider"), 4);
    assert_eq!((rig.output("sleep"), rig.output("scs"), rig.output("pll_lock")), (0, 0, 0));
}

#[test]
fn registers_read_their_reset_values() {
    let mut rig = block(12_000_000);
    let expected = [(0x000, 0), (0x004, 7), (0x040, 1), (0x0C4, 0x3BE), (0x100, 0), (0x180, 1)];
    for (offset, value) in expected {
        assert_eq!(rig.read(offset), value, "{offset:#x}");
    }
}

#[test]
fn mam_mode_and_fetch_time_leave_on_one_wire() {
    let mut rig = block(12_000_000);
    rig.write(0x004, 3).write(0x000, 2);
    assert_eq!(rig.output("mam"), 0x302);
    assert!(rig.unmodelled().is_empty());
}

#[test]
fn mamtim_changed_while_the_mam_is_on_is_kept_and_reported() {
    let mut rig = block(12_000_000);
    rig.write(0x000, 1).write(0x004, 4);
    assert_eq!(rig.output("mam"), 0x401);
    assert_eq!(rig.unmodelled().len(), 1);
}

#[test]
fn reserved_mam_and_vpb_values_are_ignored_and_reported() {
    let mut rig = block(12_000_000);
    rig.write(0x000, 3).write(0x004, 0).write(0x100, 3);
    assert_eq!((rig.output("mam"), rig.output("pclk_divider")), (0x700, 4));
    assert_eq!(rig.unmodelled().len(), 3);
}

#[test]
fn the_pll_starts_locks_and_takes_over_the_clock() {
    let mut rig = block(12_000_000);
    rig.at(1000).write(PLLCFG, 0x24).write(PLLCON, 1);
    assert_eq!(rig.read(PLLSTAT), 0, "nothing happens before the feed");
    feed(&mut rig);
    assert_eq!(rig.read(PLLSTAT), 0x124);
    // 100 us at 12 MHz.
    assert_eq!(rig.at(2199).read(PLLSTAT), 0x124);
    assert_eq!(rig.at(2200).read(PLLSTAT), 0x124 | PLOCK);
    assert_eq!(rig.changes("pll_lock"), [(0, 0), (2200, 1)]);
    rig.at(2300).write(PLLCON, 3);
    feed(&mut rig);
    assert_eq!(rig.read(PLLSTAT), 0x324 | PLOCK);
    assert_eq!(rig.changes("core_hz"), [(0, 12_000_000), (2300, 60_000_000)]);
    assert!(rig.unmodelled().is_empty());
}

#[test]
fn disabling_the_pll_returns_to_the_oscillator() {
    let mut rig = block(12_000_000);
    rig.write(PLLCFG, 0x24).write(PLLCON, 1);
    feed(&mut rig);
    rig.at(5000).write(PLLCON, 3);
    feed(&mut rig);
    rig.at(6000).write(PLLCON, 0);
    feed(&mut rig);
    assert_eq!((rig.output("core_hz"), rig.read(PLLSTAT)), (12_000_000, 0x24));
}

#[test]
fn a_feed_broken_by_another_access_does_nothing() {
    let mut rig = block(12_000_000);
    rig.write(PLLCFG, 0x24).write(PLLCON, 1);
    rig.write(PLLFEED, 0xAA).write(0x040, 1).write(PLLFEED, 0x55);
    assert_eq!(rig.read(PLLSTAT), 0);
    rig.write(PLLFEED, 0xAA);
    rig.read(PLLSTAT);
    rig.write(PLLFEED, 0x55);
    assert_eq!(rig.read(PLLSTAT), 0);
    rig.write(PLLFEED, 0xAA).write(PLLFEED, 0xAA).write(PLLFEED, 0x55);
    assert_eq!(rig.read(PLLSTAT), 0x124, "a repeated first word still begins the sequence");
}

#[test]
fn frequencies_out_of_range_are_reported_but_obeyed() {
    let mut rig = block(30_000_000);
    rig.write(PLLCFG, 2).write(PLLCON, 3);
    feed(&mut rig);
    assert_eq!(rig.unmodelled().len(), 3, "{:?}", rig.unmodelled());
    rig.at(10_000);
    assert_eq!(rig.output("core_hz"), 90_000_000);
    let mut rig = block(12_000_000);
    rig.write(PLLCFG, 4).write(PLLCON, 1);
    feed(&mut rig);
    assert_eq!(
        rig.unmodelled(),
        ["PLL0 with Fcco outside 156 to 320 MHz: it locks all the same"],
        "60 MHz with P = 1 is Fcco = 120 MHz"
    );
}

#[test]
fn vpbdiv_sets_the_pclk_divider() {
    let mut rig = block(12_000_000);
    for (value, divider) in [(1, 1), (2, 2), (0, 4)] {
        rig.write(0x100, value);
        assert_eq!(rig.output("pclk_divider"), divider);
    }
}

#[test]
fn idle_sleeps_until_an_interrupt_request() {
    for wake in ["wake", "wake_fiq"] {
        let mut rig = block(12_000_000);
        rig.at(10).write(0x0C0, 1);
        assert_eq!(rig.output("sleep"), 1);
        rig.at(50).input(wake, 1);
        assert_eq!(rig.changes("sleep"), [(0, 0), (10, 1), (50, 0)]);
        assert_eq!(rig.read(0x0C0), 0);
    }
}

#[test]
fn idle_with_a_request_pending_does_not_sleep() {
    let mut rig = block(12_000_000);
    rig.input("wake", 1).write(0x0C0, 1);
    assert_eq!((rig.output("sleep"), rig.read(0x0C0)), (0, 0));
}

#[test]
fn what_is_only_stored_says_so() {
    let mut rig = block(12_000_000);
    rig.write(0x0C0, 2).write(0x0C4, 0).write(0x148, 1).write(0x0A0, 1);
    rig.write(0x0AC, 0xAA).write(0x0AC, 0x55).write(0x184, 0);
    assert_eq!((rig.output("sleep"), rig.read(0x0C4), rig.read(0x148)), (0, 0, 1));
    assert_eq!(rig.unmodelled().len(), 5, "{:?}", rig.unmodelled());
}

#[test]
fn rsir_names_power_on_until_cleared() {
    let mut rig = block(12_000_000);
    assert_eq!(rig.read(0x180), 1);
    assert_eq!(rig.write(0x180, 1).read(0x180), 0);
}

#[test]
fn scs_leaves_as_it_is_written() {
    let mut rig = block(12_000_000);
    rig.write(0x1A0, 3);
    assert_eq!((rig.output("scs"), rig.read(0x1A0)), (3, 3));
}
