//! A memory with fixed wait states on a bus of fixed width (ARM DDI 0210, chapter 3: memory interface).

use super::Timing;
use crate::bus::{Access, Width};

/// One cost for each kind of access. An access wider than the memory takes several transfers: the
/// first is of the access's kind (N or S), the others are S.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waits {
    cycles: [u32; Access::COUNT],
    /// Bytes of a block, less 1, beyond which no burst goes; without such blocks none.
    burst_mask: Option<u32>,
}

impl Waits {
    /// A memory `width` wide whose transfers take `1 + n_wait` (N) or `1 + s_wait` (S) cycles.
    pub fn new(width: Width, n_wait: u32, s_wait: u32) -> Self {
        let mut cycles = [0; Access::COUNT];
        for access in Access::all() {
            let further = (access.width().bytes() / width.bytes()).max(1) - 1;
            let first = if access.is_sequential() { s_wait } else { n_wait };
            cycles[access.index()] = 1 + first + further * (1 + s_wait);
        }
        Waits { cycles, burst_mask: None }
    }

    /// The same where a transfer to the first address of each block of `bytes` (a power of two) is an N
    /// transfer even in sequence: the memory's address counter ends there.
    pub fn with_bursts(self, bytes: u32) -> Self {
        Waits { burst_mask: Some(bytes - 1), ..self }
    }

    /// Whether where an access goes changes what it costs.
    pub fn depends_on_address(&self) -> bool {
        self.burst_mask.is_some()
    }

    /// Cycles of one access that does not begin a block of [`with_bursts`](Self::with_bursts).
    #[inline(always)]
    pub fn cycles(&self, access: Access) -> u32 {
        self.cycles[access.index()]
    }
}

impl Timing for Waits {
    type State = ();

    #[inline]
    fn access(&self, (): &mut (), offset: u32, access: Access) -> u32 {
        match self.burst_mask {
            Some(mask) if access.align(offset) & mask == 0 => self.cycles(access.nonsequential()),
            _ => self.cycles(access),
        }
    }

    fn pass(&self, (): &mut (), _cycles: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_ends_with_its_block() {
        let waits = Waits::new(Width::Half, 4, 2).with_bursts(0x100);
        for kind in [Access::code(Width::Word), Access::data(Width::Word)] {
            let cost = |offset| waits.access(&mut (), offset, kind.sequential());
            assert_eq!([cost(0xFC), cost(0x100), cost(0x104), cost(0x200)], [6, 8, 6, 8]);
        }
        let thumb = Access::code(Width::Half).sequential();
        let cost = |offset| waits.access(&mut (), offset, thumb);
        assert_eq!([cost(0xFE), cost(0x100), cost(0x101), cost(0x102)], [3, 5, 5, 3]);
    }

    #[test]
    fn every_width_on_every_memory() {
        // (memory, access, N, S) with 3 wait states for N and 1 for S.
        let table = [
            (Width::Word, Width::Byte, 4, 2),
            (Width::Word, Width::Half, 4, 2),
            (Width::Word, Width::Word, 4, 2),
            (Width::Half, Width::Byte, 4, 2),
            (Width::Half, Width::Half, 4, 2),
            (Width::Half, Width::Word, 6, 4),
            (Width::Byte, Width::Byte, 4, 2),
            (Width::Byte, Width::Half, 6, 4),
            (Width::Byte, Width::Word, 10, 8),
        ];
        for (memory, access, n, s) in table {
            let waits = Waits::new(memory, 3, 1);
            for kind in [Access::data(access), Access::code(access)] {
                assert_eq!(waits.cycles(kind), n, "N {access:?} on {memory:?}");
                assert_eq!(waits.cycles(kind.sequential()), s, "S {access:?} on {memory:?}");
                assert_eq!(waits.cycles(kind.merged()), s, "merged {access:?} on {memory:?}");
            }
        }
    }
}
