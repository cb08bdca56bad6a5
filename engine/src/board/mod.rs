//! A virtual board: a core and the system around it, made from a board file (docs/reference/boards.md).

pub(crate) mod build;
mod counting;
mod debugging;
pub mod description;
mod facts;
mod linked;
mod memory;
mod metering;
mod observing;
mod run;
mod signals;
mod waiting;

pub use self::observing::Attachment;
pub use crate::processor::{Tier, Translations};
pub use run::{Accessed, Reason, Request, Stop, Watchpoint};

use std::path::Path;

use crate::core::{Architecture, Core};
use crate::energy;
use crate::error::{Error, Result};
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
    /// Makes a board from the text of its file. Messages call it `file`, and `resolve` gives the
    /// text of the board file that it extends, if it does.
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
        system.keep_code(core.keeps_code());
        system.reset(&[]);
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

    /// Power-on state, memories as loaded and zero elsewhere, pipeline filled from `entry` (else from
    /// the image's entry, else from the board's reset address). The core reads the entry as its reset does.
    pub fn reset(&mut self, entry: Option<u32>) {
        self.system.reset(&self.loaded);
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

    /// Sets whether loops that only wait are skipped (they are, unless it is switched off). It changes
    /// host time and no result.
    pub fn set_skipping(&mut self, on: bool) {
        self.system.set_skipping(on);
    }

    /// Sets how instructions are executed (in decoded blocks, and translated code where that pays, unless it is said
    /// otherwise). It changes host time and no result.
    pub fn set_tier(&mut self, tier: Tier) {
        self.tier = tier;
    }

    /// The work of the translated tier since power-on.
    pub fn translations(&self) -> Translations {
        self.core.translations()
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
