//! AVR with a program counter of three bytes: the registers that gdb knows, in its order.

use crate::layout::{Feature, Layout, Register, Source};

/// The kind of core in board files.
pub const KIND: &str = "avr";

const GENERAL: [&str; 32] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
    "r28", "r29", "r30", "r31",
];

/// The layout that gdb has built in.
pub fn layout() -> Layout {
    let byte = |(number, (name, core))| {
        let source = Source::Core(core);
        Register { number, name, source, gdb_type: "uint8", bytes: 1 }
    };
    let bytes = GENERAL.into_iter().map(|name| (name, name)).chain([("SREG", "sreg")]);
    let mut registers: Vec<_> = bytes.enumerate().map(byte).collect();
    registers.extend([
        Register {
            number: 33,
            name: "SP",
            source: Source::Core("sp"),
            gdb_type: "uint16",
            bytes: 2,
        },
        Register { number: 34, name: "PC2", source: Source::Address, gdb_type: "uint32", bytes: 4 },
    ]);
    Layout {
        architecture: "avr:6",
        steps_over_accesses: false,
        is_built_in: true,
        features: vec![Feature { name: "avr", registers }],
    }
}
