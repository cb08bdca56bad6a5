//! Million instructions per second of the plain core: a loop of mixed instructions in ARM state on
//! a zero-wait memory, every cycle passed to the bus.

#[path = "../tests/flat_bus/mod.rs"]
mod flat_bus;

use cyclescope_engine::core::{Core, Limit};
use cyclescope_engine::cores::arm7tdmi::Arm7tdmi;
use flat_bus::FlatBus;
use std::time::Instant;

/// Loads, stores, ALU with shifts, a multiply, a block store and load, a call, branches.
const PROGRAM: [u32; 23] = [
    0xE3A0_1FFA, // start: mov   r1, #1000
    0xE3A0_2902, //        mov   r2, #0x8000
    0xE492_3004, // loop:  ldr   r3, [r2], #4
    0xE084_4103, //        add   r4, r4, r3, lsl #2
    0xE034_53E5, //        eors  r5, r4, r5, ror #7
    0x4286_6001, //        addmi r6, r6, #1
    0xE582_4040, //        str   r4, [r2, #64]
    0xE155_0006, //        cmp   r5, r6
    0x1A00_0000, //        bne   skip
    0xE1A0_7007, //        mov   r7, r7
    0xE92D_4070, // skip:  push  {r4-r6, lr}
    0xEB00_0005, //        bl    callee
    0xE8BD_4070, //        pop   {r4-r6, lr}
    0xE202_2B3F, //        and   r2, r2, #0xFC00
    0xE382_2902, //        orr   r2, r2, #0x8000
    0xE251_1001, //        subs  r1, r1, #1
    0x1AFF_FFF0, //        bne   loop
    0xEAFF_FFED, //        b     start
    0xE007_0594, // callee: mul  r7, r4, r5
    0xE5D2_8001, //        ldrb  r8, [r2, #1]
    0xE1C2_82B2, //        strh  r8, [r2, #34]
    0xE1B0_9738, //        lsrs  r9, r8, r7
    0xE1A0_F00E, //        mov   pc, lr
];

fn main() {
    let instructions = 50_000_000;
    let mut bus = FlatBus::default();
    bus.put_words(0, &PROGRAM);
    let mut core = Arm7tdmi::new();
    core.reset(&mut bus, 0);
    core.set_register(13, 0x4000);
    let start = Instant::now();
    core.run(&mut bus, Limit { instructions, ..Limit::NONE });
    let seconds = start.elapsed().as_secs_f64();
    let (s, n, i) = (bus.count.sequential, bus.count.non_sequential, bus.count.internal);
    println!(
        "{instructions} instructions, {} cycles ({s} S, {n} N, {i} I): {:.1} million instructions per second",
        s + n + i,
        instructions as f64 / seconds / 1e6
    );
}
