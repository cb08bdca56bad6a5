//! The ARM7TDMI's decoders against execution: cost, flags and reach of opcodes.

use cyclescope_engine::bus::{Access, Width};
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::decoder::{
    arm, thumb, Cost, Instruction, Operation, Reach,
};
use cyclescope_engine::recording_bus::{BusCycle, Kind};

const SUPERVISOR: u32 = 0x13;
const THUMB: u32 = 1 << 5;
const FLAGS: u32 = 0xF << 28;
const ALWAYS: u32 = 0xE << 28;

/// Facts about a decoded instruction of either set.
struct Said {
    operation: Operation,
    sets_flags: bool,
    cost: Cost,
    reach: Reach,
    /// Flags for which it executes, or, of one that always does, any.
    passing: u32,
    /// Flags for which it does not.
    failing: Option<u32>,
}

fn said<F>(instruction: Instruction<F>, operation: Operation) -> Said {
    let Instruction { condition, sets_flags, cost, reach, .. } = instruction;
    let all = || (0..16).map(|nzcv| nzcv << 28);
    let passing = all().find(|&flags| condition.holds(flags)).expect("some flags pass");
    let failing = all().find(|&flags| !condition.holds(flags));
    Said { operation, sets_flags, cost, reach, passing, failing }
}

fn random(seed: &mut u64) -> u32 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 32) as u32
}

/// The instruction at 0x1000 in Supervisor mode, registers at random, every word of memory zero.
fn bench(opcode: u32, width: Width, flags: u32, seed: &mut u64) -> Bench {
    let mut bench = Bench::default();
    bench.state.user = std::array::from_fn(|_| random(seed));
    bench.state.user[15] = 0x1000 + 2 * width.bytes();
    bench.state.supervisor = [random(seed), random(seed)];
    bench.state.cpsr = SUPERVISOR | flags | if width == Width::Half { THUMB } else { 0 };
    bench.state.pipeline = [opcode, 0];
    bench.state.next_fetch = Access::code(width).sequential();
    bench
}

/// S, N and I cycles, without the fetch at the start and with the next one.
fn spent(cycles: &[BusCycle], next: Access) -> [usize; 3] {
    let memory = || cycles[1..].iter().filter(|cycle| cycle.kind != Kind::Internal);
    let sequential = memory().filter(|cycle| cycle.access & 1 != 0).count();
    let sequential = sequential + usize::from(next.is_sequential());
    [sequential, memory().count() + 1 - sequential, cycles.len() - memory().count() - 1]
}

fn check(said: &Said, opcode: u32, width: Width, seed: &mut u64) {
    let mut bench = bench(opcode, width, said.passing, seed);
    let before = bench.state.clone();
    let cycles = bench.step();
    let after = &bench.state;
    let [sequential, non_sequential, internal] = spent(&cycles, after.next_fetch);
    let Cost { sequential: s, non_sequential: n, internal: least, internal_most: most } = said.cost;
    let name = format!("{opcode:08X} ({:?})", said.operation);
    assert_eq!((sequential, non_sequential), (s.into(), n.into()), "{name}: S and N cycles");
    assert!((least.into()..=most.into()).contains(&internal), "{name}: {internal} I cycles");

    let kept = |mask: u32| after.cpsr & mask == before.cpsr & mask;
    if said.reach < Reach::Mode {
        assert!(kept(!(FLAGS | THUMB)), "{name}: the mode changes");
        assert!(said.sets_flags || kept(FLAGS), "{name}: flags change");
        assert_eq!(after.spsr, before.spsr, "{name}: a saved status changes");
        assert_eq!((after.fiq, after.user[13]), (before.fiq, before.user[13]), "{name}: banks");
    }
    if said.reach < Reach::Branch {
        let next = before.user[15] + width.bytes();
        assert!(after.user[15] == next && kept(THUMB), "{name}: it branches");
    }
    if said.reach == Reach::Registers {
        assert_eq!(cycles.len(), 1, "{name}: it uses the bus");
    }
}

/// One whose condition fails costs 1S and changes nothing.
fn check_failing(said: &Said, opcode: u32, width: Width, seed: &mut u64) {
    let Some(flags) = said.failing else { return };
    let mut bench = bench(opcode, width, flags, seed);
    let mut expected = bench.state.clone();
    let cycles = bench.step();
    assert_eq!(spent(&cycles, bench.state.next_fetch), [1, 0, 0], "{opcode:08X}: not executed");
    expected.user[15] += width.bytes();
    expected.pipeline = [0, 0];
    assert_eq!(bench.state, expected, "{opcode:08X}: not executed");
}

#[test]
fn arm_opcodes_cost_and_reach_what_their_decoder_says() {
    let mut seed = 0x9E37_79B9_7F4A_7C15;
    for _ in 0..200_000 {
        let any = random(&mut seed);
        let opcode = if any >> 28 == 0xF { any & !FLAGS | ALWAYS } else { any };
        let instruction = arm::decode(opcode);
        let said = said(instruction, instruction.form.operation);
        check(&said, opcode, Width::Word, &mut seed);
        check_failing(&said, opcode, Width::Word, &mut seed);
    }
}

#[test]
fn an_arm_opcode_with_the_condition_nv_never_executes() {
    for opcode in [0xF3A0_0001, 0xFB00_0000, 0xFF00_0000] {
        let condition = arm::decode(opcode).condition;
        assert!((0..16).all(|nzcv| !condition.holds(nzcv << 28)), "{opcode:08X}");
    }
}

#[test]
fn thumb_opcodes_cost_and_reach_what_their_decoder_says() {
    let mut seed = 0x2545_F491_4F6C_DD1D;
    for opcode in 0..=0xFFFF {
        let instruction = thumb::decode(opcode);
        let said = said(instruction, instruction.form.operation);
        check(&said, opcode, Width::Half, &mut seed);
        check_failing(&said, opcode, Width::Half, &mut seed);
    }
}

/// The stepping core uses the table alone; `decode` may refine its format and not its operation.
#[test]
fn decoding_names_the_operation_of_the_table() {
    let mut seed = 77;
    for _ in 0..100_000 {
        let opcode = random(&mut seed);
        assert_eq!(arm::decode(opcode).form.operation, arm::form(opcode).operation);
    }
    for opcode in 0..=0xFFFF {
        assert_eq!(thumb::decode(opcode).form.operation, thumb::form(opcode).operation);
    }
}
