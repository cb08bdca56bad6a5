//! One-instruction vectors of the AVRe+: every byte of the data space, the program counter, and the cycles.
//!
//! The vectors are not part of this repository (`vectors/mod.rs`).

use std::collections::{BTreeMap, HashMap};

use cyclescope_engine::bus::Width;
use cyclescope_engine::core::Core;
use cyclescope_engine::cores::avr::{Avr, State, DATA};
use cyclescope_engine::recording_bus::{put, Kind, RecordingBus};
use serde_json::Value;

mod vectors;

const PROGRAM_WORDS: u32 = 0x2_0000;
/// Data addresses of the core's own registers.
const OWN: [u32; 5] = [0x5B, 0x5C, 0x5D, 0x5E, 0x5F];
const SREG: u32 = OWN[4];
/// Data addresses that the rule of a vector fills.
const FILLED: std::ops::Range<u32> = 0x300..0x2200;

#[test]
#[ignore = "needs the vectors: make conformance"]
fn all_vectors_pass() {
    let Some(files) = vectors::files("avr") else { return };
    let (mut passed, mut total) = (0, 0);
    for file in &files {
        let forms = vectors::load(file);
        for (form, tests) in forms.as_object().expect("tests by form") {
            let tests = tests.as_array().expect("a list of tests");
            let failures: Vec<_> =
                tests.iter().filter_map(|test| check(form, test).err()).collect();
            println!("{form:32} {:4} of {:4}", tests.len() - failures.len(), tests.len());
            for failure in failures.iter().take(3) {
                println!("    {failure}");
            }
            passed += tests.len() - failures.len();
            total += tests.len();
        }
    }
    println!("{passed} of {total} vectors pass");
    assert!(total > 0, "the files hold no vectors");
    assert_eq!(passed, total);
}

fn check(form: &str, test: &Value) -> Result<(), String> {
    let (before, pc) = (data_space(test), number(&test["pc"]));
    let mut memory = HashMap::new();
    for (n, word) in test["words"].as_array().expect("words").iter().enumerate() {
        put(&mut memory, 2 * (pc + n as u32), Width::Half, number(word));
    }
    for (word, value) in entries(&test["flash"]) {
        put(&mut memory, 2 * word, Width::Half, value);
    }
    memory.extend(before.iter().map(|(&address, &value)| (DATA + address, value)));
    let mut core = Avr::new(PROGRAM_WORDS, 0);
    core.set_state(&State {
        r: std::array::from_fn(|n| before[&(n as u32)]),
        rampz: before[&OWN[0]],
        eind: before[&OWN[1]],
        sp: u16::from_le_bytes([before[&OWN[2]], before[&OWN[3]]]),
        sreg: before[&OWN[4]],
        pc,
        shadow: false,
    });
    let mut bus = RecordingBus { memory, ..RecordingBus::default() };
    assert_eq!(core.step(&mut bus), None);
    let cycles = bus.cycles.iter().filter(|cycle| cycle.kind == Kind::Internal).count() as u32;
    let last = &test["final"];
    let wanted = mask::cycles(form, number(&last["cycles"]));
    let state = core.state();
    let mut expected = before.clone();
    expected.extend(entries(&last["changed"]).map(|(address, value)| (address, value as u8)));
    let mut found = after(&bus, &state);
    for space in [&mut expected, &mut found] {
        *space.entry(SREG).or_default() &= !mask::flags(form, state.r[decoded_d(test)]);
    }
    let different = |(address, value): &(&u32, &u8)| expected.get(address) != Some(value);
    let got = (state.pc, cycles, found.iter().filter(different).collect::<BTreeMap<_, _>>());
    let wanted = (number(&last["pc"]), wanted, BTreeMap::new());
    if got == wanted {
        return Ok(());
    }
    Err(format!("{}: pc, cycles and wrong bytes {got:X?}, not {wanted:X?}", test["src"]))
}

/// Differences between the vectors and the manual: they come from a simulator that has them. Each stands here
/// once, with its reason. Nothing else is masked. `avr_programs.rs` compares all of these with another simulator.
mod mask {
    const H: u8 = 1 << 5;
    const S: u8 = 1 << 4;
    const V: u8 = 1 << 3;
    const Z: u8 = 1 << 1;

    /// CBI takes one cycle in the vectors. The manual has two on an AVRe, as for SBI.
    pub fn cycles(form: &str, wanted: u32) -> u32 {
        wanted + u32::from(form == "CBI")
    }

    /// Flags of SREG that are not compared; `result` is what stands in Rd.
    pub fn flags(form: &str, result: u8) -> u8 {
        match form {
            // H is the carry of bit 0 in the vectors, and that of bit 3 in the manual.
            "ADD" | "ADC" | "SUB" | "SUBI" | "SBC" | "SBCI" | "CP" | "CPI" | "CPC" => H,
            // The same. V of 0x80 is clear in the vectors; in the manual it is set there alone, and S is N xor V.
            "NEG" if result == 0x80 => H | S | V,
            "NEG" => H,
            // SBIW leaves H alone in the manual.
            "SBIW" => H,
            // Z is set where the product is not 0 in the vectors.
            "FMULSU" => Z,
            _ => 0,
        }
    }
}

/// The register that Rd of five bits names.
fn decoded_d(test: &Value) -> usize {
    (number(&test["words"][0]) >> 4 & 31) as usize
}

/// The data space before the instruction.
fn data_space(test: &Value) -> BTreeMap<u32, u8> {
    let rule = test["mem"].as_str().expect("the rule that fills memory");
    let start = rule.strip_prefix("data[a]=(a*37+").and_then(|rest| rest.split_once(')'));
    let start: u32 = start.and_then(|(start, _)| start.parse().ok()).expect("a known rule");
    let mut space: BTreeMap<u32, u8> =
        FILLED.map(|address| (address, (address * 37 + start) as u8)).collect();
    let registers = test["regs"].as_array().expect("r0 to r31").iter().map(number);
    space.extend(registers.enumerate().map(|(n, value)| (n as u32, value as u8)));
    space.extend(entries(&test["io"]).map(|(address, value)| (address, value as u8)));
    if let Some((_, stack)) = rule.split_once("stack=") {
        let pointer = u32::from(space[&OWN[2]]) | u32::from(space[&OWN[3]]) << 8;
        for (n, value) in stack.split(',').enumerate() {
            space.insert(pointer + 1 + n as u32, value.parse().expect("a byte"));
        }
    }
    space
}

/// The same after it.
fn after(bus: &RecordingBus, state: &State) -> BTreeMap<u32, u8> {
    let data = bus.memory.iter().filter(|(&address, _)| address >= DATA);
    let mut space: BTreeMap<u32, u8> =
        data.map(|(&address, &value)| (address - DATA, value)).collect();
    space.extend(state.r.iter().enumerate().map(|(n, &value)| (n as u32, value)));
    let [low, high] = state.sp.to_le_bytes();
    space.extend(OWN.into_iter().zip([state.rampz, state.eind, low, high, state.sreg]));
    space
}

fn entries(map: &Value) -> impl Iterator<Item = (u32, u32)> + '_ {
    let map = map.as_object().expect("numbers by address");
    map.iter().map(|(address, value)| (address.parse().expect("an address"), number(value)))
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().unwrap_or_else(|| panic!("{value} is no number"));
    u32::try_from(number).unwrap_or_else(|_| panic!("{number} has more than 32 bits"))
}
