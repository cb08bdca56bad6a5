//! Million instructions per second of the ARMv7-M core and of QEMU's Cortex-M3, on one program: the same file.
//!
//! They run in turn, several times: `cargo bench --bench armv7m_speed`. It needs arm-none-eabi-gcc and
//! qemu-system-arm (scripts/setup.sh test).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::image::Image;
use cyclescope_engine::semihosting::Limits;

const ROUNDS: usize = 3;
const BOARD: &str = r#"
name = "speed"
[core]
kind = "armv7m"
parameters = { interrupts = 60, priority_bits = 4, revision = "r1p1" }
[[memory]]
name = "flash"
base = 0
size = 0x2_0000
kind = "rom"
cycles = 0
[[memory]]
name = "ram"
base = 0x2000_0000
size = 0x1_0000
cycles = 0
"#;

fn build() -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("armv7m_speed.elf");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/armv7m_speed/program.c");
    let mut compiler = Command::new("arm-none-eabi-gcc");
    compiler.args(["-mcpu=cortex-m3", "-mthumb", "-O2", "-nostdlib", "-ffreestanding"]);
    compiler.args(["-DROUNDS=1500", "-Wl,-Ttext=0x400", "-Wl,--section-start=.vectors=0"]);
    compiler.args(["-Wl,-Tbss=0x20000000", "-Wl,-e,start", "-o"]).arg(&out).arg(source);
    assert!(compiler.status().expect("run scripts/setup.sh").success());
    out
}

/// Seconds that a processor has executed this thread.
fn executed_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap() / 1e9
}

/// Seconds of a processor, instructions and cycles.
fn here(elf: &Path) -> (f64, u64, u64) {
    let mut board = Board::from_text(BOARD, "speed.toml").unwrap();
    board.load(&Image::from_elf(&std::fs::read(elf).unwrap(), "program").unwrap()).unwrap();
    board.enable_semihosting(None, Some(b""), Limits { file_bytes: 0, files: 0 }).unwrap();
    board.set_skipping(false);
    board.reset(Some(0));
    let begun = executed_seconds();
    let stop = board.run(&Request { cycles: Some(u64::MAX / 2), ..Request::default() }).unwrap();
    assert_eq!(stop.reason, Reason::SemihostingExit, "{}", stop.sentence);
    (executed_seconds() - begun, stop.instructions, stop.cycle)
}

/// Seconds of QEMU on the clock of the wall, its start among them: it is fair to us only on an idle machine.
fn in_qemu(elf: &Path) -> f64 {
    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-M", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "null"]);
    qemu.args(["-icount", "shift=0", "-semihosting-config", "enable=on,target=native", "-kernel"]);
    qemu.arg(elf).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    assert!(qemu.status().expect("run scripts/setup.sh test").success());
    begun.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let elf = build();
    let (mut ours, mut theirs, mut instructions) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let (seconds, executed, cycles) = here(&elf);
        ours.push(seconds);
        instructions = executed;
        theirs.push(in_qemu(&elf));
        println!("{executed} instructions, {cycles} cycles, {seconds:.3} s here");
    }
    let rate = |seconds: f64| instructions as f64 / seconds / 1e6;
    let (ours, theirs) = (rate(median(ours)), rate(median(theirs)));
    println!("plain core {ours:.1} MIPS, QEMU -icount shift=0 {theirs:.1} MIPS (medians of {ROUNDS} rounds)");
}
