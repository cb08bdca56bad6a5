//! Million instructions per second of the Cortex-M3's tiers and of QEMU's Cortex-M3, on two programs: the same files.
//!
//! They run in turn, several times: `cargo bench --bench armv7m_speed [-- FILE]`. The time is that of the processor,
//! and starting does not count. With FILE the table replaces the one in that page. It needs arm-none-eabi-gcc and
//! qemu-system-arm (scripts/setup.sh test).

#[path = "../measured/mod.rs"]
mod measured;

use std::path::{Path, PathBuf};
use std::process::Command;

use cyclescope_engine::board::{Board, Reason, Request, Tier};
use cyclescope_engine::image::Image;
use cyclescope_engine::semihosting::Limits;
use measured::{cell, executed_seconds, machine, put, source};

/// How often everything runs.
const ITERATIONS: usize = 7;
/// The plain core runs so many times fewer rounds.
const PLAIN_SHARE: u32 = 10;
/// Where the table begins and ends in a page.
const MARKS: [&str; 2] =
    ["<!-- make bench-tiers: cortex-m3 -->\n", "<!-- /make bench-tiers: cortex-m3 -->"];

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

/// Where the code lies: its name, and its address.
const PLACES: [(&str, &str); 2] = [("flash", "0x400"), ("SRAM", "0x20004000")];

/// A program in C.
struct Program {
    name: &'static str,
    /// Files, from here or from the benchmark's programs on.
    sources: &'static [&'static str],
    rounds: u32,
}

/// Limits of blocks were chosen while the first was looked at. The second came later.
const PROGRAMS: [Program; 2] = [
    Program { name: "mixed", sources: &["program.c"], rounds: 15_000 },
    Program {
        name: "coding",
        sources: &["coding.c", "adpcm/adpcm.c", "rijndael/rijndael.c"],
        rounds: 10_000,
    },
];

fn build(program: &Program, (place, address): (&str, &str), rounds: u32) -> PathBuf {
    let name = format!("armv7m_speed_{}_{place}_{rounds}.elf", program.name);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut compiler = Command::new("arm-none-eabi-gcc");
    compiler.args(["-mcpu=cortex-m3", "-mthumb", "-O2", "-nostartfiles", "-ffreestanding"]);
    compiler.arg(format!("-DROUNDS={rounds}")).arg(format!("-Wl,-Ttext={address}"));
    compiler.args(["-Wl,--section-start=.vectors=0", "-Wl,-Tbss=0x20000000", "-Wl,-e,start"]);
    compiler.arg("-o").arg(&out);
    for name in program.sources {
        let file = source("armv7m_speed", name);
        compiler.arg("-I").arg(file.parent().expect("its folder")).arg(file);
    }
    assert!(compiler.status().expect("run scripts/setup.sh").success());
    out
}

/// A run on a board of ours: instructions per second of a processor, in millions; instructions and cycles.
fn here(elf: &Path, tier: Tier) -> (f64, u64, u64) {
    let mut board = Board::from_text(BOARD, "speed.toml").unwrap();
    board.set_tier(tier);
    board.load(&Image::from_elf(&std::fs::read(elf).unwrap(), "program").unwrap()).unwrap();
    board.enable_semihosting(None, Some(b""), Limits { file_bytes: 0, files: 0 }).unwrap();
    board.set_skipping(false);
    board.reset(Some(0));
    let begun = executed_seconds();
    let stop = board.run(&Request { cycles: Some(u64::MAX / 2), ..Request::default() }).unwrap();
    let seconds = executed_seconds() - begun;
    assert_eq!(stop.reason, Reason::SemihostingExit, "{}", stop.sentence);
    (stop.instructions as f64 / seconds / 1e6, stop.instructions, stop.cycle)
}

/// Seconds of a processor that QEMU takes, its start among them.
fn in_qemu(elf: &Path, counts: bool) -> f64 {
    let mut command = Command::new("bash");
    let count = if counts { "-icount shift=0" } else { "" };
    command.arg("-c").arg(format!(
        "TIMEFORMAT='%U %S'; time qemu-system-arm -M mps2-an385 -nographic -monitor none -serial null {count} \
         -semihosting-config enable=on,target=native -kernel {} < /dev/null > /dev/null 2> /dev/null",
        elf.display()
    ));
    let output = command.output().expect("bash");
    assert!(output.status.success(), "run scripts/setup.sh test");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.split_whitespace().map(|part| part.parse::<f64>().expect("seconds")).sum()
}

fn version(program: &str) -> String {
    let output =
        Command::new(program).arg("--version").output().expect("run scripts/setup.sh test");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = text.lines().next().unwrap_or_default().split_whitespace();
    let mut numbers = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.next().unwrap_or_default().trim_end_matches(')').to_owned()
}

fn main() {
    // Cargo adds --bench.
    let page = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let columns: Vec<_> =
        PROGRAMS.iter().flat_map(|program| PLACES.map(|place| (program, place))).collect();
    let mut rows: [Vec<Vec<f64>>; 5] = std::array::from_fn(|_| vec![Vec::new(); columns.len()]);
    let mut instructions = vec![0; columns.len()];
    for iteration in 0..ITERATIONS {
        for (column, &(program, place)) in columns.iter().enumerate() {
            let [long, short, none] = [program.rounds, program.rounds / PLAIN_SHARE, 0]
                .map(|rounds| build(program, place, rounds));
            let (plain, _, cycles) = here(&short, Tier::Plain);
            assert_eq!(here(&short, Tier::Blocks).2, cycles, "cycles of both tiers");
            let blocks;
            (blocks, instructions[column], _) = here(&long, Tier::Blocks);
            let rate = |seconds: f64| instructions[column] as f64 / seconds / 1e6;
            let counting = rate(in_qemu(&long, true) - in_qemu(&none, true));
            let not = rate(in_qemu(&long, false) - in_qemu(&none, false));
            let speeds = [plain, blocks, counting, not, blocks / counting];
            for (row, speed) in rows.iter_mut().zip(speeds) {
                row[column].push(speed);
            }
        }
        eprintln!("iteration {} of {ITERATIONS}", iteration + 1);
    }
    let text = table(&columns, &rows, &instructions);
    println!("{text}");
    if let Some(page) = page {
        put(&page, MARKS, &text);
    }
}

/// A program, and the place of its code.
type Column = (&'static Program, (&'static str, &'static str));

fn table(columns: &[Column], rows: &[Vec<Vec<f64>>; 5], instructions: &[u64]) -> String {
    let qemu = format!("QEMU {} mps2-an385", version("qemu-system-arm"));
    let names = [
        "plain core".to_owned(),
        "blocks".to_owned(),
        format!("{qemu} `-icount shift=0`"),
        qemu,
        "blocks ÷ QEMU `-icount shift=0`, median of ratios".to_owned(),
    ];
    let heads: String =
        columns.iter().map(|(one, (place, _))| format!(" {}, {place} |", one.name)).collect();
    let mut text =
        format!("| million instructions/s |{heads}\n| --- |{}\n", " --: |".repeat(columns.len()));
    for (place, (name, row)) in names.iter().zip(rows).enumerate() {
        let digits = if place == 4 { 2 } else { 0 };
        let cells: String = row.iter().map(|one| format!(" {} |", cell(one, digits))).collect();
        text += &format!("| {name} |{cells}\n");
    }
    let least = instructions.iter().min().copied().unwrap_or_default() / 1_000_000;
    text += &format!(
        "\nMedians and ranges of {ITERATIONS} iterations in turn; {least} million instructions or more, a tenth of \
         them on the plain core. arm-none-eabi-gcc {}, `-O2`. Seconds of the processor, without the start. {}.\n",
        version("arm-none-eabi-gcc"),
        machine()
    );
    text
}
