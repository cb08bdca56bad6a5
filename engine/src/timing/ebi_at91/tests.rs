//! Cycles of sequences of accesses, counted by hand.

use super::*;

const HALF: Access = Access::data(Width::Half);
const WORD: Access = Access::data(Width::Word);
const FETCH: Access = Access::code(Width::Word);

/// Wait states (0: WSE is off) and data float time.
fn register(waits: u32, float_cycles: u32) -> u32 {
    let waits = if waits == 0 { 0 } else { WAITS_ENABLED | (waits - 1) << 2 };
    waits | float_cycles << 9
}

fn chip(chip_select: u32, width: u32) -> Chip {
    Chip::new(Parameters { chip_select, width }).unwrap()
}

/// Two memories of 16 bits behind one interface.
fn two(first: u32, second: u32, control: u32) -> [Chip; 2] {
    let mut chips = [chip(0, 16), chip(1, 16)];
    let mut shared = Vec::new();
    chips.iter_mut().for_each(|chip| chip.join(&mut shared));
    for (chip, register) in chips.iter_mut().zip([first, second]) {
        chip.set(0, register);
        chip.set(1, control);
    }
    chips
}

/// Cycles of each access: the memory, the cycles without an access on the bus before it, and the access.
fn costs(chips: &mut [Chip; 2], accesses: &[(usize, Cycle, Access)]) -> Vec<Cycle> {
    let mut now = 100;
    let one = |&(chip, pause, access): &(usize, Cycle, Access)| {
        let begins = now + pause;
        now = chips[chip].access(begins, 0, access);
        now - begins
    };
    accesses.iter().map(one).collect()
}

#[test]
fn an_access_costs_its_wait_states_for_each_transfer() {
    let kinds = [Access::data(Width::Byte), HALF, WORD, FETCH, FETCH.sequential()];
    for (waits, each) in [(0, 1), (1, 2), (3, 4), (8, 9)] {
        for (width, transfers) in [(16, [1, 1, 2, 2, 2]), (8, [1, 2, 4, 4, 4])] {
            let mut chip = chip(3, width);
            chip.set(0, register(waits, 0));
            for (kind, count) in kinds.into_iter().zip(transfers) {
                assert_eq!(chip.access(50, 0, kind), 50 + count * each);
                assert_eq!(chip.fetches_again(kind), count * each);
            }
        }
    }
}

#[test]
fn a_change_of_chip_select_costs_a_cycle() {
    let mut chips = two(register(1, 0), register(0, 0), 0);
    let accesses = [(0, 0, HALF), (1, 0, HALF), (1, 0, HALF), (0, 0, HALF), (1, 5, WORD)];
    assert_eq!(costs(&mut chips, &accesses), [2, 2, 1, 3, 3], "the first one changes nothing");
}

#[test]
fn data_float_until_another_chip_select_or_a_write_may_go_on() {
    let mut chips = two(register(0, 3), register(0, 0), 0);
    let write = HALF.writing();
    // Reads of one memory do not wait; the other one waits, and a write of the same, which floats nothing.
    let accesses =
        [(0, 0, HALF), (0, 0, HALF), (1, 0, HALF), (0, 0, HALF), (0, 0, write), (0, 0, HALF)];
    assert_eq!(costs(&mut chips, &accesses), [1, 1, 4, 2, 4, 1]);
    // Cycles without an external access count; with none left, the change of chip select costs its cycle.
    for (pause, cost) in [(0, 4), (1, 3), (2, 2), (3, 2), (4, 2)] {
        let mut chips = two(register(0, 3), register(0, 0), 0);
        assert_eq!(costs(&mut chips, &[(0, 0, HALF), (1, pause, HALF)])[1], cost, "{pause}");
    }
    // A write to the other one after a read, and a read there after that: no data float.
    let mut chips = two(register(0, 2), register(0, 0), 0);
    let accesses = [(0, 0, HALF), (1, 0, write), (0, 0, HALF), (0, 0, write), (1, 0, write)];
    assert_eq!(costs(&mut chips, &accesses), [1, 3, 2, 3, 2]);
}

#[test]
fn an_early_read_behind_a_write_waits_a_cycle() {
    let write = HALF.writing();
    let accesses = [
        (0, 0, write),
        (0, 0, HALF),
        (0, 0, write),
        (0, 0, write),
        (1, 0, HALF),
        (1, 0, write),
        (1, 3, HALF),
    ];
    let standard = costs(&mut two(0, 0, 0), &accesses);
    assert_eq!(standard, [1, 1, 1, 1, 2, 1, 1]);
    let early = costs(&mut two(0, 0, EARLY_READ), &accesses);
    assert_eq!(early, [1, 2, 1, 1, 2, 1, 2]);
}

#[test]
fn a_reset_forgets_the_last_access_and_all_registers() {
    let mut chips = two(register(8, 7), register(8, 7), EARLY_READ);
    costs(&mut chips, &[(0, 0, HALF.writing())]);
    chips.iter_mut().for_each(Chip::reset);
    assert_eq!(costs(&mut chips, &[(1, 0, HALF), (1, 0, HALF.writing()), (1, 0, HALF)]), [1, 1, 1]);
}

#[test]
fn equal_states_answer_alike_also_later() {
    let state = |chip: &Chip, now| {
        let mut state = Vec::new();
        chip.state_at(now, &mut state);
        state
    };
    let mut chips = two(register(0, 5), register(0, 0), 0);
    let end = chips[0].access(100, 0, HALF);
    let before = state(&chips[1], end + 2);
    chips.iter_mut().for_each(|chip| chip.shift(1_000));
    assert_eq!(state(&chips[1], end + 1_002), before);
    assert_eq!(chips[1].access(end + 1_002, 0, HALF), end + 1_002 + 3 + 1);
    assert_ne!(state(&chips[1], end + 2_000), before);
}

#[test]
fn no_fetch_takes_longer_than_the_slowest() {
    for (first, second, control) in [(0, 0, 0), (register(2, 0), register(0, 6), EARLY_READ)] {
        let mut chips = two(first, second, control);
        let slowest = chips[0].slowest_fetch();
        for last in [HALF, HALF.writing()] {
            let cost = costs(&mut chips, &[(1, 0, last), (0, 0, FETCH)])[1];
            assert!(cost <= slowest, "{cost} {slowest}");
        }
        assert_eq!(chips[0].line_shift(), Some(ONE_LINE));
        assert_eq!(chips[1].line_shift().is_some(), second == 0);
    }
}

#[test]
fn a_chip_select_or_a_width_that_there_is_not_is_refused() {
    for (chip_select, width) in [(8, 16), (0, 32)] {
        let error = Chip::new(Parameters { chip_select, width }).unwrap_err();
        assert!(error.contains("it must be"), "{error}");
    }
}
