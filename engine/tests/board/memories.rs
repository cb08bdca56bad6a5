//! Memories whose timing changes or has a place of its own, buses that overlap, and devices that transfer by
//! themselves. Cycles are counted by hand, in both tiers.

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::bus::{Abort, Access, Width};
use cyclescope_engine::device::{Device, Port, Tag, Transfer};
use cyclescope_engine::registry::{parameters, Registry};
use cyclescope_engine::time::Cycle;
use cyclescope_engine::timing::{MemoryTiming, Timing};

use crate::programs::{words, MINIMAL};

pub const TIERS: [Tier; 2] = [Tier::Plain, Tier::Blocks];
pub const NOP: u32 = 0xE1A0_0000;

/// The wait states of an external memory: what is written is how many.
struct Ebi;

impl Device for Ebi {
    fn outputs(&self) -> &'static [&'static str] {
        &["n_wait"]
    }

    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, _port: &mut Port) -> u32 {
        0
    }

    fn write(&mut self, _offset: u32, _width: Width, value: u32, port: &mut Port) {
        port.drive(0, value);
    }
}

/// Writes 1, 2, … to words from an address on, from a cycle on.
#[derive(serde::Deserialize)]
struct Dma {
    at: Cycle,
    address: u32,
    count: u32,
    burst: bool,
}

impl Dma {
    fn ask(&mut self, tag: Tag, port: &mut Port) {
        if tag < self.count {
            let (address, access) = (self.address + 4 * tag, Access::data(Width::Word));
            port.transfer(Transfer {
                tag,
                address,
                access,
                write: Some(tag + 1),
                burst: self.burst,
            });
        }
    }
}

impl Device for Dma {
    fn reset(&mut self, port: &mut Port) {
        port.schedule(0, self.at);
    }

    fn read(&mut self, _offset: u32, _width: Width, _port: &mut Port) -> u32 {
        0
    }

    fn write(&mut self, _offset: u32, _width: Width, _value: u32, _port: &mut Port) {}

    fn event(&mut self, tag: Tag, port: &mut Port) {
        self.ask(tag, port);
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        assert_eq!(answer, Ok(0));
        self.ask(tag + 1, port);
    }
}

/// A memory that opens a row of 256 bytes: 5 cycles for the first access to another row, 1 for others.
#[derive(Debug, Default)]
struct Rows {
    open: Option<u32>,
}

impl MemoryTiming for Rows {
    fn inputs(&self) -> &'static [&'static str] {
        &["close"]
    }

    fn set(&mut self, _input: usize, _level: u32) {
        self.open = None;
    }

    fn reset(&mut self) {
        self.open = None;
    }

    fn access(&mut self, now: Cycle, offset: u32, _access: Access) -> Cycle {
        let hits = self.open.replace(offset >> 8) == Some(offset >> 8);
        now + if hits { 1 } else { 5 }
    }

    fn line_shift(&self) -> Option<u32> {
        None
    }

    fn fetches_again(&self, _access: Access) -> Cycle {
        1
    }

    fn slowest_fetch(&self) -> Cycle {
        5
    }

    fn set_state(&mut self, _now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        self.open = state.next().and_then(|row| (row as u32).checked_sub(1));
    }

    fn state_at(&self, _now: Cycle, state: &mut Vec<u64>) {
        state.push(self.open.map_or(0, |row| u64::from(row) + 1));
    }

    fn shift(&mut self, _cycles: Cycle) {}
}

/// A board of the minimal one and more, with a program.
pub fn board(more: &str, address: u32, program: &[u32], tier: Tier) -> Board {
    let mut registry = Registry::default();
    registry.add_device("ebi", |_| Ok(Box::new(Ebi)));
    registry.add_device("dma", |given| Ok(Box::new(parameters::<Dma>(given)?)));
    registry.add_timing("rows", |_| Ok(Timing::Other(Box::<Rows>::default())));
    let text = format!("{MINIMAL}{more}");
    let mut board = Board::with(&registry, &text, "test.toml", &|_| unreachable!()).unwrap();
    board.load_bytes(address, &words(program)).unwrap();
    board.set_tier(tier);
    board.reset(Some(address));
    board
}

/// The cycle at which so many instructions have executed since the reset.
pub fn at(board: &mut Board, instructions: u64) -> Cycle {
    let request = Request { instructions: Some(instructions), ..Request::default() };
    board.run(&request).unwrap().cycle
}

/// The cycles of each of the next `count` instructions.
pub fn cycles(board: &mut Board, count: u64) -> Vec<Cycle> {
    let (first, mut before) = (board.instructions(), board.cycle());
    let each = (1..=count).map(|n| at(board, first + n));
    each.map(|now| now - std::mem::replace(&mut before, now)).collect()
}

#[test]
fn a_device_sets_the_wait_states_of_a_memory() {
    let more = r#"
        [[memory]]
        name = "external"
        base = 0x80000000
        size = 0x1000
        n_wait = 7
        s_wait = 5
        [[bus]]
        name = "local"
        cycles = 1
        [[device]]
        name = "ebi"
        kind = "ebi"
        maps = [{ base = 0x40000000, size = 0x10, bus = "local" }]
        [[connect]]
        from = "ebi.n_wait"
        to = "memory.external.n_wait"
    "#;
    let program = [
        0xE3A0_0102, // mov r0, #0x80000000
        0xE3A0_3101, // mov r3, #0x40000000
        0xE3A0_2002, // mov r2, #2
        0xE590_1000, // ldr r1, [r0]
        0xE583_2000, // str r2, [r3]
        0xE590_1000, // ldr r1, [r0]
        0xE890_0030, // ldmia r0, {r4, r5}
        0xE890_0030, // ldmia r0, {r4, r5}
    ];
    for tier in TIERS {
        let mut board = board(more, 0, &program, tier);
        for _ in 0..2 {
            assert_eq!(cycles(&mut board, 5), [1, 1, 1, 1 + 8 + 1, 1 + 1]);
            assert_eq!(cycles(&mut board, 2), [1 + 3 + 1, 1 + 3 + 6 + 1]);
            board.drive("memory.external.s_wait", 0, None).unwrap();
            assert_eq!(cycles(&mut board, 1), [1 + 3 + 1 + 1]);
            board.reset(Some(0));
        }
    }
}

#[test]
fn a_program_brings_a_timing_of_its_own() {
    let more = "[[memory]]\nname = \"dram\"\nbase = 0x80000000\nsize = 0x1000\ntiming = { kind = \"rows\" }\n";
    let program = [
        0xE3A0_0102, // mov r0, #0x80000000
        0xE590_1000, // ldr r1, [r0]
        0xE590_1004, // ldr r1, [r0, #4]
        0xE590_1100, // ldr r1, [r0, #0x100]
        0xE590_1104, // ldr r1, [r0, #0x104]
        NOP,
    ];
    for tier in TIERS {
        let mut board = board(more, 0, &program, tier);
        assert_eq!(cycles(&mut board, 4), [1, 1 + 5 + 1, 1 + 1 + 1, 1 + 5 + 1]);
        board.drive("memory.dram.close", 1, None).unwrap();
        assert_eq!(cycles(&mut board, 1), [1 + 5 + 1]);
        // Its code: every fetch asks for its row, and each load takes another.
        board.load_bytes(0x8000_0200, &words(&program)).unwrap();
        board.reset(Some(0x8000_0200));
        assert_eq!(cycles(&mut board, 4), [1, 1 + 5 + 1, 5 + 5 + 1, 5 + 5 + 1]);
    }
}

/// A second memory of 2 cycles an access beside all else, and DMA.
fn with_dma(address: u32, burst: bool) -> String {
    format!(
        r#"
        [[memory]]
        name = "side"
        base = 0x20000000
        size = 0x1000
        n_wait = 1
        s_wait = 1
        bus = "matrix"
        [[bus]]
        name = "matrix"
        overlaps = true
        cycles = 1
        [[device]]
        name = "dma"
        kind = "dma"
        parameters = {{ at = 100, address = {address}, count = 10, burst = {burst} }}
    "#
    )
}

#[test]
fn transfers_delay_the_core_on_their_own_bus_alone() {
    for (tier, burst) in TIERS.into_iter().flat_map(|tier| [(tier, false), (tier, true)]) {
        // Straight code fetches in every cycle: each of ten transfers of one cycle keeps it waiting.
        let mut main = board(&with_dma(0x8000, burst), 0, &[NOP; 400], tier);
        assert_eq!((at(&mut main, 50), at(&mut main, 300)), (52, 312));
        let mut side = board(&with_dma(0x2000_0000, burst), 0, &[NOP; 400], tier);
        assert_eq!((at(&mut side, 50), at(&mut side, 300)), (52, 302));
        for (board, address) in [(&mut main, 0x8000), (&mut side, 0x2000_0000)] {
            let written: Vec<u32> = (1..=10).collect();
            assert_eq!(board.read_memory(address, 40).unwrap(), words(&written));
        }
    }
}

#[test]
fn a_load_beside_transfers_waits_for_the_bus_that_it_needs() {
    let program = [
        0xE3A0_0202, // mov r0, #0x20000000
        0xE590_1000, // ldr r1, [r0], and so on
    ];
    let program: Vec<u32> = program.into_iter().chain([program[1]; 100]).collect();
    for tier in TIERS {
        // 2 + 1 cycles, then 1 + 2 + 1 for each load; it reads at 100 to 102, 104 to 106 and so on.
        let mut board = board(&with_dma(0x2000_0000, true), 0, &program, tier);
        assert_eq!(at(&mut board, 25), 99);
        // Ten transfers of two cycles from 100 on: the load that begins at 100 waits until 120.
        assert_eq!(cycles(&mut board, 2), [4 + 20, 4]);
    }
}

#[test]
fn loops_that_wait_are_skipped_beside_transfers() {
    let spin = [0xEAFF_FFFE]; // b .
    for (tier, address) in TIERS.into_iter().flat_map(|tier| [(tier, 0x8000), (tier, 0x2000_0000)])
    {
        let ends = [false, true].map(|skipping| {
            let mut board = board(&with_dma(address, false), 0, &spin, tier);
            board.set_skipping(skipping);
            let request = Request { cycles: Some(100_000), ..Request::default() };
            let stop = board.run(&request).unwrap();
            assert_eq!(board.skipped_cycles() > 90_000, skipping);
            (stop.cycle, stop.instructions)
        });
        assert_eq!(ends[0], ends[1]);
    }
}
