//! A bus for tests: one zero-wait memory, repeated over all addresses but one window that refuses
//! every access, and interrupt inputs that rise once, behind a synchroniser.

#![allow(dead_code)] // each test uses its own part

use cyclescope_engine::bus::{
    Abort, Access, Bus, Exception, ExceptionKind, Pending, Status, Width,
};
use cyclescope_engine::time::{Cycle, NEVER};
use std::ops::Range;

/// Bytes of memory; a power of two.
pub const SIZE: usize = 1 << 16;

/// Cycles by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub sequential: u64,
    pub non_sequential: u64,
    pub internal: u64,
}

/// One exception entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub vector: u32,
    pub blamed: u32,
    pub link: u32,
    /// The boundary after it: the vector's instruction is about to execute.
    pub at: Cycle,
}

#[derive(Clone, Debug)]
pub struct FlatBus {
    pub memory: Vec<u8>,
    pub refused: Range<u32>,
    pub count: Count,
    pub now: Cycle,
    /// The inputs that rise, when they rise, and for how many cycles the synchroniser holds them back.
    pub request: Pending,
    pub asserted: Cycle,
    pub synchroniser: Cycle,
    pub entries: Vec<Entry>,
    /// Boundaries passed: cycle and address of the instruction about to execute.
    pub boundaries: Option<Vec<(Cycle, u32)>>,
    pub break_at: Option<u32>,
}

impl Default for FlatBus {
    fn default() -> Self {
        FlatBus {
            memory: vec![0; SIZE],
            refused: 0..0,
            count: Count::default(),
            now: 0,
            request: Pending::default(),
            asserted: NEVER,
            synchroniser: 0,
            entries: Vec::new(),
            boundaries: None,
            break_at: None,
        }
    }
}

impl FlatBus {
    pub fn put_words(&mut self, address: u32, words: &[u32]) {
        let start = address as usize;
        for (place, word) in self.memory[start..].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    pub fn put_halves(&mut self, address: u32, halves: &[u16]) {
        let start = address as usize;
        for (place, half) in self.memory[start..].chunks_exact_mut(2).zip(halves) {
            place.copy_from_slice(&half.to_le_bytes());
        }
    }

    #[inline(always)]
    fn spend(&mut self, address: u32, access: Access) -> Result<usize, Abort> {
        self.now += 1;
        if access.is_sequential() {
            self.count.sequential += 1;
        } else {
            self.count.non_sequential += 1;
        }
        if self.refused.contains(&address) {
            return Err(Abort);
        }
        Ok(access.width().align(address) as usize & (SIZE - 1))
    }
}

impl Bus for FlatBus {
    #[inline(always)]
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        let at = self.spend(address, access)?;
        Ok(match access.width() {
            Width::Byte => u32::from(self.memory[at]),
            Width::Half => {
                u32::from(u16::from_le_bytes(self.memory[at..at + 2].try_into().expect("2 bytes")))
            }
            Width::Word => u32::from_le_bytes(self.memory[at..at + 4].try_into().expect("4 bytes")),
        })
    }

    #[inline(always)]
    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        let at = self.spend(address, access)?;
        let bytes = value.to_le_bytes();
        match access.width() {
            Width::Byte => self.memory[at] = bytes[0],
            Width::Half => self.memory[at..at + 2].copy_from_slice(&bytes[..2]),
            Width::Word => self.memory[at..at + 4].copy_from_slice(&bytes),
        }
        Ok(())
    }

    #[inline(always)]
    fn idle(&mut self, cycles: u32) {
        self.now += Cycle::from(cycles);
        self.count.internal += u64::from(cycles);
    }

    #[inline(always)]
    fn now(&self) -> Cycle {
        self.now
    }

    #[inline(always)]
    fn next_check(&self) -> Cycle {
        self.asserted.saturating_add(self.synchroniser)
    }

    fn pending(&mut self) -> Pending {
        if self.now >= self.next_check() {
            self.request
        } else {
            Pending::default()
        }
    }

    #[inline(always)]
    fn boundary(&mut self, address: u32, _status: Status, _stack: u32) -> bool {
        if let Some(boundaries) = &mut self.boundaries {
            boundaries.push((self.now, address));
        }
        self.break_at == Some(address)
    }

    fn excepted(&mut self, exception: &Exception) {
        let Exception { kind, vector, at: blamed, return_to: link, .. } = *exception;
        self.entries.push(Entry { vector, blamed, link, at: self.now });
        if matches!(kind, ExceptionKind::Interrupt(_)) {
            self.asserted = NEVER; // the request is served
        }
    }
}
