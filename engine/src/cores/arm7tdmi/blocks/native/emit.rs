//! Makes the function of an area.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::types::{I16, I32, I64, I8};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, SigRef, Type, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::Context;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};

use super::super::super::decoder::{Condition, Operation};
use super::super::super::transfer::Load;
use super::super::chains::alu::source;
use super::super::chains::memory::addressing;
use super::super::chains::op::{Behind, Op, What};
use super::super::chains::registers::kind;
use super::super::chains::Costs;
use super::super::translate::Translated;
use super::area::{behind_block, Area, Start};
use super::fetching::{Fetch, Fetched};
use super::{called, Exit, Frame, Left};
use crate::bus::{Lent, Width};
use crate::timing::mam_lpc2000::ahead::{Begins, Known, Takes, DROPPED};
use crate::translated::flow::{begin_function, signature, Flow, WaysOut, FRAME};

/// Variables behind those of the registers.
const N: usize = 16;
const Z: usize = 17;
const C: usize = 18;
const V: usize = 19;
const NOW: usize = 20;
const RETIRED: usize = 21;
/// When the read under way in the flash completes.
const READY: usize = 22;
/// The line of the last data from the flash.
const DATA: usize = 23;
const VARIABLES: usize = 24;

fn variable(index: usize) -> Variable {
    Variable::from_u32(index as u32)
}

/// A second operand, with its carry at bit 0; none where that is C.
struct Second {
    value: Value,
    carry: Option<Value>,
}

/// The two operands whose difference the flags show.
type Compared = Option<(Value, Value)>;

struct Emitter<'a> {
    b: FunctionBuilder<'a>,
    area: &'a Area,
    costs: Costs,
    ram: (u32, usize),
    exits: Vec<Left>,
    /// The block of the function for each place of the area.
    blocks: Vec<Block>,
    frame: Value,
    ram_at: Value,
    granules_at: Value,
    system: Value,
    /// Registers that the area changes.
    changed: u32,
    sets_flags: bool,
    compared: Compared,
    /// The place of the area under way, the variables that its block sets, and its ways out.
    place: usize,
    sets: u32,
    ways_out: WaysOut,
    /// Blocks that ask whether a place fits, and those that leave at a boundary.
    asks: Vec<((usize, u8), Block)>,
    boundaries: Vec<((Start, u8), Block)>,
    /// The fetches behind it so far.
    fetched: Fetched,
    reads: SigRef,
}

/// Builds the function of an area; returns how it may be left.
pub(super) fn function(
    context: &mut Context,
    isa: &dyn TargetIsa,
    area: &Area,
    (costs, ram): (Costs, (u32, usize)),
) -> Vec<Left> {
    let mut of_builder = FunctionBuilderContext::new();
    let (mut b, frame, entry) = begin_function(context, &mut of_builder, isa);
    let reads = b.import_signature(signature(isa, &[I64, I64, I32, I32], I64));
    for index in 0..VARIABLES {
        let kind = kind_of(index);
        b.declare_var(variable(index), kind);
    }
    let load =
        |b: &mut FunctionBuilder, kind, offset| b.ins().load(kind, FRAME, frame, offset as i32);
    let ram_at = load(&mut b, I64, offset_of!(Frame, ram));
    let granules_at = load(&mut b, I64, offset_of!(Frame, granules));
    let system = load(&mut b, I64, offset_of!(Frame, system));
    for (index, offset) in offsets() {
        let kind = kind_of(index);
        let value = load(&mut b, kind, offset);
        b.def_var(variable(index), value);
    }
    let blocks: Vec<Block> = area.places.iter().map(|_| b.create_block()).collect();
    let entries = blocks.iter().enumerate().filter(|(at, _)| area.places[*at].bound.is_entry);
    b.enter(entry, entries.map(|(place, &block)| (place, block)));
    let (changed, sets_flags) = changes(area.blocks.iter());
    let mut emitter = Emitter {
        b,
        area,
        costs,
        ram,
        exits: Vec::new(),
        blocks,
        frame,
        ram_at,
        granules_at,
        system,
        changed,
        sets_flags,
        compared: None,
        place: 0,
        sets: 0,
        ways_out: WaysOut::default(),
        asks: Vec::new(),
        boundaries: Vec::new(),
        fetched: area.places[0].start.fetched,
        reads,
    };
    for place in 0..area.places.len() {
        emitter.block(place);
    }
    emitter.edges();
    emitter.b.seal_all_blocks();
    emitter.b.finalize();
    emitter.exits
}

/// The type of a variable.
fn kind_of(index: usize) -> Type {
    match index {
        C => I8,
        NOW | RETIRED | READY => I64,
        _ => I32,
    }
}

/// Where the frame has each variable.
fn offsets() -> impl Iterator<Item = (usize, usize)> {
    let registers = (0..16).map(|index| (index, offset_of!(Frame, r) + 4 * index));
    registers.chain([
        (N, offset_of!(Frame, n)),
        (Z, offset_of!(Frame, z)),
        (C, offset_of!(Frame, c)),
        (V, offset_of!(Frame, v)),
        (NOW, offset_of!(Frame, now)),
        (RETIRED, offset_of!(Frame, retired)),
        (READY, offset_of!(Frame, ready)),
        (DATA, offset_of!(Frame, data)),
    ])
}

/// The registers that blocks change, and whether they change flags.
fn changes<'a>(blocks: impl Iterator<Item = &'a Translated>) -> (u32, bool) {
    let (mut changed, mut flags) = (0u32, false);
    for op in blocks.flat_map(|block| &block.ops) {
        changed |= match op.what {
            What::Set | What::Process { .. } | What::Multiply { .. } | What::Literal => 1 << op.a,
            What::MultiplyLong { .. } => 1 << op.a | 1 << op.d,
            What::Load(..) => 1 << op.a | 1 << op.b,
            What::Store(..) => 1 << op.b,
            What::Transfer { loads } => 1 << op.b | if loads { op.imm } else { 0 },
            What::Link => 1 << 14,
            _ => 0,
        };
        flags |= sets_flags(op.what);
    }
    (changed & 0x7FFF, flags)
}

impl Emitter<'_> {
    fn get(&mut self, index: usize) -> Value {
        self.b.use_var(variable(index))
    }

    fn set(&mut self, index: usize, value: Value) {
        self.b.def_var(variable(index), value);
    }

    fn r(&mut self, index: u8) -> Value {
        self.get(index.into())
    }

    fn constant(&mut self, value: u32) -> Value {
        self.b.ins().iconst(I32, i64::from(value))
    }

    fn add_constant(&mut self, value: Value, constant: u32) -> Value {
        if constant == 0 {
            return value;
        }
        self.b.ins().iadd_imm(value, i64::from(constant as i32))
    }

    /// Cycles go by.
    fn spend(&mut self, cycles: i64) {
        if cycles != 0 {
            let now = self.get(NOW);
            let now = self.b.ins().iadd_imm(now, cycles);
            self.set(NOW, now);
        }
    }

    fn retire(&mut self, instructions: u32) {
        let retired = self.get(RETIRED);
        let retired = self.b.ins().iadd_imm(retired, i64::from(instructions));
        self.set(RETIRED, retired);
    }

    fn key(&self) -> u32 {
        self.area.places[self.place].start.key
    }

    fn is_thumb(&self) -> bool {
        self.key() & 1 != 0
    }

    /// Leaves the function from the place under way.
    fn exit(&mut self, exit: Exit) {
        let number = self.left(exit);
        self.keep(self.sets);
        self.ways_out.leave(&mut self.b, number);
    }

    /// The number of a way out.
    fn left(&mut self, exit: Exit) -> Value {
        let number = self.exits.len() as u32;
        self.exits.push(Left { exit, fetched: self.fetched });
        self.constant(number)
    }

    /// Stores those of these variables that the area changes.
    fn keep(&mut self, variables: u32) {
        for (index, offset) in offsets() {
            let changes = match index {
                0..=15 => self.changed >> index & 1 != 0,
                N..=V => self.sets_flags,
                READY | DATA => self.flash().is_some(),
                _ => true,
            };
            if changes && variables >> index & 1 != 0 {
                let value = self.get(index);
                self.b.ins().store(FRAME, value, self.frame, offset as i32);
            }
        }
    }

    /// The end of all ways out of the place under way: what its block does not set.
    fn keep_rest(&mut self) {
        if let Some(number) = self.ways_out.begin(&mut self.b) {
            self.keep(!self.sets);
            self.b.ins().return_(&[number]);
        }
    }

    /// Emits what lies between places.
    fn edges(&mut self) {
        for ((place, kind), block) in std::mem::take(&mut self.asks) {
            self.b.begin(block);
            let start = self.area.places[place].start;
            let now = self.get(NOW);
            let slowest = self.area.places[place].bound.slowest;
            let out = self.boundary(start, kind);
            let end = (self.frame, offset_of!(Frame, end));
            self.b.ask(now, slowest, end, (self.blocks[place], out));
        }
        for ((Start { key, fetched, .. }, kind), block) in std::mem::take(&mut self.boundaries) {
            self.b.begin(block);
            self.fetched = fetched;
            let number = self.left(Exit::Boundary { key, kind });
            self.keep(u32::MAX);
            self.b.ins().return_(&[number]);
        }
    }

    /// The block that leaves before the instruction at a start.
    fn boundary(&mut self, start: Start, kind: u8) -> Block {
        let known = self.boundaries.iter().find(|(known, _)| *known == (start, kind));
        if let Some(&(_, block)) = known {
            return block;
        }
        let block = self.b.aside();
        self.boundaries.push(((start, kind), block));
        block
    }

    /// Goes on if `holds`, else leaves the instruction of `op` to the plain core.
    fn require(&mut self, holds: Value, op: &Op) {
        let out = self.b.aside();
        self.b.require_or(holds, out);
        self.leave_by(out, op);
    }

    /// Emits `out`, which leaves the instruction of `op` to the plain core in the state of now. Goes on here.
    fn leave_by(&mut self, out: Block, op: &Op) {
        let here = self.b.current_block().expect("a block is under way");
        self.b.begin(out);
        self.unfinished(op);
        self.b.switch_to_block(here);
    }

    fn unfinished(&mut self, op: &Op) {
        let key = self.key();
        self.exit(Exit::Unfinished { key, index: op.index, since: op.since });
    }

    /// The flash that the code is in, if it is.
    fn flash(&self) -> Option<Known> {
        self.area.fetching.flash
    }

    /// Goes on at `key`, a boundary.
    fn go_to(&mut self, key: u32, kind: u8) {
        let nonsequential = self.area.fetching.is_nonsequential(kind);
        let start = Start { key, fetched: self.fetched, nonsequential };
        let place = self.area.numbers.get(&start).copied();
        let block = match place {
            None => self.boundary(start, kind),
            Some(place) if self.area.places[place].bound.is_entry => self.ask(place, kind),
            Some(place) => self.blocks[place],
        };
        self.b.ins().jump(block, &[]);
    }

    /// The block that asks whether the time until the next event lasts for a place, and goes on there.
    fn ask(&mut self, place: usize, kind: u8) -> Block {
        if let Some(&(_, block)) = self.asks.iter().find(|(known, _)| *known == (place, kind)) {
            return block;
        }
        let block = self.b.create_block();
        self.asks.push(((place, kind), block));
        block
    }

    /// Whether a condition holds.
    fn condition(&mut self, condition: Condition) -> Value {
        let number = condition.number();
        let unless = number & 1 != 0;
        let invert = |code: IntCC| if unless { code.complement() } else { code };
        if let Some((a, b)) = self.compared {
            let code = match number >> 1 {
                0 => Some(IntCC::Equal),
                1 => Some(IntCC::UnsignedGreaterThanOrEqual),
                4 => Some(IntCC::UnsignedGreaterThan),
                5 => Some(IntCC::SignedGreaterThanOrEqual),
                6 => Some(IntCC::SignedGreaterThan),
                _ => None,
            };
            if let Some(code) = code {
                return self.b.ins().icmp(invert(code), a, b);
            }
        }
        let against_zero = |this: &mut Self, code, value| this.b.ins().icmp_imm(code, value, 0);
        match number >> 1 {
            0 => {
                let z = self.get(Z);
                against_zero(self, invert(IntCC::Equal), z)
            }
            1 => {
                let c = self.get(C);
                against_zero(self, invert(IntCC::NotEqual), c)
            }
            2 => {
                let n = self.get(N);
                against_zero(self, invert(IntCC::SignedLessThan), n)
            }
            3 => {
                let v = self.get(V);
                against_zero(self, invert(IntCC::SignedLessThan), v)
            }
            4 => {
                let (c, z) = (self.get(C), self.get(Z));
                let c = against_zero(self, IntCC::NotEqual, c);
                let z = against_zero(self, IntCC::NotEqual, z);
                let both = self.b.ins().band(c, z);
                against_zero(self, invert(IntCC::NotEqual), both)
            }
            5 => {
                let (n, v) = (self.get(N), self.get(V));
                let differ = self.b.ins().bxor(n, v);
                against_zero(self, invert(IntCC::SignedGreaterThanOrEqual), differ)
            }
            6 => {
                let (n, v, z) = (self.get(N), self.get(V), self.get(Z));
                let differ = self.b.ins().bxor(n, v);
                let alike = against_zero(self, IntCC::SignedGreaterThanOrEqual, differ);
                let z = against_zero(self, IntCC::NotEqual, z);
                let both = self.b.ins().band(alike, z);
                against_zero(self, invert(IntCC::NotEqual), both)
            }
            _ => self.b.ins().iconst(I8, i64::from(!unless)),
        }
    }

    /// Emits a block of the area.
    fn block(&mut self, place: usize) {
        self.place = place;
        self.b.switch_to_block(self.blocks[place]);
        self.compared = None;
        let area = self.area;
        let (registers, flags) = changes(std::iter::once(&area.blocks[area.places[place].block]));
        let flags = if flags { 1 << N | 1 << Z | 1 << C | 1 << V } else { 0 };
        self.sets = registers | flags | 1 << NOW | 1 << RETIRED | 1 << READY | 1 << DATA;
        self.fetched = area.places[place].start.fetched;
        let ops = &area.blocks[area.places[place].block].ops;
        if area.places[place].start.nonsequential {
            self.spend(area.blocks[area.places[place].block].nonsequential.into());
        }
        let mut left = false;
        // Where the operations behind a guard end, the block there, and what was compared before them.
        let mut guard: Option<(usize, Block, Compared)> = None;
        for (number, op) in ops.iter().enumerate() {
            if let Some((end, behind, compared)) = guard {
                if number == end {
                    if !left {
                        self.b.ins().jump(behind, &[]);
                    }
                    self.b.begin(behind);
                    self.compared = compared;
                    (guard, left) = (None, false);
                }
            }
            if left {
                continue;
            }
            if op.what == What::Guard {
                let end = number + 1 + op.a as usize;
                let body = &ops[number + 1..end.min(ops.len())];
                let keeps = body.iter().all(|op| !sets_flags(op.what));
                let behind = self.guard(op);
                guard = Some((end, behind, self.compared.filter(|_| keeps)));
            } else {
                left = self.operation(op);
            }
        }
        if let Some((_, behind, _)) = guard {
            if !left {
                self.b.ins().jump(behind, &[]);
            }
            self.b.begin(behind);
            left = false;
        }
        if !left {
            // A block without an end: its last operation would have left it.
            let last = ops.last().copied().unwrap_or_else(|| Op::new(What::Settle));
            self.unfinished(&last);
        }
        self.keep_rest();
    }

    /// The block behind the operations that a guard leaves out.
    fn guard(&mut self, op: &Op) -> Block {
        let holds = self.condition(op.condition);
        let (body, behind) = (self.b.create_block(), self.b.create_block());
        if op.imm == 0 {
            self.b.ins().brif(holds, body, &[], behind, &[]);
        } else {
            let skip = self.b.create_block();
            self.b.ins().brif(holds, body, &[], skip, &[]);
            self.b.begin(skip);
            let now = self.get(NOW);
            let earlier = self.b.ins().iadd_imm(now, -i64::from(op.imm));
            self.set(NOW, earlier);
            self.b.ins().jump(behind, &[]);
        }
        self.b.begin(body);
        behind
    }

    /// Emits an operation. Returns whether it always leaves the block.
    fn operation(&mut self, op: &Op) -> bool {
        match op.what {
            What::Cross(behind) => self.cross(op, behind),
            What::Settle => self.spend(op.since.into()),
            What::Guard => {}
            What::Set => {
                let value = self.constant(op.imm);
                self.set(op.a.into(), value);
            }
            What::Branch { always } => return self.branch(op, always),
            What::End => {
                self.spend(op.since.into());
                self.retire(op.index.into());
                let key = op.imm | self.key() & 1;
                let fetched = self.fetched;
                self.fetched = behind_block(key, fetched);
                self.go_to(key, op.a);
                self.fetched = fetched;
                return true;
            }
            What::Jump => {
                let target = self.get(15);
                let key = if self.is_thumb() {
                    self.b.ins().bor_imm(target, 1)
                } else {
                    self.b.ins().band_imm(target, !3)
                };
                self.go_anywhere(op, key);
                return true;
            }
            What::Exchange => {
                let target = self.r(op.c);
                let aligned = self.b.ins().band_imm(target, !3);
                let thumb = self.b.ins().band_imm(target, 1);
                let key = self.b.ins().select(thumb, target, aligned);
                self.go_anywhere(op, key);
                return true;
            }
            What::Link => {
                let target = self.get(14);
                let target = self.add_constant(target, op.imm);
                let key = self.b.ins().bor_imm(target, 1);
                let back = self.constant(op.aux);
                self.set(14, back);
                self.go_anywhere(op, key);
                return true;
            }
            What::Process { operation, source, flags } => {
                self.process(op, operation, source, flags);
            }
            What::Multiply { adds, flags } => self.multiply(op, adds, flags),
            What::MultiplyLong { operation, flags } => self.multiply_long(op, operation, flags),
            What::Load(kind, way) => self.load(op, kind, way),
            What::Literal => {
                self.spend(op.since.into());
                self.literal(op.aux);
                let value = self.constant(op.imm);
                self.set(op.a.into(), value);
            }
            What::Store(width, way) => self.store(op, width, way),
            What::Transfer { loads } => return self.transfer(op, loads),
        }
        false
    }

    /// Calls [`called::read`].
    fn call_read(&mut self, now: Value, address: Value, width: u32) -> Value {
        let at = self.b.ins().iconst(I64, called::read as *const u8 as i64);
        let width = self.constant(width);
        let call = self.b.ins().call_indirect(self.reads, at, &[self.system, now, address, width]);
        self.b.inst_results(call)[0]
    }

    /// Spends the cycles of a word of the code.
    fn literal(&mut self, address: u32) {
        let old = self.get(NOW);
        let cycles = if let Some(flash) = self.flash() {
            let offset = address.wrapping_add(self.area.fetching.view.shift);
            let line = self.constant(offset >> flash.line_shift());
            self.read_line(flash, line)
        } else {
            let address = self.constant(address);
            let read = self.call_read(old, address, 2);
            self.b.ins().ushr_imm(read, 32)
        };
        let now = self.b.ins().iadd(old, cycles);
        self.set(NOW, now);
    }

    /// Data of a line of the flash are read; returns the cycles that takes.
    fn read_line(&mut self, flash: Known, line: Value) -> Value {
        let (again, other) = (flash.data_again(), flash.read_cycles());
        let last = self.get(DATA);
        self.set(DATA, line);
        let is_last = self.b.ins().icmp(IntCC::Equal, line, last);
        if flash.data_drop() {
            let ready = self.get(READY);
            let dropped = self.b.ins().iconst(I64, DROPPED as i64);
            let ready = self.b.ins().select(is_last, ready, dropped);
            self.set(READY, ready);
        }
        let other = self.b.ins().iconst(I64, i64::from(other));
        let again = self.b.ins().iconst(I64, i64::from(again));
        self.b.ins().select(is_last, again, other)
    }

    /// Spends the cycles of a fetch.
    fn fetch(&mut self, fetch: Fetch) {
        let (flash, (takes, begins)) = match (self.flash(), fetch) {
            (Some(flash), Fetch::Line(takes, begins)) => (flash, (takes, begins)),
            (_, Fetch::Again { sequential: false }) => {
                return self.spend(self.costs.fetches.nonsequential.into());
            }
            _ => return self.spend(self.costs.fetches.again.into()),
        };
        let read = i64::from(flash.read_cycles());
        let old = self.get(NOW);
        let now = self.fetched_at(old, takes, read);
        self.set(NOW, now);
        self.begin_read(now, read, begins);
    }

    /// When a fetch completes.
    fn fetched_at(&mut self, old: Value, takes: Takes, read: i64) -> Value {
        match takes {
            Takes::Cycles(cycles) => self.b.ins().iadd_imm(old, i64::from(cycles)),
            Takes::UntilRead => {
                let ready = self.get(READY);
                let (soonest, latest) =
                    (self.b.ins().iadd_imm(old, 1), self.b.ins().iadd_imm(old, read));
                let late = self.b.ins().umax(ready, soonest);
                self.b.ins().umin(late, latest)
            }
        }
    }

    /// The read ahead that begins when a fetch has completed.
    fn begin_read(&mut self, now: Value, read: i64, begins: Begins) {
        if begins == Begins::Never {
            return;
        }
        let mut next = self.b.ins().iadd_imm(now, read);
        if begins == Begins::IfDropped {
            let ready = self.get(READY);
            let dropped = self.b.ins().icmp_imm(IntCC::Equal, ready, DROPPED as i64);
            next = self.b.ins().select(dropped, next, ready);
        }
        self.set(READY, next);
    }

    /// Passes from line to line.
    fn cross(&mut self, op: &Op, behind: Behind) {
        self.spend(op.since.into());
        let area = self.area;
        let fetch =
            |fetched: &mut Fetched, sequential| area.fetching.run_on(fetched, op.imm, sequential);
        let mut fetched = self.fetched;
        let nonsequential = fetch(&mut fetched, false);
        let sequential = fetch(&mut self.fetched, true);
        debug_assert_eq!(fetched, self.fetched, "lines do not depend on the kind of a fetch");
        match behind {
            Behind::Sequence => self.fetch(sequential),
            Behind::Unknown if area.places[self.place].start.nonsequential => {
                self.fetch(nonsequential)
            }
            Behind::Unknown => self.fetch(sequential),
            Behind::Store if op.condition.holds_always() => self.fetch(nonsequential),
            Behind::Store => self.fetch_one_of(op.condition, nonsequential, sequential),
        }
    }

    /// Spends the cycles of one of two fetches of the same line: the first if a condition holds.
    fn fetch_one_of(&mut self, condition: Condition, first: Fetch, other: Fetch) {
        let holds = self.condition(condition);
        let [then, otherwise, behind] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().brif(holds, then, &[], otherwise, &[]);
        for (block, fetch) in [(then, first), (otherwise, other)] {
            self.b.begin(block);
            self.fetch(fetch);
            self.b.ins().jump(behind, &[]);
        }
        self.b.begin(behind);
    }

    /// Refills at `key`, which is inside, and goes on there.
    fn refill_at(&mut self, key: u32) {
        let fetched = self.fetched;
        for fetch in self.area.fetching.refill(&mut self.fetched, key) {
            self.fetch(fetch);
        }
        self.go_to(key, kind::SEQUENTIAL);
        self.fetched = fetched;
    }

    fn leave_far(&mut self, op: &Op, target: Value) {
        let offset = offset_of!(Frame, target) as i32;
        self.b.ins().store(FRAME, target, self.frame, offset);
        let key = self.key();
        self.exit(Exit::Far { key, index: op.index });
    }

    fn branch(&mut self, op: &Op, always: bool) -> bool {
        let behind = (!always).then(|| {
            let holds = self.condition(op.condition);
            let (taken, behind) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(holds, taken, &[], behind, &[]);
            self.b.begin(taken);
            behind
        });
        self.spend(op.since.into());
        self.retire(u32::from(op.index) + 1);
        let key = op.imm | self.key() & 1;
        let length = if self.is_thumb() { 2 } else { 4 };
        if self.area.fetching.view.has(op.imm, 2 * length) {
            self.refill_at(key);
        } else {
            let target = self.constant(key);
            self.leave_far(op, target);
        }
        if let Some(behind) = behind {
            self.b.begin(behind);
        }
        always
    }

    /// Goes to a `key` that is not known ahead.
    fn go_anywhere(&mut self, op: &Op, key: Value) {
        self.spend(op.since.into());
        self.retire(u32::from(op.index) + 1);
        let elsewhere = self.b.aside();
        let mut switch = Switch::new();
        let mut known = Vec::new();
        let area = self.area;
        for &key in &area.returns[area.places[self.place].block] {
            let block = self.b.create_block();
            switch.set_entry(u128::from(key), block);
            known.push((block, key));
        }
        switch.emit(&mut self.b, key, elsewhere);
        for (block, key) in known {
            self.b.begin(block);
            self.refill_at(key);
        }
        self.b.begin(elsewhere);
        self.leave_far(op, key);
    }

    /// A bit of a value, as C is kept.
    fn bit(&mut self, value: Value, bit: u32) -> Value {
        let shifted = if bit == 0 { value } else { self.b.ins().ushr_imm(value, i64::from(bit)) };
        let one = self.b.ins().band_imm(shifted, 1);
        self.b.ins().ireduce(I8, one)
    }

    /// The value of register `c` shifted by a constant.
    fn shifted(&mut self, kind: u32, value: Value, amount: u32) -> Second {
        let by = i64::from(amount);
        if amount == 0 {
            return match kind & 3 {
                0 => Second { value, carry: None },
                1 => {
                    let carry = self.bit(value, 31);
                    Second { value: self.constant(0), carry: Some(carry) }
                }
                2 => {
                    let carry = self.bit(value, 31);
                    Second { value: self.b.ins().sshr_imm(value, 31), carry: Some(carry) }
                }
                _ => {
                    let carry = self.bit(value, 0);
                    let c = self.get(C);
                    let c = self.b.ins().uextend(I32, c);
                    let high = self.b.ins().ishl_imm(c, 31);
                    let low = self.b.ins().ushr_imm(value, 1);
                    Second { value: self.b.ins().bor(high, low), carry: Some(carry) }
                }
            };
        }
        let bit = if kind & 3 == 0 { 32 - amount } else { amount - 1 };
        let carry = Some(self.bit(value, bit));
        let value = match kind & 3 {
            0 => self.b.ins().ishl_imm(value, by),
            1 => self.b.ins().ushr_imm(value, by),
            2 => self.b.ins().sshr_imm(value, by),
            _ => self.b.ins().rotr_imm(value, by),
        };
        Second { value, carry }
    }

    /// A value shifted by the low byte of a register.
    fn shifted_by(&mut self, kind: u32, value: Value, amount: Value) -> Second {
        let amount = self.b.ins().band_imm(amount, 0xFF);
        let (shifted, carry) = if kind & 3 == 3 {
            let rotated = self.b.ins().rotr(value, amount);
            (rotated, self.bit(rotated, 31))
        } else {
            let most = self.constant(63);
            let by = self.b.ins().umin(amount, most);
            let wide = self.b.ins().uextend(I64, value);
            let (wide, bit, from) = if kind & 3 == 0 {
                (self.b.ins().ishl(wide, by), 32, 0)
            } else {
                let high = self.b.ins().ishl_imm(wide, 32);
                let wide = if kind & 3 == 1 {
                    self.b.ins().ushr(high, by)
                } else {
                    self.b.ins().sshr(high, by)
                };
                (wide, 31, 32)
            };
            let carry = self.bit(wide, bit);
            let moved = self.b.ins().ushr_imm(wide, from);
            (self.b.ins().ireduce(I32, moved), carry)
        };
        let c = self.get(C);
        let carry = self.b.ins().select(amount, carry, c);
        Second { value: shifted, carry: Some(carry) }
    }

    fn second(&mut self, op: &Op, source: u8) -> Second {
        if source == source::CONSTANT {
            let carry = (op.aux == 0).then(|| self.b.ins().iconst(I8, i64::from(op.d)));
            return Second { value: self.constant(op.imm), carry };
        }
        let value = self.r(op.c);
        match source {
            source::REGISTER => Second { value, carry: None },
            source::SHIFTED_BY_ZERO => self.shifted(op.imm, value, 0),
            source::SHIFTED_BY_REGISTER => {
                let amount = self.r(op.d);
                self.shifted_by(op.imm, value, amount)
            }
            _ if op.d & 31 == 0 => Second { value, carry: None },
            _ => self.shifted(u32::from(source - source::SHIFTED), value, u32::from(op.d & 31)),
        }
    }

    /// `a + b + carry`: the result and the carry out.
    fn add_with_carry(&mut self, a: Value, b: Value) -> (Value, Value) {
        let carry = self.get(C);
        let carry = self.b.ins().uextend(I32, carry);
        let sum = self.b.ins().iadd(a, b);
        let first = self.b.ins().icmp(IntCC::UnsignedLessThan, sum, a);
        let result = self.b.ins().iadd(sum, carry);
        let second = self.b.ins().icmp(IntCC::UnsignedLessThan, result, sum);
        (result, self.b.ins().bor(first, second))
    }

    fn process(&mut self, op: &Op, operation: Operation, source: u8, flags: bool) {
        if !flags && operation.compares() {
            return;
        }
        let second = self.second(op, source);
        let b = second.value;
        let a = self.r(op.b);
        let ins = |this: &mut Self, logical: fn(&mut FunctionBuilder, Value, Value) -> Value| {
            (logical(&mut this.b, a, b), None)
        };
        // The result; of sums also what was added, with the carry.
        let (result, sum) = match operation {
            Operation::And | Operation::Tst => ins(self, |f, a, b| f.ins().band(a, b)),
            Operation::Eor | Operation::Teq => ins(self, |f, a, b| f.ins().bxor(a, b)),
            Operation::Orr => ins(self, |f, a, b| f.ins().bor(a, b)),
            Operation::Bic => ins(self, |f, a, b| f.ins().band_not(a, b)),
            Operation::Mov => (b, None),
            Operation::Mvn => ins(self, |f, _, b| f.ins().bnot(b)),
            Operation::Sub | Operation::Cmp | Operation::Rsb => {
                let (a, b) = if operation == Operation::Rsb { (b, a) } else { (a, b) };
                let result = self.b.ins().isub(a, b);
                let carry = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, a, b);
                (result, Some((a, b, carry, true)))
            }
            Operation::Add | Operation::Cmn => {
                let result = self.b.ins().iadd(a, b);
                let carry = self.b.ins().icmp(IntCC::UnsignedLessThan, result, a);
                (result, Some((a, b, carry, false)))
            }
            _ => {
                let (a, b) = match operation {
                    Operation::Adc => (a, b),
                    Operation::Sbc => (a, self.b.ins().bnot(b)),
                    _ => (b, self.b.ins().bnot(a)),
                };
                let (result, carry) = self.add_with_carry(a, b);
                (result, Some((a, b, carry, false)))
            }
        };
        if flags {
            self.compared = None;
            self.set(N, result);
            self.set(Z, result);
            match sum {
                None => {
                    if let Some(carry) = second.carry {
                        self.set(C, carry);
                    }
                }
                Some((a, b, carry, subtracts)) => {
                    self.set(C, carry);
                    let first = self.b.ins().bxor(a, result);
                    let other = if subtracts { a } else { result };
                    let second = self.b.ins().bxor(b, other);
                    let overflow = self.b.ins().band(first, second);
                    self.set(V, overflow);
                    self.compared = subtracts.then_some((a, b));
                }
            }
        }
        if !operation.compares() {
            self.set(op.a.into(), result);
        }
    }

    /// The multiplier's cycles behind its first.
    fn multiplier(&mut self, operand: Value, signed: bool) {
        let rest = if signed {
            let sign = self.b.ins().sshr_imm(operand, 31);
            self.b.ins().bxor(operand, sign)
        } else {
            operand
        };
        let rest = self.b.ins().bor_imm(rest, 1);
        let zeros = self.b.ins().clz(rest);
        let highest = self.b.ins().irsub_imm(zeros, 31);
        let cycles = self.b.ins().ushr_imm(highest, 3);
        let cycles = self.b.ins().uextend(I64, cycles);
        let now = self.get(NOW);
        let now = self.b.ins().iadd(now, cycles);
        self.set(NOW, now);
    }

    fn multiply(&mut self, op: &Op, adds: bool, flags: bool) {
        let (a, multiplier) = (self.r(op.b), self.r(op.c));
        let mut result = self.b.ins().imul(a, multiplier);
        if adds {
            let addend = self.r(op.d);
            result = self.b.ins().iadd(result, addend);
        }
        self.multiplier(multiplier, true);
        if flags {
            self.compared = None;
            self.set(N, result);
            self.set(Z, result);
        }
        self.set(op.a.into(), result);
    }

    fn multiply_long(&mut self, op: &Op, operation: Operation, flags: bool) {
        let (a, b) = (self.r(op.b), self.r(op.c));
        let signed = matches!(operation, Operation::Smull | Operation::Smlal);
        let wide = |this: &mut Self, value| {
            if signed {
                this.b.ins().sextend(I64, value)
            } else {
                this.b.ins().uextend(I64, value)
            }
        };
        let (a, long) = (wide(self, a), wide(self, b));
        let mut result = self.b.ins().imul(a, long);
        if matches!(operation, Operation::Smlal | Operation::Umlal) {
            let (low, high) = (self.r(op.a), self.r(op.d));
            let low = self.b.ins().uextend(I64, low);
            let high = self.b.ins().uextend(I64, high);
            let high = self.b.ins().ishl_imm(high, 32);
            let sum = self.b.ins().bor(low, high);
            result = self.b.ins().iadd(result, sum);
        }
        self.multiplier(b, signed);
        let low = self.b.ins().ireduce(I32, result);
        let high = self.b.ins().ushr_imm(result, 32);
        let high = self.b.ins().ireduce(I32, high);
        if flags {
            self.compared = None;
            self.set(N, high);
            let any = self.b.ins().bor(low, high);
            self.set(Z, any);
        }
        self.set(op.a.into(), low);
        self.set(op.d.into(), high);
    }

    /// The address of a transfer, and what its base becomes if it moves.
    fn address(&mut self, op: &Op, way: u8) -> (Value, Option<Value>) {
        if way == addressing::CONSTANT {
            return (self.constant(op.imm), None);
        }
        let base = self.r(op.b);
        match way {
            addressing::OFFSET => (self.add_constant(base, op.imm), None),
            addressing::REGISTER => {
                let index = self.r(op.c);
                let index = self.b.ins().ishl_imm(index, i64::from(op.d & 31));
                (self.b.ins().iadd(base, index), None)
            }
            addressing::BEHIND => (base, Some(self.add_constant(base, op.imm))),
            addressing::MOVED => {
                let moved = self.add_constant(base, op.imm);
                (moved, Some(moved))
            }
            _ => {
                let value = self.r(op.c);
                let offset = self.shifted(op.imm, value, u32::from(op.d)).value;
                let moved = if op.imm & addressing::UP != 0 {
                    self.b.ins().iadd(base, offset)
                } else {
                    self.b.ins().isub(base, offset)
                };
                let address = if op.imm & addressing::BEFORE != 0 { moved } else { base };
                (address, (op.imm & addressing::MOVES != 0).then_some(moved))
            }
        }
    }

    /// The place of an address in the RAM, and whether `count` units of this width lie there, aligned.
    fn in_ram(&mut self, address: Value, width: Width, count: u32) -> (Value, Value) {
        self.inside(address, self.ram, width, count)
    }

    /// The same for any memory of a size at an aligned base.
    fn inside(
        &mut self,
        address: Value,
        (base, size): (u32, usize),
        width: Width,
        count: u32,
    ) -> (Value, Value) {
        let at = self.add_constant(address, base.wrapping_neg());
        let shift = width.bytes().trailing_zeros();
        let index = if shift == 0 { at } else { self.b.ins().rotr_imm(at, i64::from(shift)) };
        let units = (size >> shift) as u32;
        let holds = match units.checked_sub(count) {
            Some(last) => {
                let last = self.constant(last);
                self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, index, last)
            }
            None => self.b.ins().iconst(I8, 0),
        };
        (at, holds)
    }

    /// The address in the host of a place of the RAM.
    fn host(&mut self, at: Value) -> Value {
        let wide = self.b.ins().uextend(I64, at);
        self.b.ins().iadd(self.ram_at, wide)
    }

    fn load(&mut self, op: &Op, kind: Load, way: u8) {
        let (address, moved) = self.address(op, way);
        let (at, holds) = self.in_ram(address, kind.width(), 1);
        let (near, far) = (self.b.create_block(), self.b.aside());
        let behind = self.b.create_block();
        self.b.append_block_param(behind, I32);
        self.b.ins().brif(holds, near, &[], far, &[]);
        self.b.begin(far);
        self.load_far(op, kind, address, behind);
        self.b.begin(near);
        let from = self.host(at);
        let flags = MemFlags::trusted();
        let value = match kind {
            Load::Word => self.b.ins().load(I32, flags, from, 0),
            Load::Half => self.b.ins().uload16(I32, flags, from, 0),
            Load::Byte => self.b.ins().uload8(I32, flags, from, 0),
            Load::SignedHalf => self.b.ins().sload16(I32, flags, from, 0),
            Load::SignedByte => self.b.ins().sload8(I32, flags, from, 0),
        };
        self.b.ins().jump(behind, &[value.into()]);
        self.b.begin(behind);
        if let Some(moved) = moved {
            self.set(op.b.into(), moved);
        }
        let value = self.b.block_params(behind)[0];
        self.set(op.a.into(), value);
    }

    /// The same where the RAM does not answer: beside the code, or left to the plain core.
    fn load_far(&mut self, op: &Op, kind: Load, address: Value, behind: Block) {
        let (value, cycles) = match self.flash() {
            Some(flash) => self.load_flash(op, flash, kind.width(), address),
            None => self.load_called(op, kind.width(), address),
        };
        // The block has counted an access to the RAM.
        let old = self.get(NOW);
        let now = self.b.ins().iadd(old, cycles);
        let now = self.b.ins().iadd_imm(now, -i64::from(self.costs.ram));
        self.set(NOW, now);
        let value = match kind {
            Load::SignedHalf => {
                let half = self.b.ins().ireduce(I16, value);
                self.b.ins().sextend(I32, half)
            }
            Load::SignedByte => {
                let byte = self.b.ins().ireduce(I8, value);
                self.b.ins().sextend(I32, byte)
            }
            _ => value,
        };
        self.b.ins().jump(behind, &[value.into()]);
    }

    /// Reads beside the code in a flash: the value, and the cycles.
    fn load_flash(
        &mut self,
        op: &Op,
        flash: Known,
        width: Width,
        address: Value,
    ) -> (Value, Value) {
        let view = self.area.fetching.view;
        let (inside, holds) = self.inside(address, (view.base, view.size as usize), width, 1);
        self.require(holds, op);
        let offset = self.add_constant(inside, view.base.wrapping_add(view.shift));
        let line = self.b.ins().ushr_imm(offset, i64::from(flash.line_shift()));
        let cycles = self.read_line(flash, line);
        let at = offset_of!(Frame, code) as i32;
        let code = self.b.ins().load(I64, FRAME, self.frame, at);
        let wide = self.b.ins().uextend(I64, offset);
        let from = self.b.ins().iadd(code, wide);
        let flags = MemFlags::trusted();
        let value = match width {
            Width::Word => self.b.ins().load(I32, flags, from, 0),
            Width::Half => self.b.ins().uload16(I32, flags, from, 0),
            Width::Byte => self.b.ins().uload8(I32, flags, from, 0),
        };
        (value, cycles)
    }

    /// Reads beside the code in any other memory.
    fn load_called(&mut self, op: &Op, width: Width, address: Value) -> (Value, Value) {
        let now = self.get(NOW);
        let now = self.b.ins().iadd_imm(now, i64::from(op.since));
        let read = self.call_read(now, address, width.bytes().trailing_zeros());
        let refused = self.b.ins().icmp_imm(IntCC::NotEqual, read, called::REFUSED as i64);
        self.require(refused, op);
        let value = self.b.ins().ireduce(I32, read);
        (value, self.b.ins().ushr_imm(read, 32))
    }

    /// No code lies in the granules of so many words at a place of the RAM, or of a part of one.
    fn require_no_code(&mut self, at: Value, words: u32, out: Block) {
        let granule = self.b.ins().ushr_imm(at, i64::from(Lent::GRANULE_SHIFT));
        let granule = self.b.ins().uextend(I64, granule);
        let from = self.b.ins().iadd(self.granules_at, granule);
        let (kind, bytes) = match words {
            1 => (I8, 1),
            2..4 => (I16, 2),
            4..8 => (I32, 4),
            _ => (I64, 8),
        };
        let mut all = self.b.ins().load(kind, MemFlags::trusted(), from, 0);
        if words > bytes {
            // The last ones; some of them may be among the first.
            let last = (words - bytes) as i32;
            let last = self.b.ins().load(kind, MemFlags::trusted(), from, last);
            all = self.b.ins().bor(all, last);
        }
        let tracked = u64::MAX / 0xFF * u64::from(Lent::TRACKED);
        let tracked = self.b.ins().band_imm(all, (tracked >> (64 - 8 * bytes)) as i64);
        let free = self.b.ins().icmp_imm(IntCC::Equal, tracked, 0);
        self.b.require_or(free, out);
    }

    fn store(&mut self, op: &Op, width: Width, way: u8) {
        let (address, moved) = self.address(op, way);
        let (at, holds) = self.in_ram(address, width, 1);
        let out = self.b.aside();
        self.b.require_or(holds, out);
        self.require_no_code(at, 1, out);
        self.leave_by(out, op);
        let (to, value) = (self.host(at), self.r(op.a));
        let flags = MemFlags::trusted();
        match width {
            Width::Word => self.b.ins().store(flags, value, to, 0),
            Width::Half => self.b.ins().istore16(flags, value, to, 0),
            Width::Byte => self.b.ins().istore8(flags, value, to, 0),
        };
        if let Some(moved) = moved {
            self.set(op.b.into(), moved);
        }
    }

    /// LDM, STM. Returns whether it always leaves.
    fn transfer(&mut self, op: &Op, loads: bool) -> bool {
        let count = u32::from(op.c);
        if count == 0 {
            self.unfinished(op);
            return true;
        }
        let base = self.r(op.b);
        let offset = (4 * i32::from(op.d as i8)) as u32;
        let address = self.add_constant(base, offset);
        let (at, holds) = self.in_ram(address, Width::Word, count);
        let out = self.b.aside();
        self.b.require_or(holds, out);
        if !loads {
            self.require_no_code(at, count, out);
        }
        self.leave_by(out, op);
        let host = self.host(at);
        let registers = (0..16u8).filter(|register| op.imm >> register & 1 != 0);
        let moved = self.add_constant(base, op.aux);
        if loads {
            self.set(op.b.into(), moved);
            for (place, register) in registers.enumerate() {
                let value = self.b.ins().load(I32, MemFlags::trusted(), host, 4 * place as i32);
                self.set(register.into(), value);
            }
            return false;
        }
        for (place, register) in registers.enumerate() {
            let value = self.r(register);
            self.b.ins().store(MemFlags::trusted(), value, host, 4 * place as i32);
            if place == 0 {
                self.set(op.b.into(), moved);
            }
        }
        false
    }
}

fn sets_flags(what: What) -> bool {
    matches!(
        what,
        What::Process { flags: true, .. }
            | What::Multiply { flags: true, .. }
            | What::MultiplyLong { flags: true, .. }
    )
}
