//! Programs that avr-gcc has built: every instruction and cycle as in simavr, and the same in all tiers.

use std::path::Path;
use std::process::{Command, Stdio};

use cyclescope_engine::board::{Request, Tier};
use cyclescope_engine::cores::avr::State;

use crate::cases::*;

/// Sources, from the engine's folder.
const SOURCES: [&str; 2] = ["benches/avr_speed/program.c", "tests/avr/library.c"];
const LEVELS: [&str; 4] = ["-Os", "-O1", "-O2", "-O3"];
const STEPS: u32 = 200_000;

/// The content of the flash with a program; `None` where there is no avr-gcc.
fn flash(source: &str, level: &str) -> Option<Vec<u8>> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = Path::new(source).file_stem()?.to_str()?;
    let elf = out.join(format!("{name}{level}-{}.elf", std::process::id()));
    let binary = elf.with_extension("bin");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let mut compiler = Command::new("avr-gcc");
    compiler.args(["-mmcu=atmega2560", level, "-o"]).arg(&elf).arg(source).arg("-lm");
    let built = compiler.stderr(Stdio::null()).status().ok()?;
    assert!(built.success(), "avr-gcc refuses {name}");
    let mut copy = Command::new("avr-objcopy");
    let copied = copy.args(["-O", "binary"]).arg(&elf).arg(&binary).status().ok()?;
    assert!(copied.success());
    let mut content = std::fs::read(binary).ok()?;
    content.resize(2 * PROGRAM_WORDS as usize, 0xFF);
    Some(content)
}

#[test]
fn compiled_programs_do_as_in_simavr_cycle_for_cycle() {
    let Some(driver) = driver() else { return };
    for (source, level) in SOURCES.iter().flat_map(|one| LEVELS.map(|level| (one, level))) {
        let Some(flash) = flash(source, level) else {
            println!("SKIPPED: no avr-gcc; scripts/setup.sh installs it.");
            return;
        };
        let state =
            State { r: [0; 32], sreg: 0, sp: 0x21FF, rampz: 0, eind: 0, pc: 0, shadow: false };
        let case = Case { state, patches: Vec::new(), seed: 99, fill: 0, steps: STEPS };
        let expected = in_simavr(&driver, &flash, std::slice::from_ref(&case)).remove(0);
        let mut boards = [Tier::Plain, Tier::Blocks, Tier::Translated { after: 50 }].map(|tier| {
            let mut board = board(&flash);
            board.set_tier(tier);
            case.prepare(&mut board);
            board
        });
        let request = |instructions: u32| Request {
            instructions: Some(instructions.into()),
            ..Request::default()
        };
        for step in 1..=STEPS {
            boards[0].run(&request(step)).unwrap();
            let found = record(&mut boards[0], 0, step == STEPS);
            assert_eq!(found, expected[step as usize - 1], "{source} {level}, instruction {step}");
        }
        for board in &mut boards[1..] {
            board.run(&request(STEPS)).unwrap();
            assert_eq!(record(board, 0, true), expected[STEPS as usize - 1], "{source} {level}");
        }
        let cycles = expected[STEPS as usize - 1].cycle;
        println!("{source} {level}: {STEPS} instructions, {cycles} cycles");
    }
}
