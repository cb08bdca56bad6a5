//! The flash accelerator (MAM) of single-bank LPC2000 parts (NXP UM10139, chapter on the MAM).
//!
//! Three 128-bit buffers: prefetch, branch trail, data; and the flash's own output latch, which holds
//! the line being prefetched until the core presents its address. `docs/timing/mam_lpc2000.md` marks
//! what confirms each rule; `docs/reference/agreement.md` compares them with a real part.

use serde::Deserialize;

use super::MemoryTiming;
use crate::bus::Access;
use crate::time::Cycle;

/// Bytes in a line, as a power of two: 128 bits.
const LINE_SHIFT: u32 = 4;
/// A tag no line has.
const EMPTY: u32 = u32::MAX;

/// MAMCR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Mode {
    /// 0: every request takes the time of a flash read.
    #[default]
    Off,
    /// 1: only sequential fetches profit from the buffers.
    Partial,
    /// 2: every request that hits a buffer profits.
    Full,
}

/// MAMCR and MAMTIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Mam {
    mode: Mode,
    read_cycles: u32,
}

/// The lines held, and the read under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lines {
    prefetch: u32,
    trail: u32,
    data: u32,
    /// The line of the last fetch.
    current: u32,
    /// The line that the flash has read ahead, or is reading …
    latch: u32,
    /// … for so many cycles more.
    remaining: u32,
}

impl Default for Lines {
    fn default() -> Self {
        let (prefetch, trail, data) = (EMPTY, EMPTY, EMPTY);
        Lines { prefetch, trail, data, current: EMPTY, latch: EMPTY, remaining: 0 }
    }
}

impl Lines {
    /// Whether the line can be fetched, or will be.
    #[inline(always)]
    fn hold(&self, line: u32) -> bool {
        line == self.latch || line == self.prefetch || line == self.trail
    }

    /// The time from `at` to `now` goes by without an access.
    #[inline(always)]
    fn wait(&mut self, now: Cycle, at: Cycle) {
        self.pass(now.saturating_sub(at).min(u32::MAX.into()) as u32);
    }

    #[inline(always)]
    fn pass(&mut self, cycles: u32) {
        self.remaining = self.remaining.saturating_sub(cycles);
    }
}

impl Default for Mam {
    /// Reset: off, seven cycles.
    fn default() -> Self {
        Mam::new(Mode::Off, 7)
    }
}

impl Mam {
    /// A MAM in `mode` whose flash reads take `read_cycles` (MAMTIM, 1 to 7).
    fn new(mode: Mode, read_cycles: u32) -> Self {
        Mam { mode, read_cycles: read_cycles.clamp(1, 7) }
    }

    /// A MAM as the system control block drives it: MAMCR in bits 7:0, MAMTIM in bits 15:8. The
    /// reserved values read as the nearest useful one.
    fn of(level: u32) -> Self {
        let mode = match level & 3 {
            0 => Mode::Off,
            1 => Mode::Partial,
            _ => Mode::Full,
        };
        Mam::new(mode, level >> 8 & 7)
    }

    /// Mode 1 serves a break in sequence from the buffer, to save power, but makes it wait.
    #[inline(always)]
    fn replays(self, access: Access) -> bool {
        self.mode == Mode::Partial && !access.is_sequential()
    }

    /// Cycles of a fetch from the line fetched last. It changes nothing but that time goes by: the line
    /// is held, and only a fetch that enters a line begins to read ahead.
    #[inline(always)]
    fn fetches_again(&self, access: Access) -> u32 {
        let flows =
            self.mode == Mode::Full || (self.mode == Mode::Partial && !self.replays(access));
        if flows {
            1
        } else {
            self.read_cycles
        }
    }

    /// The fetch of a line that was read ahead, whose next line is read ahead then, as in code that runs
    /// straight on: the cycles that the reading took still after the last access. In any other case none,
    /// and nothing is done.
    #[inline(always)]
    fn run_on(&self, lines: &mut Lines, offset: u32, access: Access) -> Option<u32> {
        let line = offset >> LINE_SHIFT;
        let straight = self.mode == Mode::Full && !access.is_break_in_flow();
        if !straight || line != lines.latch || line + 1 == lines.trail {
            return None;
        }
        let remaining = lines.remaining;
        (lines.prefetch, lines.current) = (line, line);
        (lines.latch, lines.remaining) = (line + 1, self.read_cycles);
        Some(remaining)
    }

    fn fetch(self, lines: &mut Lines, line: u32, access: Access) -> u32 {
        let replayed = self.replays(access);
        let cost;
        if line == lines.prefetch || line == lines.trail {
            cost = if replayed { self.read_cycles } else { 1 };
            lines.pass(cost);
        } else {
            cost = if line != lines.latch || replayed {
                self.read_cycles
            } else {
                lines.remaining.max(1)
            };
            let buffer =
                if access.is_break_in_flow() { &mut lines.trail } else { &mut lines.prefetch };
            *buffer = line;
            lines.latch = EMPTY;
        }
        // A fetch from the line of the last one found it held: it does not ask the array for anything.
        let enters = line != lines.current;
        lines.current = line;
        if enters && !lines.hold(line + 1) {
            lines.latch = line + 1;
            lines.remaining = self.read_cycles;
        }
        cost
    }

    fn read(self, lines: &mut Lines, line: u32) -> u32 {
        if line == lines.data {
            let cost = if self.mode == Mode::Full { 1 } else { self.read_cycles };
            lines.pass(cost);
            return cost;
        }
        lines.data = line;
        // The data read takes the flash and its latch: what was read ahead is dropped.
        lines.latch = EMPTY;
        self.read_cycles
    }
}

impl Mam {
    /// How many lines of the array an access reads, or begins to read ahead: what costs energy, not
    /// what costs time. `lines` is the state before the access.
    fn lines_read(self, lines: &Lines, offset: u32, access: Access) -> u32 {
        let line = offset >> LINE_SHIFT;
        if !access.is_code() {
            return u32::from(line != lines.data);
        }
        if self.mode == Mode::Off {
            return u32::from(line != lines.latch);
        }
        let buffered = line == lines.prefetch || line == lines.trail;
        let mut after = *lines;
        self.fetch(&mut after, line, access);
        let ahead = after.latch == line + 1 && (!buffered || lines.latch != line + 1);
        u32::from(!lines.hold(line)) + u32::from(ahead)
    }
}

impl Mam {
    #[inline(always)]
    fn access(&self, lines: &mut Lines, offset: u32, access: Access) -> u32 {
        let line = offset >> LINE_SHIFT;
        if self.mode == Mode::Off {
            // The line read last stays, and is not read again; that saves no time.
            *(if access.is_code() { &mut lines.latch } else { &mut lines.data }) = line;
            return self.read_cycles;
        }
        if access.is_code() {
            self.fetch(lines, line, access)
        } else {
            self.read(lines, line)
        }
    }
}

/// What the board file says of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Rule that applies while lines are read ahead.
    prefetch_rule: Option<String>,
}

/// A flash behind a MAM: its settings, and its buffers as of cycle `at`, when its last access completed.
#[derive(Clone, Debug)]
pub struct Flash {
    mam: Mam,
    lines: Lines,
    at: Cycle,
    rules: Vec<String>,
}

impl Flash {
    /// A flash after reset.
    pub fn new(parameters: Parameters) -> Self {
        let rules = parameters.prefetch_rule.into_iter().collect();
        Flash { mam: Mam::default(), lines: Lines::default(), at: 0, rules }
    }

    /// The buffers at `now`, not before the last access completed.
    fn lines_at(&self, now: Cycle) -> Lines {
        let mut lines = self.lines;
        lines.wait(now, self.at);
        lines
    }
}

impl MemoryTiming for Flash {
    /// MAMCR in bits 7:0, MAMTIM in bits 15:8. Any change empties the buffers.
    fn inputs(&self) -> &'static [&'static str] {
        &["mam"]
    }

    fn set(&mut self, _input: usize, level: u32) {
        (self.mam, self.lines) = (Mam::of(level), Lines::default());
    }

    fn reset(&mut self) {
        (self.mam, self.lines, self.at) = (Mam::default(), Lines::default(), 0);
    }

    #[inline(always)]
    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        self.lines.wait(now, self.at);
        self.at = now + Cycle::from(self.mam.access(&mut self.lines, offset, access));
        self.at
    }

    #[inline(always)]
    fn fetch_line(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        match self.mam.run_on(&mut self.lines, offset, access) {
            Some(remaining) => {
                self.at = (self.at + Cycle::from(remaining)).max(now + 1);
                self.at
            }
            None => self.access(now, offset, access),
        }
    }

    fn line_shift(&self) -> Option<u32> {
        Some(LINE_SHIFT)
    }

    #[inline(always)]
    fn fetches_again(&self, access: Access) -> Cycle {
        self.mam.fetches_again(access).into()
    }

    fn slowest_fetch(&self) -> Cycle {
        self.mam.read_cycles.into()
    }

    fn lines_read(&self, now: Cycle, offset: u32, access: Access) -> u32 {
        self.mam.lines_read(&self.lines_at(now), offset, access)
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        let Lines { prefetch, trail, data, current, latch, remaining } = self.lines_at(now);
        state.extend([prefetch, trail, data, current, latch, remaining].map(u64::from));
    }

    fn shift(&mut self, cycles: Cycle) {
        self.at += cycles;
    }

    fn rules(&self) -> &[String] {
        &self.rules
    }

    fn is_charged(&self) -> (bool, bool) {
        let is_slow = self.mam.read_cycles > 1;
        (is_slow, is_slow && self.mam.mode != Mode::Off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Width;

    const N: Access = Access::code(Width::Word);
    const S: Access = N.sequential();
    const BRANCH: Access = N.after_branch();
    const DATA: Access = Access::data(Width::Word);

    /// A flash in `mode` with MAMTIM = `read`, and the costs of accesses made one after the other.
    struct Flash {
        mam: Mam,
        lines: Lines,
    }

    impl Flash {
        fn new(mode: Mode, read: u32) -> Self {
            Flash { mam: Mam::new(mode, read), lines: Lines::default() }
        }

        fn costs<const COUNT: usize>(&mut self, accesses: [(u32, Access); COUNT]) -> [u32; COUNT] {
            accesses.map(|(offset, access)| self.mam.access(&mut self.lines, offset, access))
        }

        fn run(&mut self, from: u32, words: u32) -> Vec<u32> {
            (0..words).map(|i| self.mam.access(&mut self.lines, from + 4 * i, S)).collect()
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
        flash.lines.pass(2);
        assert_eq!(flash.run(16, 1), [2]);
        flash.run(20, 3);
        flash.lines.pass(1000);
        assert_eq!(flash.run(32, 1), [1]);
    }

    #[test]
    fn thumb_fits_eight_instructions_in_a_line() {
        let mut flash = Flash::new(Mode::Full, 7);
        let half = Access::code(Width::Half);
        assert_eq!(flash.costs([(0, half.after_branch())]), [7]);
        let costs: Vec<u32> =
            (1..17).map(|i| flash.mam.access(&mut flash.lines, 2 * i, half.sequential())).collect();
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
        let mut turn = || {
            let entry = flash.costs([(0x100, BRANCH)])[0];
            entry + flash.run(0x104, 7).iter().sum::<u32>()
        };
        assert_eq!([turn(), turn(), turn()], [11, 8, 8]);
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
        let reads: Vec<u32> =
            (0..12).map(|i| flash.mam.access(&mut flash.lines, 0x200 + 4 * i, DATA)).collect();
        assert_eq!(reads, [3, 1, 1, 1, 3, 1, 1, 1, 3, 1, 1, 1]);
        assert_eq!(flash.costs([(0x220, N)]), [3], "code does not hit the data buffer");
    }

    #[test]
    fn a_data_read_drops_what_was_read_ahead_even_if_it_was_complete() {
        let mut flash = Flash::new(Mode::Full, 4);
        flash.costs([(0, BRANCH)]);
        flash.run(4, 2);
        flash.lines.pass(1000);
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
            flash.lines = Lines::default();
            flash.costs([(0x100, BRANCH), (0x110, S), (0x200, DATA)]);
            flash.costs([last]);
            flash.lines.pass(1000);
            flash.costs([(0x120, S)])
        };
        assert_eq!(after((0x114, S)), [4], "the line of the last fetch again");
        assert_eq!(after((0x110, BRANCH)), [4], "the same by a branch");
        assert_eq!(after((0x100, BRANCH)), [4], "the next line is held");
        flash.lines = Lines::default();
        flash.costs([(0x100, BRANCH), (0x200, S), (0x300, DATA)]);
        flash.costs([(0x100, BRANCH)]);
        flash.lines.pass(2);
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
            let (mam, mut lines) = (Mam::new(mode, 3), Lines::default());
            let mut read = |&(offset, access): &(u32, Access)| {
                let read = mam.lines_read(&lines, offset, access);
                mam.access(&mut lines, offset, access);
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
        // What was dropped is read when it is fetched.
        let dropped = [(0x10C, BRANCH), (0x300, DATA), (0x110, S), (0x114, S), (0x120, S)];
        assert_eq!(reads(Mode::Full, &dropped), [2, 1, 2, 0, 1]);
        assert_eq!(reads(Mode::Off, &data), [1, 1, 0, 0, 1]);
    }

    #[test]
    fn the_level_of_the_control_signal_is_mode_and_time() {
        assert_eq!(Mam::of(2 | 3 << 8), Mam::new(Mode::Full, 3));
        assert_eq!(Mam::of(7 << 8), Mam::default());
    }
}
