//! Makes the function of an area.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I16, I32, I64, I8};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, Type, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::Context;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};

use super::super::super::data;
use super::super::super::decoder::{operation, Instruction, Operation as O, Reach};
use super::super::super::flags::flag;
use super::super::decode::Placed;
use super::area::Area;
use super::{Frame, Memories, BOUNDARY, UNDONE};
use crate::translated::flow::{begin_function, Flow, WaysOut, FRAME};

/// The pointers: each is one variable of 16 bits, in place of its two registers.
const X: usize = 26;
const Y: usize = 28;
const Z: usize = 30;
/// Variables behind those of the registers. C is 0 or 1, Z is set if `ZERO` is 0, of the other flags bit 7 counts, and
/// bit 4 of `HALF`. `HELD` has T and I where SREG has them.
const C: usize = 32;
const ZERO: usize = 33;
const SIGN: usize = 34;
const V: usize = 35;
const S: usize = 36;
const HALF: usize = 37;
const HELD: usize = 38;
const RAMPZ: usize = 39;
const EIND: usize = 40;
const SP: usize = 41;
const NOW: usize = 42;
const RETIRED: usize = 43;
const VARIABLES: usize = 44;

/// Variables, one bit for each. A pointer's is that of its lower register.
type Set = u64;

/// All flags but T and I.
const ARITHMETIC: Set = 1 << C | 1 << ZERO | 1 << SIGN | 1 << V | 1 << S | 1 << HALF;

/// Of accesses to memory that is lent.
const LENT: MemFlags = MemFlags::trusted();

fn variable(index: usize) -> Variable {
    Variable::from_u32(index as u32)
}

/// The variable of a register.
const fn of_register(register: usize) -> usize {
    if register >= X {
        register & !1
    } else {
        register
    }
}

const fn kind_of(index: usize) -> Type {
    match index {
        X | Y | Z | SP => I32,
        NOW | RETIRED => I64,
        _ => I8,
    }
}

/// Where the frame has each variable that is not a register.
const OFFSETS: [(usize, usize); 12] = [
    (C, offset_of!(Frame, c)),
    (ZERO, offset_of!(Frame, zero)),
    (SIGN, offset_of!(Frame, sign)),
    (V, offset_of!(Frame, v)),
    (S, offset_of!(Frame, s)),
    (HALF, offset_of!(Frame, half)),
    (HELD, offset_of!(Frame, held)),
    (RAMPZ, offset_of!(Frame, rampz)),
    (EIND, offset_of!(Frame, eind)),
    (SP, offset_of!(Frame, sp)),
    (NOW, offset_of!(Frame, now)),
    (RETIRED, offset_of!(Frame, retired)),
];

/// Bytes on the host from r0 to a register.
const fn offset_of_register(register: usize) -> i32 {
    (2 * register) as i32
}

/// All that is known of a pointer's registers since the block began.
#[derive(Clone, Copy, Default)]
struct Halves {
    bytes: [Option<Value>; 2],
    /// They were written, and the variable was not.
    ahead: bool,
}

struct Emitter<'a> {
    b: FunctionBuilder<'a>,
    area: &'a Area,
    memories: Memories,
    /// The block of the function for each place of the area.
    blocks: Vec<Block>,
    frame: Value,
    registers: Value,
    ram: Value,
    program: Value,
    /// Variables that the area changes.
    changed: Set,
    /// Those that the block under way sets, and its ways out.
    sets: Set,
    ways_out: WaysOut,
    pointers: [Halves; 3],
    /// The operands of the subtraction whose flags stand.
    compared: Option<(Value, Value)>,
    /// Blocks that ask whether a place fits, and those that leave at a boundary.
    asks: Vec<(usize, Block)>,
    boundaries: Vec<(u32, Block)>,
}

/// An instruction: its address, the word behind it, and the cycles and instructions since its block began.
#[derive(Clone, Copy)]
struct Here {
    pc: u32,
    behind: u16,
    since: (u32, u32),
}

/// Builds the function of an area.
pub(super) fn function(
    context: &mut Context,
    isa: &dyn TargetIsa,
    area: &Area,
    memories: Memories,
) {
    let mut of_builder = FunctionBuilderContext::new();
    let (mut b, frame, entry) = begin_function(context, &mut of_builder, isa);
    for index in 0..VARIABLES {
        b.declare_var(variable(index), kind_of(index));
    }
    let load =
        |b: &mut FunctionBuilder, kind, offset| b.ins().load(kind, FRAME, frame, offset as i32);
    let registers = load(&mut b, I64, offset_of!(Frame, registers));
    let ram = load(&mut b, I64, offset_of!(Frame, ram));
    let program = load(&mut b, I64, offset_of!(Frame, program));
    for (index, offset) in OFFSETS {
        let value = load(&mut b, kind_of(index), offset);
        b.def_var(variable(index), value);
    }
    let blocks: Vec<Block> = area.places.iter().map(|_| b.create_block()).collect();
    let changed = area.places.iter().fold(0, |all, place| all | sets(&place.sequence.placed));
    let mut emitter = Emitter {
        b,
        area,
        memories,
        blocks,
        frame,
        registers,
        ram,
        program,
        changed,
        sets: 0,
        ways_out: WaysOut::default(),
        pointers: [Halves::default(); 3],
        compared: None,
        asks: Vec::new(),
        boundaries: Vec::new(),
    };
    emitter.load_registers();
    let entries = area.places.iter().zip(&emitter.blocks).enumerate();
    let entries = entries.filter(|(_, (place, _))| place.bound.is_entry);
    emitter.b.enter(entry, entries.map(|(number, (_, &block))| (number, block)));
    for place in 0..area.places.len() {
        emitter.block(place);
    }
    emitter.edges();
    emitter.b.seal_all_blocks();
    emitter.b.finalize();
}

/// The variables that instructions set.
fn sets(placed: &[Placed]) -> Set {
    let one = |&Placed { instruction, behind, .. }: &Placed| {
        let d = instruction.d();
        let of_d = 1 << of_register(d);
        match instruction.operation {
            O::Cp | O::Cpc | O::Cpi => ARITHMETIC,
            O::Movw => of_pair(d),
            O::Adiw | O::Sbiw => of_pair(d) | ARITHMETIC,
            O::Mul | O::Muls | O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => 3 | ARITHMETIC,
            O::Bst => 1 << HELD,
            O::Bset | O::Bclr => ARITHMETIC | 1 << HELD,
            O::LdXInc | O::LdXDec => of_d | 1 << X,
            O::LdYInc | O::LdYDec => of_d | 1 << Y,
            O::LdZInc | O::LdZDec => of_d | 1 << Z,
            O::StXInc | O::StXDec => 1 << X,
            O::StYInc | O::StYDec => 1 << Y,
            O::StZInc | O::StZDec => 1 << Z,
            O::Pop => of_d | 1 << SP,
            O::Push => 1 << SP,
            O::LpmInc | O::ElpmInc => of_d | 1 << Z | 1 << RAMPZ,
            O::Out => of_own(instruction.address()),
            O::Sts => of_own(behind),
            operation => match operation.reach() {
                Reach::Registers => of_d | ARITHMETIC,
                Reach::Memory if operation.writes_data() => 0,
                Reach::Memory => of_d,
                Reach::Flow | Reach::Control => 1 << SP,
            },
        }
    };
    placed.iter().fold(1 << NOW | 1 << RETIRED, |all, placed| all | one(placed))
}

fn of_pair(low: usize) -> Set {
    1 << of_register(low) | 1 << of_register(low | 1)
}

/// The variables that a write to a data address may set.
fn of_own(address: u16) -> Set {
    match address {
        0..data::IO => 1 << of_register(address.into()),
        data::RAMPZ => 1 << RAMPZ,
        data::EIND => 1 << EIND,
        data::SPL | data::SPH => 1 << SP,
        data::SREG => ARITHMETIC | 1 << HELD,
        _ => 0,
    }
}

impl Emitter<'_> {
    fn get(&mut self, index: usize) -> Value {
        self.b.use_var(variable(index))
    }

    fn set(&mut self, index: usize, value: Value) {
        debug_assert!(self.sets >> index & 1 != 0, "variable {index} is set unforeseen");
        self.b.def_var(variable(index), value);
    }

    fn byte(&mut self, value: u8) -> Value {
        self.b.ins().iconst(I8, i64::from(value))
    }

    fn long(&mut self, value: u32) -> Value {
        self.b.ins().iconst(I32, i64::from(value))
    }

    fn widen(&mut self, byte: Value) -> Value {
        self.b.ins().uextend(I32, byte)
    }

    fn low(&mut self, long: Value) -> Value {
        self.b.ins().ireduce(I8, long)
    }

    /// Bits 8 to 15.
    fn high(&mut self, long: Value) -> Value {
        let high = self.b.ins().ushr_imm(long, 8);
        self.b.ins().ireduce(I8, high)
    }

    fn joined(&mut self, low: Value, high: Value) -> Value {
        let (low, high) = (self.widen(low), self.widen(high));
        let high = self.b.ins().ishl_imm(high, 8);
        self.b.ins().bor(low, high)
    }

    /// A byte of the host's numbers, above what `long` has in its lower 16 bits.
    fn joined_above(&mut self, long: Value, above: usize) -> Value {
        let above = self.get(above);
        let above = self.widen(above);
        let above = self.b.ins().ishl_imm(above, 16);
        self.b.ins().bor(long, above)
    }

    /// The lower 16 bits.
    fn wrapped(&mut self, long: Value) -> Value {
        self.b.ins().band_imm(long, 0xFFFF)
    }

    /// A register, without a note that it was looked at: the block under way may be left.
    fn peek(&mut self, register: usize) -> Value {
        if register < X {
            return self.get(register);
        }
        if let Some(known) = self.pointers[(register - X) / 2].bytes[register & 1] {
            return known;
        }
        let pointer = self.get(register & !1);
        if register & 1 == 0 {
            self.low(pointer)
        } else {
            self.high(pointer)
        }
    }

    fn r(&mut self, register: usize) -> Value {
        let value = self.peek(register);
        if register >= X {
            self.pointers[(register - X) / 2].bytes[register & 1] = Some(value);
        }
        value
    }

    fn set_r(&mut self, register: usize, value: Value) {
        if register < X {
            self.set(register, value);
            return;
        }
        let halves = &mut self.pointers[(register - X) / 2];
        halves.bytes[register & 1] = Some(value);
        halves.ahead = true;
    }

    /// Two registers as a number of 16 bits.
    fn pair(&mut self, low: usize) -> Value {
        if low < X {
            let (low, high) = (self.get(low), self.get(low | 1));
            return self.joined(low, high);
        }
        self.settle(low);
        self.get(low)
    }

    fn set_pair(&mut self, low: usize, value: Value) {
        if low < X {
            let (low_byte, high_byte) = (self.low(value), self.high(value));
            self.set(low, low_byte);
            self.set(low | 1, high_byte);
            return;
        }
        self.pointers[(low - X) / 2] = Halves::default();
        self.set(low, value);
    }

    /// The variable of a pointer holds what its registers do.
    fn settle(&mut self, pointer: usize) {
        if self.pointers[(pointer - X) / 2].ahead {
            let (low, high) = (self.peek(pointer), self.peek(pointer | 1));
            let value = self.joined(low, high);
            self.set(pointer, value);
            self.pointers[(pointer - X) / 2].ahead = false;
        }
    }

    fn load_registers(&mut self) {
        let load = |this: &mut Self, register| {
            this.b.ins().load(I8, FRAME, this.registers, offset_of_register(register))
        };
        for register in 0..X {
            let value = load(self, register);
            self.b.def_var(variable(register), value);
        }
        for pointer in [X, Y, Z] {
            let (low, high) = (load(self, pointer), load(self, pointer | 1));
            let value = self.joined(low, high);
            self.b.def_var(variable(pointer), value);
        }
    }

    /// Stores those of these variables that the area changes, but not the time.
    fn keep(&mut self, variables: Set) {
        let kept = variables & self.changed & !(1 << NOW | 1 << RETIRED);
        let has = |index: usize| kept >> index & 1 != 0;
        for register in (0..32).filter(|&register| has(of_register(register))) {
            let value = self.peek(register);
            self.b.ins().store(FRAME, value, self.registers, offset_of_register(register));
        }
        for (index, offset) in OFFSETS.into_iter().filter(|&(index, _)| has(index)) {
            let value = self.get(index);
            self.b.ins().store(FRAME, value, self.frame, offset as i32);
        }
    }

    /// Stores where the program stands and the time, so much later than the variables say.
    fn keep_time(&mut self, pc: Value, (cycles, instructions): (u32, u32)) {
        self.b.ins().store(FRAME, pc, self.frame, offset_of!(Frame, pc) as i32);
        let now = self.get(NOW);
        let now = self.b.ins().iadd_imm(now, i64::from(cycles));
        self.b.ins().store(FRAME, now, self.frame, offset_of!(Frame, now) as i32);
        let retired = self.get(RETIRED);
        let retired = self.b.ins().iadd_imm(retired, i64::from(instructions));
        self.b.ins().store(FRAME, retired, self.frame, offset_of!(Frame, retired) as i32);
    }

    /// Leaves the function within the block under way.
    fn exit(&mut self, how: u32, pc: Value, since: (u32, u32)) {
        self.keep_time(pc, since);
        self.keep(self.sets);
        let how = self.long(how);
        self.ways_out.leave(&mut self.b, how);
    }

    /// The end of all ways out of the block under way: what it does not set.
    fn keep_rest(&mut self) {
        self.pointers = [Halves::default(); 3];
        if let Some(how) = self.ways_out.begin(&mut self.b) {
            self.keep(!self.sets);
            self.b.ins().return_(&[how]);
        }
    }

    /// Emits what lies between places.
    fn edges(&mut self) {
        for (place, block) in std::mem::take(&mut self.asks) {
            self.b.begin(block);
            let now = self.get(NOW);
            let out = self.boundary(self.area.places[place].pc);
            let slowest = self.area.places[place].bound.slowest;
            let end = (self.frame, offset_of!(Frame, end));
            self.b.ask(now, slowest, end, (self.blocks[place], out));
        }
        for (pc, block) in std::mem::take(&mut self.boundaries) {
            self.b.begin(block);
            let pc = self.long(pc);
            self.keep_time(pc, (0, 0));
            self.keep(Set::MAX);
            let how = self.long(BOUNDARY);
            self.b.ins().return_(&[how]);
        }
    }

    /// The block that leaves before the instruction at an address.
    fn boundary(&mut self, pc: u32) -> Block {
        if let Some(&(_, block)) = self.boundaries.iter().find(|(known, _)| *known == pc) {
            return block;
        }
        let block = self.b.aside();
        self.boundaries.push((pc, block));
        block
    }

    /// The block that goes on at an address.
    fn way_to(&mut self, pc: u32) -> Block {
        let pc = pc & self.memories.pc_mask;
        let Some(&place) = self.area.numbers.get(&pc) else { return self.boundary(pc) };
        if !self.area.places[place].bound.is_entry {
            return self.blocks[place];
        }
        if let Some(&(_, block)) = self.asks.iter().find(|(known, _)| *known == place) {
            return block;
        }
        let block = self.b.create_block();
        self.asks.push((place, block));
        block
    }

    fn go_to(&mut self, pc: u32) {
        let way = self.way_to(pc);
        self.b.ins().jump(way, &[]);
    }

    fn spend(&mut self, cycles: u32) {
        let now = self.get(NOW);
        let now = self.b.ins().iadd_imm(now, i64::from(cycles));
        self.set(NOW, now);
    }

    /// The block under way is over: cycles and instructions have gone by.
    fn end(&mut self, cycles: u32, instructions: u32) {
        [X, Y, Z].into_iter().for_each(|pointer| self.settle(pointer));
        self.spend(cycles);
        let retired = self.get(RETIRED);
        let retired = self.b.ins().iadd_imm(retired, i64::from(instructions));
        self.set(RETIRED, retired);
    }

    /// Goes one of two ways, each with an address and its further cycles.
    fn fork(&mut self, holds: Value, then: (u32, u32), other: (u32, u32)) {
        let blocks = [self.b.create_block(), self.b.create_block()];
        self.b.ins().brif(holds, blocks[0], &[], blocks[1], &[]);
        for (block, (pc, cycles)) in blocks.into_iter().zip([then, other]) {
            self.b.begin(block);
            self.spend(cycles);
            self.go_to(pc);
        }
    }

    /// Emits the block at a place.
    fn block(&mut self, place: usize) {
        let area = self.area;
        let at = &area.places[place];
        let sequence = &at.sequence;
        self.sets = sets(&sequence.placed);
        self.compared = None;
        self.b.switch_to_block(self.blocks[place]);
        let mut left = false;
        for (number, placed) in (0u32..).zip(&sequence.placed) {
            let here = Here {
                pc: at.pc + u32::from(placed.words),
                behind: placed.behind,
                since: (placed.cycles.into(), number),
            };
            let instruction = placed.instruction;
            match instruction.operation.reach() {
                Reach::Registers => self.compute(instruction),
                Reach::Memory => left = self.transfer(instruction, here),
                Reach::Flow => {
                    self.flow(&at.returns, instruction, here);
                    left = true;
                }
                Reach::Control => left = self.undone(here),
            }
            if left {
                break;
            }
        }
        if !left {
            self.end(sequence.cycles, sequence.placed.len() as u32);
            self.go_to(at.pc + sequence.words);
        }
        self.keep_rest();
    }

    /// Leaves the instruction here to the plain core.
    fn undone(&mut self, here: Here) -> bool {
        let pc = self.long(here.pc & self.memories.pc_mask);
        self.exit(UNDONE, pc, here.since);
        true
    }

    /// Goes on if `holds`, else leaves the instruction here to the plain core.
    fn require(&mut self, holds: Value, here: Here) {
        let out = self.b.aside();
        self.b.require_or(holds, out);
        let on = self.b.current_block().expect("a block is under way");
        self.b.begin(out);
        self.undone(here);
        self.b.switch_to_block(on);
    }

    /// N, V and S; Z is not set if `zero` is not 0.
    fn set_signs(&mut self, (zero, sign): (Value, Value), overflow: Value) {
        let less = self.b.ins().bxor(sign, overflow);
        self.compared = None;
        self.set(ZERO, zero);
        self.set(SIGN, sign);
        self.set(V, overflow);
        self.set(S, less);
    }

    fn added(&mut self, a: Value, b: Value, with_carry: bool) -> Value {
        let (result, carry) = if with_carry {
            let carry = self.get(C);
            let (long_a, long_b, carry) = (self.widen(a), self.widen(b), self.widen(carry));
            let sum = self.b.ins().iadd(long_a, long_b);
            let sum = self.b.ins().iadd(sum, carry);
            (self.low(sum), self.high(sum))
        } else {
            let sum = self.b.ins().iadd(a, b);
            (sum, self.b.ins().icmp(IntCC::UnsignedLessThan, sum, a))
        };
        let (from_a, from_b) = (self.b.ins().bxor(a, result), self.b.ins().bxor(b, result));
        let overflow = self.b.ins().band(from_a, from_b);
        let half = self.b.ins().bxor(from_a, b);
        self.set(C, carry);
        self.set(HALF, half);
        self.set_signs((result, result), overflow);
        result
    }

    /// a − b; `further` with the carry, as part of a longer difference.
    fn subtracted(&mut self, a: Value, b: Value, further: bool) -> Value {
        let (result, carry, zero) = if further {
            let (carry, zero) = (self.get(C), self.get(ZERO));
            let (long_a, long_b, carry) = (self.widen(a), self.widen(b), self.widen(carry));
            let difference = self.b.ins().isub(long_a, long_b);
            let difference = self.b.ins().isub(difference, carry);
            let borrows = self.b.ins().icmp_imm(IntCC::SignedLessThan, difference, 0);
            let result = self.low(difference);
            (result, borrows, self.b.ins().bor(zero, result))
        } else {
            let result = self.b.ins().isub(a, b);
            (result, self.b.ins().icmp(IntCC::UnsignedLessThan, a, b), result)
        };
        let (unlike, changed) = (self.b.ins().bxor(a, b), self.b.ins().bxor(a, result));
        let overflow = self.b.ins().band(unlike, changed);
        let half = self.b.ins().bxor(unlike, result);
        self.set(C, carry);
        self.set(HALF, half);
        self.set_signs((zero, result), overflow);
        self.compared = (!further).then_some((a, b));
        result
    }

    fn logical(&mut self, result: Value) -> Value {
        let none = self.byte(0);
        self.set_signs((result, result), none);
        result
    }

    /// A shift to the right, of which bit 0 of `from` was lost.
    fn shifted(&mut self, result: Value, from: Value) -> Value {
        let carry = self.b.ins().band_imm(from, 1);
        let high = self.b.ins().ishl_imm(carry, 7);
        let overflow = self.b.ins().bxor(result, high);
        self.set(C, carry);
        self.set_signs((result, result), overflow);
        result
    }

    /// ADIW and SBIW.
    fn count_pair(&mut self, low: usize, by: i64) {
        let a = self.pair(low);
        let long = self.b.ins().iadd_imm(a, by);
        let carry = self.b.ins().ushr_imm(long, 16);
        let carry = self.b.ins().band_imm(carry, 1);
        let (carry, result) = (self.low(carry), self.wrapped(long));
        let (gains, loses) = if by > 0 { (result, a) } else { (a, result) };
        let gained = self.b.ins().band_not(gains, loses);
        let (sign, overflow) = (self.high(result), self.high(gained));
        let not_zero = self.b.ins().icmp_imm(IntCC::NotEqual, result, 0);
        self.set(C, carry);
        self.set_signs((not_zero, sign), overflow);
        self.set_pair(low, result);
    }

    fn multiply(&mut self, operation: O, a: Value, b: Value) {
        let wide = |this: &mut Self, byte, signed| {
            if signed {
                this.b.ins().sextend(I32, byte)
            } else {
                this.widen(byte)
            }
        };
        let a = wide(self, a, !matches!(operation, O::Mul | O::Fmul));
        let b = wide(self, b, matches!(operation, O::Muls | O::Fmuls));
        let product = self.b.ins().imul(a, b);
        let carry = self.b.ins().ushr_imm(product, 15);
        let carry = self.b.ins().band_imm(carry, 1);
        let carry = self.low(carry);
        let fractional = matches!(operation, O::Fmul | O::Fmuls | O::Fmulsu);
        let result = self.b.ins().ishl_imm(product, i64::from(fractional));
        let result = self.wrapped(result);
        let not_zero = self.b.ins().icmp_imm(IntCC::NotEqual, result, 0);
        self.set(C, carry);
        self.set(ZERO, not_zero);
        self.set_pair(0, result);
    }

    /// Sets or clears one flag.
    fn set_flag(&mut self, mask: u8, to: bool) {
        self.compared = None;
        let (index, value) = match mask {
            flag::C => (C, u8::from(to)),
            flag::Z => (ZERO, u8::from(!to)),
            flag::N => (SIGN, u8::from(to) << 7),
            flag::V => (V, u8::from(to) << 7),
            flag::S => (S, u8::from(to) << 7),
            flag::H => (HALF, u8::from(to) << 4),
            _ => {
                let (held, one) = (self.get(HELD), self.byte(mask));
                let held =
                    if to { self.b.ins().bor(held, one) } else { self.b.ins().band_not(held, one) };
                self.set(HELD, held);
                return;
            }
        };
        let value = self.byte(value);
        self.set(index, value);
    }

    /// The bit at `from` of a value, at `to`.
    fn bit(&mut self, value: Value, from: u32, to: u32) -> Value {
        let bit = self.b.ins().ushr_imm(value, i64::from(from));
        let bit = self.b.ins().band_imm(bit, 1);
        self.b.ins().ishl_imm(bit, i64::from(to))
    }

    /// A value with the bits of a mask from another.
    fn with_bits(&mut self, value: Value, mask: u8, bits: Value) -> Value {
        let mask = self.byte(mask);
        let others = self.b.ins().band_not(value, mask);
        self.b.ins().bor(others, bits)
    }

    fn compute(&mut self, instruction: Instruction) {
        let (d, r, constant) = (instruction.d(), instruction.r(), instruction.constant());
        let operation = instruction.operation;
        let result = match operation {
            O::Movw => {
                if d < X && r < X {
                    let (low, high) = (self.get(r), self.get(r | 1));
                    self.set(d, low);
                    self.set(d | 1, high);
                } else {
                    let value = self.pair(r);
                    self.set_pair(d, value);
                }
                return;
            }
            O::Adiw => return self.count_pair(d, constant.into()),
            O::Sbiw => return self.count_pair(d, -i64::from(constant)),
            O::Mul | O::Muls | O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => {
                let (a, b) = (self.r(d), self.r(r));
                return self.multiply(operation, a, b);
            }
            O::Bst => {
                let (a, held) = (self.r(d), self.get(HELD));
                let bit = self.bit(a, constant.trailing_zeros(), flag::T.trailing_zeros());
                let held = self.with_bits(held, flag::T, bit);
                return self.set(HELD, held);
            }
            O::Bset => return self.set_flag(constant, true),
            O::Bclr => return self.set_flag(constant, false),
            O::Nop => return,
            O::Add | O::Adc => {
                let (a, b) = (self.r(d), self.r(r));
                self.added(a, b, operation == O::Adc)
            }
            O::Sub | O::Sbc | O::Cp | O::Cpc => {
                let (a, b) = (self.r(d), self.r(r));
                self.subtracted(a, b, matches!(operation, O::Sbc | O::Cpc))
            }
            O::Subi | O::Sbci | O::Cpi => {
                let (a, b) = (self.r(d), self.byte(constant));
                self.subtracted(a, b, operation == O::Sbci)
            }
            O::Neg => {
                let (zero, b) = (self.byte(0), self.r(d));
                self.subtracted(zero, b, false)
            }
            O::And | O::Or | O::Eor | O::Andi | O::Ori => {
                let a = self.r(d);
                let b = match operation {
                    O::Andi | O::Ori => self.byte(constant),
                    _ => self.r(r),
                };
                let result = match operation {
                    O::And | O::Andi => self.b.ins().band(a, b),
                    O::Or | O::Ori => self.b.ins().bor(a, b),
                    _ => self.b.ins().bxor(a, b),
                };
                self.logical(result)
            }
            O::Com => {
                let a = self.r(d);
                let result = self.b.ins().bnot(a);
                let one = self.byte(1);
                self.set(C, one);
                self.logical(result)
            }
            O::Mov => self.r(r),
            O::Ldi => self.byte(constant),
            O::Swap => {
                let a = self.r(d);
                self.b.ins().rotl_imm(a, 4)
            }
            O::Inc | O::Dec => {
                let a = self.r(d);
                let result = self.b.ins().iadd_imm(a, if operation == O::Inc { 1 } else { -1 });
                let (gains, loses) = if operation == O::Inc { (result, a) } else { (a, result) };
                let overflow = self.b.ins().band_not(gains, loses);
                self.set_signs((result, result), overflow);
                result
            }
            O::Asr | O::Lsr | O::Ror => {
                let a = self.r(d);
                let result = if operation == O::Asr {
                    self.b.ins().sshr_imm(a, 1)
                } else {
                    self.b.ins().ushr_imm(a, 1)
                };
                let result = if operation == O::Ror {
                    let carry = self.get(C);
                    let high = self.b.ins().ishl_imm(carry, 7);
                    self.b.ins().bor(result, high)
                } else {
                    result
                };
                self.shifted(result, a)
            }
            O::Bld => {
                let (a, held) = (self.r(d), self.get(HELD));
                let bit = self.bit(held, flag::T.trailing_zeros(), constant.trailing_zeros());
                self.with_bits(a, constant, bit)
            }
            other => unreachable!("{other:?} reaches more than registers"),
        };
        if !matches!(operation, O::Cp | O::Cpc | O::Cpi) {
            self.set_r(d, result);
        }
    }

    /// Whether a flag is set: not 0 if it is.
    fn flag(&mut self, mask: u8) -> Value {
        let (index, bit) = match (mask, self.compared) {
            (flag::C, _) => return self.get(C),
            (flag::Z, _) => {
                let zero = self.get(ZERO);
                return self.b.ins().icmp_imm(IntCC::Equal, zero, 0);
            }
            (flag::S, Some((a, b))) => return self.b.ins().icmp(IntCC::SignedLessThan, a, b),
            (flag::N, _) => (SIGN, 7),
            (flag::V, _) => (V, 7),
            (flag::S, _) => (S, 7),
            (flag::H, _) => (HALF, 4),
            (flag::T, _) => (HELD, 6),
            _ => (HELD, 7),
        };
        let value = self.get(index);
        if bit == 7 {
            return self.b.ins().icmp_imm(IntCC::SignedLessThan, value, 0);
        }
        self.b.ins().band_imm(value, 1 << bit)
    }

    /// SREG.
    fn sreg(&mut self) -> Value {
        let mut sreg = self.get(HELD);
        for (index, from, to) in [(SIGN, 7, 2), (V, 7, 3), (S, 7, 4), (HALF, 4, 5)] {
            let value = self.get(index);
            let value = self.bit(value, from, to);
            sreg = self.b.ins().bor(sreg, value);
        }
        let (carry, zero) = (self.get(C), self.flag(flag::Z));
        let zero = self.b.ins().ishl_imm(zero, 1);
        let both = self.b.ins().bor(carry, zero);
        self.b.ins().bor(sreg, both)
    }

    /// Writes SREG, where I stays as it is.
    fn set_sreg(&mut self, sreg: Value) {
        self.compared = None;
        let carry = self.b.ins().band_imm(sreg, 1);
        self.set(C, carry);
        let not_zero = self.b.ins().bnot(sreg);
        let not_zero = self.b.ins().band_imm(not_zero, i64::from(flag::Z));
        self.set(ZERO, not_zero);
        for (index, up) in [(SIGN, 5), (V, 4), (S, 3)] {
            let value = self.b.ins().ishl_imm(sreg, up);
            self.set(index, value);
        }
        let half = self.b.ins().ushr_imm(sreg, 1);
        self.set(HALF, half);
        let held = self.b.ins().band_imm(sreg, i64::from(flag::T | flag::I));
        self.set(HELD, held);
    }

    /// The place in the host of `count` bytes at a data address in the RAM; else the instruction here is left.
    fn ram_at(&mut self, address: Value, count: u32, here: Here) -> Value {
        let (base, size) = self.memories.ram;
        let at = self.b.ins().iadd_imm(address, -i64::from(base));
        let last = self.long(size - count);
        let holds = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, at, last);
        self.require(holds, here);
        let wide = self.b.ins().uextend(I64, at);
        self.b.ins().iadd(self.ram, wide)
    }

    fn load_at(&mut self, address: Value, here: Here) -> Value {
        let at = self.ram_at(address, 1, here);
        self.b.ins().load(I8, LENT, at, 0)
    }

    fn store_at(&mut self, address: Value, value: Value, here: Here) {
        let at = self.ram_at(address, 1, here);
        self.b.ins().store(LENT, value, at, 0);
    }

    /// The offset of a known data address in the RAM, if it lies there.
    fn known_place(&self, address: u16) -> Option<i32> {
        let (base, size) = self.memories.ram;
        let place = u32::from(address).wrapping_sub(base);
        (place < size).then_some(place as i32)
    }

    /// The value at a known data address; none where the plain core must look.
    fn load_known(&mut self, address: u16) -> Option<Value> {
        if let Some(place) = self.known_place(address) {
            return Some(self.b.ins().load(I8, LENT, self.ram, place));
        }
        Some(match address {
            0..data::IO => self.r(address.into()),
            data::RAMPZ => self.get(RAMPZ),
            data::EIND => self.get(EIND),
            data::SPL | data::SPH => {
                let sp = self.get(SP);
                if address == data::SPL {
                    self.low(sp)
                } else {
                    self.high(sp)
                }
            }
            data::SREG => self.sreg(),
            _ => return None,
        })
    }

    /// Writes to a known data address. Returns whether it always leaves.
    fn store_known(&mut self, address: u16, value: Value, here: Here) -> bool {
        if let Some(place) = self.known_place(address) {
            self.b.ins().store(LENT, value, self.ram, place);
            return false;
        }
        match address {
            0..data::IO => self.set_r(address.into(), value),
            data::RAMPZ => self.set(RAMPZ, value),
            data::EIND => self.set(EIND, value),
            data::SPL | data::SPH => {
                let sp = self.get(SP);
                let (low, high) = if address == data::SPL {
                    (value, self.high(sp))
                } else {
                    (self.low(sp), value)
                };
                let sp = self.joined(low, high);
                self.set(SP, sp);
            }
            data::SREG => {
                let held = self.get(HELD);
                let changed = self.b.ins().bxor(held, value);
                let same = self.b.ins().icmp_imm(IntCC::SignedGreaterThanOrEqual, changed, 0);
                self.require(same, here);
                self.set_sreg(value);
            }
            _ => return self.undone(here),
        }
        false
    }

    /// Loads, stores, and reads of program memory. Returns whether the instruction always leaves.
    fn transfer(&mut self, instruction: Instruction, here: Here) -> bool {
        let d = instruction.d();
        let named = instruction.named_address(here.behind).unwrap_or_default();
        match instruction.operation {
            O::Lds | O::In => {
                let Some(value) = self.load_known(named) else { return self.undone(here) };
                self.set_r(d, value);
            }
            O::Sts | O::Out => {
                let value = self.r(d);
                return self.store_known(named, value, here);
            }
            O::Push => {
                let (sp, value) = (self.get(SP), self.r(d));
                self.store_at(sp, value, here);
                // It was inside the RAM, whose first address is not 0.
                let sp = self.b.ins().iadd_imm(sp, -1);
                self.set(SP, sp);
            }
            O::Pop => {
                let sp = self.get(SP);
                let sp = self.b.ins().iadd_imm(sp, 1);
                let value = self.load_at(sp, here);
                self.set(SP, sp);
                self.set_r(d, value);
            }
            O::Sbi | O::Cbi => return self.undone(here),
            O::LpmR0 | O::Lpm | O::LpmInc | O::ElpmR0 | O::Elpm | O::ElpmInc => {
                self.load_program(instruction.operation, d, here);
            }
            operation => self.transfer_by_pointer(operation, instruction, here),
        }
        false
    }

    fn transfer_by_pointer(&mut self, operation: O, instruction: Instruction, here: Here) {
        let (d, (pointer, moves)) = (instruction.d(), pointer_of(operation));
        let old = self.pair(pointer);
        let (address, moved) = match moves {
            Moves::Not => (old, None),
            // Beyond the address space there is no RAM.
            Moves::Displaced => {
                (self.b.ins().iadd_imm(old, i64::from(instruction.address())), None)
            }
            Moves::Up => {
                let up = self.b.ins().iadd_imm(old, 1);
                (old, Some(self.wrapped(up)))
            }
            Moves::Down => {
                let down = self.b.ins().iadd_imm(old, -1);
                let down = self.wrapped(down);
                (down, Some(down))
            }
        };
        if operation.writes_data() {
            let value = self.r(d);
            self.store_at(address, value, here);
            moved.into_iter().for_each(|moved| self.set_pair(pointer, moved));
        } else {
            let value = self.load_at(address, here);
            moved.into_iter().for_each(|moved| self.set_pair(pointer, moved));
            self.set_r(d, value);
        }
    }

    fn load_program(&mut self, operation: O, d: usize, here: Here) {
        let extended = matches!(operation, O::ElpmR0 | O::Elpm | O::ElpmInc);
        let mut address = self.pair(Z);
        if extended {
            address = self.joined_above(address, RAMPZ);
        }
        let mask = 2 * self.memories.pc_mask + 1;
        let place = self.b.ins().band_imm(address, i64::from(mask));
        if self.memories.program <= mask {
            let size = self.long(self.memories.program);
            let holds = self.b.ins().icmp(IntCC::UnsignedLessThan, place, size);
            self.require(holds, here);
        }
        let wide = self.b.ins().uextend(I64, place);
        let at = self.b.ins().iadd(self.program, wide);
        let value = self.b.ins().load(I8, LENT, at, 0);
        self.set_r(d, value);
        if matches!(operation, O::LpmInc | O::ElpmInc) {
            let next = self.b.ins().iadd_imm(address, 1);
            let low = self.wrapped(next);
            self.set_pair(Z, low);
            if extended {
                let above = self.b.ins().ushr_imm(next, 16);
                let above = self.low(above);
                self.set(RAMPZ, above);
            }
        }
    }

    /// The target in Z, with EIND above it if it is extended.
    fn indirect(&mut self, extended: bool) -> Value {
        let mut target = self.pair(Z);
        if extended {
            target = self.joined_above(target, EIND);
        }
        self.b.ins().band_imm(target, i64::from(self.memories.pc_mask))
    }

    /// Pushes an address, its high byte on top.
    fn push_address(&mut self, pc: u32, here: Here) {
        let sp = self.get(SP);
        let top = self.b.ins().iadd_imm(sp, -2);
        let at = self.ram_at(top, 3, here);
        let [low, middle, high, _] = (pc & self.memories.pc_mask).to_le_bytes();
        let high = self.byte(high);
        self.b.ins().store(LENT, high, at, 0);
        let others = self.b.ins().iconst(I16, i64::from(u16::from_le_bytes([middle, low])));
        self.b.ins().store(LENT, others, at, 1);
        let sp = self.b.ins().iadd_imm(sp, -3);
        self.set(SP, sp);
    }

    /// Pops an address.
    fn pop_address(&mut self, here: Here) -> Value {
        let sp = self.get(SP);
        let first = self.b.ins().iadd_imm(sp, 1);
        let at = self.ram_at(first, 3, here);
        let mut address = self.b.ins().uload8(I32, LENT, at, 0);
        for place in 1..3 {
            let byte = self.b.ins().uload8(I32, LENT, at, place);
            let above = self.b.ins().ishl_imm(address, 8);
            address = self.b.ins().bor(above, byte);
        }
        let sp = self.b.ins().iadd_imm(sp, 3);
        self.set(SP, sp);
        self.b.ins().band_imm(address, i64::from(self.memories.pc_mask))
    }

    /// Goes on where a value says: `likely` are addresses that it may be.
    fn go_anywhere(&mut self, target: Value, likely: &[u32]) {
        let anywhere = self.b.aside();
        let mut switch = Switch::new();
        for &pc in likely.iter().filter(|pc| self.area.numbers.contains_key(pc)) {
            let way = self.way_to(pc);
            switch.set_entry(pc.into(), way);
        }
        switch.emit(&mut self.b, target, anywhere);
        self.b.begin(anywhere);
        self.exit(BOUNDARY, target, (0, 0));
    }

    /// Skips, branches, jumps, calls and returns end a block.
    fn flow(&mut self, returns: &[u32], instruction: Instruction, here: Here) {
        let what = instruction.operation;
        let (cycles, count) = (here.since.0 + what.cycles(), here.since.1 + 1);
        let next = here.pc + what.words() as u32;
        match what {
            O::Cpse | O::Sbrc | O::Sbrs => {
                let a = self.r(instruction.d());
                let skips = if what == O::Cpse {
                    let b = self.r(instruction.r());
                    self.b.ins().icmp(IntCC::Equal, a, b)
                } else {
                    let bit = self.byte(instruction.constant());
                    let bit = self.b.ins().band(a, bit);
                    let code = if what == O::Sbrs { IntCC::NotEqual } else { IntCC::Equal };
                    self.b.ins().icmp_imm(code, bit, 0)
                };
                let skipped = operation(here.behind).words() as u32;
                self.end(cycles, count);
                self.fork(skips, (next + skipped, skipped), (next, 0));
            }
            O::Sbic | O::Sbis => {
                self.undone(here);
            }
            O::Brbs | O::Brbc => {
                let set = self.flag(instruction.flag());
                let taken = (next.wrapping_add(instruction.distance()), 1);
                self.end(cycles, count);
                if what == O::Brbs {
                    self.fork(set, taken, (next, 0));
                } else {
                    self.fork(set, (next, 0), taken);
                }
            }
            O::Rjmp | O::Jmp => {
                self.end(cycles, count);
                self.go_to(target(instruction, here));
            }
            O::Rcall | O::Call => {
                self.push_address(next, here);
                self.end(cycles, count);
                self.go_to(target(instruction, here));
            }
            O::Ijmp | O::Eijmp | O::Icall | O::Eicall => {
                let target = self.indirect(matches!(what, O::Eijmp | O::Eicall));
                if matches!(what, O::Icall | O::Eicall) {
                    self.push_address(next, here);
                }
                self.end(cycles, count);
                self.go_anywhere(target, &[]);
            }
            _ => {
                let target = self.pop_address(here);
                self.end(cycles, count);
                self.go_anywhere(target, returns);
            }
        }
    }
}

/// The target of a jump or call that does not depend on registers.
fn target(instruction: Instruction, here: Here) -> u32 {
    match instruction.operation {
        O::Jmp | O::Call => instruction.target(here.behind),
        _ => here.pc.wrapping_add(1).wrapping_add(instruction.distance()),
    }
}

/// How a pointer moves.
enum Moves {
    Not,
    Displaced,
    Up,
    Down,
}

/// The pointer of a load or a store, and how it moves.
fn pointer_of(operation: O) -> (usize, Moves) {
    let pointer = match operation {
        O::LdX | O::LdXInc | O::LdXDec | O::StX | O::StXInc | O::StXDec => X,
        O::LddY | O::LdYInc | O::LdYDec | O::StdY | O::StYInc | O::StYDec => Y,
        _ => Z,
    };
    let moves = match operation {
        O::LdX | O::StX => Moves::Not,
        O::LdXInc | O::LdYInc | O::LdZInc | O::StXInc | O::StYInc | O::StZInc => Moves::Up,
        O::LdXDec | O::LdYDec | O::LdZDec | O::StXDec | O::StYDec | O::StZDec => Moves::Down,
        _ => Moves::Displaced,
    };
    (pointer, moves)
}
