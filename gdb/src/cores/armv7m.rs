//! ARMv7-M: the registers that gdb knows.

use crate::layout::{Feature, Layout, Register, Source};

/// The kind of core in board files.
pub const KIND: &str = "armv7m";

/// gdb's number of the status; 16 to 24 belonged to a coprocessor.
const XPSR: usize = 25;

const GENERAL: [&str; 13] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12"];

/// Both stack pointers, masks and CONTROL.
const SYSTEM: [&str; 6] = ["msp", "psp", "primask", "basepri", "faultmask", "control"];

/// The layout, as gdb's own description of an M-profile core begins.
pub fn layout() -> Layout {
    let register =
        |number, name, source, gdb_type| Register { number, name, source, gdb_type, bytes: 4 };
    let same = |(n, &name)| register(n, name, Source::Core(name), "uint32");
    let mut known: Vec<_> = GENERAL.iter().enumerate().map(same).collect();
    known.extend([
        register(13, "sp", Source::Core("sp"), "data_ptr"),
        register(14, "lr", Source::Core("lr"), "uint32"),
        register(15, "pc", Source::Address, "code_ptr"),
        register(XPSR, "xpsr", Source::Core("xpsr"), "uint32"),
    ]);
    let system = SYSTEM.iter().enumerate().map(|(n, name)| same((XPSR + 1 + n, name)));
    Layout {
        architecture: "arm",
        steps_over_accesses: true,
        is_built_in: false,
        features: vec![
            Feature { name: "org.gnu.gdb.arm.m-profile", registers: known },
            Feature { name: "org.gnu.gdb.arm.m-system", registers: system.collect() },
        ],
    }
}
