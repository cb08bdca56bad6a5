//! Corners of the ARM7TDMI: r15 as operand, unaligned data, base registers in lists, status moves.
//! The manuals call several of them unpredictable; docs/timing/arm7tdmi.md says where each rule is from.

use cyclescope_engine::bus::Width;
use cyclescope_engine::core::Core;
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::mode;
use cyclescope_engine::recording_bus::{BusCycle, Kind};

const AT: u32 = 0x1000;
const DATA: u32 = 0x2000;
const SUPERVISOR: u32 = 0xD3;

/// `opcode` at AT in Supervisor mode. Registers r0 to r14 are 0xA0 to 0xAE, those of the modes
/// alike. The four words from DATA are 0x11223344, 0x55667788, 0x99AABBCC and 0xDDEEFF00.
fn arm(opcode: u32) -> Bench {
    let mut bench = Bench::default();
    let state = &mut bench.state;
    state.cpsr = SUPERVISOR;
    state.pipeline = [opcode, 0xE1A0_0000];
    state.user = std::array::from_fn(|i| 0xA0 + i as u32);
    state.user[15] = AT + 8;
    state.supervisor = [0x5D, 0x5E];
    state.fiq = std::array::from_fn(|i| 0xF8 + i as u32);
    for (i, word) in [0x1122_3344, 0x5566_7788, 0x99AA_BBCC, 0xDDEE_FF00].into_iter().enumerate() {
        bench.put(DATA + 4 * i as u32, Width::Word, word);
    }
    bench
}

fn thumb(opcode: u32) -> Bench {
    let mut bench = arm(opcode);
    bench.state.cpsr |= 0x20;
    bench.state.user[15] = AT + 4;
    bench
}

/// Steps with some registers set first.
fn with(mut bench: Bench, registers: &[(usize, u32)]) -> (Bench, Vec<BusCycle>) {
    for &(index, value) in registers {
        bench.state.user[index] = value;
    }
    let cycles = bench.step();
    (bench, cycles)
}

fn written(cycles: &[BusCycle]) -> Vec<u32> {
    cycles.iter().filter(|c| c.kind == Kind::Write).map(|c| c.data).collect()
}

#[test]
fn r15_reads_two_instructions_ahead_and_three_after_an_extra_cycle() {
    let r0 = |opcode| with(arm(opcode), &[(2, 0)]).0.state.user[0];
    assert_eq!(r0(0xE1A0_000F), AT + 8); // mov r0, pc
    assert_eq!(r0(0xE1A0_021F), AT + 12); // mov r0, pc, lsl r2
    assert_eq!(r0(0xE08F_0211), AT + 12 + 0xA1); // add r0, pc, r1, lsl r2
    let stored = |opcode| written(&with(arm(opcode), &[(1, DATA)]).1);
    assert_eq!(stored(0xE581_F000), [AT + 12]); // str pc, [r1]
    assert_eq!(stored(0xE881_8001), [0xA0, AT + 12]); // stmia r1, {r0, pc}
    let (_, cycles) = with(arm(0xE59F_0008), &[]); // ldr r0, [pc, #8]
    assert_eq!(cycles[1].address, AT + 16);
}

#[test]
fn r15_in_thumb_state() {
    let r0 = |opcode, at| with(thumb(opcode), &[(15, at)]).0.state.user[0];
    assert_eq!((r0(0x4678, AT + 4), r0(0x4678, AT + 6)), (AT + 4, AT + 6)); // mov r0, pc
    assert_eq!((r0(0xA001, AT + 4), r0(0xA001, AT + 6)), (AT + 8, AT + 8)); // add r0, pc, #4
    let (bench, cycles) = with(thumb(0x4778), &[]); // bx pc
    assert_eq!((bench.state.cpsr, cycles[1].address, cycles[1].size), (SUPERVISOR, AT + 4, 4));
    let (bench, cycles) = with(thumb(0x4487), &[(0, 0x101)]); // add pc, r0
    assert_eq!((bench.state.cpsr & 0x20, cycles[1].address), (0x20, AT + 0x104));
    let mut bench = thumb(0xBD00); // pop {pc}: bit 0 does not change the state
    bench.state.supervisor[0] = DATA;
    let cycles = bench.step();
    assert_eq!((bench.state.cpsr & 0x20, cycles[3].address), (0x20, 0x1122_3344));
}

#[test]
fn unaligned_data() {
    let r0 = |opcode, address| with(arm(opcode), &[(1, address)]).0.state.user[0];
    let words = [0, 1, 2, 3].map(|i| r0(0xE591_0000, DATA + i)); // ldr r0, [r1]
    assert_eq!(words, [0x1122_3344, 0x4411_2233, 0x3344_1122, 0x2233_4411]);
    let halves = [0, 1, 2].map(|i| r0(0xE1D1_00B0, DATA + i)); // ldrh
    assert_eq!(halves, [0x3344, 0x4400_0033, 0x1122]);
    let signed = [4, 5, 6, 7].map(|i| r0(0xE1D1_00F0, DATA + i)); // ldrsh
    assert_eq!(signed, [0x7788, 0x77, 0x5566, 0x55]);
    assert_eq!(r0(0xE1D1_00F0, DATA + 8), 0xFFFF_BBCC);
    assert_eq!(r0(0xE1D1_00F0, DATA + 9), 0xFFFF_FFBB);
    let (bench, cycles) = with(arm(0xE101_0092), &[(1, DATA + 1)]); // swp r0, r2, [r1]
    assert_eq!((bench.state.user[0], cycles[2].data), (0x4411_2233, 0xA2));
    assert_eq!(bench.memory[&DATA], 0xA2);
    let locks: Vec<_> = cycles.iter().map(|cycle| cycle.access & 8).collect();
    assert_eq!(locks, [0, 8, 8, 0]);
    let (bench, cycles) = with(arm(0xE8B1_0001), &[(1, DATA + 3)]); // ldmia r1!, {r0}
    assert_eq!((bench.state.user[0], bench.state.user[1]), (0x1122_3344, DATA + 7));
    assert_eq!(cycles[1].address, DATA + 3);
}

#[test]
fn a_loaded_base_wins_and_a_stored_base_is_old_only_if_lowest() {
    let r1 = |opcode| with(arm(opcode), &[(1, DATA)]).0.state.user[1];
    assert_eq!(r1(0xE491_1004), 0x1122_3344); // ldr r1, [r1], #4
    assert_eq!(r1(0xE5B1_1004), 0x5566_7788); // ldr r1, [r1, #4]!
    assert_eq!(r1(0xE8B1_0007), 0x5566_7788); // ldmia r1!, {r0, r1, r2}
    let stored = |opcode, base| written(&with(arm(opcode), &[(base, DATA)]).1);
    assert_eq!(stored(0xE481_1004, 1), [DATA]); // str r1, [r1], #4
    assert_eq!(stored(0xE8A1_0007, 1), [0xA0, DATA + 12, 0xA2]); // stmia r1!, {r0, r1, r2}
    assert_eq!(stored(0xE8A0_0007, 0), [DATA, 0xA1, 0xA2]); // stmia r0!, {r0, r1, r2}
}

#[test]
fn an_empty_list_moves_r15_and_the_base_by_16_words() {
    let (bench, cycles) = with(arm(0xE8B1_0000), &[(1, DATA)]); // ldmia r1!, {}
    assert_eq!((bench.state.user[1], cycles[3].address), (DATA + 0x40, 0x1122_3344));
    let (bench, cycles) = with(arm(0xE8A1_0000), &[(1, DATA)]); // stmia r1!, {}
    assert_eq!((bench.state.user[1], written(&cycles)), (DATA + 0x40, vec![AT + 12]));
    for (opcode, address) in [(0xE921_0000, DATA - 0x40), (0xE821_0000, DATA - 0x3C)] {
        let (bench, cycles) = with(arm(opcode), &[(1, DATA)]); // stmdb, stmda r1!, {}
        assert_eq!((bench.state.user[1], cycles[1].address), (DATA - 0x40, address));
    }
    let (bench, cycles) = with(thumb(0xC100), &[(1, DATA)]); // stmia r1!, {}
    assert_eq!((bench.state.user[1], written(&cycles)), (DATA + 0x40, vec![AT + 6]));
}

#[test]
fn block_transfers_with_the_s_bit_reach_the_user_bank() {
    let mut bench = arm(0xE8C1_7F00); // stmia r1, {r8-r14}^
    bench.state.cpsr = 0xD1;
    bench.state.user[1] = DATA;
    assert_eq!(written(&bench.step()), [0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE]);
    let mut bench = arm(0xE8D1_6100); // ldmia r1, {r8, r13, r14}^
    bench.state.user[1] = DATA;
    bench.step();
    let state = &bench.state;
    assert_eq!(
        [state.user[8], state.user[13], state.user[14]],
        [0x1122_3344, 0x5566_7788, 0x99AA_BBCC]
    );
    assert_eq!(state.supervisor, [0x5D, 0x5E]);
    // With r15 loaded they are those of the mode, and the status returns.
    let mut bench = arm(0xE8FD_8001); // ldmia sp!, {r0, pc}^
    bench.state.supervisor[0] = DATA;
    bench.state.spsr[1] = 0x6000_0010;
    bench.step();
    assert_eq!((bench.state.cpsr, bench.state.supervisor[0]), (0x6000_0010, DATA + 8));
}

#[test]
fn compares_into_r15_return_the_status_without_a_refill() {
    let mut bench = arm(0xE151_F002); // cmp r1, r2 with Rd = 15
    bench.state.spsr[1] = 0x9000_0011;
    let cycles = bench.step();
    assert_eq!((bench.state.cpsr, cycles.len(), bench.state.user[15]), (0x9000_0011, 1, AT + 12));
    let mut bench = arm(0xE151_F002);
    bench.state.cpsr = mode::SYSTEM;
    bench.step();
    assert_eq!(bench.state.cpsr, mode::SYSTEM); // no SPSR there
}

#[test]
fn status_moves_respect_fields_privilege_and_the_t_bit() {
    let cpsr = |opcode, from, value| {
        let mut bench = arm(opcode);
        bench.state.cpsr = from;
        with(bench, &[(0, value)]).0.state.cpsr
    };
    let (control, flags, both) = (0xE121_F000, 0xE128_F000, 0xE129_F000);
    assert_eq!(cpsr(control, 0xD3, 0xF000_0032), 0x12); // T stays
    assert_eq!(cpsr(flags, 0xD3, 0xF000_0012), 0xF000_00D3);
    assert_eq!(cpsr(both, 0xD3, 0xF000_0000), 0xF000_0010); // bit 4 reads as 1
    assert_eq!(cpsr(both, 0x10, 0xF000_00D3), 0xF000_0010); // User moves flags only
    assert_eq!(cpsr(both, 0x1F, 0xF000_00D3), 0xF000_00D3);
    let spsr = |from| {
        let mut bench = arm(0xE169_F000); // msr spsr_fc, r0
        bench.state.cpsr = from;
        with(bench, &[(0, 0xF000_0021)]).0.state.spsr
    };
    assert_eq!(spsr(0xD3), [0x10, 0xF000_0031, 0x10, 0x10, 0x10]); // T may be set here
    assert_eq!(spsr(0x1F), [0x10; 5]);
    let r0 = |from| {
        let mut bench = arm(0xE14F_0000); // mrs r0, spsr
        bench.state.cpsr = from;
        bench.state.spsr[1] = 0x13;
        with(bench, &[]).0.state.user[0]
    };
    assert_eq!((r0(0xD3), r0(0x1F)), (0x13, 0x1F));
}

#[test]
fn opcodes_of_later_architectures_trap() {
    for (name, opcode) in [
        ("clz r0, r1", 0xE16F_0F11),
        ("bkpt", 0xE120_0070),
        ("blx r0", 0xE12F_FF30),
        ("movw r0, #0", 0xE300_0000),
        ("qadd r0, r1, r2", 0xE102_0051),
        ("umaal r0, r1, r2, r3", 0xE041_0392),
        ("strex r0, r1, [r2]", 0xE182_0F91),
        ("mcr p15", 0xEE01_0F10),
    ] {
        assert_eq!(arm(opcode).step()[2].address, 4, "{name}");
    }
    for (name, opcode) in [("cbz r0", 0xB100), ("bkpt", 0xBE00), ("blx, second half", 0xE800)] {
        assert_eq!(thumb(opcode).step()[2].address, 4, "{name}");
    }
}

#[test]
fn the_dump_names_every_register_once() {
    let mut core = cyclescope_engine::cores::arm7tdmi::Arm7tdmi::new();
    core.set_state(&arm(0).state);
    let all = core.registers();
    let value = |name| all.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
    assert_eq!(
        (value("r13"), value("r13_usr"), value("r13_svc")),
        (Some(0x5D), Some(0xAD), Some(0x5D))
    );
    assert_eq!(
        (value("r8_fiq"), value("cpsr"), value("r15")),
        (Some(0xF8), Some(SUPERVISOR), Some(AT + 8))
    );
    let mut names: Vec<_> = all.iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    assert_eq!((all.len(), names.len()), (39, 39)); // 37, of which r13 and r14 appear twice
}
