//! Observation of runs: truth, profile, intervals without interrupts, skipped loops, snapshots.

use cyclescope_engine::board::{Board, Tier};
use cyclescope_engine::instruments::window::Window;

use crate::assembler::*;
use crate::core::{Toy, DATA};
use crate::runs::ticking;
use crate::{cycles, loaded, toy};

/// Calls `work`, which loads and stores a byte, again and again.
fn calling() -> Board {
    let main = [ldi(7, 1), call(0x30), jump(-2)];
    let work = [ld(0, 0), addi(0, 1), st(0, 0), RET];
    loaded(&image(&[(0x20, &main), (0x30, &work)], &[("main", 0x20), ("work", 0x30)]))
}

const WINDOW: Window = Window { start: 0x42, entry: 0x60, returned: 0x44 };

#[test]
fn the_truth_knows_the_cycle_of_each_instruction_and_access() {
    let mut board = calling();
    board.watch(&[0x60, 0x44], &[DATA + 0x100]);
    board.run(&cycles(20)).unwrap();
    let executed: Vec<_> = board.take_executed().iter().map(|e| (e.cycle, e.address)).collect();
    // Fetch 1, constant 1, call: fetch, 2 pushes, fetch; work: 2 + 1 + 2 and RET: fetch, 2 pops, fetch;
    // jump: 2 fetches.
    let work = 2 + 4;
    let back = work + 5 + 4;
    assert_eq!(executed, [(work, 0x60), (back, 0x44)]);
    let accessed: Vec<_> =
        board.take_accessed().iter().map(|a| (a.cycle, a.value, a.write)).collect();
    assert_eq!(accessed, [(work + 2, 0, false), (work + 5, 1, true)]);
}

#[test]
fn a_profile_adds_up_to_the_call() {
    for tier in [Tier::Plain, Tier::Blocks] {
        let mut board = calling();
        board.set_tier(tier);
        board.profile(WINDOW);
        board.run(&cycles(40)).unwrap();
        let profiles = board.take_profiles();
        assert_eq!(profiles.len(), 2);
        let lines: Vec<_> = profiles[0].lines.iter().collect();
        let costs: Vec<_> =
            lines.iter().map(|(at, line)| (**at, line.costs.instructions)).collect();
        assert_eq!(costs, [(0x60, 2), (0x62, 1), (0x64, 2), (0x66, 4)]);
        assert_eq!((profiles[0].entered, profiles[0].cycles), (6, 9));
    }
}

#[test]
fn intervals_without_interrupts_end_where_the_core_takes_one() {
    let mut board = loaded(&ticking(100));
    board.watch_off_intervals();
    board.run(&cycles(300)).unwrap();
    let intervals = board.take_off_intervals();
    // Up to EI, then from each entry to its RETI: jump 2, CAUSE 1, add 1, RETI 4.
    assert_eq!((intervals[0].since, intervals[0].end), (1, 2 * 0x23));
    let handled: Vec<_> = intervals[1..].iter().map(|one| (one.begin, one.cycles())).collect();
    assert_eq!(handled, [(2 * 4, 8), (2 * 4, 8)]);
}

#[test]
fn an_input_is_masked_by_its_priority_alone() {
    // Input 3 is requested from cycle 14 on, and taken behind the second threshold.
    let begin = [ldi(0, 10), output(0, 0), threshold(3), EI];
    let main = [&begin[..], &[NOP; 12], &[threshold(4), NOP, STUCK]].concat();
    let image = image(&[(1 + 3, &[RETI]), (0x20, &main)], &[("main", 0x20)]);
    let off = |inputs: Option<u64>| {
        let mut board = loaded(&image);
        match inputs {
            Some(inputs) => board.watch_off_intervals_of(inputs),
            None => board.watch_off_intervals(),
        }
        board.run(&cycles(25)).unwrap();
        let seen = board.take_off_intervals();
        seen.iter().map(|one| (one.since, one.begin, one.until, one.end)).collect::<Vec<_>>()
    };
    let (main, vector) = (2 * 0x20, 2 * (1 + 3));
    // The first fetch; a constant; a fetch and a write to the device; one cycle for each opcode behind it.
    let taken = 1 + 1 + (1 + 2) + 2 + 12 + 1;
    assert_eq!(off(Some(1 << 3)), [(1, main, taken, vector)]);
    assert_eq!(off(Some(1 << 7)), [], "another input's interrupt ends no interval of this one");
    let enabled = (1, main, taken - 13, main + 8);
    assert_eq!(off(None), [enabled], "inputs 0 to 2 are masked by nothing then");
}

/// All there is to see of a board.
fn seen(board: &mut Board) -> impl PartialEq + std::fmt::Debug {
    let data = board.read_memory(DATA + 0x100, 0x100).unwrap();
    (board.cycle(), board.instructions(), toy(board).state.clone(), data)
}

#[test]
fn loops_that_wait_are_skipped_and_nothing_else_changes() {
    // Polls the ticker's count until it is 50.
    let poll = [ldi(0, 200), output(0, 0), input(1, 1), compare(1, 50), jump_unless(-3), STUCK];
    let poll = image(&[(0x20, &poll)], &[("main", 0x20)]);
    for image in [poll, ticking(200)] {
        let [mut skipping, mut stepping] = [true, false].map(|on| {
            let mut board = loaded(&image);
            board.set_skipping(on);
            board
        });
        for bound in [37, 5_000, 5_001, 20_000] {
            for board in [&mut skipping, &mut stepping] {
                board.run(&cycles(bound)).unwrap();
            }
            assert_eq!(seen(&mut skipping), seen(&mut stepping), "at {bound}");
        }
        assert!(skipping.skipped_cycles() > 2_000, "{}", skipping.skipped_cycles());
        assert_eq!(stepping.skipped_cycles(), 0);
    }
}

#[test]
fn a_snapshot_equals_the_core_until_it_goes_on_and_when_it_comes_round() {
    let mut board = loaded(&ticking(0));
    board.run(&cycles(20)).unwrap();
    let stuck = board.core().snapshot();
    board.run(&cycles(22)).unwrap();
    assert_ne!(stuck.retired(), board.core().retired());
    assert!(board.core().equals(&*stuck), "the branch to itself comes round");
    let toy: &mut Toy = board.core_as_mut().unwrap();
    toy.state.r[5] ^= 1;
    assert!(!board.core().equals(&*stuck));
    let copy = board.core().snapshot();
    board.run(&cycles(24)).unwrap();
    assert!(copy.equals(board.core()), "each snapshot is its own");
}
