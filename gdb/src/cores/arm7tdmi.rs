//! ARMv4T: the registers that gdb knows, and those of the other modes.

use crate::layout::{Feature, Layout, Register, Source};

/// The kind of core in board files.
pub const KIND: &str = "arm7tdmi";

/// Number of the first register that gdb shows and does not know.
const FIRST_BANKED: usize = 26;
/// gdb's number of the status; 16 to 24 belonged to a coprocessor.
const CPSR: usize = 25;

const GENERAL: [&str; 13] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12"];

/// In gdb and in the core.
const BANKED: [&str; 22] = [
    "r13_usr", "r14_usr", "r8_fiq", "r9_fiq", "r10_fiq", "r11_fiq", "r12_fiq", "r13_fiq",
    "r14_fiq", "spsr_fiq", "r13_irq", "r14_irq", "spsr_irq", "r13_svc", "r14_svc", "spsr_svc",
    "r13_abt", "r14_abt", "spsr_abt", "r13_und", "r14_und", "spsr_und",
];

/// The layout, as gdb's own description of a core without a coprocessor begins.
pub fn layout() -> Layout {
    let register =
        |number, name, source, gdb_type| Register { number, name, source, gdb_type, bytes: 4 };
    let same = |(n, &name)| register(n, name, Source::Core(name), "uint32");
    let mut known: Vec<_> = GENERAL.iter().enumerate().map(same).collect();
    known.extend([
        register(13, "sp", Source::Core("r13"), "data_ptr"),
        register(14, "lr", Source::Core("r14"), "uint32"),
        register(15, "pc", Source::Address, "code_ptr"),
        register(CPSR, "cpsr", Source::Core("cpsr"), "uint32"),
    ]);
    let banked = BANKED.iter().enumerate().map(|(n, name)| same((FIRST_BANKED + n, name)));
    Layout {
        architecture: "armv4t",
        steps_over_accesses: true,
        is_built_in: false,
        features: vec![
            Feature { name: "org.gnu.gdb.arm.core", registers: known },
            Feature { name: "org.cyclescope.arm.banked", registers: banked.collect() },
        ],
    }
}
