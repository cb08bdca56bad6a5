//! How an area fetches its opcodes: which fetches are from the line of the last, and what the flash holds then.

use crate::bus::{Access, Width};
use crate::system::{CodeView, System};
use crate::timing::mam_lpc2000::ahead::{Begins, Held, Known, Takes};

/// The memory of the code, as it was set when the area was translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fetching {
    pub view: CodeView,
    /// Of a flash behind a MAM. Any other memory is one line.
    pub flash: Option<Known>,
}

/// Where opcodes are fetched from: the address fetched last, and the lines that the flash holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fetched {
    pub last: u32,
    pub held: Option<Held>,
}

/// A fetch: how long it takes, and what begins then. None if it is from the line of the last.
pub(super) type Fetch = Option<(Takes, Begins)>;

fn width(key: u32) -> Width {
    if key & 1 == 0 {
        Width::Word
    } else {
        Width::Half
    }
}

impl Fetching {
    /// How it is set now. None where fetches are not known ahead.
    pub fn now(bus: &mut System) -> Option<Self> {
        let view = bus.code_view();
        let bytes = bus.code_bytes().len();
        let flash = match bus.code_flash() {
            Some(flash) => Some(flash.known()?),
            None if view.line.is_some() => None,
            None => return None,
        };
        let first = view.base.wrapping_add(view.shift) as usize;
        (first + view.size as usize <= bytes).then_some(Fetching { view, flash })
    }

    /// Behind a fetch of the second opcode at `key` (bit 0: in Thumb state), with what the flash holds now.
    pub fn at(bus: &mut System, key: u32) -> Fetched {
        let last = (key & !1).wrapping_add(width(key).bytes());
        Fetched { last, held: bus.code_flash().map(|flash| flash.held()) }
    }

    fn fetch(&self, fetched: &mut Fetched, address: u32, access: Access) -> Fetch {
        let is_again = (address ^ fetched.last) & self.view.line_mask == 0;
        fetched.last = address;
        let (flash, held) = self.flash.zip(fetched.held.as_mut())?;
        let offset = address.wrapping_add(self.view.shift);
        (!is_again).then(|| flash.fetch(held, offset, access))
    }

    /// A fetch of the opcode behind the last, at `address`.
    pub fn run_on(&self, fetched: &mut Fetched, address: u32) -> Fetch {
        self.fetch(fetched, address, Access::code(Width::Word).sequential())
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
