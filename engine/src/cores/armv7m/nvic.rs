//! The nested vectored interrupt controller: which exceptions are enabled, pending and active, and their
//! priorities (ARM DDI 0403, B1.5 and B3.4).

use super::exceptions::{input, number};

/// Exceptions by number: bit n is exception n.
pub(super) type Set = u128;

/// Priority of a program that no exception interrupts and no mask protects: below every other.
pub(super) const LOWEST: i16 = 256;
/// Priority while FAULTMASK is set, and of HardFault.
pub(super) const OF_HARD_FAULT: i16 = -1;

/// The first exception that is an interrupt from outside.
pub(super) const FIRST_INTERRUPT: usize = 16;
/// Exceptions that there may be.
const EXCEPTIONS: usize = FIRST_INTERRUPT + input::INTERRUPTS;

/// The set of one exception; of a number that no exception has it is empty.
pub(super) const fn bit(number: usize) -> Set {
    if number < EXCEPTIONS {
        1 << number
    } else {
        0
    }
}

/// All numbers in a set, in order.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < EXCEPTIONS).then_some(first)
    })
}

/// The exceptions of the inputs in a mask.
pub(super) const fn of_inputs(inputs: u64) -> Set {
    let interrupts = (inputs & input::ALL_INTERRUPTS) as Set;
    let nmi = (inputs >> input::NMI & 1) as Set;
    let tick = (inputs >> input::SYSTICK & 1) as Set;
    interrupts << FIRST_INTERRUPT | nmi << number::NMI | tick << number::SYSTICK
}

/// The inputs of the exceptions in a set.
pub(super) const fn to_inputs(set: Set) -> u64 {
    let interrupts = (set >> FIRST_INTERRUPT) as u64 & input::ALL_INTERRUPTS;
    let nmi = (set >> number::NMI & 1) as u64;
    let tick = (set >> number::SYSTICK & 1) as u64;
    interrupts | nmi << input::NMI | tick << input::SYSTICK
}

/// Its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nvic {
    /// Those below 16 count as enabled: faults that are off never become pending.
    pub enabled: Set,
    pub pending: Set,
    pub active: Set,
    /// Inputs that were requested when they were last looked at.
    pub lines: u64,
    /// By number. The lower goes first; those below 4 are fixed.
    priorities: [u8; EXCEPTIONS],
    /// Bits of a priority that there are.
    implemented: u8,
    /// AIRCR.PRIGROUP.
    pub group: u32,
    /// Interrupts that there are.
    pub interrupts: usize,
}

impl Nvic {
    pub fn new(interrupts: usize, priority_bits: u32) -> Self {
        Nvic {
            enabled: 0xFFFF,
            pending: 0,
            active: 0,
            lines: 0,
            priorities: [0; EXCEPTIONS],
            implemented: !(0xFFu32 >> priority_bits) as u8,
            group: 0,
            interrupts,
        }
    }

    /// Bits of a priority that there are.
    pub fn priority_mask(&self) -> u8 {
        self.implemented
    }

    /// The interrupts that there are, as exceptions.
    pub fn existing(&self) -> Set {
        ((1 << self.interrupts) - 1) << FIRST_INTERRUPT
    }

    /// The priority of a number, as its register holds it.
    pub fn priority(&self, number: usize) -> u8 {
        self.priorities.get(number).copied().unwrap_or(0)
    }

    pub fn set_priority(&mut self, number: usize, value: u8) {
        let exists = number < FIRST_INTERRUPT || number < FIRST_INTERRUPT + self.interrupts;
        if let (true, Some(place)) = (exists, self.priorities.get_mut(number)) {
            *place = value & self.implemented;
        }
    }

    fn full_priority(&self, number: usize) -> i16 {
        match number {
            0..4 => number as i16 - 4,
            _ => self.priorities[number].into(),
        }
    }

    /// The part of a priority that decides whether one exception interrupts another.
    pub fn grouped(&self, priority: u8) -> i16 {
        i16::from(priority) & !((2 << self.group) - 1)
    }

    /// The same of an exception.
    pub fn group_priority(&self, number: usize) -> i16 {
        match number {
            0..4 => number as i16 - 4,
            _ => self.grouped(self.priorities[number]),
        }
    }

    /// The priority of the exceptions that are active; of none it is the lowest.
    pub fn active_priority(&self) -> i16 {
        members(self.active).map(|number| self.group_priority(number)).min().unwrap_or(LOWEST)
    }

    /// The pending exception that goes first, if it may interrupt this priority.
    pub fn first(&self, execution: i16) -> Option<usize> {
        let waiting = self.pending & self.enabled;
        if waiting == 0 {
            return None;
        }
        let first = members(waiting).min_by_key(|&number| (self.full_priority(number), number))?;
        (self.group_priority(first) < execution).then_some(first)
    }

    /// Inputs whose interrupts would not be taken at this priority.
    pub fn masked(&self, execution: i16) -> u64 {
        let takes = members(self.enabled & of_inputs(u64::MAX))
            .filter(|&number| self.group_priority(number) < execution);
        !to_inputs(takes.fold(0, |set, number| set | 1 << number))
    }

    /// Looks at the inputs. An input that is requested and not in service is pending, and so is one that rose
    /// meanwhile. Returns whether anything became pending.
    pub fn sample(&mut self, inputs: u64) -> bool {
        let before = self.pending;
        let seen = of_inputs(inputs);
        let rose = of_inputs(inputs & !self.lines);
        self.pending |= (seen & !self.active | rose)
            & (self.existing() | 1 << number::NMI | 1 << number::SYSTICK);
        self.lines = inputs;
        self.pending & !before != 0
    }

    /// An exception is taken.
    pub fn activate(&mut self, number: usize) {
        self.pending &= !(1 << number);
        self.active |= 1 << number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_exceptions_are_the_same_in_both_directions() {
        let known = input::ALL_INTERRUPTS | 1 << input::NMI | 1 << input::SYSTICK;
        for inputs in (0..64).map(|n| 1u64 << n) {
            assert_eq!(to_inputs(of_inputs(inputs)), inputs & known);
        }
    }

    #[test]
    fn the_lower_priority_goes_first_and_then_the_lower_number() {
        let mut nvic = Nvic::new(61, 4);
        nvic.enabled |= 0b111 << 16;
        nvic.pending = 0b111 << 16;
        (16..19).zip([0x40, 0x30, 0x3F]).for_each(|(number, to)| nvic.set_priority(number, to));
        assert_eq!((nvic.priority(18), nvic.first(LOWEST)), (0x30, Some(17)));
        assert_eq!((nvic.first(0x30), nvic.first(0x31)), (None, Some(17)));
        // With PRIGROUP 5 bits 5 to 0 only order those that wait.
        nvic.group = 5;
        assert_eq!((nvic.first(0x40), nvic.first(1)), (Some(17), Some(17)));
        assert_eq!(nvic.first(0), None);
    }

    #[test]
    fn an_input_that_stays_waits_for_the_end_of_its_handler_and_one_that_rises_anew_is_pending() {
        let mut nvic = Nvic::new(61, 4);
        let line = to_inputs(1 << 16);
        assert!(nvic.sample(line));
        nvic.activate(16);
        assert!(!nvic.sample(line), "it stays");
        assert_eq!(nvic.pending, 0);
        assert!(!nvic.sample(0));
        assert!(nvic.sample(line), "it rises anew");
        assert_eq!(nvic.pending, 1 << 16);
    }
}
