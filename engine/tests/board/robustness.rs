//! Guests that do anything: the board may stop them, but it never panics or hangs.

use cyclescope_engine::board::{Reason, Request};

use crate::programs::{lpc2148, run_cycles, words, ArmBoard};

/// Marsaglia's xorshift, so that every run is the same.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

/// Every register of every device, at random, by byte, halfword and word.
#[test]
fn random_accesses_to_every_device_do_no_harm() {
    let accesses = [
        0xE580_1000, // str r1, [r0]
        0xE590_2000, // ldr r2, [r0]
        0xE5C0_1000, // strb r1, [r0]
        0xE5D0_2000, // ldrb r2, [r0]
        0xE1C0_10B0, // strh r1, [r0]
        0xE1D0_20B0, // ldrh r2, [r0]
        0xE3A0_0000, // mov r0, #0, which ends the list
    ];
    let mut board = lpc2148();
    let windows: Vec<(u32, u32)> = board
        .description()
        .device
        .iter()
        .flat_map(|d| &d.maps)
        .map(|map| (map.base, map.size.min(0x400)))
        .collect();
    board.load_bytes(0x4000_0000, &words(&accesses)).unwrap();
    let mut random = Random(2148);
    for _ in 0..40 {
        board.reset(Some(0x4000_0000));
        for _ in 0..500 {
            let (base, size) = windows[random.next() as usize % windows.len()];
            let shift = random.next() % 32;
            board.arm_mut().set_register(0, base + random.next() % size);
            board.arm_mut().set_register(1, random.next() >> shift);
            let kind = random.next() % 6;
            let state = board.arm().state();
            let pipeline = [accesses[kind as usize], accesses[6]];
            board
                .arm_mut()
                .set_state(&cyclescope_engine::cores::arm7tdmi::State { pipeline, ..state });
            let next = board.instructions() + 1 + u64::from(random.next() % 4);
            let cycles = Some(board.cycle() + 1_000_000);
            let stop = board
                .run(&Request { instructions: Some(next), cycles, ..Request::default() })
                .unwrap();
            if stop.reason != Reason::Instructions {
                break;
            }
        }
    }
}

/// Random words as a program, from where they can reach everything.
#[test]
fn random_programs_do_no_harm() {
    let mut board = lpc2148();
    let mut random = Random(7);
    let mut reasons = Vec::new();
    for _ in 0..200 {
        let program: Vec<u32> = (0..256).map(|_| random.next()).collect();
        board.reset(Some(0x4000_0000 | random.next() & 1));
        board.write_memory(0x4000_0000, &words(&program)).unwrap();
        for register in 0..15 {
            let bases =
                [0x4000_0000, 0xE000_4000, 0xE01F_C000, 0xFFFF_F000, 0x3FFF_C000, 0, 0xE000_C000];
            let base = bases[random.next() as usize % bases.len()];
            board.arm_mut().set_register(register, base + random.next() % 0x200);
        }
        let stop = board.run(&run_cycles(20_000)).unwrap();
        reasons.push(stop.reason);
    }
    assert!(
        reasons.contains(&Reason::NoHandler) && reasons.iter().any(|r| *r != Reason::NoHandler)
    );
}
