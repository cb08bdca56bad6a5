//! The timer counter, rule by rule, and jumps in time against single cycles.

use super::super::rig::Rig;
use super::channel::*;
use super::TimerCounter;

const CCR: u32 = 0x00;
const CMR: u32 = 0x04;
const CV: u32 = 0x10;
const RA: u32 = 0x14;
const RB: u32 = 0x18;
const RC: u32 = 0x1C;
const SR: u32 = 0x20;
const IER: u32 = 0x24;
const IDR: u32 = 0x28;
const IMR: u32 = 0x2C;
const BCR: u32 = 0xC0;
const BMR: u32 = 0xC4;

const CLKEN: u32 = 1;
const CLKDIS: u32 = 2;
const SWTRG: u32 = 4;
const CPCTRG: u32 = 1 << 14;
const WAVE: u32 = 1 << 15;
const ON: u32 = 1 << 16; // CLKSTA

fn timer() -> Rig {
    Rig::new(TimerCounter::default())
}

#[test]
fn registers_reset_to_zero_and_keep_their_bits() {
    for channel in 0..3 {
        let mut rig = timer();
        for (offset, mask) in [(CMR, !0), (RC, 0xFFFF), (IMR, 0)] {
            assert_eq!(rig.read(0x40 * channel + offset), 0);
            assert_eq!(rig.write(0x40 * channel + offset, !0).read(0x40 * channel + offset), mask);
        }
        // CMR says waveforms by now: RA and RB can be written.
        for offset in [RA, RB] {
            assert_eq!(
                rig.write(0x40 * channel + offset, !0).read(0x40 * channel + offset),
                0xFFFF
            );
        }
        let at = 0x40 * channel;
        assert_eq!(rig.write(at + IER, !0).write(at + IDR, 0xF).read(at + IMR), 0xF0);
    }
    let mut rig = timer();
    rig.write(RA, 7);
    assert_eq!((rig.read(RA), rig.unmodelled().len()), (0, 0), "capture mode loads RA by itself");
    rig.read(0x08);
    assert_eq!(rig.unmodelled(), ["register at offset 0x08 of tc_at91"]);
}

#[test]
fn a_trigger_starts_the_count_at_the_next_edge_of_the_clock() {
    for (select, divider) in [(0, 2), (1, 8), (2, 32), (3, 128), (4, 1024)] {
        let mut rig = timer();
        rig.write(CMR, select).at(divider + 1).write(CCR, CLKEN);
        assert_eq!(rig.at(10 * divider).read(CV), 0, "enabled, but no trigger came");
        rig.at(10 * divider + 1).write(CCR, SWTRG);
        for edges in [1, 2, 3, 100] {
            let at = (10 + edges) * divider;
            assert_eq!(rig.at(at - 1).read(CV), edges.saturating_sub(2) as u32, "before {edges}");
            assert_eq!(rig.at(at).read(CV), edges as u32 - 1, "at {edges}");
        }
    }
}

#[test]
fn a_period_by_rc_is_rc_clocks() {
    // As Linux sets it up: 100 Hz at 32.768 MHz.
    let mut rig = timer();
    rig.write(CMR, WAVE | CPCTRG | 4)
        .write(RC, 320)
        .write(IER, COMPARE_C)
        .write(CCR, CLKEN | SWTRG);
    let mut times = Vec::new();
    while times.len() < 3 {
        let next = rig.next_event();
        if rig.at(next).output("interrupt0") == 1 {
            times.push(next);
            assert_eq!(rig.read(SR) & 0xFF, COMPARE_A | COMPARE_C, "RA is 0: reached too");
            assert_eq!(rig.output("interrupt0"), 0, "a read of SR clears it");
        }
    }
    assert_eq!(times, [1024 * 321, 1024 * 641, 1024 * 961], "the first edge brought 0");
}

#[test]
fn the_count_overflows_and_says_so() {
    let mut rig = timer();
    rig.write(IER, OVERFLOW).write(CCR, CLKEN | SWTRG);
    rig.at(2 + 2 * 65_535);
    assert_eq!((rig.read(CV), rig.output("interrupt0")), (65_535, 0));
    rig.at(2 + 2 * 65_536);
    assert_eq!((rig.read(CV), rig.output("interrupt0")), (0, 1));
    assert_eq!(rig.read(SR) & 0xFF, OVERFLOW | COMPARE_C, "and RC is 0");
}

#[test]
fn disabling_goes_before_enabling_and_keeps_the_count() {
    let mut rig = timer();
    rig.write(CCR, CLKEN | SWTRG).at(100).write(CCR, CLKEN | CLKDIS);
    assert_eq!(rig.read(SR) & ON, 0);
    assert_eq!((rig.at(200).read(CV), rig.at(300).read(CV)), (49, 49));
    rig.write(CCR, SWTRG);
    assert_eq!(rig.at(400).read(CV), 49, "a trigger does not enable");
}

#[test]
fn two_channels_chain_to_a_count_of_32_bits() {
    // As Linux reads time: TIOA0 rises with each revolution of channel 0, and channel 1 counts it.
    let mut rig = timer();
    rig.write(CMR, 0x0049_8000).write(RA, 0).write(RC, 0x8000).write(CCR, CLKEN);
    rig.write(0x40 + CMR, WAVE | 6).write(0x40 + CCR, CLKEN).write(BMR, 8).write(BCR, 1);
    // The trigger itself raises TIOA0 (ASWTRG): that edge brings channel 1 to 0.
    let first = 2 + 2 * 65_536;
    assert_eq!((rig.at(first).read(CV), rig.read(0x40 + CV)), (0, 1));
    for n in [1, 2, 70_000] {
        rig.at(first + 2 * (65_536 * n + 5));
        assert_eq!((rig.read(CV), rig.read(0x40 + CV)), (5, (n as u32 + 1) % 65_536));
    }
    assert_eq!(rig.changes("tioa0")[1..4], [(0, 1), (2 + 2 * 0x8000, 0), (first, 1)]);
}

#[test]
fn compares_act_on_the_pins_and_rc_goes_before_ra() {
    let mut rig = timer();
    // A: set by RA, cleared by RC; B: toggled by RB. XC0 is the external event, so that B is an output.
    rig.write(CMR, WAVE | CPCTRG | 1 << 10 | 1 << 16 | 2 << 18 | 3 << 24);
    rig.write(RA, 3).write(RB, 5).write(RC, 10).write(CCR, CLKEN | SWTRG).at(64);
    assert_eq!(rig.changes("tioa0"), [(0, 0), (8, 1), (22, 0), (28, 1), (42, 0), (48, 1), (62, 0)]);
    assert_eq!(rig.changes("tiob0"), [(0, 0), (12, 1), (32, 0), (52, 1)]);
    let mut rig = timer();
    rig.write(CMR, WAVE | 1 << 16 | 2 << 18).write(RA, 4).write(RC, 4).write(CCR, CLKEN | SWTRG);
    assert_eq!(rig.at(100).changes("tioa0"), [(0, 0)], "both at once: RC has its way");
}

#[test]
fn rc_stops_or_disables_the_clock() {
    let mut rig = timer();
    rig.write(CMR, WAVE | 1 << 6).write(RC, 10).write(CCR, CLKEN | SWTRG).at(1000);
    assert_eq!((rig.read(CV), rig.read(SR) & (ON | COMPARE_C)), (10, ON | COMPARE_C));
    rig.write(CCR, SWTRG);
    assert_eq!(rig.at(1010).read(CV), 4, "stopped only: a trigger starts it again");
    let mut rig = timer();
    rig.write(CMR, WAVE | 1 << 7).write(RC, 10).write(CCR, CLKEN | SWTRG).at(1000);
    assert_eq!((rig.read(CV), rig.read(SR) & ON), (10, 0));
}

#[test]
fn captures_load_in_turn_and_tell_what_was_not_read() {
    let mut rig = timer();
    // RA at a rise, RB at a fall of TIOA.
    rig.write(CMR, 1 << 16 | 2 << 18).write(RC, 999).write(CCR, CLKEN | SWTRG);
    rig.at(12).input("tioa0", 1).at(32).input("tioa0", 0);
    assert_eq!((rig.read(RA), rig.read(RB)), (5, 15));
    assert_eq!(rig.read(SR) & 0xFF, LOAD_A | LOAD_B);
    rig.at(42).input("tioa0", 1).at(52).input("tioa0", 0).at(62).input("tioa0", 1);
    assert_eq!(rig.read(SR) & 0xFF, LOAD_A | LOAD_B | LOAD_OVERRUN);
    assert_eq!((rig.read(RA), rig.read(RB)), (30, 25));
}

#[test]
fn rb_may_stop_the_clock_and_an_edge_may_trigger() {
    let mut rig = timer();
    rig.write(CMR, 1 << 6 | 1 << 16 | 2 << 18).write(CCR, CLKEN | SWTRG);
    rig.at(10).input("tioa0", 1).at(20).input("tioa0", 0);
    assert_eq!((rig.at(500).read(CV), rig.read(SR) & ON), (9, ON));
    let mut rig = timer();
    // TIOB rises: trigger.
    rig.write(CMR, 1 << 8).write(RC, 999).write(CCR, CLKEN).at(100).input("tiob0", 1);
    assert_eq!((rig.at(110).read(CV), rig.read(SR) & 0xFF), (4, TRIGGERED));
    rig.at(120).input("tiob0", 0);
    assert_eq!(rig.at(130).read(CV), 14, "a fall was not asked for");
}

#[test]
fn an_external_event_acts_and_triggers() {
    let mut rig = timer();
    // Event: TIOB falls; it sets TIOA and triggers.
    rig.write(CMR, WAVE | 2 << 8 | 1 << 12 | 1 << 20).write(CCR, CLKEN);
    rig.at(9).input("tiob0", 1).at(20).input("tiob0", 0);
    assert_eq!(rig.changes("tioa0"), [(0, 0), (20, 1)]);
    assert_eq!(rig.at(30).read(CV), 4);
}

#[test]
fn an_external_clock_is_counted_edge_by_edge() {
    for (inverted, expected) in [(0, 2), (1 << 3, 1)] {
        let mut rig = timer();
        rig.write(CMR, 5 | inverted).write(CCR, CLKEN | SWTRG);
        for (at, level) in [(10, 1), (20, 0), (30, 1), (40, 0), (50, 1)] {
            rig.at(at).input("tclk0", level);
        }
        assert_eq!(rig.read(CV), expected, "the first edge brought 0");
    }
}

#[test]
fn without_its_clock_a_channel_stands() {
    let mut rig = timer();
    rig.write(CCR, CLKEN | SWTRG).at(20).input("halted0", 1);
    assert_eq!(rig.at(1000).read(CV), 9);
    rig.input("halted0", 0);
    assert_eq!(rig.at(1010).read(CV), 14);
}

#[test]
fn jumps_of_any_length_equal_single_cycles() {
    // A linear congruential generator: the same numbers every time.
    let mut state = 7u64;
    let mut number = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for round in 0..300 {
        let (mut jumping, mut stepping) = (timer(), timer());
        let mut now = 0;
        for _ in 0..12 {
            now += number(400);
            while stepping.now() < now {
                let next = stepping.now() + 1;
                stepping.at(next).read(CV);
            }
            jumping.at(now);
            let channel = 0x40 * number(3) as u32;
            let (offset, value) = match number(8) {
                0 | 1 => (channel + CCR, CLKEN | SWTRG),
                2 => (
                    channel + CMR,
                    (number(1 << 32) as u32 & !7 & !(3 << 4)) | number(8) as u32 | WAVE,
                ),
                3 => (channel + RA, number(40) as u32),
                4 => (channel + RB, number(40) as u32),
                5 => (channel + RC, number(60) as u32),
                6 => (channel + IER, number(256) as u32),
                _ => (BMR, number(64) as u32),
            };
            for rig in [&mut jumping, &mut stepping] {
                rig.write(offset, value);
            }
        }
        for rig in [&mut jumping, &mut stepping] {
            rig.at(now + 5000);
        }
        for output in jumping.outputs() {
            let (one, other) = (jumping.changes(output), stepping.changes(output));
            assert_eq!(one, other, "round {round}: {output}");
        }
        for offset in (0..0xC0).step_by(4) {
            assert_eq!(jumping.read(offset), stepping.read(offset), "round {round}: {offset:#x}");
        }
    }
}
