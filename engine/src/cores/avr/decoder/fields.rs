//! The operands that an opcode names.

/// Rd of five bits.
#[inline(always)]
pub(in super::super) const fn d(opcode: u16) -> usize {
    (opcode >> 4 & 31) as usize
}

/// Rr of five bits.
#[inline(always)]
pub(in super::super) const fn r(opcode: u16) -> usize {
    (opcode >> 5 & 16 | opcode & 15) as usize
}

/// Rd from r16 to r31.
#[inline(always)]
pub(in super::super) const fn high_d(opcode: u16) -> usize {
    (opcode >> 4 & 15 | 16) as usize
}

/// The constant of eight bits.
#[inline(always)]
pub(in super::super) const fn constant(opcode: u16) -> u8 {
    (opcode >> 4 & 0xF0 | opcode & 0xF) as u8
}

/// The lower register of the pair of ADIW and SBIW, and their constant.
#[inline(always)]
pub(in super::super) const fn pair_and_constant(opcode: u16) -> (usize, u16) {
    ((24 + (opcode >> 3 & 6)) as usize, opcode >> 2 & 0x30 | opcode & 0xF)
}

/// The displacement of LDD and STD.
#[inline(always)]
pub(in super::super) const fn displacement(opcode: u16) -> u16 {
    opcode >> 8 & 0x20 | opcode >> 7 & 0x18 | opcode & 7
}

/// The I/O address of IN and OUT.
#[inline(always)]
pub(in super::super) const fn io(opcode: u16) -> u16 {
    opcode >> 5 & 0x30 | opcode & 0xF
}

/// The I/O address of SBI and its like.
#[inline(always)]
pub(in super::super) const fn low_io(opcode: u16) -> u16 {
    opcode >> 3 & 31
}

/// The bit of a register or of SREG that the low bits name, as a mask.
#[inline(always)]
pub(in super::super) const fn bit(opcode: u16) -> u8 {
    1 << (opcode & 7)
}

/// Words from the following instruction to the target of a conditional branch.
#[inline(always)]
pub(in super::super) const fn near(opcode: u16) -> u32 {
    ((opcode << 6) as i16 >> 9) as u32
}

/// The same of RJMP and RCALL.
#[inline(always)]
pub(in super::super) const fn relative(opcode: u16) -> u32 {
    ((opcode << 4) as i16 >> 4) as u32
}

/// The target of JMP and CALL, counted as the program counter does.
#[inline(always)]
pub(in super::super) const fn far(opcode: u16, second: u16) -> u32 {
    (opcode as u32 >> 3 & 0x3E | opcode as u32 & 1) << 16 | second as u32
}
