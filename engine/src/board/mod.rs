//! A virtual board: a core and the system around it, made from a board file (docs/reference/boards.md).

mod build;
pub mod description;
mod facts;
mod metering;
mod observing;
mod run;
mod waiting;

pub use crate::processor::Tier;
pub use run::{Reason, Request, Stop};

use std::path::Path;

use crate::core::{Architecture, Core};
use crate::energy;
use crate::error::{listed, Error, Result};
use crate::image::Image;
use crate::instruments::{interrupts_off, off_intervals, power_meter, profile, truth};
use crate::processor::Processor;
use crate::registry::Registry;
use crate::semihosting::{Limits, Semihosting};
use crate::system::{System, Unmodelled};
use crate::time::Cycle;
use description::{Description, Rule};

/// A board. It runs from its first [`run`](Board::run) or [`reset`](Board::reset) on.
pub struct Board {
    description: Description,
    architecture: &'static dyn Architecture,
    core: Box<dyn Processor>,
    tier: Tier,
    system: System,
    loaded: Vec<(u32, Vec<u8>)>,
    entry: Option<u32>,
    started: bool,
    slice: waiting::Slice,
    truth: truth::Reader,
    profiles: profile::Reader,
    interrupts_off: interrupts_off::Reader,
    off_intervals: off_intervals::Reader,
    energy: Option<energy::Model>,
    power: Option<power_meter::Reader>,
    /// Energy was measured since the last reset.
    metered: bool,
    semihosting: Option<Semihosting>,
}

impl Board {
    /// Makes a board from the text of its file; `file` is how messages call it, and `resolve` gives
    /// the text of the board file that it extends, if it does.
    ///
    /// # Errors
    /// A sentence that names what is wrong in the file and where.
    pub fn new(text: &str, file: &str, resolve: &dyn Fn(&str) -> Result<String>) -> Result<Board> {
        Board::with(&Registry::default(), text, file, resolve)
    }

    /// The same, of the cores and devices in this registry.
    ///
    /// # Errors
    /// As [`Board::new`].
    pub fn with(
        registry: &Registry,
        text: &str,
        file: &str,
        resolve: &dyn Fn(&str) -> Result<String>,
    ) -> Result<Board> {
        let mut description = Description::parse(text, file, resolve)?;
        build::gather_parameters(&mut description, registry)?;
        let (architecture, core) = build::core(&description, registry)?;
        let mut system = build::system(&description, registry, architecture)?;
        let energy = build::energy::model(&description)?;
        system.reset();
        let board = Board {
            description,
            architecture,
            core,
            tier: Tier::default(),
            system,
            loaded: Vec::new(),
            entry: None,
            started: false,
            slice: waiting::Slice::default(),
            truth: truth::Reader::default(),
            profiles: profile::Reader::default(),
            interrupts_off: interrupts_off::Reader::default(),
            off_intervals: off_intervals::Reader::default(),
            energy,
            power: None,
            metered: false,
            semihosting: None,
        };
        board.check_gates()?;
        Ok(board)
    }

    /// Makes a board from the text of a file that extends no other.
    ///
    /// # Errors
    /// As [`Board::new`].
    pub fn from_text(text: &str, file: &str) -> Result<Board> {
        Board::new(text, file, &|base| {
            Err(Error(format!(
                "{file} extends \"{base}\": open it as a file, so that the other one can be found."
            )))
        })
    }

    /// Makes a board from its file. `extends = "lpc2148"` reads `../lpc2148/board.toml`, relative to the
    /// file's folder.
    ///
    /// # Errors
    /// As [`Board::new`], and a sentence when a file cannot be read.
    pub fn open(path: &Path) -> Result<Board> {
        let read = |path: &Path| {
            std::fs::read_to_string(path)
                .map_err(|why| Error(format!("Cannot read board file {}: {why}.", path.display())))
        };
        let boards = path.parent().and_then(Path::parent).unwrap_or(Path::new(".."));
        Board::new(&read(path)?, &path.display().to_string(), &|base| {
            read(&boards.join(base).join("board.toml"))
        })
    }

    /// The board's name.
    pub fn name(&self) -> &str {
        self.description.name.as_deref().unwrap_or_default()
    }

    /// The board file, what it extends included.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Loads an image, now and at every reset. Its entry becomes where a reset starts.
    ///
    /// # Errors
    /// A sentence with the bytes needed when a segment lies in no memory, or when the image is for another
    /// core.
    pub fn load(&mut self, image: &Image) -> Result<()> {
        self.check_machine(image)?;
        for segment in &image.segments {
            self.check_room(&image.name, segment.address, segment.bytes.len())?;
        }
        for segment in &image.segments {
            self.place(segment.address, &segment.bytes);
        }
        self.entry = Some(image.entry);
        Ok(())
    }

    /// Loads bytes, now and at every reset.
    ///
    /// # Errors
    /// A sentence with the bytes needed when they lie in no memory.
    pub fn load_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        self.check_room("The data", address, bytes.len())?;
        self.place(address, bytes);
        Ok(())
    }

    fn check_machine(&self, image: &Image) -> Result<()> {
        let Some(machine) = image.machine else { return Ok(()) };
        if self.architecture.elf_machine() == Some(machine) {
            return Ok(());
        }
        Err(Error(format!(
            "{} is for {}, and the core of {} is {}: build it for that core, or take another board.",
            image.name,
            machine.name,
            self.name(),
            self.architecture.kind()
        )))
    }

    fn place(&mut self, address: u32, bytes: &[u8]) {
        self.system.load(address, bytes);
        self.loaded.push((address, bytes.to_vec()));
    }

    fn check_room(&self, name: &str, address: u32, length: usize) -> Result<()> {
        let (first, end) = (u64::from(address), u64::from(address) + length as u64);
        let memories = || {
            self.system.memories().iter().map(|memory| {
                let base = u64::from(memory.base);
                (memory, base, base + u64::from(memory.size()))
            })
        };
        if memories().any(|(_, from, to)| from <= first && end <= to) {
            return Ok(());
        }
        let there: Vec<_> = memories()
            .map(|(memory, from, to)| {
                format!("{} {from:#x} to {:#x} ({} bytes)", memory.name, to - 1, to - from)
            })
            .collect();
        Err(Error(format!(
            "{name} needs {length} bytes from {address:#x} to {:#x}, which lie in no memory of {}. It has {}: \
             link for one of them, or take a board with more.",
            end.saturating_sub(1),
            self.name(),
            listed(&there)
        )))
    }

    /// Power-on state, memories as loaded and zero elsewhere, pipeline filled from `entry` (else from
    /// the image's entry, else from the board's reset address). The core reads the entry as its reset does.
    pub fn reset(&mut self, entry: Option<u32>) {
        self.system.reset();
        for (address, bytes) in &self.loaded {
            self.system.load(*address, bytes);
        }
        if let Some(semihosting) = &mut self.semihosting {
            semihosting.reset();
        }
        self.truth.clear();
        self.profiles.take();
        self.interrupts_off.take();
        self.off_intervals.take();
        self.metered = self.power.is_some();
        self.restart_meter();
        self.start(entry);
    }

    fn start(&mut self, entry: Option<u32>) {
        let reset_address = self.description.core.as_ref().map_or(0, |core| core.reset_address);
        let entry = entry.or(self.entry).unwrap_or(reset_address);
        self.core.reset(&mut self.system, entry);
        self.started = true;
    }

    /// Cycles since reset.
    pub fn cycle(&self) -> Cycle {
        use crate::bus::Bus;
        self.system.now()
    }

    /// Instructions executed since reset.
    pub fn instructions(&self) -> u64 {
        self.core.retired()
    }

    /// Address of the instruction that executes next.
    pub fn pc(&self) -> u32 {
        self.core.address()
    }

    /// The core's clock now.
    pub fn core_hz(&self) -> u32 {
        self.system.clock().hz()
    }

    /// (cycle, core clock in Hz from there on).
    pub fn clock_epochs(&self) -> &[(Cycle, u32)] {
        self.system.clock().epochs()
    }

    /// Seconds from reset to `cycle`.
    pub fn seconds(&self, cycle: Cycle) -> f64 {
        self.system.clock().seconds(cycle)
    }

    /// The core.
    pub fn core(&self) -> &dyn Processor {
        &*self.core
    }

    /// The core as the type that implements it; `None` when the board has another.
    pub fn core_as<C: Core>(&self) -> Option<&C> {
        self.core.core().downcast_ref()
    }

    /// The same, to change its registers by hand.
    pub fn core_as_mut<C: Core>(&mut self) -> Option<&mut C> {
        self.core.core_mut().downcast_mut()
    }

    /// Memory as the guest sees it now, without a cycle.
    ///
    /// # Errors
    /// A sentence when part of it is in no memory.
    pub fn read_memory(&mut self, address: u32, length: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = address.wrapping_add(bytes.len() as u32);
            let part = self.system.bytes_from(at).ok_or_else(|| no_memory(at))?;
            let take = part.len().min(length - bytes.len());
            bytes.extend_from_slice(&part[..take]);
        }
        Ok(bytes)
    }

    /// Changes memory by hand, without a cycle, until the next reset.
    ///
    /// # Errors
    /// A sentence when part of it is in no memory.
    pub fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u32);
            let rest = &bytes[done..];
            let part = self.system.bytes_from_mut(at, rest.len()).ok_or_else(|| no_memory(at))?;
            part.copy_from_slice(&rest[..part.len()]);
            done += part.len();
        }
        Ok(())
    }

    /// Queues bytes that a peer sends into an input back to back from now on, at the line's own rate:
    /// one per `frame_cycles` of the device.
    ///
    /// # Errors
    /// A sentence when there is no such input, or its device gives no frame time.
    pub fn send(&mut self, input: &str, bytes: &[u8]) -> Result<()> {
        self.system.send(input, bytes)
    }

    /// Bytes that wait to be sent into an input.
    ///
    /// # Errors
    /// A sentence when there is no such input.
    pub fn waiting(&self, input: &str) -> Result<usize> {
        self.system.waiting(input)
    }

    /// Takes what an output has sent since: (cycle, value).
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn receive(&mut self, output: &str) -> Result<Vec<(Cycle, u32)>> {
        self.system.receive(output)
    }

    /// Sets an input of a device or of the board (`core.<name>`) from outside, now or at a cycle to come.
    ///
    /// # Errors
    /// A sentence when there is no such input, or the cycle is past.
    pub fn drive(&mut self, input: &str, level: u32, at: Option<Cycle>) -> Result<()> {
        self.system.drive(input, level, at)
    }

    /// Level of an output.
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn level(&self, output: &str) -> Result<u32> {
        self.system.level(output)
    }

    /// Sets whether loops that only wait are skipped (they are, unless it is switched off). It changes
    /// host time and no result.
    pub fn set_skipping(&mut self, on: bool) {
        self.system.set_skipping(on);
    }

    /// Sets how instructions are executed (in decoded blocks, unless it is said otherwise). It changes
    /// host time and no result.
    pub fn set_tier(&mut self, tier: Tier) {
        self.tier = tier;
    }

    /// Cycles skipped since reset, as iterations of loops that only wait.
    pub fn skipped_cycles(&self) -> Cycle {
        self.system.skipped_cycles()
    }

    /// Requests since reset for behaviour that is not modelled, each once.
    pub fn unmodelled(&self) -> &[Unmodelled] {
        self.system.unmodelled()
    }

    /// The unverified rules that the run was charged by since reset.
    pub fn unverified(&self) -> Vec<&Rule> {
        let touched = self.system.touched_rules();
        let energy = self.description.energy.iter().filter(|_| self.metered);
        let origins = energy.flat_map(description::Energy::origins);
        let points = self.description.operating_point.iter().filter(|_| self.metered);
        let named: Vec<_> = origins.chain(points.map(|p| p.origin())).map(|o| o.rule).collect();
        let rules = self.description.rule.iter();
        rules.filter(|rule| touched.contains(&rule.id) || named.contains(&Some(&rule.id))).collect()
    }

    /// Serves semihosting calls from now on. The guest reaches files below `root` only, none without,
    /// and fills the disk by no more than `limits`. Its console reads `stdin`; without one, the host's standard input, once the guest asks for it.
    ///
    /// # Errors
    /// A sentence when `root` is no folder, or the core has no instruction for such calls.
    pub fn enable_semihosting(
        &mut self,
        root: Option<&Path>,
        stdin: Option<&[u8]>,
        limits: Limits,
    ) -> Result<()> {
        let semihosting = Semihosting::new(root, stdin, limits)?;
        if !self.core.set_host_calls(true) {
            return Err(Error(format!(
                "The core {} has no semihosting: run without it, or take another board.",
                self.architecture.kind()
            )));
        }
        self.semihosting = Some(semihosting);
        Ok(())
    }

    /// Takes what the guest has written to its console since.
    pub fn semihosting_output(&mut self) -> Vec<u8> {
        self.semihosting.as_mut().map(Semihosting::take_output).unwrap_or_default()
    }
}

fn no_memory(address: u32) -> Error {
    Error(format!("There is no memory at {address:#x}: name an address inside one."))
}
