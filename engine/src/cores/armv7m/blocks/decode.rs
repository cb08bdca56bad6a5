//! Decodes opcodes to blocks.

use super::super::decoder::{
    is_wide, Class, Index, Instruction, Operand, Operation as O, SetFlags,
};
use super::super::execute::is_it;
use super::super::memo::Decoded;
use super::super::pipeline::{Act, Ahead, Path, Place};
use super::super::psr::{advanced, C, N, V, Z};
use super::super::{Armv7m, PC, SP};
use super::functions::{self, Kind, Mode, Run};
use super::reach::{leads_on, NO_TARGET};
use super::Step;
use crate::bus::{CodeBus, Width, LONGEST_BLOCK};
use crate::system::System;

/// An instruction of a block, as the pipeline must know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub decoded: Decoded,
    pub address: u32,
    /// The state of an IT block before it.
    pub it: u8,
    /// An IT follows that may be executed with it.
    it_follows: bool,
    /// Bits of a block's key. This one says that its condition fails; the two behind it, where a branch by the link
    /// register leads.
    skipped: u8,
    /// This one says that its data lie on the code buses, or from here on four hold its cycles.
    data: u8,
    /// Its data lie at a known address.
    path: Option<Path>,
    /// It is a branch, and behind it the block goes on there.
    pub follows: Option<u32>,
}

impl Item {
    /// Where it leads if the block is left by its side.
    pub fn side(&self) -> u32 {
        match self.follows {
            Some(_) => self.address.wrapping_add(self.bytes()),
            None => self.far(),
        }
    }

    /// Bytes of its opcode.
    pub fn bytes(&self) -> u32 {
        self.decoded.one.bytes.into()
    }

    fn is_skipped(&self, key: u64) -> bool {
        self.it != 0 && key >> self.skipped & 1 != 0
    }

    /// Its facts, as it stands behind another. A branch leads to `target` if it is taken.
    pub fn ahead(&self, key: u64, target: Option<u32>) -> Ahead {
        let mut ahead = Ahead::of(self.decoded.shape).before_it(self.it_follows);
        if self.it != 0 {
            ahead = ahead.in_block(!self.is_skipped(key));
        }
        if !self.decoded.is_early {
            return ahead;
        }
        let place = if !self.decoded.is_by_link {
            Place::of(self.far())
        } else if self.it != 0 {
            let bits = key >> (self.skipped + 1);
            Place { system: bits & 1 != 0, upper: bits & 2 != 0 }
        } else {
            Place::of(target.unwrap_or(0))
        };
        ahead.branching(target.is_some() && !ahead.is_skipped(), place)
    }

    /// Its work. It branches to `target`.
    pub fn act(&self, key: u64, target: Option<u32>) -> Act {
        let accesses = self.decoded.accesses;
        if self.is_skipped(key) {
            return Act { cycles: 1, accesses, ..Act::default() };
        }
        let data = key >> self.data;
        let one = &self.decoded.one;
        let single = matches!(one.class(), Class::Load | Class::Store | Class::Table);
        let on_code = if data & 1 != 0 { Path::Code } else { Path::System };
        Act {
            cycles: match one.class() {
                Class::MultiplyAccumulate => 2,
                Class::Divide | Class::LongMultiply => (data & 15) as u8,
                _ => 1,
            },
            accesses: accesses + u8::from(single),
            path: if single || accesses > 0 { self.path.unwrap_or(on_code) } else { Path::Code },
            target: target.map(Place::of),
        }
    }

    /// Calls of the pipeline for its accesses.
    pub fn accesses(&self, key: u64) -> u8 {
        if self.is_skipped(key) {
            0
        } else {
            self.act(key, None).accesses
        }
    }

    /// Where a branch leads that names its target.
    pub fn far(&self) -> u32 {
        far_of(self.address, &self.decoded.one)
    }

    /// The most cycles that it takes.
    fn slowest(&self) -> u32 {
        let several = if self.decoded.takes_several { 16 } else { 0 };
        24 + 3 * u32::from(self.decoded.accesses) + several
    }
}

fn far_of(address: u32, one: &Instruction) -> u32 {
    address.wrapping_add(4).wrapping_add(one.immediate)
}

/// A block as it is decoded.
#[derive(Default)]
pub(super) struct Draft {
    pub steps: Vec<Step>,
    pub items: Vec<Item>,
    /// The address behind its last instruction, or where it goes on behind that.
    pub end: u32,
    pub slowest: u32,
    /// Addresses of words that its steps contain.
    pub constants: Vec<u32>,
    /// Of each step that computes: its instruction, and whether it sets flags.
    computes: Vec<Option<(Instruction, bool)>>,
    /// How each step treats a value that one before left.
    kinds: Vec<Kind>,
    /// Bits of the key that are in use, and those that the data decide.
    bits: u8,
    varying: u8,
    /// It goes on behind a branch.
    pub is_long: bool,
}

/// So many bits of a key are for the instructions.
pub(super) const KEY_BITS: u8 = 60;
/// A block goes on behind a branch with fewer instructions before it; behind one that leads to its beginning, with fewer
/// still.
const BEFORE_BRANCH: usize = 24;
const BEFORE_REPEATING: usize = 20;
/// Likewise with no more bits of the key that the data decide: each value has a passage of its own.
const MOST_VARYING: u8 = 2;

/// The target of a block that is left by its side behind so many instructions.
const fn side_target(instructions: usize) -> u32 {
    (instructions as u32) << 1 | NO_TARGET
}

/// How many, of such a target.
pub(super) const fn instructions_of(target: u32) -> usize {
    (target >> 1) as usize
}

/// A step, and whether the block ends with it.
struct Planned {
    run: Option<Run>,
    one: Instruction,
    computes: bool,
    ends: bool,
    path: Option<Path>,
    follows: Option<u32>,
}

impl Planned {
    /// How its step treats a value that one before left.
    fn kind(&self, sets: bool) -> Kind {
        let one = &self.one;
        let is_of_pc = usize::from(one.d) == PC;
        match one.class() {
            _ if self.computes => Kind::Computing(if sets { Mode::Flags } else { Mode::Plain }),
            Class::Load | Class::Store if !is_of_pc => {
                Kind::Moving { at_constant: usize::from(one.n) == PC }
            }
            _ if matches!(one.operation, O::Bcond | O::Cbz | O::Cbnz) => Kind::Passing,
            _ => Kind::Other,
        }
    }

    /// The branch at `at` to `far` does not end the block: one that leads back mostly does so, and another mostly does
    /// not. `before` are the instructions before it.
    fn going_on(self, far: u32, at: u32, before: usize) -> Self {
        let operation = self.one.operation;
        let follows = (far < at || matches!(operation, O::B | O::Bl)).then_some(far);
        let side = Instruction { immediate: side_target(before + 1), ..self.one };
        let (run, one) = match operation {
            O::B => (None, self.one),
            O::Bl => (Some(functions::LINK), self.one),
            O::Bcond => (Some(functions::leaving_by_side(&self.one, follows.is_none())), side),
            _ => (Some(functions::SIDE_IF_ZERO[usize::from(operation == O::Cbz)]), side),
        };
        Planned { run, one, ends: false, follows, ..self }
    }

    fn new(run: Option<Run>, one: Instruction) -> Self {
        Planned { run, one, computes: false, ends: false, path: None, follows: None }
    }

    fn going(run: Run, one: Instruction) -> Option<Self> {
        Some(Planned::new(Some(run), one))
    }

    fn ending(run: Run, one: Instruction) -> Option<Self> {
        Some(Planned { ends: true, ..Planned::new(Some(run), one) })
    }

    /// One that computes; none where an operation cannot be computed here.
    fn computing(one: Instruction, sets: bool) -> Option<Self> {
        let run = functions::computing(&one, sets)?;
        Some(Planned { computes: true, ..Planned::new(Some(run), one) })
    }
}

/// Half-words of code from an address on.
struct Code {
    address: u32,
    halves: Vec<u16>,
}

impl Code {
    fn at(bus: &System, address: u32) -> Option<Self> {
        let bytes = bus.code(address)?;
        let halves = bytes.chunks_exact(2).take(2 * LONGEST_BLOCK + 4);
        let halves = halves.map(|half| u16::from_le_bytes([half[0], half[1]])).collect();
        Some(Code { address, halves })
    }

    fn half(&self, address: u32) -> Option<u16> {
        self.halves.get((address.wrapping_sub(self.address) / 2) as usize).copied()
    }

    /// The opcode at an address, if the half-word behind it is known too.
    fn opcode(&self, address: u32) -> Option<u32> {
        let first = self.half(address)?;
        let second = self.half(address.wrapping_add(2))?;
        if !is_wide(first) {
            return Some(first.into());
        }
        self.half(address.wrapping_add(4))?;
        Some(u32::from(first) | u32::from(second) << 16)
    }
}

/// The opcode at an address, if it and the half-word behind it lie in a memory.
pub(super) fn opcode_at(bus: &System, address: u32) -> Option<u32> {
    Code::at(bus, address)?.opcode(address)
}

/// The block at `address`; it has no steps where the plain core must execute. A short one ends with its first branch.
pub(super) fn block_at(core: &mut Armv7m, bus: &mut System, address: u32, is_short: bool) -> Draft {
    let mut draft = Draft { end: address, ..Draft::default() };
    let Some(mut code) = Code::at(bus, address) else { return draft };
    let version = core.pipeline.version();
    let (mut it, mut whole) = (0, draft.lengths());
    while draft.items.len() < LONGEST_BLOCK && draft.bits < KEY_BITS - 8 {
        let at = draft.end;
        let Some(opcode) = code.opcode(at) else { break };
        if bus.has_breakpoint(at) {
            break;
        }
        let decoded = core.memo.entry(opcode, &mut core.pipeline);
        let Some(mut planned) = plan(bus, (at, it), &decoded, &mut draft) else { break };
        if it == 0 {
            whole = draft.lengths();
            if planned.ends && !is_short && draft.goes_on(address, &decoded.one) {
                planned = planned.going_on(far_of(at, &decoded.one), at, draft.items.len());
                draft.is_long = true;
            }
        }
        draft.add(&code, decoded, it, &planned);
        it =
            if decoded.one.operation == O::It { decoded.one.immediate as u8 } else { advanced(it) };
        if it == 0 {
            whole = draft.lengths();
        }
        if planned.ends {
            break;
        }
        if planned.follows.is_some() {
            let Some(there) = Code::at(bus, draft.end) else { break };
            code = there;
        }
    }
    draft.truncate(whole);
    if core.pipeline.version() != version {
        draft = Draft { end: address, ..Draft::default() };
    }
    draft.drop_dead_flags();
    draft.hold();
    draft.slowest = draft.items.iter().map(Item::slowest).sum();
    draft
}

/// How to execute the instruction at `at`, in state `it` of an IT block; none if the plain core must.
fn plan(
    bus: &mut System,
    (at, it): (u32, u8),
    decoded: &Decoded,
    draft: &mut Draft,
) -> Option<Planned> {
    let one = decoded.one;
    let (next, here) = (at.wrapping_add(one.bytes.into()), at.wrapping_add(4));
    let is_last = it == 0 || advanced(it) == 0;
    let range = bus.code_range();
    let near = |target: u32| is_last && leads_on(range, target | 1) && leads_on(range, next | 1);
    let returns = Instruction { immediate: next | 1, ..one };
    let far = here.wrapping_add(one.immediate);
    let reads_pc = one.reads >> PC & 1 != 0;
    match one.operation {
        O::Nop | O::Yield | O::Hint | O::It
            if it == 0 && (one.operation != O::It || one.immediate & 15 != 0) =>
        {
            return Some(Planned::new(None, one))
        }
        O::B if near(far) => return Planned::ending(functions::BRANCH, one),
        O::Bcond if near(far) && it == 0 => {
            return Planned::ending(functions::branching(&one), one)
        }
        O::Bl if near(far) => return Planned::ending(functions::BRANCH_AND_LINK, returns),
        O::Cbz | O::Cbnz if near(far) && it == 0 => {
            let zero = usize::from(one.operation == O::Cbz);
            return Planned::ending(functions::BRANCH_IF_ZERO[zero], one);
        }
        O::Bx | O::Blx if near(next) && usize::from(one.m) != PC => {
            let links = usize::from(one.operation == O::Blx);
            return Planned::ending(functions::BRANCH_TO_REGISTER[links], returns);
        }
        _ => {}
    }
    let class = one.class();
    if matches!(class, Class::Table) && near(next) && usize::from(one.m) != PC && it == 0 {
        let from_pc = u8::from(usize::from(one.n) == PC);
        let one = Instruction { immediate: here, a: from_pc, ..one };
        let halves = usize::from(one.operation == O::Tbh);
        return Planned::ending(functions::BRANCH_BY_TABLE[halves], one);
    }
    if class == Class::Load && one.operation == O::Ldr && usize::from(one.d) == PC {
        let simple = near(next) && !reads_pc && usize::from(one.n) != PC;
        return if simple { Planned::ending(functions::LOAD_PC, one) } else { None };
    }
    match one.operation {
        O::Ldm | O::Ldmdb => return plan_list(near(next), &one),
        O::Stm | O::Stmdb if !reads_pc => {
            let down = usize::from(one.operation == O::Stmdb);
            return Planned::going(functions::STORE_LIST[down], counted(&one));
        }
        O::Ldrd | O::Strd if !reads_pc && one.writes >> PC & 1 == 0 => {
            let stores = usize::from(one.operation == O::Strd);
            let pair = [one.d, one.a].map(usize::from);
            let simple = !pair.contains(&SP) && !pair.contains(&PC) && usize::from(one.n) != PC;
            return if simple {
                Planned::going(functions::TRANSFER_PAIR[stores], one)
            } else {
                None
            };
        }
        _ => {}
    }
    if one.writes >> PC & 1 != 0 {
        return None;
    }
    match class {
        Class::Load | Class::Store => plan_transfer(bus, here, &one, draft),
        Class::Arithmetic | Class::Multiply | Class::MultiplyAccumulate => {
            let constant = |value| Instruction {
                operation: O::Mov,
                operand: Operand::Constant,
                immediate: value,
                ..one
            };
            let one = if one.operation == O::Adr {
                constant((here & !3).wrapping_add(one.immediate))
            } else if reads_pc {
                return None;
            } else {
                one
            };
            Planned::computing(one, sets_flags(&one, it))
        }
        Class::LongMultiply | Class::Divide if !reads_pc => {
            Planned::going(functions::computing(&one, false)?, one)
        }
        _ => None,
    }
}

/// An instruction with a list; `amount` counts its registers.
fn counted(one: &Instruction) -> Instruction {
    Instruction { amount: one.immediate.count_ones() as u8, ..*one }
}

fn plan_list(near: bool, one: &Instruction) -> Option<Planned> {
    let list = one.immediate;
    let writes_back = one.index != Index::Offset;
    let both = writes_back && list >> one.n & 1 != 0;
    if usize::from(one.n) == PC || list >> SP & 1 != 0 || both || list == 0 {
        return None;
    }
    let branches = list >> PC & 1 != 0;
    let run = functions::LOAD_LIST[usize::from(one.operation == O::Ldmdb)][usize::from(branches)];
    if !branches {
        return Planned::going(run, counted(one));
    }
    if near {
        Planned::ending(run, counted(one))
    } else {
        None
    }
}

fn plan_transfer(
    bus: &mut System,
    here: u32,
    one: &Instruction,
    draft: &mut Draft,
) -> Option<Planned> {
    let is_constant = one.operand == Operand::Constant;
    let unprivileged = one.index == Index::Offset && is_constant && one.amount != 0;
    let (d, n, m) = (usize::from(one.d), usize::from(one.n), usize::from(one.m));
    if unprivileged || d == PC || !is_constant && m == PC {
        return None;
    }
    if n != PC {
        return Planned::going(functions::moving(one, false)?, *one);
    }
    if !is_constant || one.class() == Class::Store {
        return None;
    }
    let address = (here & !3).wrapping_add(one.immediate);
    let width = match one.operation.data_bytes() {
        1 => Width::Byte,
        2 => Width::Half,
        _ => Width::Word,
    };
    let aligned = address & (width.bytes() - 1) == 0;
    if Path::of(address) == Path::Code && aligned && bus.reads_free(address) {
        let value = bus.read_free(address, width)?;
        let value = match one.operation {
            O::Ldrsb => value as i8 as u32,
            O::Ldrsh => value as i16 as u32,
            _ => value,
        };
        draft.constants.push(address);
        let moves =
            Instruction { operation: O::Mov, operand: Operand::Constant, immediate: value, ..*one };
        let planned = Planned::computing(moves, false)?;
        return Some(Planned { path: Some(Path::Code), ..planned });
    }
    Planned::going(functions::moving(one, true)?, Instruction { immediate: address, ..*one })
}

fn it_follows(code: &Code, address: u32, decoded: &Decoded) -> bool {
    decoded.folds && code.half(address.wrapping_add(2)).is_some_and(is_it)
}

fn sets_flags(one: &Instruction, it: u8) -> bool {
    match one.flags {
        SetFlags::Never => false,
        SetFlags::Always => true,
        SetFlags::OutsideIt => it == 0,
    }
}

impl Draft {
    /// Lengths to which it may be cut: items, steps, and where it ends.
    fn lengths(&self) -> (usize, usize, u32) {
        (self.items.len(), self.steps.len(), self.end)
    }

    fn truncate(&mut self, (items, steps, end): (usize, usize, u32)) {
        self.items.truncate(items);
        self.steps.truncate(steps);
        self.computes.truncate(steps);
        self.kinds.truncate(steps);
        self.end = end;
    }

    /// Whether a block that begins at an address goes on behind a branch.
    fn goes_on(&self, begin: u32, one: &Instruction) -> bool {
        let is_known = matches!(one.operation, O::B | O::Bl | O::Bcond | O::Cbz | O::Cbnz);
        let far = far_of(self.end, one);
        let most = if far == begin { BEFORE_REPEATING } else { BEFORE_BRANCH };
        is_known && far != self.end && self.items.len() < most && self.varying <= MOST_VARYING
    }

    fn take_bits(&mut self, count: u8) -> u8 {
        let first = self.bits;
        self.bits += count;
        first
    }

    fn step(&mut self, run: Run, one: Instruction, bit: u8, kind: Kind) {
        let item = self.items.len() as u8;
        self.steps.push(Step { run, one, bit, item });
        self.computes.push(None);
        self.kinds.push(kind);
    }

    fn add(&mut self, code: &Code, decoded: Decoded, it: u8, planned: &Planned) {
        let by_link = decoded.is_by_link;
        let skipped = if it == 0 { 0 } else { self.take_bits(if by_link { 3 } else { 1 }) };
        let address = self.end;
        let it_follows = it == 0 && it_follows(code, address, &decoded);
        let sets = sets_flags(&planned.one, it) && decoded.one.class() != Class::Load;
        let guarded = Instruction { condition: it >> 4, ..planned.one };
        let conditional = match planned.run {
            Some(_) if it != 0 && planned.computes => functions::computing_if(&guarded, sets),
            _ => None,
        };
        if it != 0 && conditional.is_none() {
            self.step(functions::GUARD[usize::from(by_link)], guarded, skipped, Kind::Guard);
        }
        let data = match decoded.one.class() {
            Class::Load | Class::Table => self.take_bits(1),
            Class::Divide | Class::LongMultiply => self.take_bits(4),
            _ => KEY_BITS,
        };
        if let Some(run) = conditional {
            self.step(run, guarded, skipped, Kind::Computing(Mode::If));
        } else if let Some(run) = planned.run {
            self.step(run, planned.one, data, planned.kind(sets));
            if planned.computes && it == 0 {
                self.computes[self.steps.len() - 1] = Some((planned.one, sets));
            }
        }
        self.varying += u8::from(it != 0) + 4 * u8::from(decoded.is_long);
        let (path, follows) = (planned.path, planned.follows);
        self.items.push(Item { decoded, address, it, it_follows, skipped, data, path, follows });
        self.end = follows.unwrap_or(address.wrapping_add(decoded.one.bytes.into()));
    }

    /// Instructions whose flags nobody reads before they are written again leave the flags alone.
    fn drop_dead_flags(&mut self) {
        let mut live = N | Z | C | V;
        for place in (0..self.steps.len()).rev() {
            let Some((one, sets)) = &self.computes[place] else {
                // The plain core may go on here, and read all.
                live = N | Z | C | V;
                continue;
            };
            let (may, must, reads) = flags_of(one);
            if *sets && may & live == 0 {
                if let Some(run) = functions::computing(one, false) {
                    self.steps[place].run = run;
                    self.kinds[place] = Kind::Computing(Mode::Plain);
                }
            } else if *sets {
                live &= !must;
            }
            live |= reads;
        }
    }

    /// A step takes the value of one before from a register of the host, where it reads the register that has it.
    fn hold(&mut self) {
        let (mut held, mut guarded) = (None, false);
        for (step, &kind) in self.steps.iter_mut().zip(&self.kinds) {
            let (run, now) = functions::holding(kind, &step.one, held);
            step.run = run.unwrap_or(step.run);
            // A step that a guard left out has left nothing.
            held = if guarded { None } else { now };
            guarded = kind == Kind::Guard;
        }
    }
}

/// Flags that an instruction may write, and those that it writes in any case, if it sets flags; and those that it
/// reads.
fn flags_of(one: &Instruction) -> (u32, u32, u32) {
    let carry_in = matches!(one.operation, O::Adc | O::Sbc)
        || one.operand == Operand::Shifted(super::super::decoder::Shift::Rrx);
    let reads = if carry_in { C } else { 0 };
    match one.operation {
        O::Add | O::Cmn | O::Adc | O::Sub | O::Cmp | O::Sbc | O::Rsb => {
            (N | Z | C | V, N | Z | C | V, reads)
        }
        O::Lsl | O::Lsr | O::Asr | O::Ror => (N | Z | C, N | Z, reads),
        _ if matches!(one.operand, Operand::Rotated | Operand::Shifted(_)) => {
            (N | Z | C, N | Z | C, reads)
        }
        _ => (N | Z, N | Z, reads),
    }
}
