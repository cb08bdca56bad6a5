//! The functions that execute instructions: the core's own, compiled with what is known when a block is decoded.

use super::super::decoder::{Index, Instruction, Operand, Operation as O, SetFlags, Shift};
use super::super::pipeline::{long, Place};
use super::super::psr::passes;
use super::super::{Armv7m, LR, SP};
use super::reach::{leads_on, Reach};
use super::Step;
use crate::bus::Width;

/// Executes a step, then those behind it. The number is the value that a step before gave a register. In a register of
/// the host it comes some cycles of the host earlier than through memory.
pub(super) type Run = fn(&mut Armv7m, &mut Reach, &Step, Rest, u32) -> Left;

/// The steps behind one.
pub(super) type Rest<'a> = std::slice::Iter<'a, Step>;

/// How a block was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Behind its last instruction, with the one that follows in memory.
    Next = 0,
    /// Behind its last instruction, by a branch.
    Taken = 1,
    /// Behind another of its instructions: a branch that seldom goes this way.
    Side = 2,
    /// Before an instruction that is left to the plain core.
    Undone = 3,
}

/// Operations of one result, by number.
const COMPUTED: [O; 20] = [
    O::And,
    O::Bic,
    O::Orr,
    O::Orn,
    O::Eor,
    O::Mov,
    O::Mvn,
    O::Tst,
    O::Teq,
    O::Add,
    O::Cmn,
    O::Adc,
    O::Sub,
    O::Cmp,
    O::Sbc,
    O::Rsb,
    O::Lsl,
    O::Lsr,
    O::Asr,
    O::Ror,
];

/// Second operands, by number.
const OPERANDS: [Operand; 8] = [
    Operand::Constant,
    Operand::Rotated,
    Operand::Register,
    Operand::Shifted(Shift::Lsl),
    Operand::Shifted(Shift::Lsr),
    Operand::Shifted(Shift::Asr),
    Operand::Shifted(Shift::Ror),
    Operand::Shifted(Shift::Rrx),
];

/// Operations that are executed less often.
const RARE: [O; 19] = [
    O::Movt,
    O::Clz,
    O::Rbit,
    O::Rev,
    O::Rev16,
    O::Revsh,
    O::Sxtb,
    O::Sxth,
    O::Uxtb,
    O::Uxth,
    O::Bfc,
    O::Bfi,
    O::Sbfx,
    O::Ubfx,
    O::Ssat,
    O::Usat,
    O::Mul,
    O::Mla,
    O::Mls,
];

/// Those of them that extend.
const EXTENDED: [O; 4] = [O::Sxtb, O::Sxth, O::Uxtb, O::Uxth];

/// Operations whose cycles depend on their operands.
const LONG: [O; 6] = [O::Udiv, O::Sdiv, O::Umull, O::Smull, O::Umlal, O::Smlal];

/// Loads and stores of one value.
const MOVED: [O; 8] = [O::Ldr, O::Ldrb, O::Ldrh, O::Ldrsb, O::Ldrsh, O::Str, O::Strb, O::Strh];

const fn width(operation: O) -> Width {
    match operation.data_bytes() {
        1 => Width::Byte,
        2 => Width::Half,
        _ => Width::Word,
    }
}

/// Executes the steps of a block.
#[inline(always)]
pub(super) fn begin(core: &mut Armv7m, reach: &mut Reach, steps: &[Step]) -> Left {
    go_on(core, reach, steps.iter(), 0)
}

#[inline(always)]
fn go_on(core: &mut Armv7m, reach: &mut Reach, mut steps: Rest, last: u32) -> Left {
    match steps.next() {
        Some(next) => (next.run)(core, reach, next, steps, last),
        None => Left::Next,
    }
}

#[cold]
#[inline(never)]
fn undone(reach: &mut Reach, rest: Rest) -> Left {
    reach.rest = rest.len();
    Left::Undone
}

/// The instruction with an operation and an operand that are known; a shift is by 1 to 31.
#[inline(always)]
fn known<const N: usize, const OPERAND: usize>(step: &Step) -> Instruction {
    let (operation, operand) = (const { COMPUTED[N] }, const { OPERANDS[OPERAND] });
    let amount = (step.one.amount & 31).max(1);
    Instruction { operation, operand, amount, ..step.one }
}

/// Where a register's value is: in the core, or with the last step's, for Rn, Rm, or what is stored.
const IN_CORE: u8 = 0;
const N_LAST: u8 = 1;
const M_LAST: u8 = 2;
const D_LAST: u8 = 3;

/// A register's value.
#[inline(always)]
fn value_of(core: &Armv7m, number: u8, is_last: bool, last: u32) -> u32 {
    if is_last {
        last
    } else {
        core.register(number)
    }
}

/// Its result is for none of the stack pointer and the program counter.
fn compute<const N: usize, const OPERAND: usize, const FLAGS: bool, const FROM: u8>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let one = known::<N, OPERAND>(step);
    let n = value_of(core, one.n, FROM == N_LAST, last);
    let m = value_of(core, one.m, FROM == M_LAST, last);
    let Some((result, flags)) = core.computed_of(&one, n, m) else { return undone(reach, rest) };
    if FLAGS {
        core.flags = flags;
    }
    if one.operation.compares() {
        return go_on(core, reach, rest, last);
    }
    core.r[usize::from(one.d & 15)] = result;
    go_on(core, reach, rest, result)
}

/// Likewise, if the condition holds, and without flags. The key says whether it failed.
fn compute_if<const N: usize, const OPERAND: usize, const FROM: u8>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let one = known::<N, OPERAND>(step);
    let n = value_of(core, one.n, FROM == N_LAST, last);
    let m = value_of(core, one.m, FROM == M_LAST, last);
    let Some((result, _)) = core.computed_of(&one, n, m) else { return undone(reach, rest) };
    // No branch of the host: which way the next goes, nobody could foresee.
    let fails = u32::from(!passes(one.condition, core.flags));
    reach.key |= u64::from(fails) << (step.bit & 63);
    let d = &mut core.r[usize::from(one.d & 15)];
    let result = result ^ (result ^ *d) & fails.wrapping_neg();
    *d = result;
    go_on(core, reach, rest, result)
}

/// Its result is for the stack pointer, or it shifts by 32.
fn compute_otherwise<const FLAGS: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let flags = if FLAGS { SetFlags::Always } else { SetFlags::Never };
    let _ = core.compute(&Instruction { flags, ..step.one });
    go_on(core, reach, rest, last)
}

/// A constant is added to a register, or subtracted, for the stack pointer.
fn move_stack<const DOWN: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let (from, by) = (core.register(step.one.n), step.one.immediate);
    core.r[SP] = if DOWN { from.wrapping_sub(by) } else { from.wrapping_add(by) } & !3;
    go_on(core, reach, rest, last)
}

fn compute_rarely<const N: usize, const FLAGS: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let flags = if FLAGS { SetFlags::Always } else { SetFlags::Never };
    let operation = const { RARE[N] };
    let _ = core.compute_rarely(&Instruction { operation, flags, ..step.one });
    go_on(core, reach, rest, last)
}

/// A byte or a half-word of a register that is not turned, for another than the stack pointer.
fn extend<const N: usize, const FROM: u8>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let m = value_of(core, step.one.m, FROM == M_LAST, last);
    let result = match const { EXTENDED[N] } {
        O::Sxtb => m as i8 as u32,
        O::Sxth => m as i16 as u32,
        O::Uxtb => m & 0xFF,
        _ => m & 0xFFFF,
    };
    core.r[usize::from(step.one.d & 15)] = result;
    go_on(core, reach, rest, result)
}

fn compute_long<const N: usize>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let operation = const { LONG[N] };
    let operands = [core.register(step.one.n), core.register(step.one.m)];
    if core.compute_rarely(&Instruction { operation, ..step.one }).is_err() {
        return undone(reach, rest);
    }
    reach.key |= u64::from(long::cycles(operation, operands)) << (step.bit & 63);
    go_on(core, reach, rest, last)
}

/// The place of an access, and the base as it is written back.
#[inline(always)]
fn place(core: &Armv7m, one: &Instruction) -> (u32, u32) {
    let (base, moved) = core.places(one);
    (if one.index == Index::Post { base } else { moved }, moved)
}

/// How an access to one value finds its place: by the base and a constant or a register, or by a constant alone. With the
/// last two the base becomes its sum with a constant, before the access or behind it.
const BY_CONSTANT: u8 = 0;
const BY_REGISTER: u8 = 1;
const KNOWN: u8 = 2;
const PRE: u8 = 3;
const POST: u8 = 4;

/// Loads and stores of one value in the RAM that was borrowed. Neither the value nor a base that is written back is
/// for the stack pointer.
fn transfer<const N: usize, const PLACE: u8, const FROM: u8>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let (operation, width) = (const { MOVED[N] }, const { width(MOVED[N]) });
    let one = &step.one;
    let (d, n) = (usize::from(one.d & 15), usize::from(one.n & 15));
    let base = value_of(core, one.n, FROM == N_LAST, last);
    let moved = match PLACE {
        KNOWN => one.immediate,
        BY_REGISTER => {
            let m = value_of(core, one.m, FROM == M_LAST, last);
            base.wrapping_add(m << (one.amount & 31))
        }
        _ => base.wrapping_add(one.immediate),
    };
    let address = if PLACE == POST { base } else { moved };
    if matches!(operation, O::Str | O::Strb | O::Strh) {
        let value = value_of(core, one.d, FROM == D_LAST, last);
        if !reach.write_near(address, width, value) {
            return transfer_elsewhere::<N, PLACE>(core, reach, step, rest, last);
        }
        if matches!(PLACE, PRE | POST) {
            core.r[n] = moved;
            return go_on(core, reach, rest, moved);
        }
        return go_on(core, reach, rest, last);
    }
    let Some(value) = reach.read_near(address, width) else {
        return transfer_elsewhere::<N, PLACE>(core, reach, step, rest, last);
    };
    if matches!(PLACE, PRE | POST) {
        core.r[n] = moved;
    }
    let value = extended(operation, value);
    core.r[d] = value;
    go_on(core, reach, rest, value)
}

#[inline(always)]
fn extended(operation: O, value: u32) -> u32 {
    match operation {
        O::Ldrsb => value as i8 as u32,
        O::Ldrsh => value as i16 as u32,
        _ => value,
    }
}

/// Loads and stores of one value anywhere, of any register.
#[inline(never)]
fn transfer_elsewhere<const N: usize, const PLACE: u8>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let (operation, width) = (const { MOVED[N] }, const { width(MOVED[N]) });
    let operand = if PLACE == BY_REGISTER { Operand::Register } else { Operand::Constant };
    let one = Instruction { operand, operation, ..step.one };
    let (address, moved) = if PLACE == KNOWN { (one.immediate, 0) } else { place(core, &one) };
    if matches!(operation, O::Str | O::Strb | O::Strh) {
        if !reach.write(address, width, core.register(one.d)) {
            return undone(reach, rest);
        }
        if PLACE != KNOWN {
            core.write_back(&one, moved);
        }
        return go_on(core, reach, rest, if matches!(PLACE, PRE | POST) { moved } else { last });
    }
    let Some(value) = reach.read(address, width, step.bit) else { return undone(reach, rest) };
    if PLACE != KNOWN {
        core.write_back(&one, moved);
    }
    let value = extended(operation, value);
    let _ = core.write_loaded(usize::from(one.d), value);
    go_on(core, reach, rest, value)
}

/// LDR to the program counter.
fn load_pc(core: &mut Armv7m, reach: &mut Reach, step: &Step, rest: Rest, _: u32) -> Left {
    let (address, moved) = place(core, &step.one);
    let Some(value) = reach.read(address, Width::Word, step.bit) else {
        return undone(reach, rest);
    };
    if !reach.leads_on(value) {
        return undone(reach, rest);
    }
    core.write_back(&step.one, moved);
    reach.target = value & !1;
    Left::Taken
}

/// Where the list of an instruction lies, and its base behind it. `amount` counts its registers.
#[inline(always)]
fn range(core: &Armv7m, one: &Instruction, down: bool) -> (u32, u32) {
    let base = core.r[usize::from(one.n & 15)];
    let bytes = 4 * u32::from(one.amount);
    if down {
        (base.wrapping_sub(bytes), base.wrapping_sub(bytes))
    } else {
        (base, base.wrapping_add(bytes))
    }
}

/// LDM, or LDMDB. The list has neither the stack pointer nor a base that is written back.
fn load_list<const DOWN: bool, const BRANCHES: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let (address, moved) = range(core, &step.one, DOWN);
    let mut list = step.one.immediate;
    let code = reach.code;
    let Some(words) = reach.words(address, step.one.amount.into(), false) else {
        return undone(reach, rest);
    };
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let mut target = 0;
    if BRANCHES {
        target = words.last_chunk::<4>().map_or(0, |bytes| word(bytes));
        if !leads_on(code, target) {
            return undone(reach, rest);
        }
        list &= 0x7FFF;
    }
    for bytes in words.chunks_exact(4) {
        if list == 0 {
            break;
        }
        core.r[(list.trailing_zeros() & 15) as usize] = word(bytes);
        list &= list - 1;
    }
    if step.one.index != Index::Offset {
        core.write_result(step.one.n, moved);
    }
    if BRANCHES {
        reach.target = target & !1;
        return Left::Taken;
    }
    go_on(core, reach, rest, last)
}

/// STM, or STMDB.
fn store_list<const DOWN: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let (address, moved) = range(core, &step.one, DOWN);
    let mut list = step.one.immediate;
    let Some(words) = reach.words(address, step.one.amount.into(), true) else {
        return undone(reach, rest);
    };
    for word in words.chunks_exact_mut(4) {
        let number = (list.trailing_zeros() & 15) as usize;
        word.copy_from_slice(&core.r[number].to_le_bytes());
        list &= list.wrapping_sub(1);
    }
    if step.one.index != Index::Offset {
        core.write_result(step.one.n, moved);
    }
    go_on(core, reach, rest, last)
}

/// LDRD, or STRD.
fn transfer_pair<const STORE: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    let one = &step.one;
    let (address, moved) = place(core, one);
    let (d, a) = (usize::from(one.d & 15), usize::from(one.a & 15));
    let pair = [core.r[d], core.r[a]];
    let Some(words) = reach.words(address, 2, STORE) else { return undone(reach, rest) };
    let (first, second) = words.split_at_mut(4);
    if STORE {
        first.copy_from_slice(&pair[0].to_le_bytes());
        second.copy_from_slice(&pair[1].to_le_bytes());
        core.write_back(one, moved);
    } else {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let values = [word(first), word(second)];
        core.write_back(one, moved);
        core.write_result(one.d, values[0]);
        core.write_result(one.a, values[1]);
    }
    go_on(core, reach, rest, last)
}

/// Leaves out the next step unless the condition holds. Of a branch by the link register, the key says where that
/// leads: decode fetches from there in any case.
fn guard<const BY_LINK: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    mut rest: Rest,
    last: u32,
) -> Left {
    if BY_LINK {
        reach.key |= place_number(core.r[LR]) << (step.bit + 1);
    }
    if passes(step.one.condition, core.flags) {
        return go_on(core, reach, rest, last);
    }
    reach.key |= 1 << (step.bit & 63);
    rest.next();
    go_on(core, reach, rest, last)
}

/// A place as two bits.
#[inline(always)]
pub(super) fn place_number(address: u32) -> u64 {
    let place = Place::of(address);
    u64::from(place.system) | u64::from(place.upper) << 1
}

fn branch(_: &mut Armv7m, _: &mut Reach, _: &Step, _: Rest, _: u32) -> Left {
    Left::Taken
}

/// BL: `immediate` is returned to.
fn branch_and_link(core: &mut Armv7m, _: &mut Reach, step: &Step, _: Rest, _: u32) -> Left {
    core.r[LR] = step.one.immediate;
    Left::Taken
}

/// BL inside a block: `immediate` is returned to.
fn link(core: &mut Armv7m, reach: &mut Reach, step: &Step, rest: Rest, last: u32) -> Left {
    core.r[LR] = step.one.immediate;
    go_on(core, reach, rest, last)
}

/// A branch inside a block, which is left if the condition holds, or if it does not. `immediate` says where.
fn side_if<const CONDITION: u8, const HOLDS: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    if passes(CONDITION, core.flags) == HOLDS {
        reach.target = step.one.immediate;
        return Left::Side;
    }
    go_on(core, reach, rest, last)
}

/// Likewise, if a register is 0, or if it is not.
fn side_if_zero<const ZERO: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    last: u32,
) -> Left {
    if (core.register(step.one.n) == 0) == ZERO {
        reach.target = step.one.immediate;
        return Left::Side;
    }
    go_on(core, reach, rest, last)
}

fn branch_if<const CONDITION: u8>(
    core: &mut Armv7m,
    _: &mut Reach,
    _: &Step,
    _: Rest,
    _: u32,
) -> Left {
    taken_if(passes(CONDITION, core.flags))
}

#[inline(always)]
fn taken_if(taken: bool) -> Left {
    if taken {
        Left::Taken
    } else {
        Left::Next
    }
}

fn branch_if_zero<const ZERO: bool>(
    core: &mut Armv7m,
    _: &mut Reach,
    step: &Step,
    _: Rest,
    _: u32,
) -> Left {
    taken_if((core.register(step.one.n) == 0) == ZERO)
}

/// BX, or BLX: `immediate` is returned to.
fn branch_to_register<const LINK: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    _: u32,
) -> Left {
    let target = core.r[usize::from(step.one.m & 15)];
    if !reach.leads_on(target) {
        return undone(reach, rest);
    }
    if LINK {
        core.r[LR] = step.one.immediate;
    }
    reach.target = target & !1;
    Left::Taken
}

/// TBB, or TBH: from `immediate`, where the table lies too if `a` says so.
fn branch_by_table<const HALVES: bool>(
    core: &mut Armv7m,
    reach: &mut Reach,
    step: &Step,
    rest: Rest,
    _: u32,
) -> Left {
    let one = &step.one;
    let base = if one.a != 0 { one.immediate } else { core.r[usize::from(one.n & 15)] };
    let m = core.r[usize::from(one.m & 15)];
    let found = if HALVES {
        reach.read(base.wrapping_add(m << 1), Width::Half, step.bit)
    } else {
        reach.read(base.wrapping_add(m), Width::Byte, step.bit)
    };
    let Some(distance) = found else { return undone(reach, rest) };
    let target = one.immediate.wrapping_add(2 * distance);
    if !reach.leads_on(target | 1) {
        return undone(reach, rest);
    }
    reach.target = target;
    Left::Taken
}

macro_rules! of_operand {
    ($n:literal: $($operand:literal)*) => {
        [$([
            [
                compute::<$n, $operand, false, 0>,
                compute::<$n, $operand, false, 1>,
                compute::<$n, $operand, false, 2>,
            ],
            [
                compute::<$n, $operand, true, 0>,
                compute::<$n, $operand, true, 1>,
                compute::<$n, $operand, true, 2>,
            ],
            [
                compute_if::<$n, $operand, 0>,
                compute_if::<$n, $operand, 1>,
                compute_if::<$n, $operand, 2>,
            ],
        ]),*]
    };
}
macro_rules! all_computed {
    ($($n:literal)*) => { [$(of_operand!($n: 0 1 2 3 4 5 6 7)),*] };
}
macro_rules! all_extended {
    ($($n:literal)*) => { [$([extend::<$n, 0>, extend::<$n, 2>]),*] };
}
macro_rules! all_rare {
    ($($n:literal)*) => { [$([compute_rarely::<$n, false>, compute_rarely::<$n, true>]),*] };
}
macro_rules! all_long {
    ($($n:literal)*) => { [$(compute_long::<$n>),*] };
}
macro_rules! of_place {
    ($n:literal: $($place:literal)*) => {
        [$([
            transfer::<$n, $place, 0>,
            transfer::<$n, $place, 1>,
            transfer::<$n, $place, 2>,
            transfer::<$n, $place, 3>,
            transfer_elsewhere::<$n, $place>,
        ]),*]
    };
}
macro_rules! all_conditions {
    ($($condition:literal)*) => {
        [$([
            side_if::<$condition, false>,
            side_if::<$condition, true>,
            branch_if::<$condition>,
        ]),*]
    };
}
macro_rules! all_moved {
    ($($n:literal)*) => { [$(of_place!($n: 0 1 2 3 4)),*] };
}

/// By the operation, its operand, a [`Mode`], and where its values are.
static COMPUTING: [[[[Run; 3]; 3]; 8]; 20] =
    all_computed!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
static COMPUTING_OTHERWISE: [Run; 2] = [compute_otherwise::<false>, compute_otherwise::<true>];
static COMPUTING_RARELY: [[Run; 2]; 19] = all_rare!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
static COMPUTING_LONG: [Run; 6] = all_long!(0 1 2 3 4 5);
static EXTENDING: [[Run; 2]; 4] = all_extended!(0 1 2 3);
/// By the operation, its place, and where its values are; last those that may be of the stack pointer.
static MOVING: [[[Run; 5]; 5]; 8] = all_moved!(0 1 2 3 4 5 6 7);
/// By the condition: both that leave a block by its side, if it fails and if it holds, and the one that ends a block.
static BRANCHING: [[Run; 3]; 16] = all_conditions!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
static MOVING_STACK: [Run; 2] = [move_stack::<false>, move_stack::<true>];

/// Whether it shifts by less than 32, if it shifts, and has no result for the stack pointer.
fn is_simple(one: &Instruction) -> bool {
    let shifts = matches!(one.operand, Operand::Shifted(_));
    (usize::from(one.d) != SP || one.operation.compares())
        && (!shifts || (1..32).contains(&one.amount))
}

/// The numbers of an operation and its operand; none for another operation.
fn numbers(one: &Instruction) -> Option<(usize, usize)> {
    let n = COMPUTED.iter().position(|&known| known == one.operation)?;
    Some((n, OPERANDS.iter().position(|&known| known == one.operand)?))
}

/// The function that computes, with flags or without; none for another operation.
pub(super) fn computing(one: &Instruction, flags: bool) -> Option<Run> {
    if let Some((n, operand)) = numbers(one) {
        if is_simple(one) {
            return Some(COMPUTING[n][operand][usize::from(flags)][0]);
        }
        let moves = !flags && one.operand == Operand::Constant;
        return Some(match one.operation {
            O::Add if moves => MOVING_STACK[0],
            O::Sub if moves => MOVING_STACK[1],
            _ => COMPUTING_OTHERWISE[usize::from(flags)],
        });
    }
    if let Some(n) = RARE.iter().position(|&known| known == one.operation) {
        return Some(COMPUTING_RARELY[n][usize::from(flags)]);
    }
    let n = LONG.iter().position(|&known| known == one.operation)?;
    Some(COMPUTING_LONG[n])
}

/// The function that computes if a condition holds; none where a condition has to be a step of its own.
pub(super) fn computing_if(one: &Instruction, flags: bool) -> Option<Run> {
    let (n, operand) = numbers(one)?;
    let simple = !flags && is_simple(one) && !one.operation.compares();
    simple.then(|| COMPUTING[n][operand][2][0])
}

/// How a load or a store finds its place, and whether the stack pointer is written.
fn place_of(one: &Instruction, at_constant: bool) -> (u8, bool) {
    let place = match (at_constant, one.operand, one.index) {
        (true, _, _) => KNOWN,
        (_, Operand::Constant, Index::Offset) => BY_CONSTANT,
        (_, Operand::Constant, Index::Pre) => PRE,
        (_, Operand::Constant, Index::Post) => POST,
        _ => BY_REGISTER,
    };
    let of_stack = !stores(one) && usize::from(one.d) == SP
        || matches!(place, PRE | POST) && usize::from(one.n) == SP;
    (place, of_stack)
}

/// The function for a conditional branch that leaves a block by its side, if the condition holds or if it does not.
pub(super) fn leaving_by_side(one: &Instruction, holds: bool) -> Run {
    BRANCHING[usize::from(one.condition & 15)][usize::from(holds)]
}

/// The function for a conditional branch that ends a block.
pub(super) fn branching(one: &Instruction) -> Run {
    BRANCHING[usize::from(one.condition & 15)][2]
}

fn stores(one: &Instruction) -> bool {
    matches!(one.operation, O::Str | O::Strb | O::Strh)
}

/// The function that loads or stores: at the sum of a register and a constant, or of two, or at the constant.
pub(super) fn moving(one: &Instruction, at_constant: bool) -> Option<Run> {
    let n = MOVED.iter().position(|&known| known == one.operation)?;
    let (place, of_stack) = place_of(one, at_constant);
    Some(MOVING[n][usize::from(place)][if of_stack { 4 } else { 0 }])
}

/// How a step treats the value that one before left in a register of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It computes, without flags or with them, or if a condition holds.
    Computing(Mode),
    /// It loads or stores one value, at a constant or not.
    Moving { at_constant: bool },
    /// It takes the value along, and writes no register.
    Passing,
    /// Likewise, and may leave out the next step.
    Guard,
    /// It takes nothing along.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Plain = 0,
    Flags = 1,
    If = 2,
}

/// The function for a step of a kind, where the value along is that of the register `held`, if that is of use. Then the
/// register whose value it takes along.
pub(super) fn holding(
    kind: Kind,
    one: &Instruction,
    held: Option<u8>,
) -> (Option<Run>, Option<u8>) {
    let is_held = |number| held == Some(number);
    match kind {
        Kind::Passing | Kind::Guard => (None, held),
        Kind::Other => (None, None),
        Kind::Computing(mode) => {
            let simple = numbers(one).filter(|_| is_simple(one));
            let Some((n, operand)) = simple else { return extending(one, mode, held) };
            let by_register = matches!(one.operation, O::Lsl | O::Lsr | O::Asr | O::Ror);
            let reads_m = matches!(one.operand, Operand::Register | Operand::Shifted(_));
            let from = match one.operation {
                O::Mov | O::Mvn if is_held(one.m) && reads_m => M_LAST,
                O::Mov | O::Mvn => IN_CORE,
                _ if is_held(one.n) => N_LAST,
                _ if is_held(one.m) && (reads_m || by_register) => M_LAST,
                _ => IN_CORE,
            };
            let run = COMPUTING[n][operand][mode as usize][usize::from(from)];
            (Some(run), if one.operation.compares() { held } else { Some(one.d) })
        }
        Kind::Moving { at_constant } => {
            let n = MOVED.iter().position(|&known| known == one.operation);
            let (Some(n), (place, false)) = (n, place_of(one, at_constant)) else {
                return (None, None);
            };
            let from = match place {
                KNOWN => IN_CORE,
                _ if is_held(one.n) => N_LAST,
                BY_REGISTER if is_held(one.m) => M_LAST,
                _ if is_held(one.d) && stores(one) => D_LAST,
                _ => IN_CORE,
            };
            let run = MOVING[n][usize::from(place)][usize::from(from)];
            let now = match place {
                _ if !stores(one) => Some(one.d),
                PRE | POST => Some(one.n),
                _ => held,
            };
            (Some(run), now)
        }
    }
}

/// Likewise, for one that extends; none for others.
fn extending(one: &Instruction, mode: Mode, held: Option<u8>) -> (Option<Run>, Option<u8>) {
    let n = EXTENDED.iter().position(|&known| known == one.operation);
    match n {
        Some(n) if one.amount == 0 && usize::from(one.d) != SP && mode == Mode::Plain => {
            (Some(EXTENDING[n][usize::from(held == Some(one.m))]), Some(one.d))
        }
        _ => (None, None),
    }
}

/// The functions of instructions that are no choice of operands.
pub(super) const GUARD: [Run; 2] = [guard::<false>, guard::<true>];
pub(super) const BRANCH: Run = branch;
pub(super) const BRANCH_AND_LINK: Run = branch_and_link;
pub(super) const LINK: Run = link;
pub(super) const SIDE_IF_ZERO: [Run; 2] = [side_if_zero::<false>, side_if_zero::<true>];
pub(super) const BRANCH_IF_ZERO: [Run; 2] = [branch_if_zero::<false>, branch_if_zero::<true>];
pub(super) const BRANCH_TO_REGISTER: [Run; 2] =
    [branch_to_register::<false>, branch_to_register::<true>];
pub(super) const BRANCH_BY_TABLE: [Run; 2] = [branch_by_table::<false>, branch_by_table::<true>];
pub(super) const LOAD_PC: Run = load_pc;
/// Upwards and down; each to registers, and to the program counter too.
pub(super) const LOAD_LIST: [[Run; 2]; 2] = [
    [load_list::<false, false>, load_list::<false, true>],
    [load_list::<true, false>, load_list::<true, true>],
];
pub(super) const STORE_LIST: [Run; 2] = [store_list::<false>, store_list::<true>];
pub(super) const TRANSFER_PAIR: [Run; 2] = [transfer_pair::<false>, transfer_pair::<true>];
