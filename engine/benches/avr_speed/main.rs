//! Million instructions per second of the AVR's two tiers and of simavr, on one program that avr-gcc has built.
//!
//! They run in turn, several times. The time is that of the processor, not of the clock on the wall: it is less
//! disturbed by what else runs. No waiting loop is skipped. It needs gcc-avr, avr-libc and libsimavr-dev (scripts/setup.sh).

use std::path::{Path, PathBuf};
use std::process::Command;

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::image::Image;

const CYCLES: u64 = 200_000_000;
const ROUNDS: usize = 5;

/// Compiles a file of this folder.
fn build(compiler: &str, source: &str, options: &[&str], out: &str) -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(out);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/avr_speed").join(source);
    let mut command = Command::new(compiler);
    command.arg("-O2").arg("-o").arg(&out).arg(source).args(options);
    let status =
        command.status().unwrap_or_else(|why| panic!("{compiler}: {why}; run scripts/setup.sh"));
    assert!(status.success(), "{compiler} fails");
    out
}

/// Seconds that a processor has executed this thread.
fn executed_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap() / 1e9
}

/// Seconds that a tier takes, and the cycles and instructions that it ran.
fn in_engine(elf: &Path, tier: Tier) -> (f64, u64, u64) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/atmega2560/board.toml");
    let mut board = Board::open(&file).unwrap();
    board.load(&Image::from_elf(&std::fs::read(elf).unwrap(), "program").unwrap()).unwrap();
    board.set_tier(tier);
    board.set_skipping(false);
    board.reset(None);
    let begun = executed_seconds();
    board.run(&Request { cycles: Some(CYCLES), ..Request::default() }).unwrap();
    (executed_seconds() - begun, board.cycle(), board.instructions())
}

fn in_simavr(driver: &Path, elf: &Path) -> (f64, u64) {
    let output = Command::new(driver).arg(elf).arg(CYCLES.to_string()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (seconds, cycles) = text
        .trim()
        .rsplit_once('\n')
        .map_or(&*text, |(_, last)| last)
        .trim()
        .split_once(' ')
        .unwrap();
    (seconds.parse().unwrap(), cycles.parse().unwrap())
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn main() {
    let elf = build("avr-gcc", "program.c", &["-mmcu=atmega2560"], "avr_speed.elf");
    let driver = build("cc", "simavr.c", &["-lsimavr", "-lelf"], "avr_speed_simavr");
    let mut seconds = [const { Vec::new() }; 3];
    let mut instructions = 0;
    for _ in 0..ROUNDS {
        let (time, cycles) = in_simavr(&driver, &elf);
        seconds[0].push(time);
        for (place, tier) in [Tier::Plain, Tier::Blocks].into_iter().enumerate() {
            let (time, found, retired) = in_engine(&elf, tier);
            assert!(found.abs_diff(cycles) <= 4, "{found} and {cycles} cycles");
            seconds[1 + place].push(time);
            instructions = retired;
        }
    }
    println!("{instructions} instructions in {CYCLES} cycles, {ROUNDS} rounds in turn, waiting loops not skipped");
    let simavr = median(&seconds[0]);
    for (name, times) in ["simavr", "plain core", "blocks"].iter().zip(&seconds) {
        let mips = |time: f64| instructions as f64 / time / 1e6;
        let range = times.iter().map(|&time| mips(time));
        let (least, most) = range.fold((f64::MAX, 0.0_f64), |(a, b), one| (a.min(one), b.max(one)));
        println!(
            "{name:10} median {:7.1} million instructions per second ({least:.1} to {most:.1}), {:.2} x simavr",
            mips(median(times)),
            simavr / median(times)
        );
    }
}
