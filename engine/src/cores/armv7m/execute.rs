//! Executes one instruction.

use super::decoder::{is_wide, Class, Instruction, Operation as O};
use super::exceptions::{Fault, Leave};
use super::memo::Decoded;
use super::pipeline::{long, Ahead, Path, Place, Until, Work};
use super::psr::{advanced, passes};
use super::{Armv7m, FETCH, LR, PC};
use crate::bus::Bus;

/// For each eighth of all addresses, whether instructions may lie there (ARM DDI 0403, B3.1).
const EXECUTABLE: u32 = 0b0001_1011;

/// The pipeline follows no more wait states of a fetched word than this.
const MOST_WAITS: u32 = 200;

impl Armv7m {
    /// Executes the instruction at the program counter.
    #[inline(always)]
    pub(super) fn execute_next<B: Bus>(&mut self, bus: &mut B) -> Result<(), Leave> {
        let opcode = self.fetch(bus)?;
        let address = self.pc;
        self.memo.bring(address, opcode, &mut self.pipeline);
        let near = self.memo.near(address);
        // The rest is looked at later: a copy answers late.
        let (operation, bytes, accesses) = (near.one.operation, near.one.bytes, near.accesses);
        let decoded = *near;
        let one = &decoded.one;
        self.ahead = None;
        if !self.pipeline.is_warm() {
            self.warm(bus, opcode);
        }
        self.r[PC] = address.wrapping_add(4);
        self.next = address.wrapping_add(u32::from(bytes));
        (self.target, self.data, self.behind) = (None, None, None);
        self.work = Work::accessing(accesses);
        let it = self.it;
        self.in_block = it != 0;
        let mut skipped = false;
        if self.in_block {
            self.it = advanced(it);
            skipped = !passes(it >> 4, self.flags);
        }
        self.pipeline.start(operation == O::It);
        if !skipped {
            match self.execute(bus, operation, one) {
                Ok(()) => {}
                Err(leave @ (Leave::Fault(_) | Leave::Interrupted(_))) => {
                    self.it = it;
                    return Err(leave);
                }
                Err(leave) => {
                    if matches!(leave, Leave::Return(_)) {
                        self.depart(bus, one);
                    } else {
                        self.finish(bus, &decoded);
                    }
                    return Err(leave);
                }
            }
        }
        if !skipped && decoded.is_long {
            return self.finish_long(bus, &decoded, it);
        }
        self.finish(bus, &decoded);
        Ok(())
    }

    /// The opcode at the program counter. It mostly came while the instruction before executed.
    #[inline(always)]
    fn fetch<B: Bus>(&mut self, bus: &mut B) -> Result<u32, Leave> {
        match self.ahead {
            Some(opcode) => Ok(opcode),
            None => self.fetch_at(bus, self.pc),
        }
    }

    /// Whether an instruction may lie at `address`.
    #[inline(always)]
    fn may_fetch(&self, address: u32) -> bool {
        EXECUTABLE >> (address >> 29) & 1 != 0 && self.thumb
    }

    #[inline(always)]
    fn fetch_at<B: Bus>(&mut self, bus: &mut B, address: u32) -> Result<u32, Leave> {
        if !self.may_fetch(address) {
            return Err(self.cannot_fetch());
        }
        let (first, waits) = fetch_half(bus, address)?;
        if waits != 0 || self.waits != [0; 2] {
            self.found_waits(address, waits);
        }
        if !is_wide(first) {
            return Ok(u32::from(first));
        }
        let (second, _) = fetch_half(bus, address.wrapping_add(2))?;
        Ok(u32::from(first) | u32::from(second) << 16)
    }

    /// A fetched word at `address` waits so many cycles: the pipeline learns of a change.
    #[cold]
    fn found_waits(&mut self, address: u32, waits: u32) {
        let known = &mut self.waits[usize::from(Path::of(address) == Path::System)];
        let waits = waits.min(MOST_WAITS) as u8;
        if *known != waits {
            *known = waits;
            if self.pipeline.is_warm() {
                self.pipeline.set_waits(self.waits);
            }
        }
    }

    /// The pipeline fills from the program counter on. That is a part of what led there, but for the waits of its
    /// fetches.
    #[cold]
    fn warm<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let decoded = self.memo.entry(opcode, &mut self.pipeline);
        let (place, first) = (Place::of(self.pc), self.foresee(bus, self.pc, &decoded, None));
        let without = self.pipeline.warm(place, first);
        if self.waits != [0; 2] {
            self.pipeline.flush();
            self.pipeline.set_waits(self.waits);
            bus.idle(self.pipeline.warm(place, first) - without);
        }
    }

    /// Cycles go by one by one: a device may take the memory of the code in any of them.
    #[cold]
    #[inline(never)]
    pub(super) fn walk<B: Bus>(&mut self, bus: &mut B, work: (Work, Ahead), until: Until) {
        let (code, paid) = (self.pc, &mut self.paid);
        let mut is_kept = || {
            if *paid > 0 {
                *paid -= 1;
                return false;
            }
            let is_kept = bus.is_kept(code);
            bus.idle(1);
            is_kept
        };
        let counts = self.pipeline.walk(work, until, &mut is_kept);
        if self.dwt.counting {
            self.dwt.count(&counts);
        }
    }

    /// The first instruction of a handler, or behind one, comes with the entry or the return.
    pub(super) fn fetch_first<B: Bus>(&mut self, bus: &mut B) {
        self.ahead = self.fetch_at(bus, self.pc).ok();
    }

    #[cold]
    fn cannot_fetch(&self) -> Leave {
        let fault = if self.thumb { Fault::NotExecutable } else { Fault::InvalidState };
        fault.into()
    }

    /// Fetches and decodes the next instruction, at `address`, for the pipeline.
    #[inline(always)]
    pub(super) fn look_ahead<B: Bus>(&mut self, bus: &mut B, address: u32) -> Ahead {
        let pair = if self.may_fetch(address) && self.waits == [0; 2] {
            bus.fetch_pair_beside(address)
        } else {
            None
        };
        let opcode = match pair {
            Some(pair) if is_wide(pair as u16) => pair,
            Some(pair) => pair & 0xFFFF,
            None => match self.fetch_at(bus, address) {
                Ok(opcode) => opcode,
                Err(_) => return Ahead::default(),
            },
        };
        self.ahead = Some(opcode);
        self.memo.bring(address, opcode, &mut self.pipeline);
        self.foresee(bus, address, self.memo.near(address), pair)
    }

    /// Facts that decode and the pipeline know of an instruction before it executes. A pair is that of the
    /// half-words at its address, where it is known.
    #[inline(always)]
    fn foresee<B: Bus>(
        &self,
        bus: &mut B,
        address: u32,
        decoded: &Decoded,
        pair: Option<u32>,
    ) -> Ahead {
        let mut ahead = Ahead::of(decoded.shape);
        if self.it != 0 {
            ahead = ahead.in_block(passes(self.it >> 4, self.flags));
        } else if decoded.folds {
            let it_follows = match pair {
                Some(pair) => is_it((pair >> 16) as u16),
                None => {
                    let behind = fetch_half(bus, address.wrapping_add(2));
                    behind.is_ok_and(|(half, _)| is_it(half))
                }
            };
            ahead = ahead.before_it(it_follows);
        }
        if decoded.is_early {
            let one = &decoded.one;
            let taken = !ahead.is_skipped() && passes(one.condition, self.flags);
            let far = address.wrapping_add(4).wrapping_add(one.immediate);
            let target = if decoded.is_by_link { self.r[LR] } else { far };
            ahead = ahead.branching(taken, Place::of(target));
        }
        ahead
    }

    /// The instruction is over: the cycles until the next one executes go by.
    #[inline(always)]
    fn finish<B: Bus>(&mut self, bus: &mut B, decoded: &Decoded) {
        let cycles = self.last_cycles(bus, decoded);
        self.spend(bus, cycles);
        (self.pc, self.continued) = (self.next, 0);
        self.retired += 1;
    }

    /// A quotient or a long product: an exception may take its place before its last cycle.
    #[inline(never)]
    fn finish_long<B: Bus>(&mut self, bus: &mut B, decoded: &Decoded, it: u8) -> Result<(), Leave> {
        let (one, cycles) = (&decoded.one, self.last_cycles(bus, decoded));
        let cycles = self.left_of(cycles);
        for _ in 1..cycles {
            bus.idle(1);
            if self.is_interrupted(bus) {
                [self.r[usize::from(one.d)], self.r[usize::from(one.a)]] = self.kept;
                (self.it, self.ahead) = (it, None);
                return Err(Leave::Interrupted(0));
            }
        }
        bus.idle(cycles.min(1));
        self.pc = self.next;
        self.retired += 1;
        Ok(())
    }

    /// Cycles from the last access of the instruction, or from its beginning, until the next one executes. None are
    /// left where they went by one by one.
    #[inline(always)]
    fn last_cycles<B: Bus>(&mut self, bus: &mut B, decoded: &Decoded) -> u32 {
        let one = &decoded.one;
        let cycles =
            if decoded.takes_several { long::cycles(one.operation, self.operands) } else { 1 };
        let target = if one.operation == O::Isb { Some(self.next) } else { self.target };
        let work = self.work.ending(cycles, target.map(Place::of));
        let next = match self.behind {
            Some(next) if target.is_none() => next,
            _ => self.look_ahead(bus, self.next),
        };
        if bus.is_shared() && !decoded.is_long {
            self.walk(bus, (work, next), Until::Next);
            return 0;
        }
        let passage = self.pipeline.reach_next(work, next);
        self.count(passage);
        passage.cycles()
    }

    /// The instruction returns from an exception: its own cycles go by (unverified), and the pipeline is emptied.
    #[cold]
    fn depart<B: Bus>(&mut self, bus: &mut B, one: &Instruction) {
        bus.idle(if usize::from(one.m) == LR || self.data.is_some() { 2 } else { 3 });
        (self.pc, self.continued) = (self.next, 0);
        self.retired += 1;
    }

    #[inline(always)]
    fn execute<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: O,
        one: &Instruction,
    ) -> Result<(), Leave> {
        /// Operations that one function executes, each by a copy of it that knows its operation.
        macro_rules! operations {
            ($($compute:ident)* | $($go:ident)*) => {
                match operation {
                    $(O::$compute => {
                        return self.compute(&Instruction { operation: O::$compute, ..*one });
                    })*
                    $(O::$go => {
                        return self.go(bus, &Instruction { operation: O::$go, ..*one });
                    })*
                    _ => {}
                }
            };
        }
        operations!(
            And Bic Orr Orn Eor Mov Mvn Tst Teq Add Cmn Adc Sub Cmp Sbc Rsb Lsl Lsr Asr Ror Adr
            | B Bcond Bl Bx Blx Cbz Cbnz
        );
        match operation {
            O::Undefined => Err(Fault::Undefined.into()),
            O::Coprocessor => Err(Fault::NoCoprocessor.into()),
            O::Tbb | O::Tbh => self.go(bus, one),
            O::Ldr | O::Ldrb | O::Ldrh | O::Ldrsb | O::Ldrsh | O::Str | O::Strb | O::Strh => {
                self.transfer(bus, one)
            }
            O::Ldm | O::Ldmdb => self.load_list(bus, one),
            O::Stm | O::Stmdb => self.store_list(bus, one),
            O::Nop | O::Yield | O::Hint => Ok(()),
            O::It => {
                self.it = one.immediate as u8;
                Ok(())
            }
            operation => match operation.class() {
                Class::Arithmetic
                | Class::Multiply
                | Class::MultiplyAccumulate
                | Class::LongMultiply
                | Class::Divide => self.compute(one),
                Class::Load | Class::Store | Class::Loads | Class::Stores => {
                    self.transfer_rarely(bus, one)
                }
                _ => self.control(bus, one),
            },
        }
    }
}

/// Whether a half-word is an IT.
#[inline(always)]
pub(super) const fn is_it(half: u16) -> bool {
    half & 0xFF00 == 0xBF00 && half & 15 != 0
}

/// A half-word of code, and the wait states of its word.
#[inline(always)]
fn fetch_half<B: Bus>(bus: &mut B, address: u32) -> Result<(u16, u32), Leave> {
    let fetched = bus.fetch_beside(address, FETCH);
    fetched.map(|(half, waits)| (half as u16, waits)).map_err(|_| Fault::Fetch.into())
}
