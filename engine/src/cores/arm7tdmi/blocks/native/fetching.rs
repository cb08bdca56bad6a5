//! How an area fetches its opcodes: which fetches are from the line of the last, and what the flash holds then.

use super::super::chains::registers::kind;
use crate::bus::{Access, Width};
use crate::system::{CodeView, Fetches, System};
use crate::timing::mam_lpc2000::ahead::{Begins, Held, Known, Takes};

/// The memory of the code, as it was set when the area was translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fetching {
    pub view: CodeView,
    /// Of a flash behind a MAM. Any other memory is one line.
    pub flash: Option<Known>,
    /// Whether it matters if a fetch is in sequence.
    pub differ: bool,
}

/// Where opcodes are fetched from: the address fetched last, and the lines that the flash holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fetched {
    pub last: u32,
    pub held: Option<Held>,
}

/// A fetch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fetch {
    /// From the line of the last, or where lines do not matter: in sequence or not.
    Again { sequential: bool },
    /// From another line: how long it takes, and what begins then.
    Line(Takes, Begins),
}

fn width(key: u32) -> Width {
    if key & 1 == 0 {
        Width::Word
    } else {
        Width::Half
    }
}

impl Fetching {
    /// How it is set now. None where fetches are not known ahead.
    pub fn now(bus: &System, fetches: &Fetches) -> Option<Self> {
        let view = bus.code_view();
        let bytes = bus.code_bytes().len();
        let flash = bus.lend_flash().map(|flash| flash.known());
        if flash.is_none() && view.line.is_none() {
            return None;
        }
        let first = view.base.wrapping_add(view.shift) as usize;
        (first + view.size as usize <= bytes).then_some(Fetching {
            view,
            flash,
            differ: fetches.differ(),
        })
    }

    /// Whether a fetch of this kind is not in sequence, and that matters.
    pub fn is_nonsequential(&self, kind: u8) -> bool {
        self.differ && kind == kind::NON_SEQUENTIAL
    }

    /// Behind a fetch of the second opcode at `key` (bit 0: in Thumb state), with what the flash holds now.
    pub fn at(bus: &System, key: u32) -> Fetched {
        let last = (key & !1).wrapping_add(width(key).bytes());
        Fetched { last, held: bus.lend_flash().map(|flash| flash.held()) }
    }

    fn fetch(&self, fetched: &mut Fetched, address: u32, access: Access) -> Fetch {
        let is_again = (address ^ fetched.last) & self.view.line_mask == 0;
        fetched.last = address;
        match (self.flash, &mut fetched.held) {
            (Some(flash), Some(held)) if !is_again && !flash.is_flat() => {
                let offset = address.wrapping_add(self.view.shift);
                let (takes, begins) = flash.fetch(held, offset, access);
                Fetch::Line(takes, begins)
            }
            _ => Fetch::Again { sequential: access.is_sequential() },
        }
    }

    /// A fetch of the opcode behind the last, at `address`: in sequence or not.
    pub fn run_on(&self, fetched: &mut Fetched, address: u32, sequential: bool) -> Fetch {
        let access = Access::code(Width::Word);
        self.fetch(fetched, address, if sequential { access.sequential() } else { access })
    }

    /// Both fetches of a refill at `key` (bit 0: in Thumb state).
    pub fn refill(&self, fetched: &mut Fetched, key: u32) -> [Fetch; 2] {
        let (first, access) = (key & !1, Access::code(width(key)));
        [
            self.fetch(fetched, first, access.after_branch()),
            self.fetch(fetched, first.wrapping_add(width(key).bytes()), access.sequential()),
        ]
    }
}
