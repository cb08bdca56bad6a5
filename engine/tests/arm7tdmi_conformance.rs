//! One-instruction vectors of the ARM7TDMI: final state, every bus cycle in order, totals.
//!
//! The vectors are not part of this repository. `CYCLESCOPE_VECTORS` names the folder that holds
//! `arm7tdmi/*.json.gz` (or the files themselves); without it they are looked for beside the repository.

use cyclescope_engine::bus::{Access, Width};
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::State;
use cyclescope_engine::recording_bus::{access_bits, BusCycle, Kind};
use serde_json::Value;

mod vectors;

const CARRY: u32 = 1 << 29;
const THUMB: u32 = 1 << 5;

#[test]
#[ignore = "needs the vectors: make conformance"]
fn all_vectors_pass() {
    let Some(files) = vectors::files("arm7tdmi") else { return };
    let (mut passed, mut total) = (0, 0);
    for file in &files {
        let tests = vectors::load(file);
        let tests = tests.as_array().expect("a list of tests");
        let failures: Vec<_> = tests.iter().filter_map(|test| check(test).err()).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let class = name.trim_end_matches(".json.gz");
        println!("{class:32} {:4} of {:4}", tests.len() - failures.len(), tests.len());
        for failure in failures.iter().take(3) {
            println!("    {failure}");
        }
        passed += tests.len() - failures.len();
        total += tests.len();
    }
    println!("{passed} of {total} vectors pass");
    assert!(total > 0, "the files hold no vectors");
    assert_eq!(passed, total);
}

fn check(test: &Value) -> Result<(), String> {
    let opcode = number(&test["opcode"]);
    let (initial, expected) = (state(&test["initial"]), state(&test["final"]));
    let mut bench = Bench { state: initial.clone(), ..Bench::default() };
    let transactions = test["transactions"].as_array().expect("a list of cycles");
    for cycle in transactions.iter().map(bus_cycle) {
        if matches!(cycle.kind, Kind::Code | Kind::Read) {
            let width = [Width::Byte, Width::Half, Width::Word][cycle.size as usize / 2];
            bench.put(cycle.address, width, cycle.data);
        }
    }
    let cycles = bench.step();
    let thumb = initial.cpsr & THUMB != 0;
    let wanted: Vec<_> = transactions.iter().map(bus_cycle).collect();
    let wanted = mask::cycles(wanted, opcode, thumb);
    if cycles != wanted {
        return Err(format!("{opcode:08X}: cycles {cycles:X?}, not {wanted:X?}"));
    }
    let total = number(&test["cycles"]) as usize + (wanted.len() - transactions.len());
    if cycles.len() != total {
        return Err(format!("{opcode:08X}: {} cycles, not {total}", cycles.len()));
    }
    let got = mask::state(&bench.state, opcode, thumb, &cycles);
    let expected = mask::state(&expected, opcode, thumb, &cycles);
    if got != expected {
        return Err(format!("{opcode:08X}: state {got:X?}, not {expected:X?}"));
    }
    Ok(())
}

/// The four differences between the vectors and the manual that the vectors' own notes list; each
/// stands here once, with its reason. Nothing else is masked.
mod mask {
    use super::*;

    pub fn cycles(mut wanted: Vec<BusCycle>, opcode: u32, thumb: bool) -> Vec<BusCycle> {
        let undefined = wanted.iter().any(|c| c.kind == Kind::Code && c.address == 4)
            && !thumb
            && opcode & 0x0E00_0010 == 0x0600_0010;
        if undefined {
            // The trap lacks its one I cycle in the vectors; the manual has 2S + 1I + 1N.
            let internal = BusCycle {
                kind: Kind::Internal,
                size: 0,
                address: 0,
                data: 0,
                access: 0,
                aborted: false,
            };
            wanted.insert(1, internal);
        }
        let swap = !thumb && opcode & 0x0FB0_0FF0 == 0x0100_0090;
        if swap {
            // The read lacks its lock bit in the vectors; the manual locks both cycles.
            for cycle in wanted.iter_mut().filter(|cycle| cycle.kind == Kind::Read) {
                cycle.access = access_bits(Access::data(Width::Word).locked());
            }
        }
        wanted
    }

    pub fn state(state: &State, opcode: u32, thumb: bool, cycles: &[BusCycle]) -> State {
        let mut masked = state.clone();
        let sets_flags_by_multiply =
            if thumb { opcode & 0xFFC0 == 0x4340 } else { opcode & 0x0F10_00F0 == 0x0010_0090 };
        if sets_flags_by_multiply {
            // C after a multiply is meaningless on this architecture.
            masked.cpsr &= !CARRY;
        }
        if cycles.last().is_some_and(|cycle| cycle.kind == Kind::Internal) {
            // The fetch after an I cycle is merged S in the manual; the vectors come from a machine
            // whose bus makes it N.
            masked.next_fetch = masked.next_fetch.sequential();
        }
        masked
    }
}

fn state(value: &Value) -> State {
    let cpsr = number(&value["CPSR"]);
    let width = if cpsr & THUMB != 0 { Width::Half } else { Width::Word };
    let fetch = match number(&value["access"]) {
        2 => Access::code(width),
        3 => Access::code(width).sequential(),
        other => panic!("access {other} is no kind of fetch"),
    };
    State {
        user: numbers(&value["R"]),
        fiq: numbers(&value["R_fiq"]),
        supervisor: numbers(&value["R_svc"]),
        abort: numbers(&value["R_abt"]),
        irq: numbers(&value["R_irq"]),
        undefined: numbers(&value["R_und"]),
        cpsr,
        spsr: numbers(&value["SPSR"]),
        pipeline: numbers(&value["pipeline"]),
        pipeline_aborted: [false; 2],
        next_fetch: fetch,
    }
}

fn bus_cycle(value: &Value) -> BusCycle {
    let kinds = [Kind::Code, Kind::Read, Kind::Write, Kind::Internal];
    BusCycle {
        kind: kinds[number(&value["kind"]) as usize],
        size: number(&value["size"]),
        address: number(&value["addr"]),
        data: number(&value["data"]),
        access: number(&value["access"]),
        aborted: false,
    }
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().unwrap_or_else(|| panic!("{value} is no number"));
    u32::try_from(number).unwrap_or_else(|_| panic!("{number} has more than 32 bits"))
}

fn numbers<const N: usize>(value: &Value) -> [u32; N] {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is no list"));
    std::array::from_fn(|i| number(&list[i]))
}
