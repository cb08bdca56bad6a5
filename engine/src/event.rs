//! The queue of events, ordered by (cycle, priority, sequence).

use crate::device::Tag;
use crate::time::{Cycle, NEVER};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    at: Cycle,
    owner: usize,
    sequence: u64,
    tag: Tag,
}

/// Pending events of all devices; at most one per (owner, tag). The owner's index is its priority:
/// events of the same cycle fire in the order in which the board file lists the devices. A board has
/// a handful pending at any time, so a plain list beats a heap.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    events: Vec<Event>,
    sequence: u64,
}

impl Queue {
    /// Sets, moves or (with `None`) withdraws the event `tag` of `owner`.
    pub fn schedule(&mut self, owner: usize, tag: Tag, at: Option<Cycle>) {
        self.events.retain(|event| event.owner != owner || event.tag != tag);
        if let Some(at) = at {
            self.sequence += 1;
            self.events.push(Event { at, owner, sequence: self.sequence, tag });
        }
    }

    /// Withdraws the events of all owners before `owner`.
    pub fn keep_from(&mut self, owner: usize) {
        self.events.retain(|event| event.owner >= owner);
    }

    /// When the next event is due, or [`NEVER`].
    pub fn next(&self) -> Cycle {
        self.events.iter().map(|event| event.at).min().unwrap_or(NEVER)
    }

    /// The same, without the events of one owner.
    pub fn next_without(&self, owner: usize) -> Cycle {
        let others = self.events.iter().filter(|event| event.owner != owner);
        others.map(|event| event.at).min().unwrap_or(NEVER)
    }

    /// Takes the first event due at or before `now`: its cycle, owner and tag.
    pub fn pop(&mut self, now: Cycle) -> Option<(Cycle, usize, Tag)> {
        let first = (0..self.events.len())
            .filter(|&i| self.events[i].at <= now)
            .min_by_key(|&i| (self.events[i].at, self.events[i].owner, self.events[i].sequence))?;
        let event = self.events.swap_remove(first);
        Some((event.at, event.owner, event.tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_fire_in_order_of_cycle_then_owner_then_request() {
        let mut queue = Queue::default();
        queue.schedule(1, 0, Some(10));
        queue.schedule(0, 7, Some(10));
        queue.schedule(0, 3, Some(10));
        queue.schedule(2, 0, Some(5));
        assert_eq!(queue.next(), 5);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop(10)).collect();
        assert_eq!(order, [(5, 2, 0), (10, 0, 7), (10, 0, 3), (10, 1, 0)]);
    }

    #[test]
    fn a_tag_has_one_pending_event() {
        let mut queue = Queue::default();
        queue.schedule(0, 0, Some(10));
        queue.schedule(0, 0, Some(20));
        assert_eq!(queue.next(), 20);
        queue.schedule(0, 0, None);
        assert_eq!((queue.next(), queue.pop(NEVER)), (NEVER, None));
    }
}
