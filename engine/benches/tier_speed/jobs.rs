//! The job, built for an instruction set and a place, and how the engine runs it.

use std::path::{Path, PathBuf};
use std::process::Command;

use cyclescope_engine::board::{Board, Request, Tier, Translations};
use cyclescope_engine::image::Image;
use cyclescope_engine::instruments::window::Window;

use crate::measured::{self, executed_seconds};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Set {
    Arm,
    Thumb,
}

/// A program in C, with how many rounds of it execute about 0.3 thousand million instructions.
pub struct Program {
    pub name: &'static str,
    /// Files, from here or from the benchmark's programs on.
    sources: &'static [&'static str],
    /// In ARM and in Thumb state.
    rounds: [u32; 2],
}

/// The first is the one that everything runs. The others are of the benchmark's programs.
pub const PROGRAMS: [Program; 3] = [
    Program { name: "mixed", sources: &["job.c"], rounds: [3_000, 2_400] },
    Program { name: "speech", sources: &["speech.c", "adpcm/adpcm.c"], rounds: [4_100, 3_200] },
    Program {
        name: "cipher",
        sources: &["cipher.c", "rijndael/rijndael.c"],
        rounds: [1_700, 1_350],
    },
];

impl Program {
    pub fn rounds(&self, set: Set, long: bool) -> u32 {
        self.rounds[usize::from(set == Set::Thumb)] * if long { 10 } else { 1 }
    }
}

/// Where code and data lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Both in RAM without wait states.
    Ram,
    /// Code in flash with the MAM in this mode, data in RAM.
    Flash(u32),
}

/// Cycles of a read of the flash (MAMTIM).
pub const READ_CYCLES: u32 = 4;
/// Where the RAM is when code lies there, as in mGBA's machine.
pub const RAM: u32 = 0x0300_0000;
const DATA: u32 = 0x4000_0000;

/// A run of a job to its end.
pub struct Ran {
    pub instructions: u64,
    pub cycles: u64,
    /// Of the processor.
    pub seconds: f64,
    pub translations: Translations,
}

pub struct Job {
    elf: PathBuf,
    place: Place,
}

/// The file in which a build of this name lies.
pub fn built(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file of this folder, or of the benchmark's programs.
pub fn source(name: &str) -> PathBuf {
    measured::source("tier_speed", name)
}

/// Compiles the job.
pub fn compile(
    (program, set): (&Program, Set),
    (code, data): (u32, u32),
    rounds: u32,
    more: &[&str],
) -> PathBuf {
    let isa = if set == Set::Arm { "-marm" } else { "-mthumb" };
    let out = built(&format!("{}{isa}-{code:x}-{rounds}{}.elf", program.name, more.concat()));
    let mut command = Command::new("arm-none-eabi-gcc");
    command.args(["-mcpu=arm7tdmi", isa, "-mthumb-interwork", "-O2", "-ffreestanding"]);
    command.args(["-fno-tree-loop-distribute-patterns", "-nostdlib"]).args(more);
    command.arg(format!("-DROUNDS={rounds}"));
    command.arg(format!("-Wl,--defsym,CODE={code:#x},--defsym,DATA={data:#x}"));
    command.arg("-T").arg(source("job.ld")).arg(source("start.S"));
    for name in program.sources {
        let file = source(name);
        command.arg("-I").arg(file.parent().expect("its folder")).arg(file);
    }
    let status = command.arg("-lgcc").arg("-o").arg(&out).status();
    let status =
        status.unwrap_or_else(|why| panic!("arm-none-eabi-gcc: {why}; run scripts/setup.sh"));
    assert!(status.success(), "arm-none-eabi-gcc fails");
    out
}

/// The address of `finished`.
pub fn finished(elf: &Path) -> u32 {
    let image = Image::from_elf(&std::fs::read(elf).unwrap(), "job").unwrap();
    image.symbols["finished"].address
}

impl Job {
    pub fn build(program: &Program, set: Set, place: Place, rounds: u32) -> Self {
        let addresses = if place == Place::Ram { (RAM, RAM) } else { (0, DATA) };
        Job { elf: compile((program, set), addresses, rounds, &[]), place }
    }

    fn board(&self) -> Board {
        let ram = if self.place == Place::Ram { RAM } else { DATA };
        let text = format!(
            "name = \"speed\"\n[core]\nkind = \"arm7tdmi\"\n\
             [[memory]]\nname = \"flash\"\nbase = 0\nsize = 0x10000\nkind = \"rom\"\n\
             timing = {{ kind = \"mam_lpc2000\" }}\n\
             [[memory]]\nname = \"ram\"\nbase = {ram:#x}\nsize = 0x8000\n"
        );
        Board::from_text(&text, "tier_speed").expect("a good board file")
    }

    /// Runs the job to its end, with the instrument of times with interrupts off or without.
    pub fn run(&self, tier: Tier, watched: bool) -> Ran {
        let mut board = self.board();
        board.set_tier(tier);
        let elf = std::fs::read(&self.elf).unwrap();
        board.load(&Image::from_elf(&elf, "job").unwrap()).unwrap();
        board.reset(None);
        if let Place::Flash(mode) = self.place {
            board.drive("memory.flash.mam", mode | READ_CYCLES << 8, None).expect("the input");
        }
        if watched {
            let at = finished(&self.elf);
            board.watch_interrupts(Window { start: at, entry: at, returned: at });
            board.watch_off_intervals();
        }
        let request = Request {
            pcs: vec![finished(&self.elf)],
            cycles: Some(u64::MAX >> 1),
            ..Request::default()
        };
        let begun = executed_seconds();
        let stop = board.run(&request).expect("a run");
        let seconds = executed_seconds() - begun;
        let (instructions, cycles) = (stop.instructions, stop.cycle);
        Ran { instructions, cycles, seconds, translations: board.translations() }
    }
}
