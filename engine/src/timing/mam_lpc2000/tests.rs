//! The MAM alone, access by access.

use super::*;
use crate::bus::Width;

const N: Access = Access::code(Width::Word);
const S: Access = N.sequential();
const BRANCH: Access = N.after_branch();
const DATA: Access = Access::data(Width::Word);

/// A flash in `mode` with MAMTIM = `read`, and the costs of accesses made one after the other.
struct Flash {
    flash: super::Flash,
    now: Cycle,
}

impl Flash {
    fn new(mode: Mode, read: u32) -> Self {
        let mut flash = super::Flash::new(Parameters::default());
        flash.mam = Mam::new(mode, read);
        Flash { flash, now: 0 }
    }

    fn cost(&mut self, offset: u32, access: Access) -> u32 {
        let begun = self.now;
        self.now = self.flash.access(begun, offset, access);
        (self.now - begun) as u32
    }

    fn costs<const COUNT: usize>(&mut self, accesses: [(u32, Access); COUNT]) -> [u32; COUNT] {
        accesses.map(|(offset, access)| self.cost(offset, access))
    }

    fn run(&mut self, from: u32, words: u32) -> Vec<u32> {
        (0..words).map(|i| self.cost(from + 4 * i, S)).collect()
    }
}

#[test]
fn straight_code_waits_once_when_a_line_lasts_as_long_as_a_read() {
    for read in 1..=4 {
        let mut flash = Flash::new(Mode::Full, read);
        assert_eq!(flash.costs([(0, BRANCH)]), [read]);
        assert_eq!(flash.run(4, 40), vec![1; 40], "MAMTIM {read}");
    }
}

#[test]
fn a_line_on_its_way_costs_the_remainder() {
    let mut flash = Flash::new(Mode::Full, 7);
    // Three hits leave 4 of the 7 cycles of the next line's read.
    assert_eq!(flash.costs([(0, BRANCH)]), [7]);
    assert_eq!(flash.run(4, 8), [1, 1, 1, 4, 1, 1, 1, 4]);
}

#[test]
fn time_spent_elsewhere_lets_the_prefetch_finish() {
    let mut flash = Flash::new(Mode::Full, 7);
    flash.costs([(0, BRANCH)]);
    flash.run(4, 3);
    flash.now += 2;
    assert_eq!(flash.run(16, 1), [2]);
    flash.run(20, 3);
    flash.now += 1000;
    assert_eq!(flash.run(32, 1), [1]);
}

#[test]
fn a_line_has_eight_halfwords() {
    let mut flash = Flash::new(Mode::Full, 7);
    let half = Access::code(Width::Half);
    assert_eq!(flash.costs([(0, half.after_branch())]), [7]);
    let costs: Vec<u32> = (1..17).map(|i| flash.cost(2 * i, half.sequential())).collect();
    assert_eq!(costs, vec![1; 16]);
}

#[test]
fn a_branch_to_a_new_line_waits_for_a_whole_read() {
    let mut flash = Flash::new(Mode::Full, 3);
    flash.costs([(0, BRANCH), (4, S)]);
    assert_eq!(flash.costs([(0x100, BRANCH), (0x104, S)]), [3, 1]);
}

#[test]
fn the_branch_trail_keeps_a_loop_of_two_lines_without_waits() {
    let mut flash = Flash::new(Mode::Full, 4);
    let mut iteration = || {
        let entry = flash.costs([(0x100, BRANCH)])[0];
        entry + flash.run(0x104, 7).iter().sum::<u32>()
    };
    assert_eq!([iteration(), iteration(), iteration()], [11, 8, 8]);
}

#[test]
fn a_trail_hit_reads_the_following_line_ahead() {
    let mut flash = Flash::new(Mode::Full, 4);
    flash.costs([(0x100, BRANCH)]);
    // A loop of three lines: the second was replaced by the third in the prefetch buffer.
    flash.run(0x104, 11);
    assert_eq!(flash.costs([(0x100, BRANCH)]), [1]);
    assert_eq!(flash.run(0x104, 11), vec![1; 11]);
}

#[test]
fn a_fetch_after_a_store_is_no_break_in_flow() {
    let mut flash = Flash::new(Mode::Full, 3);
    flash.costs([(0x100, BRANCH)]);
    flash.costs([(0x300, N)]);
    assert_eq!(flash.costs([(0x100, BRANCH)]), [1], "the trail still holds the branch target");
}

#[test]
fn data_has_a_buffer_of_its_own_and_no_prefetch() {
    let mut flash = Flash::new(Mode::Full, 3);
    let reads: Vec<u32> = (0..12).map(|i| flash.cost(0x200 + 4 * i, DATA)).collect();
    assert_eq!(reads, [3, 1, 1, 1, 3, 1, 1, 1, 3, 1, 1, 1]);
    assert_eq!(flash.costs([(0x220, N)]), [3], "code does not hit the data buffer");
}

#[test]
fn a_data_read_drops_what_was_read_ahead_even_if_it_was_complete() {
    let mut flash = Flash::new(Mode::Full, 4);
    flash.costs([(0, BRANCH)]);
    flash.run(4, 2);
    flash.now += 1000;
    assert_eq!(flash.costs([(0x200, DATA), (12, S), (16, S)]), [4, 1, 4]);
    // A hit in the data buffer leaves the prefetch alone.
    flash.run(20, 2);
    assert_eq!(flash.costs([(0x204, DATA), (28, S), (32, S)]), [1, 1, 1]);
}

#[test]
fn a_fetch_that_hits_begins_to_read_ahead_only_when_it_enters_another_line() {
    let mut flash = Flash::new(Mode::Full, 4);
    let mut after = |last: (u32, Access)| {
        // The trail holds the line of 0x100, the prefetch buffer that of 0x110; nothing is ahead.
        flash.flash.lines = Lines::default();
        flash.costs([(0x100, BRANCH), (0x110, S), (0x200, DATA)]);
        flash.costs([last]);
        flash.now += 1000;
        flash.costs([(0x120, S)])
    };
    assert_eq!(after((0x114, S)), [4], "the line of the last fetch again");
    assert_eq!(after((0x110, BRANCH)), [4], "the same by a branch");
    assert_eq!(after((0x100, BRANCH)), [4], "the next line is held");
    flash.flash.lines = Lines::default();
    flash.costs([(0x100, BRANCH), (0x200, S), (0x300, DATA)]);
    flash.costs([(0x100, BRANCH)]);
    flash.now += 2;
    assert_eq!(flash.costs([(0x110, S)]), [2], "back on the trail, which reads on");
}

#[test]
fn mode_1_makes_a_break_in_sequence_and_data_wait() {
    let mut flash = Flash::new(Mode::Partial, 3);
    flash.costs([(0x100, BRANCH)]);
    assert_eq!(flash.run(0x104, 7), vec![1; 7]);
    assert_eq!(flash.costs([(0x100, BRANCH), (0x104, S), (0x108, N)]), [3, 1, 3]);
    assert_eq!(flash.costs([(0x200, DATA), (0x204, DATA)]), [3, 3]);
}

#[test]
fn mode_0_waits_always_and_one_cycle_flash_never() {
    let accesses = [(0, BRANCH), (4, S), (8, N), (0x200, DATA), (0x204, DATA), (12, S)];
    assert_eq!(Flash::new(Mode::Off, 5).costs(accesses), [5; 6]);
    for mode in [Mode::Off, Mode::Partial, Mode::Full] {
        assert_eq!(Flash::new(mode, 1).costs(accesses), [1; 6]);
    }
}

#[test]
fn the_array_is_read_for_a_line_that_no_buffer_holds_and_for_the_next_one() {
    let reads = |mode, accesses: &[(u32, Access)]| -> Vec<u32> {
        let mut flash = Flash::new(mode, 3);
        let mut read = |&(offset, access): &(u32, Access)| {
            let read = flash.flash.lines_read(flash.now, offset, access);
            flash.cost(offset, access);
            read
        };
        accesses.iter().map(&mut read).collect()
    };
    let straight = [(0x100, BRANCH), (0x104, S), (0x10C, S), (0x110, S), (0x114, S)];
    assert_eq!(reads(Mode::Full, &straight), [2, 0, 0, 1, 0]);
    assert_eq!(reads(Mode::Partial, &straight), [2, 0, 0, 1, 0]);
    assert_eq!(reads(Mode::Off, &straight), [1, 0, 0, 1, 0]);
    // Back to the branch trail: the line behind it is buffered, and the next one still in the latch.
    let back = [(0x100, BRANCH), (0x110, S), (0x100, BRANCH), (0x110, S), (0x200, BRANCH)];
    assert_eq!(reads(Mode::Full, &back), [2, 1, 0, 0, 2]);
    // A data read takes the flash and drops the line on its way. The data buffer saves reads.
    let data = [(0x100, BRANCH), (0x300, DATA), (0x304, DATA), (0x104, S), (0x400, DATA)];
    assert_eq!(reads(Mode::Full, &data), [2, 1, 0, 0, 1]);
    assert_eq!(reads(Mode::Partial, &data), [2, 1, 0, 0, 1], "mode 1 waits, and reads nothing");
    // A dropped line is read again when it is fetched.
    let dropped = [(0x10C, BRANCH), (0x300, DATA), (0x110, S), (0x114, S), (0x120, S)];
    assert_eq!(reads(Mode::Full, &dropped), [2, 1, 2, 0, 1]);
    assert_eq!(reads(Mode::Off, &data), [1, 1, 0, 0, 1]);
}

#[test]
fn the_level_of_the_control_signal_is_mode_and_time() {
    assert_eq!(Mam::of(2 | 3 << 8), Mam::new(Mode::Full, 3));
    assert_eq!(Mam::of(7 << 8), Mam::default());
}
