//! Programs of random instructions that live long: in ARM and Thumb state, in flash and in RAM, writing
//! over themselves, with vectors that lead back into them.

use std::collections::BTreeMap;

use cyclescope_engine::board::Board;

use crate::programs::words;

/// Where programs lie on a board. The code from address 0 on is loaded at `rom`.
#[derive(Debug)]
pub struct Layout {
    pub rom: u32,
    pub ram: u32,
    /// A timer.
    pub device: u32,
}

pub const RAM_SIZE: usize = 0x8000;
pub const LPC2148: Layout = Layout { rom: 0, ram: 0x4000_0000, device: 0xE000_4000 };
/// Before the remap: the ROM is at 0. Both memories are outside.
pub const AT91X40: Layout = Layout { rom: 0x0040_0000, ram: 0x0100_0000, device: 0xFFFE_0000 };
/// With the cartridge shown at 0.
pub const CONSOLE: Layout = Layout { rom: 0x0800_0000, ram: 0x0200_0000, device: 0x0400_0100 };

/// Where every program begins, once and again.
pub const RESTART: u32 = 0x40;

/// Marsaglia's xorshift, so that every run is the same. Its programs are for one layout.
pub struct Random {
    state: u64,
    layout: &'static Layout,
    /// Numbers drawn so far.
    drawn: u32,
    /// Numbers that are drawn instead, by how many were drawn before them.
    instead: BTreeMap<u32, u32>,
}

impl Random {
    pub fn new(layout: &'static Layout, seed: u64) -> Self {
        Self::with(layout, seed, BTreeMap::new())
    }

    /// Draws some numbers instead of its own.
    pub fn with(layout: &'static Layout, seed: u64, instead: BTreeMap<u32, u32>) -> Self {
        Random { state: seed, layout, drawn: 0, instead }
    }

    pub fn next(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.drawn += 1;
        let instead = self.instead.get(&(self.drawn - 1)).copied();
        instead.unwrap_or((self.state >> 32) as u32)
    }

    /// How many numbers were drawn.
    #[cfg(guided)]
    pub fn drawn(&self) -> u32 {
        self.drawn
    }

    /// Regions of code, from address 0 and in the RAM: half of each is for ARM state, half for Thumb state.
    fn code(&self) -> [(u32, u32); 2] {
        [(0x200, 0x1C00), (self.layout.ram + 0x200, 0xC00)]
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    fn of<const N: usize>(&mut self, choices: [u32; N]) -> u32 {
        choices[self.below(N as u32) as usize]
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// An address of code, with the Thumb bit where it needs one.
    pub fn entry(&mut self) -> u32 {
        let (base, size) = self.code()[self.below(2) as usize];
        let half = size / 2;
        if self.one_in(2) {
            base + (self.below(half) & !3)
        } else {
            base + half + (self.below(half) & !1) + 1
        }
    }

    fn condition(&mut self) -> u32 {
        if self.one_in(3) {
            self.below(15) << 28
        } else {
            0xE000_0000
        }
    }

    /// A register that holds an address.
    fn base(&mut self) -> u32 {
        self.of([6, 8, 8, 9, 10, 10, 11, 13, 15])
    }

    fn arm(&mut self) -> u32 {
        let any = self.next();
        let low = any & 7;
        let small = any >> 8 & 0x7C;
        let mode = self.of([0, 1, 2, 3, 7, 11, 15]);
        self.condition()
            | match self.below(20) {
                0..=5 => any & 0x01FF_0F9F | low << 12 | (any >> 1 & 0x60),
                6 | 7 => 0x0200_0000 | any & 0x01FF_0FFF | low << 12,
                8 | 9 => 0x0400_0000 | any & 0x01F0_0000 | self.base() << 16 | low << 12 | small,
                10 => 0x0510_0000 | self.base() << 16 | low << 12 | small,
                11 => 0x0700_0000 | any & 0x00D0_0000 | self.base() << 16 | low << 12 | 5,
                12 => 0x0040_0090 | any & 0x01B0_0F60 | self.base() << 16 | low << 12 | any & 15,
                13 => 0x0800_0000 | any & 0x01B0_30FF | self.base() << 16,
                14 | 15 => {
                    0x0A00_0000 | any & 0x0100_0000 | (any >> 9 & 0x3F).wrapping_sub(32) & 0xFF_FFFF
                }
                16 => self.of([0x012F_FF1C, 0x01A0_F00C, 0x012F_FF1E, 0x059A_F000, 0x089D_800F]),
                17 => any & 0x00FF_FFFF & !0xF0 | 0x90,
                18 => self.of([
                    0x010F_0000 | low << 12,
                    0x014F_0000 | low << 12,
                    0x0328_F000 | any & 0xF0F,
                    0x0321_F010 | mode | any & 0xC0,
                    0x0109_0090 | low << 12 | any & 7,
                    0x0F00_0000,
                ]),
                _ => return any,
            }
    }

    fn thumb(&mut self) -> u32 {
        let any = self.next() & 0xFFFF;
        match self.below(16) {
            0..=4 => any & 0x3FFF,
            5 | 6 => 0x4000 | any & 0x3FF,
            7 => self.of([0x4760, 0x4770, 0x46E7, 0x4800 | any & 0x7FF, 0x4400 | any & 0x3FF]),
            8 | 9 => 0x9000 | any & 0xF1F,
            10 => 0xD000 | self.below(14) << 8 | (any & 0x3F).wrapping_sub(32) & 0xFF,
            11 => self.of([
                0xB400 | any & 0x1FF,
                0xBC00 | any & 0xFF,
                0xF000 | any & 3,
                0xF800 | any & 0x7F,
            ]),
            12 => 0x6800 | any & 0x1FF | 7 << 3,
            _ => any,
        }
    }

    /// Two opcodes of Thumb state or one of ARM state.
    fn word(&mut self, thumb: bool) -> u32 {
        if thumb {
            self.thumb() | self.thumb() << 16
        } else {
            self.arm()
        }
    }

    /// Where r6 and r8 to r13 point after a restart: a device, data, code, flash.
    fn bases(&mut self) -> [u32; 8] {
        let data = self.layout.ram + 0x4000;
        let code = self.layout.ram + 0x200 + (self.below(0xC00) & !3);
        let odd = self.below(8);
        [
            self.layout.device,
            data + 0x400,
            data + odd,
            code,
            0x200 + (self.below(0x1800) & !3),
            data + 0x800,
            self.entry(),
            data + 0x2000,
        ]
    }
}

/// Fills ROM and RAM with a program; every exception leads back or to the restart.
pub fn load(board: &mut Board, random: &mut Random) {
    let restart = |from: u32| 0xEA00_0000 | (RESTART - from - 8) >> 2;
    let back = [0xE1B0_F00E, 0xE25E_F004, 0xE25E_F004];
    let vectors =
        [restart(0), restart(4), back[0], restart(12), restart(16), restart(20), back[1], back[2]];
    let rom = random.layout.rom;
    board.load_bytes(rom, &words(&vectors)).unwrap();
    let mut code = vec![
        0xE321_F0D3 & !(random.next() & 0xC0), // msr cpsr_c, supervisor
        0xE59F_E010,                           // ldr lr, [pc, #16]
        0xE28F_0010,                           // adr r0, bases
        0xE890_3FC0,                           // ldmia r0, {r6-r13}
        0xE12F_FF1E,                           // bx lr
        0,
        0,
        random.entry(),
    ];
    code.extend(random.bases());
    board.load_bytes(rom + RESTART, &words(&code)).unwrap();
    let [(low, low_size), ram] = random.code();
    for (base, size) in [(rom + low, low_size), ram] {
        let program: Vec<u32> = (0..size / 4).map(|i| random.word(i >= size / 8)).collect();
        board.load_bytes(base, &words(&program)).unwrap();
    }
}
