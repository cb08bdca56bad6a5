//! The register file: r0 to r31.

use std::ops::{Index, IndexMut};

/// r0 to r31. Each has two bytes of the host, so no pair is read as one word. Where its bytes were written one by one
/// just before, the host's processor would wait for both to reach its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Registers([Apart; 32]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(2))]
struct Apart(u8);

impl Registers {
    /// All zero.
    pub const ZERO: Self = Registers([Apart(0); 32]);

    /// As many bytes.
    pub fn bytes(&self) -> [u8; 32] {
        self.0.map(|Apart(byte)| byte)
    }

    /// Where r0 is: the next register is two bytes behind it, and so on.
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    pub fn place(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// The register of the lower number, which is even, is the low byte.
    #[inline(always)]
    pub fn pair(&self, low: usize) -> u16 {
        u16::from_le_bytes([self[low & 30], self[low & 30 | 1]])
    }

    #[inline(always)]
    pub fn set_pair(&mut self, low: usize, value: u16) {
        [self[low & 30], self[low & 30 | 1]] = value.to_le_bytes();
    }
}

impl From<[u8; 32]> for Registers {
    fn from(bytes: [u8; 32]) -> Self {
        Registers(bytes.map(Apart))
    }
}

impl Index<usize> for Registers {
    type Output = u8;

    #[inline(always)]
    fn index(&self, number: usize) -> &u8 {
        &self.0[number].0
    }
}

impl IndexMut<usize> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, number: usize) -> &mut u8 {
        &mut self.0[number].0
    }
}
