//! Runs of instructions on a real Cortex-M3, with the counters of its debug unit before and behind them.
//!
//! The recordings are not part of this repository. `CYCLESCOPE_VECTORS` names the folder that holds
//! `cortex-m3/*.json.gz` (or the files themselves); without it they are looked for beside the repository.
//! `docs/timing/cortex-m3.md` explains every case that is not equal.

use std::collections::BTreeMap;

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::core::Core;
use cyclescope_engine::cores::armv7m::{Armv7m, State};
use serde_json::Value;

mod vectors;

const BOARD: &str = r#"
name = "cortex-m3"
[core]
kind = "armv7m"
interrupt_synchroniser_cycles = 0
parameters = { interrupts = 60, priority_bits = 4, revision = "r1p1" }
[[memory]]
name = "alias"
base = 0
size = 0x2_0000
kind = "rom"
cycles = 0
[[memory]]
name = "flash"
base = 0x0800_0000
size = 0x2_0000
kind = "rom"
cycles = 0
[[memory]]
name = "ram"
base = 0x2000_0000
size = 0x2_0000
cycles = 0
"#;

/// Switches the counters on: DEMCR.TRCENA, then DWT_CTRL.
const SWITCH_ON: [u16; 8] = [0x6001, 0x6013, 0xBF00, 0xBF00, 0xE7FE, 0xBF00, 0xBF00, 0xBF00];
const SWITCH_AT: u32 = 0x0801_FF00;

/// Registers of the debug unit.
const UNIT: u32 = 0xE000_1000;
const COUNTERS: [(&str, u32); 6] = [
    ("cyccnt", 0x04),
    ("cpicnt", 0x08),
    ("exccnt", 0x0C),
    ("sleepcnt", 0x10),
    ("lsucnt", 0x14),
    ("foldcnt", 0x18),
];

/// The least share of all cases, of each group, and of those that recorded more than CYCCNT, in 1/1000.
const LEAST: [usize; 3] = [995, 950, 980];

#[derive(Default)]
struct Tally {
    equal: usize,
    all: usize,
}

impl Tally {
    fn add(&mut self, equal: bool) {
        self.equal += usize::from(equal);
        self.all += 1;
    }

    fn holds(&self, least: usize) -> bool {
        1000 * self.equal >= least * self.all
    }
}

#[test]
#[ignore = "needs the recordings: make conformance"]
fn the_recordings_are_equal() {
    let Some(files) = vectors::files("cortex-m3") else { return };
    let (mut total, mut others) = (Tally::default(), Tally::default());
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    let mut board = Board::from_text(BOARD, "cortex-m3.toml").unwrap();
    board.load_bytes(SWITCH_AT, &bytes(&SWITCH_ON)).unwrap();
    board.reset(Some(SWITCH_AT | 1));
    let shows_all = std::env::var_os("CYCLESCOPE_CASES").is_some();
    for file in &files {
        for case in list(&vectors::load(file)) {
            let found = replay(&mut board, case);
            let unequal = found.iter().find(|one| one.recorded != one.counted);
            let equal = unequal.is_none();
            if let Some(one) = unequal.or(found.first().filter(|_| shows_all)) {
                let Found { counter, recorded, counted } = one;
                println!("case {} {counter} {recorded} {counted}", text(&case["id"]));
            }
            total.add(equal);
            groups.entry(text(&case["group"]).into()).or_default().add(equal);
            if ["lsucnt", "cpicnt", "foldcnt"].iter().any(|one| !case["measured"][one].is_null()) {
                others.add(equal);
            }
        }
    }
    for (name, tally) in groups.iter().filter(|(_, tally)| tally.equal != tally.all) {
        println!("{name}: {} of {}", tally.equal, tally.all);
    }
    println!("with counters beside CYCCNT: {} of {}", others.equal, others.all);
    println!("cortex-m3: {} of {} cases", total.equal, total.all);
    assert!(total.all > 0, "the files hold no cases");
    assert!(total.holds(LEAST[0]) && others.holds(LEAST[2]));
    for (name, tally) in groups.iter().filter(|(_, tally)| tally.all >= 10) {
        assert!(tally.holds(LEAST[1]), "{name}: {} of {}", tally.equal, tally.all);
    }
}

/// A counter of a case: its name, what the chip counted, and what the engine does.
struct Found {
    counter: &'static str,
    recorded: u32,
    counted: u32,
}

/// Each counter that the case recorded, from a run of its own; as the recording did, the run reads it by another
/// offset in a register. All but CYCCNT have eight bits.
fn replay(board: &mut Board, case: &Value) -> Vec<Found> {
    let recorded = COUNTERS.iter().filter(|(name, _)| !case["measured"][name].is_null());
    recorded
        .map(|&(counter, offset)| {
            let own = &case["windows"][counter];
            let window = if own.is_null() { &case["window"] } else { own };
            let window = [number(&window[0]), number(&window[1])];
            let mask = if counter == "cyccnt" { u32::MAX } else { 0xFF };
            let counted = count(board, case, window, offset) & mask;
            Found { counter, recorded: number(&case["measured"][counter]) & mask, counted }
        })
        .collect()
}

/// Runs a case, and returns the difference of a counter's two reads; no counter has `u32::MAX`, that of a run astray.
fn count(board: &mut Board, case: &Value, window: [u32; 2], offset: u32) -> u32 {
    prepare(board, case);
    set_offset(board, case, window, offset);
    let mut reads = [0; 2];
    for step in 0..=window[1] {
        let address = core(board).state().pc;
        run(board, 1);
        for (value, _) in reads.iter_mut().zip(window).filter(|(_, at)| *at == step) {
            let code = board.read_memory(address, 4).unwrap();
            let wide = code[1] >> 3 > 0b11100;
            let read = if wide { code[3] >> 4 } else { code[0] & 7 };
            *value = register(&core(board).state(), read);
        }
    }
    let end = core(board).state().pc;
    if case["windows"].is_null() && end.wrapping_sub(hexadecimal(&case["end_address"])) > 4 {
        return u32::MAX;
    }
    reads[1].wrapping_sub(reads[0])
}

/// Memories and registers of the case, and counters at 0.
fn prepare(board: &mut Board, case: &Value) {
    for block in list(&case["code"]) {
        board.load_bytes(hexadecimal(&block[0]), &unhex(text(&block[1]))).unwrap();
    }
    for word in list(&case["mem"]) {
        board.load_bytes(hexadecimal(&word[0]), &hexadecimal(&word[1]).to_le_bytes()).unwrap();
    }
    let mut switch = State { pc: SWITCH_AT, xpsr: 1 << 24, ..State::default() };
    switch.r[..4].copy_from_slice(&[0xE000_EDFC, 1 << 24, UNIT, 0x003E_0001]);
    core(board).set_state(&switch);
    run(board, 4);
    let initial = &case["initial"];
    let of = |name: &str| if initial[name].is_null() { 0 } else { hexadecimal(&initial[name]) };
    let state = State {
        r: std::array::from_fn(|n| of(&format!("r{n}"))),
        msp: of("sp"),
        lr: of("lr"),
        pc: hexadecimal(&case["entry"]),
        xpsr: of("xpsr"),
        ..State::default()
    };
    core(board).set_state(&state);
}

/// The read of the counter reads the one at this offset, by another value in a register.
fn set_offset(board: &mut Board, case: &Value, window: [u32; 2], offset: u32) {
    let mut state = core(board).state();
    let (first, second) = opcode(case, window[0]);
    let (base, index) = (first as usize & 15, second as usize & 15);
    match first & 0xFFF0 {
        0xF850 if second & 0x0FC0 == 0 => {
            for n in [base, index] {
                if let Some(value) = state.r.get_mut(n).filter(|value| **value < 0x100) {
                    *value = offset >> (second >> 4 & 3);
                }
            }
        }
        0xF8D0 if base < 13 => state.r[base] = UNIT + offset - (second & 0xFFF),
        _ if first >> 11 == 0b01101 => {
            state.r[first as usize >> 3 & 7] = UNIT + offset - (first >> 4 & 0x7C)
        }
        _ => return,
    }
    core(board).set_state(&state);
}

/// Both half-words of the executed instruction, by following the code as it lies.
fn opcode(case: &Value, step: u32) -> (u32, u32) {
    let mut address = hexadecimal(&case["entry"]);
    let half = |address: u32| {
        list(&case["code"]).find_map(|block| {
            let at = 2 * address.checked_sub(hexadecimal(&block[0]))? as usize;
            let digits = text(&block[1]).get(at..at + 4)?;
            let bytes = unhex(digits);
            Some(u32::from(bytes[0]) | u32::from(bytes[1]) << 8)
        })
    };
    for _ in 0..step {
        address += if half(address).unwrap_or(0) >> 11 > 0b11100 { 4 } else { 2 };
    }
    (half(address).unwrap_or(0), half(address + 2).unwrap_or(0))
}

fn core(board: &mut Board) -> &mut Armv7m {
    board.core_as_mut().unwrap()
}

fn run(board: &mut Board, instructions: u64) {
    let end = core(board).retired() + instructions;
    board.run(&Request { instructions: Some(end), ..Request::default() }).unwrap();
}

fn register(state: &State, n: u8) -> u32 {
    match n {
        13 => state.msp,
        14 => state.lr,
        n => state.r[usize::from(n)],
    }
}

fn bytes(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|n| u8::from_str_radix(&text[2 * n..2 * n + 2], 16).unwrap()).collect()
}

fn list(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().expect("a list").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("32 bits")
}

fn hexadecimal(value: &Value) -> u32 {
    u32::from_str_radix(text(value).trim_start_matches("0x"), 16).expect("a hexadecimal number")
}
