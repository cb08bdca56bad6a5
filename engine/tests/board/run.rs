//! Programs on boards that are a core and memories alone: cycles, limits, stops, faults.

use crate::programs::{board, loaded, run_cycles, words, ArmBoard, MINIMAL};
use std::sync::{Arc, Mutex};

use cyclescope_engine::board::{Board, Reason, Request, Tier, Watchpoint};
use cyclescope_engine::bus::Access;
use cyclescope_engine::image::{Image, Segment};
use cyclescope_engine::instrument::{Instrument, Interest};

/// Four cycles an iteration: subs (1S), bne taken (2S + 1N).
const LOOP: [u32; 5] = [
    0xe3a0_0003, // mov r0, #3
    0xe250_0001, // again: subs r0, r0, #1
    0x1aff_fffd, // bne again
    0xe3a0_1007, // mov r1, #7
    0xeaff_fffe, // b .
];

#[test]
fn cycle_0_precedes_the_first_fetch_and_the_pipeline_fill_counts() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    board.reset(None);
    assert_eq!((board.cycle(), board.instructions(), board.pc()), (2, 0, 0));
}

#[test]
fn cycles_are_the_sum_of_the_manuals_table() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    let stop = board.run(&Request { pcs: vec![16], ..run_cycles(1000) }).unwrap();
    // Fill 2, mov 1, two iterations of 1 + 3, one of 1 + 1, mov 1.
    assert_eq!((stop.reason, stop.cycle, stop.instructions), (Reason::Pc, 2 + 1 + 8 + 2 + 1, 8));
    assert_eq!(stop.sentence, "Stopped before 0x10 executes.");
    assert_eq!(board.arm().register(1), 7);
}

#[test]
fn wait_states_charge_each_access_by_its_kind_and_width() {
    // 16-bit memory, N 1+3, S 1+1: a word fetch is N 4 + 2 = 6 or S 2 + 2 = 4.
    let slow = r#"
        name = "slow"
        [core]
        kind = "arm7tdmi"
        [[memory]]
        name = "rom"
        base = 0
        size = 0x100
        kind = "rom"
        width = 16
        n_wait = 3
        s_wait = 1
        [[memory]]
        name = "ram"
        base = 0x1000
        size = 0x100
        n_wait = 2
    "#;
    let program = [
        0xe3a0_1a01, // mov r1, #0x1000
        0xe581_0000, // str r0, [r1]
        0xe591_2000, // ldr r2, [r1]
        0xe1a0_0000, // nop
        0xeaff_fffe, // b .
    ];
    for (merged, fetch_after_load) in [("sequential", 4), ("nonsequential", 6)] {
        let text = slow.replace(
            "kind = \"arm7tdmi\"",
            &format!("kind = \"arm7tdmi\"\nmerged_is = \"{merged}\""),
        );
        let mut board = loaded(&text, 0, &program);
        board.reset(None);
        let mut at = Vec::new();
        for pc in [0, 4, 8, 12, 16] {
            let stop = board.run(&Request { pcs: vec![pc], ..run_cycles(1000) }).unwrap();
            at.push(stop.cycle);
        }
        let fill = 6 + 4;
        let mov = fill + 4;
        // str: fetch S, data N (1+2); the next fetch is N. ldr: fetch N, data N (1+2), one I.
        let str = mov + 4 + 3;
        let ldr = str + 6 + 3 + 1;
        assert_eq!(at, [fill, mov, str, ldr, ldr + fetch_after_load], "merged is {merged}");
    }
}

#[test]
fn a_stop_at_an_address_comes_each_time_it_is_about_to_execute() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    let request = Request { pcs: vec![4], ..run_cycles(1000) };
    let cycles: Vec<_> = (0..3).map(|_| board.run(&request).unwrap().cycle).collect();
    assert_eq!(cycles, [3, 7, 11]);
    let stop = board.run(&request).unwrap();
    assert_eq!(stop.reason, Reason::Cycles);
    assert_eq!(
        stop.sentence,
        "Reached the bound of 1000 cycles at 0x10, an endless loop: a branch to itself."
    );
}

#[test]
fn a_branch_to_itself_with_interrupts_on_is_no_endless_loop() {
    // msr cpsr_c, #0x13 | I or F; b .
    for (mask, hint) in [
        (0x00, "idle: a branch to itself, with interrupts on"),
        (0x40, "idle: a branch to itself, with interrupts on"),
        (0xC0, "an endless loop: a branch to itself"),
    ] {
        let mut board = loaded(MINIMAL, 0, &[0xE321_F013 | mask, 0xEAFF_FFFE]);
        let stop = board.run(&run_cycles(100)).unwrap();
        assert_eq!(stop.sentence, format!("Reached the bound of 100 cycles at 0x4, {hint}."));
    }
}

#[test]
fn a_run_that_starts_at_the_stop_address_stops_at_once() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    let stop = board.run(&Request { pcs: vec![0], ..run_cycles(1000) }).unwrap();
    assert_eq!((stop.cycle, stop.pc), (2, 0));
}

#[test]
fn bounds_are_absolute_and_one_is_needed() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    let stop = board.run(&Request { instructions: Some(3), ..Request::default() }).unwrap();
    assert_eq!((stop.reason, stop.instructions), (Reason::Instructions, 3));
    let again = board.run(&Request { instructions: Some(3), ..Request::default() }).unwrap();
    assert_eq!(again.cycle, stop.cycle);
    let error = board.run(&Request::default()).unwrap_err();
    assert_eq!(error.0, "A run needs a bound: give it cycles or instructions.");
}

#[test]
fn slices_change_nothing_but_who_is_asked() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    let whole = board.run(&run_cycles(20_000_000)).unwrap();
    board.reset(None);
    let mut asked = 0;
    let interrupted = board
        .run_while(&run_cycles(20_000_000), &mut || {
            asked += 1;
            asked < 3
        })
        .unwrap();
    assert_eq!(interrupted.reason, Reason::Interrupted);
    let rest = board.run(&run_cycles(20_000_000)).unwrap();
    assert_eq!(rest, whole);
}

#[test]
fn reset_restores_memory_as_loaded_and_zero_elsewhere() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    board.run(&run_cycles(100)).unwrap();
    board.write_memory(0, &[0xFF; 4]).unwrap();
    board.write_memory(0x8000, &[1, 2, 3]).unwrap();
    board.reset(None);
    assert_eq!(board.read_memory(0, 20).unwrap(), words(&LOOP));
    assert_eq!(board.read_memory(0x8000, 3).unwrap(), [0; 3]);
    assert_eq!((board.cycle(), board.instructions()), (2, 0));
}

#[test]
fn a_segment_outside_memory_is_refused_with_the_bytes_it_needs() {
    let image = Image {
        name: "big.elf".into(),
        segments: vec![Segment { address: 0xFF00, bytes: vec![0; 0x200] }],
        ..Image::default()
    };
    let error = board(MINIMAL).load(&image).unwrap_err();
    assert_eq!(
        error.0,
        "big.elf needs 512 bytes from 0xff00 to 0x100ff, which lie in no memory of minimal. \
         It has ram 0x0 to 0xffff (65536 bytes): link for one of them, or take a board with more."
    );
}

#[test]
fn watching_changes_no_cycle_and_records_boundaries_and_completions() {
    let program = [
        0xe3a0_1c02, // mov r1, #0x200
        0xe581_1000, // str r1, [r1]
        0xe591_2000, // ldr r2, [r1]
        0xeaff_fffe, // b .
    ];
    let run = |watched: bool| {
        let mut board = loaded(MINIMAL, 0, &program);
        if watched {
            board.watch(&[4, 8], &[0x200]);
        }
        let stop = board.run(&run_cycles(500)).unwrap();
        let state = board.arm().state();
        (stop, state, board.take_executed(), board.take_accessed())
    };
    let (plain, watched) = (run(false), run(true));
    assert_eq!((plain.0, plain.1), (watched.0, watched.1));
    let executed: Vec<_> = watched.2.iter().map(|e| (e.cycle, e.address)).collect();
    // Fill 2, mov 1; str 2; ldr: fetch, data, I.
    assert_eq!(executed, [(3, 4), (5, 8)]);
    let accessed: Vec<_> =
        watched.3.iter().map(|a| (a.cycle, a.address, a.value, a.write)).collect();
    assert_eq!(accessed, [(5, 0x200, 0x200, true), (7, 0x200, 0x200, false)]);
}

/// Counts all events that are passed to it.
#[derive(Default)]
struct Counter {
    counts: Arc<Mutex<[u32; 3]>>,
}

impl Instrument for Counter {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn accessed(&mut self, _: u64, _: u32, access: Access, _: bool, _: u32) {
        self.counts.lock().unwrap()[usize::from(!access.is_code())] += 1;
    }

    fn executed(&mut self, _: u64, _: u32) {
        self.counts.lock().unwrap()[2] += 1;
    }
}

#[test]
fn an_instrument_that_wants_everything_gets_every_access_and_instruction() {
    let program = [
        0xe3a0_1c02, // mov r1, #0x200
        0xe581_1000, // str r1, [r1]
        0xe591_2000, // ldr r2, [r1]
        0xeaff_fffe, // b .
    ];
    let mut board = loaded(MINIMAL, 0, &program);
    let counter = Counter::default();
    let counts = Arc::clone(&counter.counts);
    board.attach(Box::new(counter));
    board.run(&Request { pcs: vec![12], ..run_cycles(100) }).unwrap();
    assert_eq!(*counts.lock().unwrap(), [2 + 3, 2, 3], "fetches, data accesses, instructions");
    board.detach_all();
    board.run(&run_cycles(200)).unwrap();
    assert_eq!(*counts.lock().unwrap(), [2 + 3, 2, 3]);
}

#[test]
fn flash_costs_what_the_mam_says() {
    let text = "name = \"flash\"\n[core]\nkind = \"arm7tdmi\"\n[[memory]]\nname = \"flash\"\n\
                base = 0\nsize = 0x1000\nkind = \"rom\"\ntiming = { kind = \"mam_lpc2000\" }\n";
    let mut board = loaded(text, 0, &[0xe1a0_0000; 64]);
    board.reset(None);
    assert_eq!(board.cycle(), 14, "off, 7 cycles a read: the pipeline fill");
    board.run(&Request { instructions: Some(2), ..Request::default() }).unwrap();
    assert_eq!(board.cycle(), 28);
    board.drive("memory.flash.mam", 2 | 5 << 8, None).unwrap();
    let mut cost = |instructions| {
        let begun = board.cycle();
        board.run(&Request { instructions: Some(instructions), ..Request::default() }).unwrap();
        board.cycle() - begun
    };
    // Address 16 begins a line: a miss, three hits; then 5 cycles a line, of which 3 were hidden.
    assert_eq!([cost(3), cost(6), cost(7), cost(10), cost(11)], [5, 3, 2, 3, 2]);
}

#[test]
fn a_runaway_program_is_bounded() {
    // Zero words are andeq r0, r0, r0: the program runs through them to the end of memory.
    let mut board: Board = board(MINIMAL);
    let stop = board.run(&run_cycles(1_000)).unwrap();
    assert_eq!((stop.reason, stop.cycle), (Reason::Cycles, 1_000));
}

/// A watchpoint of all accesses to these bytes.
fn watch(first: u32, last: u32, reads: bool, writes: bool) -> Request {
    let watchpoints = vec![Watchpoint { first, last, reads, writes }];
    Request { watchpoints, ..run_cycles(1000) }
}

#[test]
fn a_watchpoint_stops_at_the_boundary_after_an_access_to_one_of_its_bytes() {
    let program = [
        0xe3a0_1c01, // mov r1, #0x100
        0xe581_1004, // str r1, [r1, #4]
        0xe5d1_2005, // ldrb r2, [r1, #5]
        0xe8b1_00f8, // ldmia r1!, {r3-r7}
        0xeaff_fffe, // b .
    ];
    let cases = [
        (watch(0x100, 0x103, true, true), 16, 0x100, false),
        (watch(0x104, 0x104, false, true), 8, 0x104, true),
        (watch(0x107, 0x200, true, true), 8, 0x104, true),
        (watch(0x105, 0x105, true, false), 12, 0x105, false),
        (watch(0x104, 0x104, true, false), 16, 0x104, false),
        (watch(0x110, 0x110, true, true), 16, 0x110, false),
    ];
    for tier in [Tier::Plain, Tier::Blocks] {
        for (request, pc, address, write) in &cases {
            let mut board = loaded(MINIMAL, 0, &program);
            board.set_tier(tier);
            board.reset(None);
            let stop = board.run(request).unwrap();
            assert_eq!((stop.reason, stop.pc), (Reason::Access, *pc), "{request:?}");
            let access = stop.access.unwrap();
            assert_eq!((access.address, access.write), (*address, *write));
            let mut free = loaded(MINIMAL, 0, &program);
            let end = free.run(&Request { pcs: vec![*pc], ..run_cycles(1000) }).unwrap();
            assert_eq!(stop.cycle, end.cycle, "the stop costs nothing");
            let rest = board.run(&Request { watchpoints: Vec::new(), ..request.clone() }).unwrap();
            assert_eq!(rest.reason, Reason::Cycles);
        }
    }
}

#[test]
fn what_a_debugger_sets_costs_no_cycle() {
    let mut board = loaded(MINIMAL, 0, &LOOP);
    board.reset(None);
    board.set_pc(12).unwrap();
    board.set_register("r1", 5).unwrap();
    board.poke(16, &0xe281_1001u32.to_le_bytes()).unwrap(); // add r1, r1, #1
    assert_eq!((board.cycle(), board.pc()), (2, 12));
    board.run(&Request { instructions: Some(2), ..Request::default() }).unwrap();
    assert_eq!(board.arm().register(1), 8, "mov and the written add");
    assert!(board.set_register("r16", 0).is_err() && board.set_register("r8_irq", 0).is_err());
    assert!(board.poke(0x9000_0000, &[0]).is_err());
    assert_eq!(board.peek(0x9000_0000, 4), []);
}
