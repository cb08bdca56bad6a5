//! The timers register by register; cycles counted by hand.

use super::super::rig::Rig;
use super::*;

fn timers() -> Rig {
    Rig::new(Timers::default())
}

fn count(rig: &mut Rig, n: u32) -> u32 {
    rig.read_as(4 * n, Width::Half)
}

#[test]
fn a_timer_counts_from_two_cycles_after_the_store_that_starts_it() {
    let mut rig = timers();
    rig.at(100).write(0, 0x0080_0000);
    let counts = [100, 101, 102, 103, 110].map(|at| count(rig.at(at), 0));
    assert_eq!(counts, [0, 0, 0, 1, 8]);
    assert_eq!(rig.read(0), 0x0080_0008, "both registers as one word");
}

#[test]
fn it_stops_as_late_as_it_starts() {
    let mut rig = timers();
    rig.at(100).write(0, 0x0080_0000).at(150).write_as(2, Width::Half, 0);
    assert_eq!([151, 152, 400].map(|at| count(rig.at(at), 0)), [49, 50, 50]);
}

#[test]
fn an_overflow_loads_the_reload_value_and_requests_an_interrupt() {
    let mut rig = timers();
    rig.at(100).write(0, 0x00C0_FFFE);
    let counts = [102, 103, 104, 105, 106].map(|at| count(rig.at(at), 0));
    assert_eq!(counts, [0xFFFE, 0xFFFF, 0xFFFE, 0xFFFF, 0xFFFE]);
    rig.write_as(0, Width::Half, 0xFFF0).at(123);
    assert_eq!(count(&mut rig, 0), 0xFFFF, "a new reload value counts from the next overflow on");
    assert_eq!(rig.at(125).sent("interrupt0"), [(104, 1), (106, 1), (108, 1), (124, 1)]);
}

#[test]
fn without_its_bit_an_overflow_requests_nothing() {
    let mut rig = timers();
    rig.write(4, 0x0080_FFFE).at(1000);
    assert_eq!(rig.sent("interrupt1"), []);
}

#[test]
fn prescalers_have_their_edges_on_the_boards_count() {
    for (bits, cycles) in [(1, 64), (2, 256), (3, 1024)] {
        let mut rig = timers();
        rig.at(5 * cycles - 12).write(8, (0x80 | bits) << 16);
        let at = |rig: &mut Rig, at| count(rig.at(at), 2);
        assert_eq!(at(&mut rig, 5 * cycles - 1), 0);
        assert_eq!(at(&mut rig, 5 * cycles), 1);
        assert_eq!(at(&mut rig, 6 * cycles - 1), 1);
        assert_eq!(at(&mut rig, 6 * cycles), 2);
        assert_eq!(rig.next_event(), (4 + 0x1_0000) * cycles);
    }
}

#[test]
fn a_change_of_the_prescaler_keeps_the_count() {
    let mut rig = timers();
    rig.at(100).write(0, 0x0080_0000).at(150).write_as(2, Width::Half, 0x81);
    assert_eq!([152, 191, 192].map(|at| count(rig.at(at), 0)), [50, 50, 51]);
}

#[test]
fn a_cascaded_timer_counts_the_overflows_of_the_one_before() {
    let mut rig = timers();
    rig.write(0, 0x0080_FFF0).write(4, 0x00C4_FFFE).write(8, 0x00C4_0007);
    assert_eq!([17, 18, 33, 34].map(|at| count(rig.at(at), 1)), [0xFFFE, 0xFFFF, 0xFFFF, 0xFFFE]);
    assert_eq!((count(&mut rig, 2), rig.sent("interrupt1")), (8, vec![(34, 1)]));
    assert_eq!(rig.sent("interrupt2"), []);
}

#[test]
fn the_first_timer_is_never_cascaded() {
    let mut rig = timers();
    rig.write(0, 0x0084_0000);
    assert_eq!((count(rig.at(12), 0), rig.read_as(2, Width::Half)), (10, 0x80));
}

#[test]
fn a_counter_is_steady_until_it_runs() {
    let mut timers = Timers::default();
    let mut port = Port::new(0);
    assert!(timers.steady(0) && timers.steady(2));
    timers.write(0, Width::Word, 0x0080_0000, &mut port);
    assert!(!timers.steady(0) && timers.steady(2));
}
