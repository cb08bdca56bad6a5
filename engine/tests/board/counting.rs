//! Instruments that count: the histogram, the counters of accesses, the monitor of interrupts.

use std::collections::BTreeMap;

use cyclescope_engine::board::{Attachment, Board, Request, Tier};
use cyclescope_engine::bus::Width;
use cyclescope_engine::instrument::Requester;
use cyclescope_engine::instruments::accesses::{
    Accesses, Accessor, Count, Direction, Kind, Target,
};
use cyclescope_engine::instruments::histogram::{
    Charged, Costs, Counts, Function, Histogram, Place,
};
use cyclescope_engine::instruments::interrupts::{Durations, Interrupts};
use cyclescope_engine::instruments::power_meter::{Metering, Places};
use cyclescope_engine::instruments::stacks::{Spent, Stacks};
use cyclescope_engine::instruments::window::Window;

use crate::any_program::{load, Random, LPC2148};
use crate::programs::{board, loaded, lpc2148, run_cycles, words, ArmBoard, MINIMAL};

const FUNCTIONS: [(u32, bool); 3] = [(0x100, false), (0x200, false), (0x300, true)];

fn functions() -> Vec<Function> {
    let function = |(start, library)| Function { start, end: start + 0x100, library };
    FUNCTIONS.map(function).to_vec()
}

fn attach_histogram(board: &mut Board) -> Attachment {
    let histogram = board.histogram(board.code(functions()));
    board.attach(Box::new(histogram))
}

fn counts(board: &Board, attachment: Attachment) -> Counts {
    board.instrument::<Histogram>(attachment).unwrap().counts()
}

fn cycles(counts: &Counts) -> u64 {
    counts.lines.values().map(|line| line.costs.cycles()).sum()
}

fn executions(counts: &Counts) -> u64 {
    counts.lines.values().map(|line| line.executions).sum()
}

fn attach_stacks(board: &mut Board) -> Attachment {
    board.attach(Box::new(Stacks::new(board.code(functions()))))
}

/// The expense of all chains.
fn spent(board: &Board, attachment: Attachment) -> Spent {
    let nodes = board.instrument::<Stacks>(attachment).unwrap().nodes().iter();
    nodes.fold(Spent::default(), |sum, node| Spent {
        instructions: sum.instructions + node.spent.instructions,
        cycles: sum.cycles + node.spent.cycles,
        asleep: sum.asleep + node.spent.asleep,
    })
}

/// A program of anything, with interrupts at random cycles.
fn any(seed: u64) -> Board {
    let (mut board, mut random) = (lpc2148(), Random::new(&LPC2148, seed));
    load(&mut board, &mut random);
    board.reset(None);
    for line in ["core.irq", "core.fiq"] {
        let mut at = u64::from(random.below(3_000)) + 100;
        while at < 60_000 {
            board.drive(line, 1, Some(at)).unwrap();
            board.drive(line, 0, Some(at + 1 + u64::from(random.below(40)))).unwrap();
            at += 20 + u64::from(random.below(3_000));
        }
    }
    board
}

#[test]
fn whatever_a_program_does_every_cycle_and_instruction_is_counted_once() {
    let mut most = Costs::default();
    for seed in 1..60 {
        let (mut free, mut counted) = (any(seed), any(seed));
        let from = counted.cycle();
        let histogram = attach_histogram(&mut counted);
        let accesses = counted.accesses(counted.code(functions()));
        let accesses = counted.attach(Box::new(accesses));
        let monitor = counted.attach(Box::new(counted.interrupts()));
        let stacks = attach_stacks(&mut counted);
        for until in [20_000, 60_000] {
            let stops = [&mut free, &mut counted].map(|board| board.run(&run_cycles(until)));
            let [free_stop, stop] = stops.map(Result::unwrap);
            assert_eq!(stop, free_stop, "seed {seed}");
            let counts = counts(&counted, histogram);
            assert_eq!((counts.since, counts.until), (from, counted.cycle()), "seed {seed}");
            assert_eq!(cycles(&counts), counted.cycle() - from, "seed {seed}");
            assert_eq!(executions(&counts), counted.instructions(), "seed {seed}");
            let spent = spent(&counted, stacks);
            assert_eq!(spent.cycles + spent.asleep, counted.cycle() - from, "seed {seed}");
            assert_eq!(spent.instructions, counted.instructions(), "seed {seed}");
            let sum = |of: fn(&Costs) -> u64| counts.lines.values().map(|one| of(&one.costs)).sum();
            let accesses = counted.instrument::<Accesses>(accesses).unwrap().counts();
            let in_accesses: u64 = accesses.values().map(|one| one.cycles).sum();
            assert!(in_accesses <= cycles(&counts));
            most.entries = most.entries.max(sum(|costs| costs.entries));
            most.bus_waits = most.bus_waits.max(sum(|costs| costs.bus_waits));
            most.fetch_stalls = most.fetch_stalls.max(sum(|costs| costs.fetch_stalls));
        }
        let monitor = counted.instrument::<Interrupts>(monitor).unwrap();
        for (by, source) in monitor.sources() {
            assert!(source.taken >= source.returned, "seed {seed}: {by:?}");
            assert!(source.asserted >= source.withdrawn, "seed {seed}: {by:?}");
        }
    }
    assert!(most.entries > 100 && most.bus_waits > 100 && most.fetch_stalls > 1000, "{most:?}");
}

#[test]
fn a_loop_that_is_skipped_counts_as_if_it_had_run() {
    // 0x100: ldr r1, [r2]; subs r3, r3, #1; bne 0x100; b . with the timer of the LPC2148 read in vain.
    let program = [0xE592_1000, 0xE253_3001, 0x1AFF_FFFC, 0xEAFF_FFFE];
    let counted = [true, false].map(|skipping| {
        let mut board = loaded(MINIMAL, 0x100, &program);
        board.set_skipping(skipping);
        board.reset(Some(0x100));
        let mut state = board.arm().state();
        state.user[3] = 100;
        board.arm_mut().set_state(&state);
        let histogram = attach_histogram(&mut board);
        let accesses = board.accesses(board.code(functions()));
        let accesses = board.attach(Box::new(accesses));
        let stacks = attach_stacks(&mut board);
        board.run(&run_cycles(3_000_000)).unwrap();
        assert_eq!(board.skipped_cycles() > 2_000_000, skipping);
        let found = board.instrument::<Accesses>(accesses).unwrap().counts();
        let nodes = board.instrument::<Stacks>(stacks).unwrap().nodes().to_vec();
        (counts(&board, histogram), found, nodes)
    });
    assert_eq!(counted[0], counted[1]);
    assert_eq!(cycles(&counted[0].0), counted[0].0.until - 2);
}

#[test]
fn a_meter_of_functions_has_the_cycles_of_their_histogram() {
    for seed in 1..30 {
        let mut board = any(seed);
        let histogram = attach_histogram(&mut board);
        let metering = Metering {
            places: Places::Functions(board.code(functions())),
            current_task: None,
            executed: vec![],
            accessed: vec![],
            window: None,
        };
        board.meter(metering).unwrap();
        board.run(&run_cycles(60_000)).unwrap();
        let mut by_function = BTreeMap::<u32, u64>::new();
        let starts = FUNCTIONS.map(|(start, _)| start);
        for (place, line) in counts(&board, histogram).lines {
            let payer = match (place.charged, place.address) {
                (Charged::Caller(start), _) => start,
                (Charged::Itself, Some(address)) => {
                    let found = starts.into_iter().find(|start| address & !0xFF == *start);
                    found.unwrap_or(0)
                }
                _ => 0,
            };
            *by_function.entry(payer).or_default() += line.costs.cycles();
        }
        let mut metered = BTreeMap::<u32, u64>::new();
        for (spender, spent) in board.spent().unwrap() {
            *metered.entry(spender.place).or_default() += spent.cycles;
        }
        by_function.retain(|_, cycles| *cycles > 0);
        metered.retain(|_, cycles| *cycles > 0);
        assert_eq!(metered, by_function, "seed {seed}");
    }
}

#[test]
fn on_the_same_call_histogram_and_profile_agree() {
    for seed in 60..100 {
        let mut random = Random::new(&LPC2148, seed);
        let window =
            Window { start: 0x40, entry: random.entry() & !1, returned: random.entry() & !1 };
        let profiled = {
            let mut board = any(seed);
            board.profile(Window { start: window.entry, ..window });
            board.run(&run_cycles(60_000)).unwrap();
            board.take_profiles()
        };
        let Some(call) = profiled.first() else { continue };
        let mut board = any(seed);
        let histogram = attach_histogram(&mut board);
        let to = |board: &mut Board, cycle| {
            board.run(&run_cycles(cycle)).unwrap();
            assert_eq!(board.cycle(), cycle);
        };
        to(&mut board, call.entered);
        board.instrument_mut::<Histogram>(histogram).unwrap().clear();
        to(&mut board, call.entered + call.cycles);
        let counts = counts(&board, histogram);
        assert_eq!(cycles(&counts), call.cycles);
        let lines = call.lines.iter().map(|(&address, line)| {
            let c = line.costs;
            let cycles = c.instructions + c.fetch_stalls + c.data_waits + c.bus_waits + c.asleep;
            ((address, line.executions), cycles)
        });
        let found =
            counts.lines.iter().filter(|(_, line)| line.costs.cycles() > 0).map(|(place, line)| {
                ((place.address.unwrap(), line.executions), line.costs.cycles())
            });
        let mut found: Vec<_> = found.collect();
        found.sort_unstable();
        assert_eq!(found, lines.filter(|one| one.1 > 0).collect::<Vec<_>>(), "seed {seed}");
    }
}

/// A function at 0x100 calls the library at 0x300, which calls the function at 0x200 and copies a half.
fn calling_a_library() -> Board {
    let main = [
        0xE3A0_DC08, // mov sp, #0x800
        0xEB00_007D, // bl 0x300
        0xEAFF_FFFE, // b .
    ];
    let callback = [0xE1A0_0000, 0xE12F_FF1E]; // nop; bx lr
    let library = [
        0xE52D_E004, // push {lr}
        0xEBFF_FFBD, // bl 0x200
        0xE1D2_10B0, // ldrh r1, [r2]
        0xE49D_F004, // pop {pc}
    ];
    let mut board = loaded(MINIMAL, 0x100, &main);
    board.load_bytes(0x200, &words(&callback)).unwrap();
    board.load_bytes(0x300, &words(&library)).unwrap();
    board.reset(Some(0x100));
    board
}

#[test]
fn a_library_is_charged_to_its_caller_and_accesses_to_what_they_reach() {
    let mut board = calling_a_library();
    let histogram = attach_histogram(&mut board);
    let accesses = board.accesses(board.code(functions()));
    let accesses = board.attach(Box::new(accesses));
    board.run(&Request { pcs: vec![0x108], ..run_cycles(100) }).unwrap();
    let counts = counts(&board, histogram);
    let spent = |charged: Charged, range: std::ops::Range<u32>| -> (u64, u64) {
        let inside = |place: &Place| {
            place.charged == charged && place.address.is_some_and(|at| range.contains(&at))
        };
        let lines = counts.lines.iter().filter(|(place, _)| inside(place));
        lines.fold((0, 0), |sum, (_, line)| (sum.0 + line.executions, sum.1 + line.costs.cycles()))
    };
    // mov 1S, bl 2S + 1N; nop 1S, bx 2S + 1N; push 2N, bl 3, ldrh 1S + 1N + 1I, pop 2S + 2N + 1I.
    assert_eq!(spent(Charged::Itself, 0x100..0x200), (2, 1 + 3));
    assert_eq!(spent(Charged::Itself, 0x200..0x300), (2, 1 + 3));
    assert_eq!(spent(Charged::Itself, 0x300..0x400), (0, 0));
    assert_eq!(spent(Charged::Caller(0x100), 0x300..0x400), (4, 2 + 3 + 3 + 5));
    let found = board.instrument::<Accesses>(accesses).unwrap().counts();
    let data = |direction, width| {
        let (by, to) = (Accessor::Function(0x100), Target::Memory(0));
        found.get(&Kind { by, to, direction, width }).copied()
    };
    let once = Some(Count { accesses: 1, cycles: 1 });
    assert_eq!(data(Direction::Read, Width::Half), once);
    assert_eq!(data(Direction::Read, Width::Word), once);
    assert_eq!(data(Direction::Write, Width::Word), once);
    assert_eq!(data(Direction::Write, Width::Half), None);
    // Every instruction fetches one word, and each of the 4 branches two more.
    let fetches: u64 = found
        .iter()
        .filter(|one| one.0.direction == Direction::Fetch)
        .map(|one| one.1.accesses)
        .sum();
    assert_eq!(fetches, 8 + 4 * 2);
}

/// Vectors of both interrupts; their handlers take 1 + 3 cycles behind the branch of 3.
fn interrupted() -> Board {
    let mut program = vec![0u32; 8];
    program[6] = 0xEA00_0002; // b 0x28
    program[7] = 0xEA00_0003; // b 0x30
    program.extend([0, 0]);
    program.extend([0xE280_0001, 0xE25E_F004]); // 0x28: add; subs pc, lr, #4
    program.extend([0xE281_1001, 0xE25E_F004]); // 0x30: add; subs pc, lr, #4
    program.extend([0xE3A0_201F, 0xE121_F002]); // 0x38: mov r2, #0x1F; msr cpsr_c, r2
    program.extend([0xE1A0_0000; 200]); // nop
    program.push(0xEAFF_FFFE);
    let mut board = board(MINIMAL);
    board.load_bytes(0, &words(&program)).unwrap();
    board.reset(Some(0x38));
    board
}

#[test]
fn an_interrupt_is_followed_from_its_request_to_its_end() {
    let mut board = interrupted();
    let monitor = board.attach(Box::new(board.interrupts()));
    // Taken twice; then withdrawn before the core sees it.
    for (at, level) in [(20, 1), (24, 0), (50, 1), (54, 0), (80, 1), (81, 0)] {
        board.drive("core.irq", level, Some(at)).unwrap();
    }
    board.run(&run_cycles(150)).unwrap();
    let found = board.instrument::<Interrupts>(monitor).unwrap();
    let source = &found.sources()[&Requester::Line(0)];
    assert_eq!((source.asserted, source.taken, source.returned), (3, 2, 2));
    assert_eq!((source.withdrawn, source.nested, source.merged), (1, 0, 0));
    // Seen 2 cycles after the request; entered in 3; b 3, add 1, subs 3.
    assert_eq!(source.latency.counts().iter().collect::<Vec<_>>(), [(&2, &2)]);
    assert_eq!(source.entry.counts().iter().collect::<Vec<_>>(), [(&3, &2)]);
    assert_eq!(source.handler.counts().iter().collect::<Vec<_>>(), [(&7, &2)]);
    let latest: Vec<_> =
        found.latest().map(|one| (one.asserted, one.taken, one.returned)).collect();
    assert_eq!(latest, [(Some(20), 22, Some(32)), (Some(50), 52, Some(62))]);
}

#[test]
fn a_fast_interrupt_within_another_is_nested() {
    let mut board = interrupted();
    let monitor = board.attach(Box::new(board.interrupts()));
    let fast = [26, 73];
    for (line, at) in
        [("core.irq", 20), ("core.fiq", fast[0]), ("core.irq", 70), ("core.fiq", fast[1])]
    {
        board.drive(line, 1, Some(at)).unwrap();
        board.drive(line, 0, Some(at + 4)).unwrap();
    }
    board.run(&run_cycles(150)).unwrap();
    let found = board.instrument::<Interrupts>(monitor).unwrap();
    let (normal, fast) =
        (&found.sources()[&Requester::Line(0)], &found.sources()[&Requester::Line(1)]);
    assert_eq!((normal.taken, normal.nested, normal.returned), (2, 0, 2));
    assert_eq!((fast.taken, fast.nested, fast.returned), (2, 2, 2));
    // The first fast one comes at the second instruction of the handler, and takes 3 + 7 cycles. The second
    // comes before the handler's first: it delays that.
    let counts = |of: &Durations| of.counts().iter().map(|(&a, &b)| (a, b)).collect::<Vec<_>>();
    assert_eq!(counts(&normal.handler), [(7, 1), (17, 1)]);
    assert_eq!(counts(&normal.own), [(7, 2)]);
    assert_eq!(counts(&normal.entry), [(3, 1), (13, 1)]);
    assert_eq!(counts(&fast.handler), [(7, 2)]);
}

#[test]
fn instruments_come_and_go_at_any_boundary() {
    let mut board = interrupted();
    board.run(&run_cycles(20)).unwrap();
    let histogram = attach_histogram(&mut board);
    board.run(&run_cycles(60)).unwrap();
    assert_eq!(counts(&board, histogram).since, 20);
    assert_eq!(cycles(&counts(&board, histogram)), 40);
    board.instrument_mut::<Histogram>(histogram).unwrap().clear();
    board.run(&run_cycles(70)).unwrap();
    assert_eq!((counts(&board, histogram).since, cycles(&counts(&board, histogram))), (60, 10));
    assert!(board.detach(histogram).is_some());
    assert!(board.detach(histogram).is_none());
    assert!(board.instrument::<Histogram>(histogram).is_none());
    let other = attach_histogram(&mut board);
    assert_ne!(other, histogram);
    assert!(board.instrument::<Accesses>(other).is_none());
}

#[test]
fn a_reset_begins_all_counts_anew() {
    let mut board = interrupted();
    let histogram = attach_histogram(&mut board);
    let run = |board: &mut Board| {
        board.run(&run_cycles(100)).unwrap();
        counts(board, histogram)
    };
    run(&mut board);
    board.reset(Some(0x38));
    let first = run(&mut board);
    assert_eq!((first.since, cycles(&first)), (0, 100));
    // Without an address: the first fill of the pipeline.
    let fill = Place { charged: Charged::Itself, address: None };
    assert_eq!(first.lines[&fill].costs.cycles(), 2);
    board.reset(Some(0x38));
    board.set_tier(Tier::Plain);
    assert_eq!(run(&mut board), first);
}
