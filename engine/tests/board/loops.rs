//! Programs of random loops, so that blocks follow one another for long.
//!
//! They are in ARM and Thumb state, with every form of operand, conditions, multiplications, tables in flash and calls.
//! Now and then one stores over code.

use cyclescope_engine::board::Board;

use crate::any_program::{Layout, Random, RESTART};
use crate::programs::words;

/// Words of a program.
const WORDS: usize = 0x180;

/// Data lie here in the RAM.
const DATA: u32 = 0x4000;

/// Writes code, one opcode after the other.
struct Writer<'a> {
    random: &'a mut Random,
    opcodes: Vec<u32>,
}

impl Writer<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound)
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn data(&mut self) -> u32 {
        self.below(6)
    }

    /// A register of data, or r15 now and then.
    fn operand(&mut self) -> u32 {
        if self.one_in(20) {
            15
        } else {
            self.data()
        }
    }

    fn condition(&mut self) -> u32 {
        if self.one_in(4) {
            self.below(16) << 28
        } else {
            0xE000_0000
        }
    }

    fn process(&mut self) -> u32 {
        let operation = self.below(16);
        let sets = if operation & 12 == 8 { 1 } else { self.below(2) };
        let (rd, rn) = (self.data(), self.operand());
        let second = match self.below(4) {
            0 => 1 << 25 | self.below(0x1000),
            1 => self.operand(),
            2 => self.below(32) << 7 | self.below(4) << 5 | self.operand(),
            _ => {
                return operation << 21
                    | sets << 20
                    | self.data() << 16
                    | rd << 12
                    | self.data() << 8
                    | self.below(4) << 5
                    | 1 << 4
                    | self.data()
            }
        };
        operation << 21 | sets << 20 | rn << 16 | rd << 12 | second
    }

    fn multiply(&mut self) -> u32 {
        let (kind, sets) = ([0, 1, 4, 5, 6, 7][self.below(6) as usize], self.below(2));
        let (a, b) = (self.data(), self.data());
        kind << 21 | sets << 20 | a << 16 | b << 12 | self.data() << 8 | 0x90 | self.data()
    }

    fn transfer(&mut self) -> u32 {
        let (rd, offset) = (self.data(), self.below(32) << 2);
        let bits = self.below(32) << 20;
        match self.below(8) {
            0..=2 => {
                0x0400_0000 | bits & !(1 << 21) | (8 + self.below(2)) << 16 | rd << 12 | offset
            }
            3 => 0x0590_0000 | self.below(2) << 22 | 10 << 16 | rd << 12 | offset,
            4 => 0x059F_0000 | rd << 12 | offset,
            5 => {
                0x0140_0090
                    | bits & 0x0090_0000
                    | 9 << 16
                    | rd << 12
                    | (1 + self.below(3)) << 5
                    | offset & 0x0C
                    | self.below(2)
            }
            6 => {
                0x0780_0000
                    | bits & 0x0050_0000
                    | (8 + self.below(2)) << 16
                    | rd << 12
                    | self.below(8) << 7
                    | self.below(4) << 5
                    | 6
            }
            _ => 0x0800_0000 | bits & 0x01B0_0000 | 8 << 16 | (1 + self.below(63)),
        }
    }

    fn arm(&mut self, leaf: u32) {
        let condition = self.condition();
        let opcode = match self.below(32) {
            0..=13 => self.process(),
            14..=16 => self.multiply(),
            17..=26 => self.transfer(),
            27 | 28 => 0x0A00_0000 | self.below(3),
            29 => {
                let here = self.opcodes.len() as u32;
                0x0B00_0000 | leaf.wrapping_sub(here + 2) & 0xFF_FFFF
            }
            // A store over code, a status, a swap, an access to a device, a jump by a register.
            30 if self.one_in(6) => 0x058B_0000 | self.data() << 12 | self.below(32) << 2,
            30 => 0x010F_0000 | self.data() << 12,
            _ if self.one_in(3) => 0x0596_0000 | self.data() << 12,
            _ if self.one_in(2) => 0x0108_0090 | self.data() << 12 | self.data(),
            _ => 0x008F_F006,
        };
        self.opcodes.push(condition | opcode);
    }

    /// Loops in ARM state. r6 is an index, r7 counts.
    fn arm_loops(&mut self) {
        self.opcodes.push(0xEA00_0002);
        let leaf = self.opcodes.len() as u32;
        self.opcodes.extend([0xE290_0001, 0xE1A0_100E, 0xE12F_FF1E]);
        while self.opcodes.len() < WORDS - 40 {
            let count = 1 + self.below(60);
            let index = self.below(4) << 2;
            self.opcodes.extend([0xE3A0_7000 | count, 0xE3A0_6000 | index]);
            let first = self.opcodes.len() as u32;
            for _ in 0..2 + self.below(18) {
                self.arm(leaf);
            }
            let here = self.opcodes.len() as u32 + 1;
            self.opcodes
                .extend([0xE257_7001, 0x1A00_0000 | first.wrapping_sub(here + 2) & 0xFF_FFFF]);
        }
        self.opcodes.extend([0xE3A0_E000 | RESTART, 0xE12F_FF1E]);
    }

    fn thumb(&mut self) -> u32 {
        let any = self.random.next();
        let (rd, low) = (any & 3, any >> 4 & 3);
        let base = 4 + (any >> 6 & 1);
        match self.below(24) {
            0..=3 => ((any >> 8) % 96) << 6 | low << 3 | rd,
            4 | 5 => 0x1800 | any >> 8 & 0x600 | (any >> 12 & 3) << 6 | low << 3 | rd,
            6..=8 => 0x2000 | any >> 8 & 0x1800 | rd << 8 | any >> 16 & 0xFF,
            9..=12 => 0x4000 | any >> 8 & 0x3C0 | low << 3 | rd,
            13 => 0x4400 | ((any >> 8 & 3) % 3) << 8 | (any >> 10 & 15) << 3 | rd,
            14 => 0x4800 | rd << 8 | any >> 16 & 15,
            15 => 0x5000 | any >> 8 & 0xE00 | 2 << 6 | base << 3 | rd,
            16..=19 => 0x6000 | any >> 8 & 0x1800 | (any >> 16 & 15) << 6 | base << 3 | rd,
            20 => 0x6800 | (any >> 16 & 15) << 6 | 6 << 3 | rd,
            21 => 0x8000 | any >> 8 & 0x800 | (any >> 16 & 15) << 6 | base << 3 | rd,
            22 => 0xB400 | any >> 8 & 0x80F | 1 << (any >> 20 & 1),
            _ => 0xD000 | ((any >> 8) % 14) << 8 | any >> 16 & 1,
        }
    }

    /// The same in Thumb state; `low` registers alone. r7 counts.
    fn thumb_loops(&mut self) {
        let mut code: Vec<u32> = Vec::new();
        while code.len() < 2 * (WORDS - 40) {
            code.push(0x2701 + self.below(60));
            let first = code.len() as i32;
            for _ in 0..2 + self.below(22) {
                let opcode = self.thumb();
                code.push(opcode);
            }
            let here = code.len() as i32 + 1;
            code.extend([0x3F01, 0xD100 | (first - here - 2) as u32 & 0xFF]);
        }
        // movs r0, #RESTART; bx r0
        code.extend([0x2000 | RESTART, 0x4700, 0x46C0, 0x46C0]);
        let pairs = code.chunks_exact(2).map(|two| two[0] | two[1] << 16);
        self.opcodes = pairs.collect();
    }
}

/// Loads loops of both states into ROM and RAM; each ends at the restart, which goes on with the next of them.
pub fn load(board: &mut Board, layout: &'static Layout, random: &mut Random) {
    let restart = |from: u32| 0xEA00_0000 | (RESTART - from - 8) >> 2;
    let back = [0xE1B0_F00E, 0xE25E_F004, 0xE25E_F004];
    let vectors =
        [restart(0), restart(4), back[0], restart(12), restart(16), restart(20), back[1], back[2]];
    board.load_bytes(layout.rom, &words(&vectors)).unwrap();
    let places = [0x400, 0xC00, layout.ram + 0x400, layout.ram + 0xC00];
    for (n, place) in places.into_iter().enumerate() {
        let mut writer = Writer { random: &mut *random, opcodes: Vec::new() };
        if n % 2 == 0 {
            writer.arm_loops();
        } else {
            writer.thumb_loops();
        }
        let to = if n < 2 { layout.rom + place } else { place };
        board.load_bytes(to, &words(&writer.opcodes)).unwrap();
    }
    // Which place is next stands in the RAM.
    let next = layout.ram + DATA - 4;
    let code = [
        0xE321_F0DF & !(random.next() & 0xC0), // msr cpsr_c, system
        0xE59F_002C,                           // ldr r0, next
        0xE590_1000,                           // ldr r1, [r0]
        0xE281_1001,                           // add r1, r1, #1
        0xE580_1000,                           // str r1, [r0]
        0xE201_1003,                           // and r1, r1, #3
        0xE28F_201C,                           // adr r2, places
        0xE792_E101,                           // ldr lr, [r2, r1, lsl #2]
        0xE28F_0024,                           // adr r0, bases
        0xE890_3F70,                           // ldmia r0, {r4-r6, r8-r13}
        0xE3A0_0003,                           // mov r0, #3
        0xE3E0_1000,                           // mvn r1, #0
        0xE1A0_2601,                           // mov r2, r1, lsl #12
        0xE12F_FF1E,                           // bx lr
        next,
    ];
    let mut code = code.to_vec();
    code.extend(places.iter().enumerate().map(|(n, place)| place | (n & 1) as u32));
    let data = layout.ram + DATA;
    let bases = [
        data,
        data + 0x400,
        0x200 + (random.below(0x100) & !3),
        data + 0x1000,
        data + 0x1400 + random.below(2) * random.below(4),
        0x100,
        layout.ram + 0x400 + (random.below(0x600) & !3),
        layout.device,
        data + 0x2000,
    ];
    code.extend(bases);
    board.load_bytes(layout.rom + RESTART, &words(&code)).unwrap();
    let table: Vec<u32> = (0..0x80).map(|_| random.next()).collect();
    board.load_bytes(layout.rom + 0x100, &words(&table)).unwrap();
}
