//! Sequences of accesses whose cycles were counted by hand.

use super::*;
use crate::timing::Timing;

const ON: u32 = 1 << 14;

fn cartridge(waitcnt: u32) -> Cartridge {
    let mut cartridge = Cartridge::new(Parameters { window: 0, prefetch_rule: None }).unwrap();
    cartridge.set(0, waitcnt);
    cartridge
}

fn fetch(width: Width) -> Access {
    Access::code(width)
}

/// Cycles of each access (pause before it, offset, kind), the first at 1000.
fn costs(cartridge: &mut Cartridge, accesses: &[(Cycle, u32, Access)]) -> Vec<Cycle> {
    let mut now = 1000;
    let cost = |&(pause, offset, access): &(Cycle, u32, Access)| {
        let begins = now + pause;
        now = cartridge.access(begins, offset, access);
        now - begins
    };
    accesses.iter().map(cost).collect()
}

#[test]
fn waitcnt_sets_the_wait_states_of_each_window() {
    // (window, WAITCNT, N, S) of a halfword.
    let table = [
        (0, 0x0000, 5, 3),
        (0, 0x0004, 4, 3),
        (0, 0x0008, 3, 3),
        (0, 0x000C, 9, 3),
        (0, 0x0010, 5, 2),
        (0, 0x0014, 4, 2),
        (0, 0xBFE3, 5, 3),
        (1, 0x0000, 5, 5),
        (1, 0x00E0, 9, 2),
        (2, 0x0000, 5, 9),
        (2, 0x0500, 4, 2),
    ];
    for (window, waitcnt, n, s) in table {
        let mut one = Cartridge::new(Parameters { window, prefetch_rule: None }).unwrap();
        one.set(0, waitcnt);
        let (half, word) = (fetch(Width::Half), fetch(Width::Word));
        let accesses = [(0, 0x100, half), (0, 0x102, half.sequential()), (0, 0x200, word)];
        assert_eq!(costs(&mut one, &accesses), [n, s, n + s], "{window} {waitcnt:#x}");
        one.reset();
        assert_eq!(one.cycles(2, half, false), 5, "the reset brings WAITCNT back to 0");
    }
}

#[test]
fn a_window_that_there_is_not_is_refused() {
    let error = Cartridge::new(Parameters { window: 3, prefetch_rule: None }).unwrap_err();
    assert!(error.contains("window = 3"), "{error}");
}

#[test]
fn a_burst_ends_with_its_block_of_128_kilobytes() {
    let (half, word) = (fetch(Width::Half).sequential(), fetch(Width::Word).sequential());
    let data = Access::data(Width::Word).sequential();
    let mut one = cartridge(0);
    let accesses =
        [(0, 0x1_FFFE, half), (0, 0x2_0000, half), (0, 0x2_0002, half), (0, 0x4_0000, word)];
    assert_eq!(costs(&mut one, &accesses), [3, 5, 3, 8]);
    let accesses = [(0, 0x5_FFFC, data), (0, 0x6_0000, data), (0, 0x6_0004, data)];
    assert_eq!(costs(&mut one, &accesses), [6, 8, 6]);
}

#[test]
fn data_between_two_fetches_end_their_burst() {
    let half = fetch(Width::Half);
    let accesses = [
        (0, 0x100, half),
        (0, 0x102, half.sequential()),
        (0, 0x8000, Access::data(Width::Half)),
        (0, 0x104, half.sequential()),
        (0, 0x106, half.sequential()),
    ];
    assert_eq!(costs(&mut cartridge(0), &accesses), [5, 3, 5, 5, 3]);
}

#[test]
fn a_fetch_takes_what_was_read_ahead_or_waits_for_it() {
    let (n, s) = (fetch(Width::Half), fetch(Width::Half).sequential());
    let accesses = [
        (0, 0x100, n), // 5
        (0, 0x102, s), // read ahead from its first cycle: 3
        (2, 0x104, n), // 2 of its 3 cycles are over
        (9, 0x106, n), // in the buffer, with two more
        (0, 0x108, s),
        (0, 0x10A, s),
        (0, 0x10C, s), // complete in the cycle of the last one
        (0, 0x10E, s),
    ];
    assert_eq!(costs(&mut cartridge(ON), &accesses), [5, 3, 1, 1, 1, 1, 1, 2]);
}

#[test]
fn an_n_fetch_behind_a_fetch_is_the_cores_own_unless_the_unit_has_run() {
    let (n, s) = (fetch(Width::Half), fetch(Width::Half).sequential());
    let own = [(0, 0x100, n), (0, 0x102, s), (0, 0x104, n), (0, 0x106, s)];
    assert_eq!(costs(&mut cartridge(ON), &own), [5, 3, 5, 3]);
    let run = [(0, 0x100, n), (1, 0x102, n), (0, 0x104, n), (0, 0x106, s)];
    assert_eq!(costs(&mut cartridge(ON), &run), [5, 2, 3, 3]);
}

#[test]
fn a_word_takes_two_halfwords() {
    let word = fetch(Width::Word);
    // After 4 cycles one halfword is there, and the second needs 2 of its 3 cycles.
    let accesses = [(0, 0x100, word), (4, 0x104, word), (20, 0x108, word), (0, 0x10C, word)];
    assert_eq!(costs(&mut cartridge(ON), &accesses), [8, 2, 1, 1]);
}

#[test]
fn an_access_to_data_waits_for_the_last_cycle_of_the_unit_alone() {
    let (half, data) = (fetch(Width::Half), Access::data(Width::Half));
    for (pause, cycles) in [(0, 5), (1, 5), (2, 6), (3, 5), (5, 6)] {
        let accesses = [(0, 0x100, half), (pause, 0x8000, data), (0, 0x102, half)];
        assert_eq!(costs(&mut cartridge(ON), &accesses), [5, cycles, 5], "{pause}");
    }
}

/// Cycles of so many fetches in a row behind one at `offset` and a pause.
fn behind(pause: Cycle, offset: u32, fetches: u32) -> Vec<Cycle> {
    let half = fetch(Width::Half);
    let further = (1..=fetches).map(|n| (if n == 1 { pause } else { 0 }, offset + 2 * n, half));
    let accesses: Vec<_> = [(0, offset, half)].into_iter().chain(further).collect();
    let further = accesses.iter().map(|&(pause, at, kind)| {
        (pause, at, if pause == 0 && at > offset { kind.sequential() } else { kind })
    });
    costs(&mut cartridge(ON), &further.collect::<Vec<_>>())
}

#[test]
fn a_full_buffer_ends_the_burst_and_an_empty_one_begins_anew() {
    // After 24 cycles there are 8 halfwords. Taken in that cycle, they make a place in time: of the ninth 1 cycle of 3
    // is over when the second is taken.
    let in_time = behind(24, 0x100, 12);
    assert_eq!(in_time, [5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3 - 2]);
    let late = behind(25, 0x100, 11);
    assert_eq!(late, [5, 1, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3]);
    // A full buffer has nothing under way that could delay anything.
    let (half, data) = (fetch(Width::Half), Access::data(Width::Half));
    for pause in [24, 25, 100] {
        let accesses = [(0, 0x100, half), (pause, 0x8000, data)];
        assert_eq!(costs(&mut cartridge(ON), &accesses), [5, 5], "{pause}");
    }
}

#[test]
fn the_unit_does_not_cross_the_border_of_a_block() {
    assert_eq!(behind(100, 0x1_FFFA, 5), [5, 1, 1, 5, 3, 3]);
    assert_eq!(behind(0, 0x1_FFFC, 3), [5, 3, 5, 3], "read by the core, it is the same");
    let word = fetch(Width::Word);
    let accesses = [(0, 0x1_FFF8, word), (100, 0x1_FFFC, word), (9, 0x2_0000, word)];
    assert_eq!(costs(&mut cartridge(ON), &accesses), [8, 1, 8]);
    // A word of which the border is the second half.
    let halves = [(0, 0x1_FFFA, fetch(Width::Half)), (50, 0x1_FFFC, word)];
    assert_eq!(costs(&mut cartridge(ON), &halves), [5, 1]);
}

#[test]
fn a_change_of_waitcnt_drops_what_was_read_ahead() {
    let half = fetch(Width::Half);
    let mut one = cartridge(ON);
    assert_eq!(costs(&mut one, &[(0, 0x100, half)]), [5]);
    one.set(0, ON | 0x10);
    assert_eq!(costs(&mut one, &[(100, 0x102, half), (0, 0x104, half.sequential())]), [5, 2]);
}

#[test]
fn its_state_answers_alike_at_any_time() {
    let half = fetch(Width::Half);
    for pause in 0..40 {
        let mut one = cartridge(ON);
        costs(&mut one, &[(0, 0x1_FFF0, half), (pause, 0x1_FFF2, half)]);
        let now = 1000 + 100;
        let mut state = Vec::new();
        one.state_at(now, &mut state);
        let mut other = cartridge(ON);
        other.set_state(5_000_000, &mut state.clone().into_iter());
        let mut again = Vec::new();
        other.state_at(5_000_000, &mut again);
        assert_eq!(state, again);
        one.shift(77);
        let after = [0, 2, 30].map(|later| {
            let offset = 0x1_FFF4 + later / 2;
            let at =
                |one: &mut Cartridge, from| one.access(from + later as Cycle, offset, half) - from;
            (at(&mut one, now + 77), at(&mut other, 5_000_000))
        });
        assert!(after.iter().all(|(one, other)| one == other), "{pause}: {after:?}");
    }
}

#[test]
fn no_fetch_is_like_the_last_while_the_unit_reads_ahead() {
    assert_eq!(cartridge(0).line_shift(), Some(17));
    assert_eq!(cartridge(ON).line_shift(), None);
    assert_eq!(
        (cartridge(0).is_charged(), cartridge(ON).is_charged()),
        ((true, false), (true, true))
    );
    let timing = Timing::Other(Box::new(cartridge(0)));
    assert!(timing.is_shared());
}
