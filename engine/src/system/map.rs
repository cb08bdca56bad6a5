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

/// The level of a place has a base in its upper bits, and below how many MiB answer from there on.
const PLACE_SHIFT: u32 = 20;

/// The address map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Where each memory answers now by itself.
    memories: Vec<Window>,
    /// Bytes of each memory.
    sizes: Vec<u32>,
    /// Memories whose place is the level of an input.
    movable: Vec<usize>,
    devices: Vec<DeviceWindow>,
    overlays: Vec<Overlay>,
    visible: Vec<Window>,
}

impl Map {
    /// A map of these; the overlays show what the board file names for level 0.
    pub fn new(memories: Vec<Window>, devices: Vec<DeviceWindow>, overlays: Vec<Overlay>) -> Self {
        let sizes = memories.iter().map(|window| window.size).collect();
        let (movable, visible) = (Vec::new(), Vec::new());
        let mut map = Map { memories, sizes, movable, devices, overlays, visible };
        map.reset();
        map
    }

    /// A memory answers where [`place`](Map::place) says from now on, and nowhere until then.
    pub fn make_movable(&mut self, memory: usize) {
        self.movable.push(memory);
        self.reset();
    }

    /// The input of a memory's place has a new level: bits 31:20 are those of its first address, bits 19:0 how
    /// many MiB of it answer. 0: none.
    pub fn place(&mut self, memory: usize, level: u32) {
        let mib = u64::from(level & ((1 << PLACE_SHIFT) - 1));
        let window = &mut self.memories[memory];
        window.base = level >> PLACE_SHIFT << PLACE_SHIFT;
        window.size = (mib << PLACE_SHIFT).min(self.sizes[memory].into()) as u32;
        self.rebuild();
    }

    /// The window of memory at `address`.
    pub fn memory(&self, address: u32) -> Option<Window> {
        self.visible.iter().copied().find(|w| address.wrapping_sub(w.base) < w.size)
    }

    /// The windows of memory now.
    pub fn visible(&self) -> &[Window] {
        &self.visible
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

    /// All overlays back to what level 0 shows, if anything, and all movable memories to nowhere: inputs
    /// begin at level 0.
    pub fn reset(&mut self) {
        for memory in &self.movable {
            self.memories[*memory].size = 0;
        }
        for overlay in &mut self.overlays {
            overlay.shown = overlay.shown_at(0);
        }
        self.rebuild();
    }

    fn rebuild(&mut self) {
        // A memory with a fixed place goes before one that is moved there.
        let (moved, fixed): (Vec<Window>, Vec<Window>) =
            self.memories.iter().partition(|window| self.movable.contains(&window.memory));
        let moved = moved.into_iter().flat_map(|window| self.beside_devices(window));
        self.visible = fixed.into_iter().chain(moved).collect();
        for overlay in &self.overlays {
            let Some(memory) = overlay.shown else { continue };
            let size = overlay.size.min(self.sizes[memory]);
            let window = Window { base: overlay.base, size, memory, offset: 0 };
            // A memory shown at its own place needs no window.
            let own = &self.memories[memory];
            if own.size > 0 && own.base == overlay.base {
                continue;
            }
            self.visible = self.visible.iter().flat_map(|w| without(*w, window)).collect();
            self.visible.push(window);
        }
    }

    /// The parts of a window where no device answers.
    fn beside_devices(&self, window: Window) -> Vec<Window> {
        let hole =
            |device: &DeviceWindow| Window { base: device.base, size: device.size, ..window };
        self.devices.iter().fold(vec![window], |parts, device| {
            parts.into_iter().flat_map(|part| without(part, hole(device))).collect()
        })
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
    fn a_window_shows_no_more_than_there_is() {
        let choices = vec![(0, 1)];
        let over = Overlay { name: "over".into(), base: 0, size: 0x200, choices, shown: None };
        let map = Map::new(vec![FLASH, SRAM], Vec::new(), vec![over]);
        let shown = [0, 0xFC, 0x100, 0x200].map(|at| map.memory(at).map(|one| one.memory));
        assert_eq!(shown, [Some(1), Some(1), Some(0), Some(0)]);
    }

    #[test]
    fn a_movable_memory_answers_where_it_is_placed() {
        let device = DeviceWindow { base: 0x30_0080, size: 16, device: 0, offset: 0, bus: 0 };
        let mut map = Map::new(vec![FLASH, SRAM], vec![device], Vec::new());
        map.make_movable(1);
        let at =
            |map: &Map, address| map.memory(address).map(|one| address - one.base + one.offset);
        assert_eq!(at(&map, SRAM.base), None, "nowhere");
        map.place(1, 0x30_0001);
        let places = [0x2F_FFFC, 0x30_0000, 0x30_007C, 0x30_0080, 0x30_0090, 0x30_0100];
        let found = [None, Some(0), Some(0x7C), None, Some(0x90), None];
        assert_eq!(places.map(|place| at(&map, place)), found, "the device stays");
        map.place(1, 1);
        assert_eq!(map.memory(4).map(|one| one.memory), Some(0), "what is fixed there stays");
        map.place(1, 0x30_0000);
        assert_eq!(at(&map, 0x30_0000), None);
        map.place(1, 0xFFF0_0001);
        assert_eq!(at(&map, 0xFFF0_0004), Some(4));
        map.reset();
        assert_eq!(at(&map, 0xFFF0_0004), None);
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
        // Program memory, and a data space far from it.
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
