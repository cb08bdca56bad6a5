//! Registers and single bits of an ARM opcode.

/// Bit of data processing and multiplications: sets flags.
pub const SET_FLAGS: u32 = 1 << 20;
/// Bit of transfers: the base moves, even where it moves before the access.
pub const WRITE_BACK: u32 = 1 << 21;
/// Bit of MRS and MSR: the saved status. Of LDM and STM: the User bank, or the return of the status.
pub const STATUS: u32 = 1 << 22;
/// Bit of transfers: upwards.
pub const UP: u32 = 1 << 23;
/// Bit of transfers: the base moves before the access.
pub const BEFORE: u32 = 1 << 24;

/// Rd: bits 15:12. RdLo of long multiplications, the addend of MLA.
#[inline(always)]
pub const fn rd(opcode: u32) -> usize {
    (opcode >> 12 & 15) as usize
}

/// Rn: bits 19:16. Rd of MUL and MLA, RdHi of long multiplications.
#[inline(always)]
pub const fn rn(opcode: u32) -> usize {
    (opcode >> 16 & 15) as usize
}

/// Rs: bits 11:8.
#[inline(always)]
pub const fn rs(opcode: u32) -> usize {
    (opcode >> 8 & 15) as usize
}

/// Rm: bits 3:0.
#[inline(always)]
pub const fn rm(opcode: u32) -> usize {
    (opcode & 15) as usize
}
