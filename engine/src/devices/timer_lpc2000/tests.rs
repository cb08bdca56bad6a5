//! The timer, rule by rule, and against a model that takes one core cycle at a time.

mod model;

use super::super::rig::Rig;
use super::Timer;

const IR: u32 = 0x00;
const TCR: u32 = 0x04;
const TC: u32 = 0x08;
const PR: u32 = 0x0C;
const PC: u32 = 0x10;
const MCR: u32 = 0x14;
const MR0: u32 = 0x18;
const CCR: u32 = 0x28;
const CR0: u32 = 0x2C;
const EMR: u32 = 0x3C;
const CTCR: u32 = 0x70;

fn timer(pclk_divider: u32) -> Rig {
    let mut rig = Rig::new(Timer::default());
    rig.input("pclk_divider", pclk_divider);
    rig
}

#[test]
fn registers_reset_to_zero_and_keep_their_bits() {
    let mut rig = timer(1);
    let masks = [
        (PR, !0),
        (PC, !0),
        (TC, !0),
        (MCR, 0xFFF),
        (MR0, !0),
        (0x1C, !0),
        (0x20, !0),
        (0x24, !0),
        (CCR, 0xFFF),
        (EMR, 0xFFF),
        (CTCR, 15),
        (CR0, 0),
        (0x38, 0),
        (IR, 0),
        (TCR, 3),
    ];
    for (offset, mask) in masks {
        assert_eq!(rig.read(offset), 0, "{offset:#x}");
        // TCR comes last: its reset bit clears TC and PC.
        assert_eq!(rig.write(offset, !0).read(offset), mask, "{offset:#x}");
    }
    rig.read(0x40);
    assert_eq!(rig.unmodelled(), ["register at offset 0x40 of timer_lpc2000"]);
}

#[test]
fn the_count_is_the_time_since_the_start() {
    let mut rig = timer(1);
    rig.at(100).write(TCR, 1);
    assert_eq!(rig.read(TC), 0);
    assert_eq!(rig.at(101).read(TC), 1);
    assert_eq!(rig.at(5_000_000_100).read(TC), 5_000_000_000u64 as u32);
}

#[test]
fn the_prescaler_counts_pclks() {
    let mut rig = timer(1);
    rig.write(PR, 9).write(TCR, 1);
    assert_eq!((rig.at(9).read(TC), rig.read(PC)), (0, 9));
    assert_eq!((rig.at(10).read(TC), rig.read(PC)), (1, 0));
    assert_eq!((rig.at(1234).read(TC), rig.read(PC)), (123, 4));
}

#[test]
fn pclk_edges_stand_at_multiples_of_the_divider() {
    let mut rig = timer(4);
    rig.at(6).write(TCR, 1);
    assert_eq!((rig.at(7).read(TC), rig.at(8).read(TC), rig.at(12).read(TC)), (0, 1, 2));
}

#[test]
fn a_new_divider_counts_on_from_where_the_old_one_was() {
    let mut rig = timer(4);
    rig.write(TCR, 1).at(40).input("pclk_divider", 1);
    assert_eq!(rig.at(45).read(TC), 10 + 5);
    rig.input("pclk_divider", 2);
    assert_eq!(rig.at(50).read(TC), 10 + 5 + 3, "edges at 46, 48 and 50");
}

#[test]
fn disabling_freezes_and_the_reset_bit_clears() {
    let mut rig = timer(1);
    rig.write(PR, 1).write(TCR, 1).at(11).write(TCR, 0);
    assert_eq!((rig.at(99).read(TC), rig.read(PC)), (5, 1));
    rig.write(TCR, 3);
    assert_eq!((rig.at(200).read(TC), rig.read(PC)), (0, 0));
    rig.write(TCR, 1);
    assert_eq!(rig.at(202).read(TC), 1);
}

#[test]
fn an_interrupt_comes_one_pclk_after_the_count_reached_the_match() {
    let mut rig = timer(1);
    rig.write(PR, 2).write(MR0, 6).write(MCR, 1).write(TCR, 1);
    rig.at(1000);
    assert_eq!(rig.changes("interrupt"), [(0, 0), (6 * 3 + 1, 1)]);
    assert_eq!(rig.read(IR), 1);
    rig.write(IR, 1);
    assert_eq!((rig.output("interrupt"), rig.read(TC)), (0, 333));
}

#[test]
fn reset_on_match_makes_the_period_one_longer_than_the_match() {
    for (divider, prescale, limit) in [(1u32, 0, 9), (1, 2, 6), (4, 0, 9), (2, 4, 3), (1, 0, 0)] {
        let mut rig = timer(divider);
        rig.write(PR, prescale).write(MR0, limit).write(MCR, 3).write(TCR, 1);
        let mut times = Vec::new();
        for cycle in 0..2000 {
            if rig.at(cycle).output("interrupt") == 1 {
                times.push(cycle);
                rig.write(IR, 1);
            }
        }
        let pclk = u64::from(divider);
        let period = u64::from((limit + 1) * (prescale + 1)) * pclk;
        let first = u64::from(limit * (prescale + 1) + 1) * pclk;
        let expected: Vec<_> =
            (0..).map(|n| first + n * period).take_while(|t| *t < 2000).collect();
        assert_eq!(times, expected, "divider {divider}, PR {prescale}, MR0 {limit}");
    }
}

#[test]
fn stop_on_match_freezes_the_count_there() {
    let mut rig = timer(1);
    rig.write(PR, 2).write(MR0, 6).write(MCR, 5).write(TCR, 1);
    assert_eq!(rig.at(18).read(TCR), 1);
    assert_eq!(rig.at(19).read(TCR), 0);
    assert_eq!((rig.at(500).read(TC), rig.read(PC), rig.read(IR)), (6, 0, 1));
    rig.write(IR, 1).write(TCR, 1);
    assert_eq!(rig.at(503).read(TC), 7, "started again it counts on");
    assert_eq!(rig.read(IR), 0, "without a second match");
}

#[test]
fn four_matches_act_on_their_own() {
    let mut rig = timer(1);
    for n in 0..4 {
        rig.write(MR0 + 4 * n, 10 * (n + 1));
    }
    rig.write(MCR, 0b001_001_001_001).write(TCR, 1);
    for (cycle, ir) in [(10, 0), (11, 1), (20, 1), (21, 3), (31, 7), (41, 15)] {
        assert_eq!(rig.at(cycle).read(IR), ir, "cycle {cycle}");
    }
}

#[test]
fn external_matches_clear_set_and_toggle_their_outputs() {
    let mut rig = timer(1);
    // EMR: MAT0 toggles, MAT1 is cleared, MAT2 set, MAT3 left alone; MAT1 and MAT3 start high.
    rig.write(MR0, 9).write(0x1C, 5).write(0x20, 7).write(EMR, 0x27A).write(MCR, 2);
    assert_eq!((rig.output("match1"), rig.output("match3")), (1, 1));
    rig.write(TCR, 1).at(40);
    assert_eq!(rig.changes("match0"), [(0, 0), (10, 1), (20, 0), (30, 1), (40, 0)]);
    assert_eq!(rig.changes("match1"), [(0, 0), (0, 1), (6, 0)]);
    assert_eq!(rig.changes("match2"), [(0, 0), (8, 1)]);
    assert_eq!(rig.changes("match3"), [(0, 0), (0, 1)]);
}

#[test]
fn a_capture_takes_the_count_at_the_next_pclk_edge() {
    let mut rig = timer(4);
    rig.write(TCR, 1).write(CCR, 0b101).at(101).input("capture0", 1);
    assert_eq!((rig.at(103).read(CR0), rig.at(104).read(CR0)), (0, 26));
    assert_eq!((rig.read(IR), rig.output("interrupt")), (0x10, 1));
    rig.write(IR, 0x10).at(200).input("capture0", 0);
    assert_eq!((rig.at(300).read(CR0), rig.read(IR)), (26, 0), "falling edges were not asked for");
}

#[test]
fn a_pulse_between_two_pclk_edges_is_not_seen() {
    let mut rig = timer(4);
    rig.write(TCR, 1).write(CCR, 0b011).at(101).input("capture0", 1).at(102).input("capture0", 0);
    assert_eq!(rig.at(200).read(CR0), 0);
}

#[test]
fn counter_mode_counts_edges_of_the_chosen_input() {
    for (mode, counted) in [(1, 5), (2, 5), (3, 10)] {
        let mut rig = timer(1);
        rig.write(CTCR, 2 << 2 | mode).write(TCR, 1);
        for n in 0..10 {
            rig.at(10 + 10 * n)
                .input("capture2", (n as u32 + 1) & 1)
                .input("capture0", n as u32 & 1);
        }
        assert_eq!(rig.at(1000).read(TC), counted);
    }
}

#[test]
fn matches_act_in_counter_mode_too() {
    let mut rig = timer(1);
    rig.write(CTCR, 3).write(MR0, 2).write(MCR, 3).write(TCR, 1);
    let counts: Vec<_> = (1..=4)
        .map(|n| {
            rig.at(10 * n).input("capture0", n as u32 & 1);
            rig.at(10 * n + 5).read(TC)
        })
        .collect();
    assert_eq!(counts, [1, 2, 0, 1]);
    // The second edge is seen at 21; the interrupt comes at the PCLK after.
    assert_eq!(rig.changes("interrupt"), [(0, 0), (22, 1)]);
}

#[test]
fn a_free_running_timer_asks_for_no_events() {
    let mut rig = timer(1);
    rig.write(MR0, 100).write(TCR, 1);
    assert_eq!(rig.next_event(), crate::time::NEVER);
    rig.write(MCR, 1);
    assert_eq!(rig.next_event(), 101);
    rig.at(101);
    assert_eq!(rig.next_event(), (1 << 32) + 101);
}
