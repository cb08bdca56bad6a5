//! Random programs, written from the manual's encodings (ARM DDI 0403, A7.7) and not by the engine's decoder.
//!
//! A program runs forward to its end. It has no encoding that the manual calls unpredictable, and no access that
//! misses memory.

use crate::board::{RAM, RAM_BYTES};
use crate::cases::{Case, Random, CODE};

/// Registers that hold bases of accesses until those are made.
const BASES: [u32; 4] = [8, 9, 10, 11];

/// A program that grows.
pub struct Writer<'a> {
    pub random: &'a mut Random,
    pub code: Vec<u16>,
}

/// A pattern of bits: digits stand for themselves, a letter for a field, the first bit of it first. `i` is random.
fn filled(random: &mut Random, pattern: &str, fields: &[(char, u32)]) -> u32 {
    let digits: Vec<char> = pattern.chars().filter(|one| !one.is_whitespace()).collect();
    let mut values: Vec<(char, u32, u32)> = Vec::new();
    for &(name, value) in fields {
        let bits = digits.iter().filter(|&&one| one == name).count() as u32;
        values.push((name, value, bits));
    }
    digits.into_iter().fold(0, |opcode, digit| {
        let bit = match digit {
            '0' => 0,
            '1' => 1,
            'i' => random.next() & 1,
            name => {
                let field = values.iter_mut().find(|field| field.0 == name);
                let (_, value, left) = field.unwrap_or_else(|| panic!("{name} in {pattern}"));
                *left -= 1;
                *value >> *left & 1
            }
        };
        opcode << 1 | bit
    })
}

impl Writer<'_> {
    pub fn narrow(&mut self, pattern: &str, fields: &[(char, u32)]) {
        let opcode = filled(self.random, pattern, fields);
        self.code.push(opcode as u16);
    }

    pub fn wide(&mut self, pattern: &str, fields: &[(char, u32)]) {
        let opcode = filled(self.random, pattern, fields);
        self.code.extend([(opcode >> 16) as u16, opcode as u16]);
    }

    fn here(&self) -> u32 {
        CODE + 2 * self.code.len() as u32
    }

    /// Puts a value into a register, by MOVW and MOVT.
    pub fn set(&mut self, register: u32, value: u32) {
        for (pattern, half) in [("100100", value & 0xFFFF), ("101100", value >> 16)] {
            let pattern = format!("11110e{pattern}ffff 0ggg dddd bbbbbbbb");
            let fields = [
                ('e', half >> 11 & 1),
                ('f', half >> 12),
                ('g', half >> 8 & 7),
                ('d', register),
                ('b', half & 0xFF),
            ];
            self.wide(&pattern, &fields);
        }
    }

    fn low(&mut self) -> u32 {
        self.random.below(8)
    }

    /// A register for results: no base, stack pointer or program counter.
    fn result(&mut self) -> u32 {
        self.random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 12, 14])
    }

    /// A register for operands.
    fn operand(&mut self) -> u32 {
        self.random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14])
    }

    /// An instruction that changes registers and flags alone. In an IT block some have other meanings.
    fn arithmetic(&mut self, in_block: bool) {
        match self.random.below(if in_block { 34 } else { 36 }) {
            0..8 => self.narrow_arithmetic(in_block),
            8 => self.high_arithmetic(),
            9..14 => self.shifted(),
            14..19 => self.constant(),
            19 => self.long_constant(),
            20..23 => self.bit_field(),
            23 => self.saturation(),
            24..26 => self.shift_by_register(),
            26 => self.extension(),
            27 => self.reversal(),
            28..30 => self.product(),
            30..32 => self.long_product(),
            32 => self.quotient(),
            33 => self.narrow_adr(),
            34 => self.flags_through_registers(),
            _ => self.quiet(),
        }
    }

    /// Barriers and hints: nothing that a program sees.
    fn quiet(&mut self) {
        let barrier = self.random.pick(&[4, 5, 6]);
        match self.random.below(5) {
            // A hint that has no meaning yet, and DBG.
            0 => self.narrow("10111111 0101 0000", &[]),
            3 => self.wide("1111001110101111 100000001111iiii", &[]),
            1 => self.narrow("10111111 0000 0000", &[]),
            2 => self.wide("1111001110101111 1000000000000000", &[]),
            _ => self.wide("1111001110111111 10001111bbbb1111", &[('b', barrier)]),
        }
    }

    fn narrow_arithmetic(&mut self, in_block: bool) {
        let (d, m) = (self.low(), self.low());
        let fields = [('d', d), ('m', m)];
        match self.random.below(12) {
            // LSL by 0 is a MOV that an IT block cannot have.
            0 => {
                let distance = self.random.below(31) + 1;
                self.narrow("00000sssssmmmddd", &[('s', distance), fields[0], fields[1]]);
            }
            1 if !in_block => self.narrow("0000000000mmmddd", &fields),
            2 => self.narrow("00001iiiiimmmddd", &fields),
            3 => self.narrow("00010iiiiimmmddd", &fields),
            4 => self.narrow("00011iiiiimmmddd", &fields),
            5 => self.narrow("001iidddiiiiiiii", &fields),
            6 => {
                let kind = self.random.below(4);
                self.narrow("10110010kkmmmddd", &[('k', kind), fields[0], fields[1]]);
            }
            7 => {
                let kind = self.random.pick(&[0, 1, 3]);
                self.narrow("10111010kkmmmddd", &[('k', kind), fields[0], fields[1]]);
            }
            _ => self.narrow("010000iiiimmmddd", &fields),
        }
    }

    fn high_arithmetic(&mut self) {
        let (d, m) = (self.result(), self.operand());
        let fields = [('D', d >> 3), ('d', d & 7), ('m', m)];
        match self.random.below(3) {
            0 => self.narrow("01000100 Dmmmmddd", &fields),
            1 => self.narrow("01000110 Dmmmmddd", &fields),
            _ => {
                // One of the two is a high register.
                let n = self.random.pick(&[8, 9, 10, 11, 12, 14]);
                let fields = [('N', n >> 3), ('n', n & 7), ('m', m)];
                self.narrow("01000101 Nmmmmnnn", &fields);
            }
        }
    }

    /// Operation, Rn and Rd of data processing; forms that compare or move have all ones for one of them.
    fn processing(&mut self) -> [(char, u32); 4] {
        let (d, n) = (self.result(), self.operand());
        let set = self.random.below(2);
        match self.random.below(14) {
            0 => [('o', 2), ('n', 15), ('d', d), ('S', set)],
            1 => [('o', 3), ('n', 15), ('d', d), ('S', set)],
            2 => {
                let operation = self.random.pick(&[0, 4, 8, 13]);
                [('o', operation), ('n', n), ('d', 15), ('S', 1)]
            }
            _ => {
                let operation = self.random.pick(&[0, 1, 2, 3, 4, 8, 10, 11, 13, 14]);
                [('o', operation), ('n', n), ('d', d), ('S', set)]
            }
        }
    }

    fn shifted(&mut self) {
        let m = self.operand();
        let fields = self.processing();
        let fields = [&fields[..], &[('m', m)]].concat();
        self.wide("1110101ooooSnnnn 0iiiddddiiiimmmm", &fields);
    }

    fn constant(&mut self) {
        let fields = self.processing();
        // A byte that is repeated is not 0.
        let byte = self.random.below(255) + 1;
        let fields = [&fields[..], &[('b', byte)]].concat();
        self.wide("11110i0ooooSnnnn 0iiiddddbbbbbbbb", &fields);
    }

    fn long_constant(&mut self) {
        let (d, n) = (self.result(), self.operand());
        let fields = [('d', d), ('n', n)];
        match self.random.below(6) {
            0 => self.wide("11110i100000nnnn 0iiiddddiiiiiiii", &fields),
            1 => self.wide("11110i101010nnnn 0iiiddddiiiiiiii", &fields),
            2 => self.wide("11110i1000001111 0iiiddddiiiiiiii", &fields),
            3 => self.wide("11110i1010101111 0iiiddddiiiiiiii", &fields),
            4 => self.wide("11110i100100iiii 0iiiddddiiiiiiii", &fields),
            _ => self.wide("11110i101100iiii 0iiiddddiiiiiiii", &fields),
        }
    }

    fn bit_field(&mut self) {
        let (d, n) = (self.result(), self.operand());
        let low = self.random.below(32);
        let bits = self.random.below(32 - low) + 1;
        let place = [('l', low >> 2), ('k', low & 3), ('d', d), ('n', n)];
        let wide = [&place[..], &[('w', bits - 1)]].concat();
        let last = [&place[..], &[('w', low + bits - 1)]].concat();
        match self.random.below(4) {
            0 => self.wide("111100110100nnnn 0lllddddkk0wwwww", &wide),
            1 => self.wide("111100111100nnnn 0lllddddkk0wwwww", &wide),
            2 => self.wide("111100110110nnnn 0lllddddkk0wwwww", &last),
            _ => self.wide("1111001101101111 0lllddddkk0wwwww", &last),
        }
    }

    fn saturation(&mut self) {
        let (d, n) = (self.result(), self.operand());
        let fields = [('d', d), ('n', n)];
        match self.random.below(4) {
            0 => self.wide("111100110000nnnn 0iiiddddii0iiiii", &fields),
            1 => self.wide("111100111000nnnn 0iiiddddii0iiiii", &fields),
            // Shifts right by 0 have another meaning.
            2 => self.wide("111100110010nnnn 0ii1ddddii0iiiii", &fields),
            _ => self.wide("111100111010nnnn 0ii1ddddii0iiiii", &fields),
        }
    }

    fn shift_by_register(&mut self) {
        let (d, n, m) = (self.result(), self.operand(), self.operand());
        self.wide("111110100iiinnnn 1111dddd0000mmmm", &[('d', d), ('n', n), ('m', m)]);
    }

    fn extension(&mut self) {
        let (d, m) = (self.result(), self.operand());
        let kind = self.random.pick(&[0, 1, 4, 5]);
        self.wide("111110100kkk1111 1111dddd10iimmmm", &[('k', kind), ('d', d), ('m', m)]);
    }

    fn reversal(&mut self) {
        let (d, m) = (self.result(), self.operand());
        let fields = [('d', d), ('m', m), ('n', m)];
        if self.random.below(5) == 0 {
            self.wide("111110101011nnnn 1111dddd1000mmmm", &fields);
        } else {
            self.wide("111110101001nnnn 1111dddd10iimmmm", &fields);
        }
    }

    fn product(&mut self) {
        let (d, n, m, a) = (self.result(), self.operand(), self.operand(), self.operand());
        let fields = [('d', d), ('n', n), ('m', m), ('a', a)];
        match self.random.below(3) {
            0 => self.wide("111110110000nnnn 1111dddd0000mmmm", &fields),
            1 => self.wide("111110110000nnnn aaaadddd0000mmmm", &fields),
            _ => self.wide("111110110000nnnn aaaadddd0001mmmm", &fields),
        }
    }

    fn long_product(&mut self) {
        let (low, n, m) = (self.result(), self.operand(), self.operand());
        let high = loop {
            let high = self.result();
            if high != low {
                break high;
            }
        };
        let kind = self.random.pick(&[0, 2, 4, 6]);
        let fields = [('k', kind), ('n', n), ('m', m), ('l', low), ('h', high)];
        self.wide("111110111kkknnnn llllhhhh0000mmmm", &fields);
    }

    fn quotient(&mut self) {
        let (d, n, m) = (self.result(), self.operand(), self.operand());
        let fields = [('d', d), ('n', n), ('m', m)];
        self.wide("1111101110i1nnnn 1111dddd1111mmmm", &fields);
    }

    fn narrow_adr(&mut self) {
        let d = self.low();
        self.narrow("1010idddiiiiiiii", &[('d', d)]);
    }

    /// MRS and MSR.
    fn flags_through_registers(&mut self) {
        let (d, n) = (self.result(), self.operand());
        // APSR, IAPSR, EAPSR, XPSR; IPSR, EPSR, IEPSR; both stacks; PRIMASK, BASEPRI, CONTROL.
        let read = self.random.pick(&[0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 19, 20]);
        match self.random.below(6) {
            0 | 1 => self.wide("1111001111101111 1000ddddrrrrrrrr", &[('d', d), ('r', read)]),
            2 => {
                // The low bits of a stack pointer are not there (B1.4.7); unicorn keeps those of PSP.
                self.wide("111100000010nnnn 0000dddd00000011", &[('n', d), ('d', d)]);
                self.wide("111100111000nnnn 1000100000001001", &[('n', d)]);
            }
            3 => {
                let mask = self.random.pick(&[16, 17, 18]);
                self.wide("111100111000nnnn 10001000rrrrrrrr", &[('n', n), ('r', mask)]);
            }
            4 => self.narrow("10110110011i00ii", &[]),
            _ => self.wide("111100111000nnnn 1000100000000000", &[('n', n)]),
        }
    }

    /// An address in the middle of the RAM, `aligned` to so many bytes most of the time or always.
    fn address(&mut self, always: bool) -> u32 {
        let address = RAM + 0x2000 + self.random.below(RAM_BYTES - 0xA000);
        if always || self.random.below(4) > 0 {
            address & !3
        } else {
            address
        }
    }

    /// A load or a store of one value. Returns what must come before it, and itself.
    fn transfer(&mut self, base: u32, index: u32) -> (Vec<u16>, Vec<u16>) {
        let address = self.address(false);
        let d = self.result();
        let kind = self.random.pick(&[0b000, 0b001, 0b010, 0b011, 0b101, 0b100, 0b111, 0b1001]);
        // size, L, S: byte, half-word or word; load; sign
        let (size, load, sign) = match kind {
            0b000 => (0, 0, 0),
            0b001 => (1, 0, 0),
            0b010 => (2, 0, 0),
            0b011 => (0, 1, 0),
            0b101 => (1, 1, 0),
            0b100 => (2, 1, 0),
            0b111 => (0, 1, 1),
            _ => (1, 1, 1),
        };
        let fields = [('s', size), ('L', load), ('S', sign), ('n', base), ('d', d)];
        let offset = self.random.below(256);
        self.in_parts(|one| {
            one.set(base, address);
            match one.random.below(5) {
                0 => one.then(|it| it.wide("1111100S1ssLnnnn ddddiiiiiiiiiiii", &fields)),
                1 => one.then(|it| it.wide("1111100S0ssLnnnn dddd1100iiiiiiii", &fields)),
                // Writes the base back, so it is not loaded.
                2 => one.then(|it| it.wide("1111100S0ssLnnnn dddd11i1iiiiiiii", &fields)),
                3 => one.then(|it| it.wide("1111100S0ssLnnnn dddd10i1iiiiiiii", &fields)),
                _ => {
                    one.set(index, offset);
                    let fields = [&fields[..], &[('m', index)]].concat();
                    one.then(|it| it.wide("1111100S0ssLnnnn dddd000000iimmmm", &fields))
                }
            }
        })
    }

    fn base_but(&mut self, base: u32) -> u32 {
        loop {
            let index = self.random.pick(&BASES);
            if index != base {
                return index;
            }
        }
    }

    /// Writes in two parts: the setting of registers, and the instruction itself.
    fn in_parts(&mut self, write: impl FnOnce(&mut Writer) -> usize) -> (Vec<u16>, Vec<u16>) {
        let mut one = Writer { random: &mut *self.random, code: Vec::new() };
        let before = write(&mut one);
        let itself = one.code.split_off(before);
        (one.code, itself)
    }

    /// Writes an instruction; returns where it begins.
    fn then(&mut self, write: impl FnOnce(&mut Writer)) -> usize {
        let begin = self.code.len();
        write(self);
        begin
    }

    /// The same with low registers and a short opcode.
    fn narrow_transfer(&mut self) {
        let (base, index) = (self.low(), self.low());
        let address = self.address(false);
        let offset = self.random.below(256);
        let d = self.low();
        let fields = [('n', base), ('d', d), ('m', index)];
        match self.random.below(4) {
            0 if base != index => {
                self.set(base, address);
                self.set(index, offset);
                self.narrow("0101iiimmmnnnddd", &fields);
            }
            1 => {
                self.set(base, address);
                self.narrow("1000iiiiiinnnddd", &fields);
            }
            2 => self.narrow("1001idddiiiiiiii", &fields),
            _ => {
                self.set(base, address);
                self.narrow("011iiiiiiinnnddd", &fields);
            }
        }
    }

    /// Loads at the program counter.
    fn literal(&mut self) {
        let d = self.result();
        let low = self.low();
        match self.random.below(4) {
            0 => self.narrow("01001dddiiiiiiii", &[('d', low)]),
            1 => self.wide("11111000i1011111 ddddiiiiiiiiiiii", &[('d', d)]),
            2 => self.wide("1111100ii0i11111 ddddiiiiiiiiiiii", &[('d', d)]),
            _ => self.wide("11101001i1011111 ddddhhhhiiiiiiii", &[('d', d), ('h', (d + 1) % 8)]),
        }
    }

    /// A list of registers, and pairs.
    fn list(&mut self) {
        let base = self.random.pick(&BASES);
        let address = self.address(true);
        let (mut list, mut fields) = (self.random.next() & 0x50FF, vec![('n', base)]);
        while list.count_ones() < 2 {
            list |= 1 << self.random.below(8);
        }
        fields.extend([('l', list)]);
        let (first, second) = (self.low(), 8 + self.random.pick(&[4, 6]));
        let pair = [('n', base), ('d', first), ('e', second)];
        match self.random.below(6) {
            0 => {
                self.set(base, address);
                self.wide("1110100010i0nnnn llllllllllllllll", &fields);
            }
            1 => {
                self.set(base, address);
                self.wide("1110100010i1nnnn llllllllllllllll", &fields);
            }
            2 => {
                self.set(base, address);
                self.wide("1110100100iinnnn llllllllllllllll", &fields);
            }
            3 => {
                let (low, byte) = (self.low(), self.random.below(255) + 1);
                // A base that is stored is the lowest of the list, or not in it.
                let list = byte & !((1 << low) - 1) | 1 << self.random.pick(&[low, 7]);
                self.set(low, address);
                self.narrow("1100innnllllllll", &[('n', low), ('l', list)]);
            }
            4 => {
                self.set(base, address);
                self.wide("1110100ii11innnn ddddeeeeiiiiiiii", &pair);
            }
            _ => {
                self.set(base, address);
                self.wide("11101001i10innnn ddddeeeeiiiiiiii", &pair);
            }
        }
    }

    /// PUSH, POP, and moves of the stack pointer.
    fn stack(&mut self) {
        let list = self.random.below(255) + 1;
        match self.random.below(6) {
            0 => self.narrow("1011010illllllll", &[('l', list)]),
            1 => self.narrow("10111100llllllll", &[('l', list)]),
            2 => self.narrow("10110000iiiiiiii", &[]),
            3 => self.wide("1110100100101101 0i0illllllllllll", &[('l', list | 3)]),
            4 => self.wide("1110100010111101 0i0illllllllllll", &[('l', list | 3)]),
            _ => {
                let d = self.result();
                self.wide("1111001000001101 0000ddddiiiiiiii", &[('d', d)]);
            }
        }
    }

    fn exclusive(&mut self) {
        let base = self.random.pick(&BASES);
        let address = self.address(true);
        let (d, t) = (self.low(), self.random.pick(&[12, 14]));
        self.set(base, address);
        let size = self.random.below(3);
        let fields = [('n', base), ('d', d), ('t', t), ('o', self.random.below(64))];
        if self.random.below(5) > 0 {
            match size {
                0 => self.wide("111010000101nnnn tttt1111 00oooooo", &fields),
                1 => self.wide("111010001101nnnn tttt1111 01001111", &fields),
                _ => self.wide("111010001101nnnn tttt1111 01011111", &fields),
            }
        }
        if self.random.below(3) == 0 {
            self.arithmetic_but(&[base, t]);
        }
        if self.random.below(5) == 0 {
            self.wide("1111001110111111 1000111100101111", &[]);
        }
        match size {
            0 => self.wide("111010000100nnnn ttttdddd 00oooooo", &fields),
            1 => self.wide("111010001100nnnn tttt1111 0100dddd", &fields),
            _ => self.wide("111010001100nnnn tttt1111 0101dddd", &fields),
        }
        // A monitor that still holds, and for what, is not defined.
        self.wide("1111001110111111 1000111100101111", &[]);
    }

    /// An instruction that leaves these registers alone.
    fn arithmetic_but(&mut self, _registers: &[u32]) {
        let (d, m) = (self.low(), self.low());
        self.narrow("010000iiiimmmddd", &[('d', d), ('m', m)]);
    }

    /// A branch over what `skipped` writes.
    fn branch(&mut self) {
        let mut one = Writer { random: &mut *self.random, code: Vec::new() };
        one.simple();
        let skipped = one.code;
        let halves = skipped.len() as u32;
        let n = self.low();
        let condition = self.random.below(14);
        match self.random.below(10) {
            0 => self.narrow("11100ooooooooooo", &[('o', halves - 1)]),
            1 | 2 => self.narrow("1101ccccoooooooo", &[('c', condition), ('o', halves - 1)]),
            3 | 4 => self.narrow(
                "1011i0f1ooooonnn",
                &[('f', (halves - 1) >> 5 & 1), ('o', (halves - 1) & 31), ('n', n)],
            ),
            5 => self.wide("1111000000000000 10111ooooooooooo", &[('o', halves)]),
            6 => {
                self.wide("11110 0cccc000000 10000ooooooooooo", &[('c', condition), ('o', halves)])
            }
            7 => self.wide("1111000000000000 11111ooooooooooo", &[('o', halves)]),
            8 => {
                // By a register: MOVW and MOVT take eight bytes, the branch two.
                let register = self.result();
                let target = (self.here() + 10 + 2 * halves) | 1;
                self.set(register, target);
                let fields = [('m', register)];
                match self.random.below(3) {
                    0 => self.narrow("010001110mmmm000", &fields),
                    1 => self.narrow("010001111mmmm000", &fields),
                    _ => self.narrow("010001101mmmm111", &fields),
                }
            }
            _ => return self.table(&skipped),
        }
        self.code.extend(skipped);
    }

    /// TBB or TBH with a table of two entries, of which the second leads behind the skipped code.
    fn table(&mut self, skipped: &[u16]) {
        let choice = self.random.below(2);
        let index = self.low();
        self.set(index, choice);
        let halves = skipped.len() as u32;
        if self.random.below(2) == 0 {
            self.wide("1110100011011111 111100000000mmmm", &[('m', index)]);
            self.code.push((1 | (1 + halves) << 8) as u16);
        } else {
            self.wide("1110100011011111 111100000001mmmm", &[('m', index)]);
            self.code.extend([2, (2 + halves) as u16]);
        }
        self.code.extend(skipped);
    }

    /// An IT block. Its loads and stores get their addresses before it.
    fn block(&mut self) {
        let condition = self.random.below(14);
        let length = self.random.below(4) + 1;
        let (mut before, mut inside) = (Vec::new(), Vec::new());
        let mut free = vec![(BASES[0], BASES[1]), (BASES[2], BASES[3])];
        for _ in 0..length {
            let transfers = self.random.below(4) == 0;
            let place = if transfers { free.pop() } else { None };
            if let Some((base, index)) = place {
                let (setting, itself) = self.transfer(base, index);
                before.extend(setting);
                inside.extend(itself);
            } else {
                let mut one = Writer { random: &mut *self.random, code: Vec::new() };
                one.arithmetic(true);
                inside.extend(one.code);
            }
        }
        // Each further bit is that of the condition or its inverse; a one ends the mask.
        let mut mask = 0;
        for _ in 1..length {
            mask = mask << 1 | self.random.below(2);
        }
        let mask = (mask << 1 | 1) << (4 - length);
        self.code.extend(before);
        self.narrow("10111111ccccmmmm", &[('c', condition), ('m', mask)]);
        self.code.extend(inside);
    }

    /// Something without a branch or a block.
    fn simple(&mut self) {
        match self.random.below(20) {
            0..12 => self.arithmetic(false),
            12 | 13 => {
                let base = self.random.pick(&BASES);
                let index = self.base_but(base);
                let (before, itself) = self.transfer(base, index);
                self.code.extend(before);
                self.code.extend(itself);
            }
            14 => self.narrow_transfer(),
            15 => self.literal(),
            16 | 17 => self.list(),
            18 => self.stack(),
            _ => self.exclusive(),
        }
    }
}

/// A random program of some 20 parts.
pub fn case(random: &mut Random) -> Case {
    let r = std::array::from_fn(|_| random.word());
    let lr = random.word();
    let flags = random.next() & 0xF800_0000;
    let (seed, parts) = (random.next() as u8, 5 + random.below(30));
    let mut writer = Writer { random, code: Vec::new() };
    for _ in 0..parts {
        match writer.random.below(8) {
            0 => writer.branch(),
            1 => writer.block(),
            _ => writer.simple(),
        }
    }
    let code = writer.code;
    Case { r, sp: RAM + 0x8000, lr, flags, code, seed }
}
