//! LDM, STM, PUSH and POP (ARM DDI 0210C, "Instruction cycle timings"; corner cases in
//! docs/timing/arm7tdmi.md).

use super::decoder::arm::{rn, BEFORE, STATUS, UP, WRITE_BACK};
use super::decoder::{Cost, Operation};
use super::{Arm7tdmi, FETCH};
use crate::bus::{Access, Bus, Width};

/// A block transfer, decoded. Registers go in ascending order to ascending addresses.
pub(super) struct Block {
    list: u32,
    start: u32,
    base: usize,
    updated: u32,
    write_back: bool,
    /// The S bit: the registers of the User bank, or, with r15 loaded, the return of the status.
    status: bool,
}

impl Block {
    /// `base` of value `from` moves up or down; `before` says whether it moves before each transfer.
    /// An empty list moves r15 alone and the base by 16 words (seen on silicon; unpredictable on the
    /// architecture).
    #[inline(always)]
    pub(super) fn new(base: usize, from: u32, list: u32, up: bool, before: bool) -> Self {
        let (list, bytes) = if list == 0 { (1 << 15, 64) } else { (list, 4 * list.count_ones()) };
        let moved = if up { from.wrapping_add(bytes) } else { from.wrapping_sub(bytes) };
        let lowest = if up { from } else { moved };
        let start = if before == up { lowest.wrapping_add(4) } else { lowest };
        Block { list, start, base, updated: moved, write_back: true, status: false }
    }

    fn loads_pc(&self) -> bool {
        self.list & 1 << 15 != 0
    }

    fn moved_base(&self) -> Option<(usize, u32)> {
        self.write_back.then_some((self.base, self.updated))
    }
}

const DATA: Access = Access::data(Width::Word);

/// Takes the lowest register out of a list.
#[inline(always)]
fn take(list: &mut u32) -> usize {
    let lowest = list.trailing_zeros() & 15;
    *list &= list.wrapping_sub(1);
    lowest as usize
}

impl Arm7tdmi {
    /// The ARM forms.
    pub(super) fn block_transfer<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
    ) {
        let has = |bit| opcode & bit != 0;
        let base = rn(opcode);
        let mut block = Block::new(base, self.r[base], opcode & 0xFFFF, has(UP), has(BEFORE));
        block.write_back = has(WRITE_BACK);
        block.status = has(STATUS);
        if operation == Operation::Ldm {
            self.load_block(bus, &block);
        } else {
            self.store_block(bus, &block);
        }
    }

    /// STM of n registers: (n-1)S + 2N, one N being the next fetch. The base moves after the first
    /// store, so that a base that is not the lowest in the list is stored moved. A refused store does
    /// not end the transfer; the abort is taken after it.
    pub(super) fn store_block<B: Bus>(&mut self, bus: &mut B, block: &Block) {
        self.advance();
        if !block.status && self.store_words(bus, block) {
            return;
        }
        let (mut list, mut address, mut access) = (block.list, block.start, DATA);
        let mut aborted = false;
        while list != 0 {
            let register = take(&mut list);
            let value = if block.status { *self.user_register(register) } else { self.r[register] };
            aborted |= bus.write(address, value, access).is_err();
            if access == DATA {
                self.write_back(block.moved_base());
                access = DATA.sequential();
            }
            address = address.wrapping_add(4);
        }
        self.next = FETCH;
        if aborted {
            self.data_abort(bus);
        }
    }

    /// Stores all registers at once. Does nothing and returns `false` if an event could fall between.
    #[inline(always)]
    fn store_words<B: Bus>(&mut self, bus: &mut B, block: &Block) -> bool {
        let Some(words) = bus.write_words(block.start, block.list.count_ones()) else {
            return false;
        };
        let mut list = block.list;
        for (place, word) in words.chunks_exact_mut(4).enumerate() {
            word.copy_from_slice(&self.r[take(&mut list)].to_le_bytes());
            if place == 0 {
                self.write_back(block.moved_base());
            }
        }
        self.next = FETCH;
        true
    }

    /// Loads all registers at once and returns the value for r15. Does nothing if an event could fall between.
    #[inline(always)]
    fn load_words<B: Bus>(&mut self, bus: &mut B, block: &Block) -> Option<u32> {
        let words = bus.read_words(block.start, block.list.count_ones())?;
        self.write_back(block.moved_base());
        let (mut list, next) = (block.list, self.r[15]);
        for word in words.chunks_exact(4) {
            self.r[take(&mut list)] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        Some(std::mem::replace(&mut self.r[15], next))
    }

    /// LDM of n registers: nS + 1N + 1I; with r15 1N + 1S more. After a refused load no register is
    /// written, all cycles are spent, and the base is set again: moved, or as it was.
    pub(super) fn load_block<B: Bus>(&mut self, bus: &mut B, block: &Block) {
        let original = self.r[block.base];
        let user = block.status && !block.loads_pc();
        self.advance();
        if !block.status {
            if let Some(target) = self.load_words(bus, block) {
                self.idle_by(bus, Cost::plain(Operation::Ldm), 0);
                if block.loads_pc() {
                    self.branch(bus, target);
                }
                return;
            }
        }
        let (mut list, mut address, mut access) = (block.list, block.start, DATA);
        let mut target = 0;
        let mut aborted = false;
        while list != 0 {
            let register = take(&mut list);
            let data = bus.read(address, access);
            if access == DATA {
                self.write_back(block.moved_base());
                access = DATA.sequential();
            }
            address = address.wrapping_add(4);
            aborted |= data.is_err();
            match data {
                Ok(value) if !aborted => match register {
                    15 => target = value,
                    _ if user => *self.user_register(register) = value,
                    _ => self.r[register] = value,
                },
                _ => {}
            }
        }
        self.idle_by(bus, Cost::plain(Operation::Ldm), 0);
        if aborted {
            let base = if block.write_back { block.updated } else { original };
            self.write_back(Some((block.base, base)));
            self.data_abort(bus);
        } else if block.loads_pc() {
            if block.status {
                self.restore_status();
            }
            self.branch(bus, target);
            if block.status {
                bus.left_exception();
            }
        }
    }
}
