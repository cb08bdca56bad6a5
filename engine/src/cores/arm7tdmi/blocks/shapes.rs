//! Functions of the core for opcodes some bits of which are known, so that nothing is asked of them when
//! they execute.

use super::super::Arm7tdmi;
use super::Execute;
use crate::bus::Bus;

/// Bits 24:20 of an ARM opcode: operation and S, or P, U, B, W and L.
const KIND: u32 = 0x1F << 20;

#[inline(always)]
const fn of_kind(opcode: u32, kind: u32) -> u32 {
    (opcode & !KIND) | kind << 20
}

/// The functions of one shape for each kind, by number.
macro_rules! by_kind {
    ($shape:ident) => {
        [
            $shape::<B, 0>,
            $shape::<B, 1>,
            $shape::<B, 2>,
            $shape::<B, 3>,
            $shape::<B, 4>,
            $shape::<B, 5>,
            $shape::<B, 6>,
            $shape::<B, 7>,
            $shape::<B, 8>,
            $shape::<B, 9>,
            $shape::<B, 10>,
            $shape::<B, 11>,
            $shape::<B, 12>,
            $shape::<B, 13>,
            $shape::<B, 14>,
            $shape::<B, 15>,
            $shape::<B, 16>,
            $shape::<B, 17>,
            $shape::<B, 18>,
            $shape::<B, 19>,
            $shape::<B, 20>,
            $shape::<B, 21>,
            $shape::<B, 22>,
            $shape::<B, 23>,
            $shape::<B, 24>,
            $shape::<B, 25>,
            $shape::<B, 26>,
            $shape::<B, 27>,
            $shape::<B, 28>,
            $shape::<B, 29>,
            $shape::<B, 30>,
            $shape::<B, 31>,
        ]
    };
}

/// Data processing into a register other than r15, second operand an immediate.
fn immediate<B: Bus, const KIND: u32>(core: &mut Arm7tdmi, _: &mut B, opcode: u32) {
    let opcode = of_kind(opcode, KIND);
    let second = core.immediate(opcode);
    let first = core.r[(opcode >> 16 & 15) as usize];
    core.advance();
    core.operate_into_register(opcode, first, second);
}

/// The same, second operand a register.
fn register<B: Bus, const KIND: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    shifted::<B, KIND>(core, bus, opcode & !0xFF0);
}

/// The same, second operand a register shifted by a constant.
#[inline(always)]
fn shifted<B: Bus, const KIND: u32>(core: &mut Arm7tdmi, _: &mut B, opcode: u32) {
    let opcode = of_kind(opcode, KIND);
    let second = core.shifted_by_constant(opcode);
    let first = core.r[(opcode >> 16 & 15) as usize];
    core.advance();
    core.operate_into_register(opcode, first, second);
}

/// LDR, STR and their byte forms, offset an immediate.
fn transfer<B: Bus, const KIND: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    let opcode = of_kind(opcode, KIND);
    core.single_transfer(bus, opcode, opcode & 0xFFF);
}

/// The same, offset a register shifted by a constant.
fn transfer_register<B: Bus, const KIND: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    let opcode = of_kind(opcode, KIND);
    core.single_transfer(bus, opcode, core.shifted_by_constant(opcode).value);
}

/// Data processing into a register other than r15, the second operand not shifted by a register.
pub(super) fn data_processing<B: Bus>(opcode: u32) -> Execute<B> {
    let table: [Execute<B>; 32] = if opcode & 1 << 25 != 0 {
        by_kind!(immediate)
    } else if opcode & 0xFF0 == 0 {
        by_kind!(register)
    } else {
        by_kind!(shifted)
    };
    table[(opcode >> 20 & 31) as usize]
}

/// LDR, STR and their byte forms.
pub(super) fn single_transfer<B: Bus>(opcode: u32) -> Execute<B> {
    let table: [Execute<B>; 32] =
        if opcode & 1 << 25 == 0 { by_kind!(transfer) } else { by_kind!(transfer_register) };
    table[(opcode >> 20 & 31) as usize]
}
