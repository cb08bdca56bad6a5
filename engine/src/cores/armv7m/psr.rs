//! Program status: flags, conditions and the state of an IT block (ARM DDI 0403, B1.4.2 and A7.3).

/// Negative.
pub(super) const N: u32 = 1 << 31;
/// Zero.
pub(super) const Z: u32 = 1 << 30;
/// Carry.
pub(super) const C: u32 = 1 << 29;
/// Overflow.
pub(super) const V: u32 = 1 << 28;
/// Saturation, which stays until it is cleared.
pub(super) const Q: u32 = 1 << 27;
/// The flags that conditions read.
pub(super) const FLAGS: u32 = N | Z | C | V;
/// Thumb state, the only one there is.
pub(super) const T: u32 = 1 << 24;

/// Whether a condition of four bits holds; 14 and 15 always do.
#[inline(always)]
pub(super) const fn passes(condition: u8, flags: u32) -> bool {
    PASSING[condition as usize & 15] >> (flags >> 28) & 1 != 0
}

/// For each condition a bit for each value of N, Z, C and V in which it holds.
static PASSING: [u16; 16] = {
    let mut table = [0u16; 16];
    let mut index = 0;
    while index < 256 {
        let (condition, nzcv) = (index >> 4, index & 15);
        let (n, z, c, v) = (nzcv & 8 != 0, nzcv & 4 != 0, nzcv & 2 != 0, nzcv & 1 != 0);
        let holds = match condition >> 1 {
            0 => z,
            1 => c,
            2 => n,
            3 => v,
            4 => c && !z,
            5 => n == v,
            6 => n == v && !z,
            _ => true,
        };
        let inverted = condition & 1 != 0 && condition != 15;
        if holds != inverted {
            table[condition] |= 1 << nzcv;
        }
        index += 1;
    }
    table
};

/// The state of an IT block after one of its instructions.
#[inline(always)]
pub(super) const fn advanced(it: u8) -> u8 {
    if it & 7 == 0 {
        0
    } else {
        it & 0xE0 | it << 1 & 0x1F
    }
}

/// The bits of EPSR that hold the state of an IT block.
pub(super) const fn it_bits(it: u8) -> u32 {
    (it as u32 & 3) << 25 | (it as u32 & 0xFC) << 8
}

/// The state of an IT block in these bits of EPSR.
pub(super) const fn it_of(bits: u32) -> u8 {
    ((bits >> 25 & 3) | (bits >> 8 & 0xFC)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_those_of_the_manual() {
        let holds = |condition, flags| passes(condition, flags);
        assert!(holds(0, Z) && !holds(0, 0) && holds(1, 0) && !holds(1, Z));
        assert!(holds(2, C) && !holds(3, C) && holds(4, N) && holds(6, V));
        assert!(holds(8, C) && !holds(8, C | Z) && holds(9, C | Z) && holds(9, 0));
        assert!(holds(10, N | V) && holds(10, 0) && !holds(10, N) && holds(11, V));
        assert!(holds(12, 0) && !holds(12, Z) && holds(13, Z) && holds(13, N));
        assert!(holds(14, 0) && holds(14, N) && holds(15, Z));
    }

    #[test]
    fn an_it_block_of_four_ends_after_four() {
        let mut states = vec![0b0000_0101_u8];
        while *states.last().unwrap() != 0 {
            states.push(advanced(*states.last().unwrap()));
        }
        assert_eq!(states, [0b0101, 0b1010, 0b1_0100, 0b0_1000, 0].map(|state| state as u8));
        assert!((0..=255).all(|it| it_of(it_bits(it)) == it));
    }
}
