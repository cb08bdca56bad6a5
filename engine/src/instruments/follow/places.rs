//! The followed bytes in memory. Pages are made when such a byte first comes there.

use super::Tag;

const PAGE_BYTES: usize = 1 << 12;
const PAGES: usize = 1 << 20;

/// The content of one byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing was written there since the page was made.
    Untouched,
    /// This byte.
    Holds(Tag),
    /// No byte that is followed.
    Other,
}

/// A place as it is kept: with the number 0 no byte is there; its `byte` says whether it was written.
const UNTOUCHED: Tag = Tag { copy: 0, byte: 0, arrived: 0 };
const OTHER: Tag = Tag { copy: 0, byte: 1, arrived: 0 };

/// The bytes of the whole address space; so many bytes of the host for each of a touched page.
#[derive(Debug, Default)]
pub(super) struct Places {
    pages: Vec<Option<Box<[Tag]>>>,
}

impl Places {
    pub fn get(&self, address: u32) -> Place {
        match self.page(address) {
            None => Place::Untouched,
            Some(page) => match page[address as usize % PAGE_BYTES] {
                UNTOUCHED => Place::Untouched,
                OTHER => Place::Other,
                tag => Place::Holds(tag),
            },
        }
    }

    /// Whether any byte came to the page of this address.
    pub fn touched(&self, address: u32) -> bool {
        self.page(address).is_some()
    }

    pub fn set(&mut self, address: u32, tag: Option<Tag>) {
        if self.pages.is_empty() {
            self.pages.resize_with(PAGES, || None);
        }
        let page = &mut self.pages[address as usize / PAGE_BYTES];
        let page = page.get_or_insert_with(|| vec![UNTOUCHED; PAGE_BYTES].into_boxed_slice());
        page[address as usize % PAGE_BYTES] = tag.unwrap_or(OTHER);
    }

    fn page(&self, address: u32) -> Option<&[Tag]> {
        self.pages.get(address as usize / PAGE_BYTES)?.as_deref()
    }
}
