//! The timer by hand from RM0041's diagrams, and jumps against single clocks.

use super::*;
use crate::devices::rig::Rig;

const CR1: u32 = 0x00;
const SMCR: u32 = 0x08;
const DIER: u32 = 0x0C;
const SR: u32 = 0x10;
const EGR: u32 = 0x14;
const CCMR1: u32 = 0x18;
const CCER: u32 = 0x20;
const CNT: u32 = 0x24;
const PSC: u32 = 0x28;
const ARR: u32 = 0x2C;
const CCR1: u32 = 0x34;
const CCR2: u32 = 0x38;

fn made() -> Rig {
    Rig::new(Timer::new(Parameters { pins: [0, 1, 16, 17] }).unwrap())
}

#[test]
fn after_reset_it_stands_and_reloads_the_whole_range() {
    let mut rig = made();
    let values = [CR1, DIER, SR, CNT, PSC, ARR, CCR1].map(|at| rig.read(at));
    assert_eq!(values, [0, 0, 0, 0, 0, 0xFFFF, 0]);
    assert_eq!(rig.at(100_000).read(CNT), 0);
}

#[test]
fn a_period_is_reload_plus_one_times_prescaler_plus_one() {
    for (prescaler, reload, divider) in [(0, 9, 1), (3, 99, 1), (1, 4, 2), (23, 999, 1)] {
        let mut rig = made();
        rig.input("divider", divider).write(PSC, prescaler).write(ARR, reload).write(EGR, 1);
        rig.write(SR, 0).write(DIER, 1);
        rig.at(1000).write(CR1, CEN);
        let period = Cycle::from((prescaler + 1) * (reload + 1) * divider);
        // One clock behind CEN.
        let first = 1000 + Cycle::from(divider) + period;
        let mut rises = vec![(0, 0)];
        for at in [first, first + period, first + 7 * period] {
            assert_eq!(rig.at(at - 1).read(SR) & UIF, 0, "{prescaler} {reload} {at}");
            assert_eq!(rig.at(at).read(SR) & UIF, UIF, "{prescaler} {reload} {at}");
            rig.write(SR, !UIF);
            rises.extend([(at, 1), (at, 0)]);
            if at == first + period {
                rig.write(DIER, 0).at(first + 6 * period).write(SR, 0).write(DIER, 1);
            }
        }
        assert_eq!(rig.changes("interrupt"), rises);
    }
}

#[test]
fn a_prescaler_and_a_preloaded_reload_count_from_the_next_update() {
    let mut rig = made();
    rig.write(ARR, 9).write(CR1, CEN | ARPE).at(2).write(PSC, 4).write(ARR, 1);
    assert_eq!((rig.read(CNT), rig.at(10).read(CNT)), (1, 9));
    assert_eq!((rig.at(11).read(CNT), rig.at(15).read(CNT)), (0, 0));
    assert_eq!((rig.at(16).read(CNT), rig.at(21).read(CNT)), (1, 0));
    let mut rig = made();
    rig.write(ARR, 9).write(CR1, CEN).at(6).write(ARR, 4);
    assert_eq!((rig.read(CNT), rig.at(7).read(CNT)), (5, 6), "beyond its end it goes on");
}

#[test]
fn it_counts_down_and_stops_behind_one_period() {
    let mut rig = made();
    rig.write(ARR, 5).write(CNT, 2).write(CR1, CEN | DIR).at(3);
    assert_eq!((rig.read(CNT), rig.read(SR) & UIF), (0, 0));
    assert_eq!((rig.at(4).read(CNT), rig.read(SR) & UIF), (5, UIF));
    let mut rig = made();
    rig.write(ARR, 5).write(CR1, CEN | OPM).at(1000);
    assert_eq!((rig.read(CNT), rig.read(CR1), rig.read(SR) & UIF), (0, OPM, UIF));
}

#[test]
fn an_update_of_software_may_leave_no_flag() {
    let mut rig = made();
    rig.write(CR1, URS).write(PSC, 7).write(CNT, 40).write(EGR, 1);
    assert_eq!((rig.read(SR), rig.read(CNT)), (0, 0));
    rig.write(CR1, UDIS).write(EGR, 1);
    assert_eq!(rig.read(SR), 0);
    assert_eq!(rig.write(CR1, 0).write(EGR, 0x5F).read(SR), 0x5F);
}

#[test]
fn every_output_mode_of_a_channel() {
    // Of a period of 10 counts with CCR1 = 3, from the start: the level before, at 3 … 9, and in the next at 0 … 2.
    for (action, levels) in [
        (0, [0, 0, 0]),
        (1, [0, 1, 1]),
        (2, [0, 0, 0]),
        (3, [0, 1, 1]),
        (4, [0, 0, 0]),
        (5, [1, 1, 1]),
        (6, [1, 0, 1]),
        (7, [0, 1, 0]),
    ] {
        for polarity in [0, 1] {
            let mut rig = made();
            rig.write(ARR, 9).write(CCR1, 3).write(CCMR1, action << 4);
            rig.write(CCER, 1 | polarity << 1).write(CR1, CEN);
            let seen = [3, 6, 11].map(|cycle| rig.at(cycle).output("ch1") ^ polarity);
            assert_eq!(seen, levels, "OC1M {action}, CC1P {polarity}");
        }
    }
}

#[test]
fn a_pulse_width_has_its_edges_at_its_counts() {
    let mut rig = made();
    rig.write(ARR, 9).write(CCR2, 4).write(CCMR1, 0x6800).write(EGR, 1);
    rig.write(CCER, 1 << 4).write(CR1, CEN).at(12).write(CCR2, 8);
    rig.at(40);
    let expected = [(0, 0), (0, 1), (5, 0), (11, 1), (15, 0), (21, 1), (29, 0), (31, 1), (39, 0)];
    assert_eq!(rig.changes("ch2"), expected, "CCR2 counts from the next update");
}

#[test]
fn a_compare_beyond_the_reload_flags_the_overflow() {
    let mut rig = made();
    rig.write(ARR, 9).write(CCR1, 20).write(CR1, CEN).at(10);
    assert_eq!((rig.read(SR) & 2, rig.at(11).read(SR) & 2), (0, 2));
}

#[test]
fn captures_by_edge_prescaler_and_crossed_pin() {
    let mut rig = made();
    rig.write(CCMR1, 0x0201).write(CCER, 0x31).write(CR1, CEN);
    // Channel 1 takes rises, channel 2 falls, both of pin 0.
    rig.at(11).input("pins_low", 1).at(21).input("pins_low", 0);
    assert_eq!((rig.read(SR) & 6, rig.read(CCR1), rig.read(CCR2)), (6, 10, 20));
    assert_eq!(rig.read(SR) & 6, 0, "a read clears");
    rig.at(31).input("pins_low", 1).input("pins_low", 0).at(41).input("pins_low", 1);
    assert_eq!((rig.read(SR) & 0x202, rig.read(CCR1)), (0x202, 40));
    let mut rig = made();
    rig.write(CCMR1, 0x0009).write(CCER, 1).write(CR1, CEN);
    for n in 1..=5 {
        rig.at(10 * n).input("pins_low", 1).input("pins_low", 0);
    }
    assert_eq!(rig.read(CCR1), 39, "the fourth edge");
}

#[test]
fn requests_to_the_dma() {
    let mut rig = made();
    rig.write(ARR, 9).write(CCR1, 3).write(DIER, 0x300).write(CR1, CEN).at(22);
    assert_eq!(rig.sent("dma_update"), [(11, 1), (21, 1)]);
    assert_eq!(rig.sent("dma_ch1"), [(4, 1), (14, 1)]);
    assert_eq!(rig.output("interrupt"), 0);
}

#[test]
fn without_its_clock_it_stands() {
    let mut rig = made();
    rig.write(CR1, CEN).at(11).input("halted", 1).at(1000).input("halted", 0).at(1005);
    assert_eq!(rig.read(CNT), 15);
    assert_eq!(rig.input("halted", 3).input("halted", 0).read(CR1), 0);
}

#[test]
fn what_is_not_modelled_is_reported() {
    let mut rig = made();
    rig.write(CR1, CMS).write(SMCR, 7).write(0x04, 0x80).write(CCMR1, 0x84F3).write(0x4C, 1);
    rig.read(0x4C);
    assert_eq!(rig.unmodelled().len(), 8);
}

/// The next number of a linear congruential generator.
fn random(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) as u32
}

fn random_counter(state: &mut u64) -> Counter {
    let mut pick = |most: u32| random(state) % (most + 1);
    let control = CEN | pick(0x1F) & (DIR | OPM | UDIS);
    let mut counter = Counter { control, count: pick(12), ..Counter::default() };
    counter.reload.write(pick(9), false);
    counter.reload.write(pick(9), pick(1) == 1);
    counter.prescaler.write(pick(3), false);
    counter.prescaler.write(pick(3), true);
    for channel in &mut counter.channels {
        channel.mode = pick(15) << 3;
        channel.compare.write(pick(11), false);
        channel.compare.write(pick(11), true);
    }
    counter.starts = pick(1) == 1;
    counter.settle_levels();
    counter
}

#[test]
fn a_jump_of_any_length_equals_so_many_single_clocks() {
    let mut state = 20;
    for _ in 0..400 {
        let start = random_counter(&mut state);
        let (mut single, mut steps) = (start.clone(), Happened::default());
        for ticks in 0..400 {
            let mut jumped = start.clone();
            let happened = jumped.advance(ticks);
            assert_eq!((&jumped, happened), (&single, steps), "after {ticks} of {start:?}");
            single.tick(&mut steps);
        }
    }
}

#[test]
fn what_is_seen_is_seen_on_time() {
    let mut state = 7;
    for _ in 0..2000 {
        let mut counter = random_counter(&mut state);
        counter.enables = random(&mut state) & 0x1111;
        let seen = random(&mut state) & 0x1F;
        let before = counter.pins();
        let quiet = counter.quiet(seen);
        for _ in 0..quiet.unwrap_or(300).min(300) {
            let mut happened = Happened::default();
            counter.tick(&mut happened);
            assert_eq!((happened.flags & seen, counter.pins()), (0, before), "{counter:?}");
        }
    }
}
