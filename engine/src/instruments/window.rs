//! The interval of a run that is one call; shared by the instruments that measure calls.

/// One call, seen from outside. Addresses are those of instructions.
///
/// The call begins when `entry` executes after `start` has, and ends when `returned` does. So what
/// else enters the same function is no call, and neither is what it calls itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The instruction that executes before each call that counts, and nowhere else: its probe.
    pub start: u32,
    /// The first instruction of the call; it may be `start`.
    pub entry: u32,
    /// The first instruction behind it.
    pub returned: u32,
}

/// Progress of a run through a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Outside,
    Started,
    Inside,
}

/// Meaning of the next instruction to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// The call begins with it.
    Entered,
    /// It belongs to the call.
    Within,
    /// The call ended before it.
    Returned,
    /// It lies outside.
    Beside,
}

/// Follows a run through a window.
#[derive(Debug)]
pub(super) struct Passages {
    window: Window,
    place: Place,
}

impl Passages {
    pub fn new(window: Window) -> Self {
        Passages { window, place: Place::Outside }
    }

    pub fn is_inside(&self) -> bool {
        self.place == Place::Inside
    }

    /// The board was reset.
    pub fn reset(&mut self) {
        self.place = Place::Outside;
    }

    /// The only instructions that can begin or end a call.
    pub fn marks(&self) -> Vec<u32> {
        let Window { start, entry, returned } = self.window;
        vec![start, entry, returned]
    }

    pub fn executed(&mut self, address: u32) -> Passage {
        if self.is_inside() && address == self.window.returned {
            self.place = Place::Outside;
            return Passage::Returned;
        }
        // A start inside a call means that the call before never returned.
        if address == self.window.start {
            self.place = Place::Started;
        }
        if self.place == Place::Started && address == self.window.entry {
            self.place = Place::Inside;
            return Passage::Entered;
        }
        if self.is_inside() {
            Passage::Within
        } else {
            Passage::Beside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Passage::{Beside, Entered, Returned, Within};

    fn follow(addresses: &[u32]) -> Vec<Passage> {
        let mut passages = Passages::new(Window { start: 0x10, entry: 0x100, returned: 0x18 });
        let mut next = |&address: &u32| {
            let (marked, before) = (passages.marks().contains(&address), passages.place);
            let passage = passages.executed(address);
            assert!(marked || passages.place == before);
            passage
        };
        addresses.iter().map(&mut next).collect()
    }

    #[test]
    fn a_call_is_what_lies_between_entry_and_return_after_a_start() {
        assert_eq!(
            follow(&[0x10, 0x14, 0x100, 0x104, 0x18, 0x1C]),
            [Beside, Beside, Entered, Within, Returned, Beside]
        );
    }

    #[test]
    fn entering_without_a_start_and_entering_again_inside_are_no_calls() {
        assert_eq!(
            follow(&[0x100, 0x18, 0x10, 0x100, 0x100, 0x18, 0x100]),
            [Beside, Beside, Beside, Entered, Within, Returned, Beside]
        );
    }

    #[test]
    fn a_call_that_never_returned_gives_way_to_the_next() {
        assert_eq!(
            follow(&[0x10, 0x100, 0x10, 0x18, 0x100, 0x18]),
            [Beside, Entered, Beside, Beside, Entered, Returned]
        );
    }
}
