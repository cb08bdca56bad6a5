//! The address map: memories, windows that show them elsewhere, devices.

/// A range of addresses that shows a contiguous part of one memory. `size` 0 matches nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// Index of the memory.
    pub memory: usize,
    /// Offset in the memory of the first byte.
    pub offset: u32,
}

/// A range of addresses behind which lies a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceWindow {
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// Index of the device.
    pub device: usize,
    /// The device's offset of the first byte.
    pub offset: u32,
    /// Index of the bus that leads there.
    pub bus: usize,
}

/// A range that shows the first bytes of a memory chosen by an input.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// Its name in the board file.
    pub name: String,
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// Level of the input → index of the memory shown.
    pub choices: Vec<(u32, usize)>,
    /// The memory shown now.
    pub shown: Option<usize>,
}

impl Overlay {
    /// The memory that a level of the input shows.
    fn shown_at(&self, level: u32) -> Option<usize> {
        self.choices.iter().find(|choice| choice.0 == level).map(|choice| choice.1)
    }
}

/// Bytes of the smallest page, as a power of two.
const SMALLEST_PAGE: u32 = 6;

/// The address map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    memories: Vec<Window>,
    devices: Vec<DeviceWindow>,
    overlays: Vec<Overlay>,
    visible: Vec<Window>,
}

impl Map {
    /// A map of these; the overlays show what the board file names for level 0.
    pub fn new(memories: Vec<Window>, devices: Vec<DeviceWindow>, overlays: Vec<Overlay>) -> Self {
        let visible = memories.clone();
        let mut map = Map { memories, devices, overlays, visible };
        map.reset();
        map
    }

    /// The window of memory at `address`.
    pub fn memory(&self, address: u32) -> Option<Window> {
        self.visible.iter().copied().find(|w| address.wrapping_sub(w.base) < w.size)
    }

    /// The window of a device at `address`.
    pub fn device(&self, address: u32) -> Option<DeviceWindow> {
        self.devices.iter().copied().find(|w| address.wrapping_sub(w.base) < w.size)
    }

    /// Whether a device answers at `address`, whatever the overlays show.
    pub fn is_device(&self, address: u32) -> bool {
        let covers = |one: &Overlay| address.wrapping_sub(one.base) < one.size;
        self.device(address).is_some() && !self.overlays.iter().any(covers)
    }

    /// Bytes of a page, as a power of two, for a page table of so many entries (64 at most). Takes
    /// the largest pages with which no two memories share an entry, else those with which fewest
    /// do.
    pub fn page_shift(&self, entries: usize) -> u32 {
        let shared = |shift: u32| {
            let pages = |window: &Window| -> u64 {
                let last = window.base + window.size.saturating_sub(1);
                let count = (last >> shift) - (window.base >> shift);
                let pages = (0..=count.min(entries as u32 - 1)).map(|n| (window.base >> shift) + n);
                pages.fold(0, |all, page| all | 1 << (page as usize % entries))
            };
            let taken: Vec<u64> = self.memories.iter().map(pages).collect();
            let pairs = taken
                .iter()
                .enumerate()
                .flat_map(|(i, one)| taken[..i].iter().map(move |two| one & two));
            pairs.filter(|both| *both != 0).count()
        };
        (SMALLEST_PAGE..u32::BITS).rev().min_by_key(|&shift| shared(shift)).unwrap_or(SMALLEST_PAGE)
    }

    /// Where devices answer.
    pub fn devices(&self) -> &[DeviceWindow] {
        &self.devices
    }

    /// The input of an overlay has a new level. `false` when the board file names no memory for it:
    /// what was shown stays.
    pub fn select(&mut self, overlay: usize, level: u32) -> bool {
        let overlay = &mut self.overlays[overlay];
        let Some(memory) = overlay.shown_at(level) else { return false };
        overlay.shown = Some(memory);
        self.rebuild();
        true
    }

    /// Name of an overlay.
    pub fn overlay_name(&self, overlay: usize) -> &str {
        &self.overlays[overlay].name
    }

    /// All overlays back to what level 0 shows, if anything: inputs begin there.
    pub fn reset(&mut self) {
        for overlay in &mut self.overlays {
            overlay.shown = overlay.shown_at(0);
        }
        self.rebuild();
    }

    fn rebuild(&mut self) {
        self.visible = self.memories.clone();
        for overlay in &self.overlays {
            let Some(memory) = overlay.shown else { continue };
            let window = Window { base: overlay.base, size: overlay.size, memory, offset: 0 };
            // A memory shown at its own place needs no window.
            if self.memories.iter().any(|w| w.memory == memory && w.base == overlay.base) {
                continue;
            }
            self.visible = self.visible.iter().flat_map(|w| without(*w, window)).collect();
            self.visible.push(window);
        }
    }
}

/// Returns the parts of `window` that `hole` does not cover.
fn without(window: Window, hole: Window) -> impl Iterator<Item = Window> {
    let end = |w: Window| u64::from(w.base) + u64::from(w.size);
    let part = move |from: u64, to: u64| {
        let base = from as u32;
        let offset = window.offset.wrapping_add(base.wrapping_sub(window.base));
        (to > from).then(|| Window { base, size: (to - from) as u32, offset, ..window })
    };
    let (first, last) = (u64::from(window.base), end(window));
    let before = part(first, last.min(u64::from(hole.base)));
    let after = part(first.max(end(hole)), last);
    before.into_iter().chain(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLASH: Window = Window { base: 0, size: 0x1000, memory: 0, offset: 0 };
    const SRAM: Window = Window { base: 0x4000, size: 0x100, memory: 1, offset: 0 };

    fn map() -> Map {
        let vectors = Overlay {
            name: "vectors".into(),
            base: 0,
            size: 64,
            choices: vec![(1, 0), (2, 1)],
            shown: None,
        };
        Map::new(vec![FLASH, SRAM], Vec::new(), vec![vectors])
    }

    #[test]
    fn an_overlay_shows_another_memory_and_leaves_the_rest() {
        let mut map = map();
        assert!(map.select(0, 2));
        assert_eq!(map.memory(63).unwrap().memory, 1);
        let rest = Window { base: 64, size: 0xFC0, memory: 0, offset: 64 };
        assert_eq!(map.memory(64), Some(rest));
        assert_eq!(map.memory(0x4000), Some(SRAM));
        assert!(map.select(0, 1));
        assert_eq!(map.memory(0), Some(FLASH));
    }

    #[test]
    fn at_first_an_overlay_shows_what_level_0_names() {
        let choices = vec![(0, 1), (1, 0)];
        let over = Overlay { name: "over".into(), base: 0, size: 64, choices, shown: None };
        let map = Map::new(vec![FLASH, SRAM], Vec::new(), vec![over]);
        assert_eq!([0, 64].map(|at| map.memory(at).unwrap().memory), [1, 0]);
    }

    #[test]
    fn an_unknown_level_changes_nothing() {
        let mut map = map();
        map.select(0, 2);
        assert!(!map.select(0, 3));
        assert_eq!(map.memory(0).unwrap().memory, 1);
    }

    #[test]
    fn a_device_that_an_overlay_may_cover_is_not_always_one() {
        let device = DeviceWindow { base: 0x8000, size: 0x100, device: 0, offset: 0, bus: 0 };
        let over = Overlay {
            name: "over".into(),
            base: 0x8080,
            size: 16,
            choices: vec![(1, 1)],
            shown: None,
        };
        let map = Map::new(vec![FLASH, SRAM], vec![device], vec![over]);
        assert_eq!(
            [0x7FFC, 0x807C, 0x8080, 0x8090].map(|at| map.is_device(at)),
            [false, true, false, true]
        );
    }

    fn page_shift(places: &[(u32, u32)]) -> u32 {
        let window = |(memory, &(base, size))| Window { base, size, memory, offset: 0 };
        let windows = places.iter().enumerate().map(window).collect();
        Map::new(windows, Vec::new(), Vec::new()).page_shift(64)
    }

    #[test]
    fn pages_are_as_small_as_it_takes_to_tell_memories_apart() {
        // An LPC2148: flash and SRAM.
        assert_eq!(page_shift(&[(0, 0x7_D000), (0x4000_0000, 0x8000)]), 30);
        // An AVR: program and data space.
        assert_eq!(page_shift(&[(0, 0x8000), (0x80_0100, 0x800)]), 23);
        // A console: five memories in the first quarter of a GiB.
        let console = [0x200, 0x300, 0x500, 0x700, 0x800].map(|base| (base << 16, 0x400));
        assert_eq!(page_shift(&console), 24);
        assert_eq!(page_shift(&[(0, 0x100), (0x100, 0x100), (0x4000_0200, 0x100)]), 8);
        assert_eq!(page_shift(&[(0, 0x1000)]), 31);
        assert_eq!(page_shift(&[]), 31);
        // No shift separates all three: two share a page.
        assert_eq!(page_shift(&[(0, 16), (16, 16), (0x4000_0000, 16)]), 30);
        assert_eq!(page_shift(&[(0, 0x7FFF_FFFC), (0x7FFF_FFFC, 0x8000_0004)]), 31);
    }

    #[test]
    fn nothing_answers_outside() {
        assert_eq!((map().memory(0x1000), map().memory(0x3FFF)), (None, None));
    }
}
