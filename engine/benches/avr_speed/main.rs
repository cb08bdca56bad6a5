//! Million instructions per second of the AVR's tiers and of simavr, on two programs that avr-gcc has built.
//!
//! They run in turn, several times: `cargo bench --bench avr_speed [-- FILE]`. The time is that of
//! the processor, not of the clock on the wall: it is less disturbed by what else runs. The time to translate counts.
//! No waiting loop is skipped. With FILE the table replaces the one in that page. It needs gcc-avr, avr-libc and
//! libsimavr-dev (scripts/setup.sh).

#[path = "../measured/mod.rs"]
mod measured;

use std::path::{Path, PathBuf};
use std::process::Command;

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::image::Image;
use measured::{cell, executed_seconds, machine, put, source};

const CYCLES: u64 = 1_000_000_000;
const ROUNDS: usize = 7;
/// The plain core runs so many times fewer cycles.
const PLAIN_SHARE: u64 = 5;
/// Where the table begins and ends in a page.
const MARKS: [&str; 2] = ["<!-- make bench-tiers: avr -->\n", "<!-- /make bench-tiers: avr -->"];

/// Programs, and their files, from here or from the benchmark's programs on. The tiers were made while the first was
/// looked at.
const PROGRAMS: [(&str, &[&str]); 2] =
    [("mixed", &["program.c"]), ("coding", &["coding.c", "adpcm/adpcm.c", "rijndael/rijndael.c"])];

const TIERS: [(&str, Tier); 3] =
    [("plain core", Tier::Plain), ("blocks", Tier::Blocks), ("translated code", Tier::TRANSLATED)];

/// Compiles files.
fn build(compiler: &str, sources: &[&str], options: &[&str], out: &str) -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(out);
    let mut command = Command::new(compiler);
    command.arg("-O2").arg("-o").arg(&out);
    for name in sources {
        let file = source("avr_speed", name);
        command.arg("-I").arg(file.parent().expect("its folder")).arg(file);
    }
    let status = command.args(options).status();
    let status = status.unwrap_or_else(|why| panic!("{compiler}: {why}; run scripts/setup.sh"));
    assert!(status.success(), "{compiler} fails");
    out
}

/// A run of a tier.
struct Run {
    seconds: f64,
    cycles: u64,
    instructions: u64,
    /// Percent of the instructions that ran translated, and seconds to translate.
    translated: (f64, f64),
}

fn in_engine(elf: &Path, tier: Tier, cycles: u64) -> Run {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/atmega2560/board.toml");
    let mut board = Board::open(&file).unwrap();
    board.load(&Image::from_elf(&std::fs::read(elf).unwrap(), "program").unwrap()).unwrap();
    board.set_tier(tier);
    board.set_skipping(false);
    board.reset(None);
    let begun = executed_seconds();
    board.run(&Request { cycles: Some(cycles), ..Request::default() }).unwrap();
    let seconds = executed_seconds() - begun;
    let (cycles, instructions, work) = (board.cycle(), board.instructions(), board.translations());
    let share = 100.0 * work.instructions as f64 / instructions as f64;
    Run { seconds, cycles, instructions, translated: (share, work.seconds) }
}

fn in_simavr(driver: &Path, elf: &Path, cycles: u64) -> (f64, u64) {
    let output = Command::new(driver).arg(elf).arg(cycles.to_string()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.trim().lines().last().unwrap_or_default();
    let (seconds, cycles) = last.trim().split_once(' ').unwrap();
    (seconds.parse().unwrap(), cycles.parse().unwrap())
}

fn version(program: &str, options: &str) -> String {
    let output = Command::new(program).args(options.split(' ')).output();
    let text = output.map(|one| String::from_utf8_lossy(&one.stdout).trim().to_owned());
    text.unwrap_or_default()
}

/// Rows of a program: million instructions per second by simavr and in each tier, and ratios to simavr. Also how much
/// ran translated, and the seconds to translate it.
#[derive(Default)]
struct Column {
    speeds: [Vec<f64>; 4],
    ratios: [Vec<f64>; 3],
    shares: Vec<f64>,
    seconds: Vec<f64>,
}

fn measure(driver: &Path, elf: &Path, column: &mut Column) {
    let (seconds, cycles) = in_simavr(driver, elf, CYCLES);
    let mut simavr = 0.0;
    for (place, (name, tier)) in TIERS.into_iter().enumerate() {
        let share = if tier == Tier::Plain { PLAIN_SHARE } else { 1 };
        let run = in_engine(elf, tier, CYCLES / share);
        let speed = run.instructions as f64 / run.seconds / 1e6;
        if share == 1 {
            assert!(run.cycles.abs_diff(cycles) <= 4, "{name}: {} and {cycles} cycles", run.cycles);
        }
        // The program runs on in the same way: instructions by cycle are those of each run.
        simavr = run.instructions as f64 * share as f64 / seconds / 1e6;
        column.speeds[1 + place].push(speed);
        column.ratios[place].push(speed / simavr);
        if tier == Tier::TRANSLATED {
            column.shares.push(run.translated.0);
            column.seconds.push(run.translated.1);
        }
    }
    column.speeds[0].push(simavr);
}

fn table(columns: &[Column]) -> String {
    let heads: String = PROGRAMS.iter().map(|(name, _)| format!(" {name} |")).collect();
    let mut text =
        format!("| million instructions/s |{heads}\n| --- |{}\n", " --: |".repeat(columns.len()));
    let mut row = |name: &str, digits, values: &dyn Fn(&Column) -> Vec<f64>| {
        let cells = columns.iter().map(|one| format!(" {} |", cell(&values(one), digits)));
        text += &format!("| {name} |{}\n", cells.collect::<String>());
    };
    row("simavr", 0, &|one| one.speeds[0].clone());
    for (place, (name, _)) in TIERS.iter().enumerate() {
        row(name, 0, &|one| one.speeds[1 + place].clone());
    }
    for (place, (name, _)) in TIERS.iter().enumerate() {
        let name = format!("{name} ÷ simavr, median of ratios");
        row(&name, 2, &|one| one.ratios[place].clone());
    }
    row("translated code: % of instructions translated", 2, &|one| one.shares.clone());
    row("translated code: seconds to translate, by the clock", 3, &|one| one.seconds.clone());
    text += &format!(
        "\nMedians and ranges of {ROUNDS} rounds in turn; {} million cycles each, a fifth of them on the plain core. \
         simavr {}, avr-gcc {}, `-O2`. Seconds of the processor, those to translate among them. {}.\n",
        CYCLES / 1_000_000,
        version("pkg-config", "--modversion simavr"),
        version("avr-gcc", "-dumpversion"),
        machine()
    );
    text
}

fn main() {
    // Cargo adds --bench.
    let page = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let driver = build("cc", &["simavr.c"], &["-lsimavr", "-lelf"], "avr_speed_simavr");
    let images = PROGRAMS.map(|(name, sources)| {
        build("avr-gcc", sources, &["-mmcu=atmega2560"], &format!("avr_speed_{name}.elf"))
    });
    let mut columns = PROGRAMS.map(|_| Column::default());
    for round in 0..ROUNDS {
        for (column, elf) in columns.iter_mut().zip(&images) {
            measure(&driver, elf, column);
        }
        eprintln!("round {} of {ROUNDS}", round + 1);
    }
    let text = table(&columns);
    println!("{text}");
    if let Some(page) = page {
        put(&page, MARKS, &text);
    }
}
