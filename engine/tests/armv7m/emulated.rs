//! A program of exceptions here and in QEMU's Cortex-M3: every word that it logs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cyclescope_engine::board::{Reason, Request};
use cyclescope_engine::image::Image;
use cyclescope_engine::semihosting::Limits;

use crate::board::board;

/// A machine of QEMU with a Cortex-M3 that refuses accesses to nothing.
const MACHINE: &str = "mps2-an385";
const OPTIONS: [&str; 12] = [
    "-mcpu=cortex-m3",
    "-mthumb",
    "-O1",
    "-nostdlib",
    "-ffreestanding",
    "-Wall",
    "-Werror",
    "-Wl,-Ttext=0x400",
    "-Wl,--section-start=.vectors=0",
    "-Wl,-Tbss=0x20000000",
    "-Wl,-Tdata=0x20008000",
    "-Wl,-e,start",
];

/// Builds the program; `None`, and a sentence, where there is no compiler.
fn build() -> Option<PathBuf> {
    let name = format!("exceptions-{}.elf", std::process::id());
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/armv7m/exceptions.c");
    let mut compiler = Command::new("arm-none-eabi-gcc");
    let Ok(status) = compiler.args(OPTIONS).arg("-o").arg(&out).arg(source).status() else {
        println!("SKIPPED: no arm-none-eabi-gcc; scripts/setup.sh installs it.");
        return None;
    };
    assert!(status.success());
    Some(out)
}

fn in_qemu(elf: &Path) -> Option<Vec<String>> {
    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-M", MACHINE, "-nographic", "-monitor", "none", "-serial", "null"]);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-kernel"]).arg(elf);
    let Ok(output) = qemu.stdin(Stdio::null()).output() else {
        println!("SKIPPED: no qemu-system-arm; scripts/setup.sh installs it.");
        return None;
    };
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("digits");
    Some(words(&text))
}

/// Lines of eight digits; a simulator may say more.
fn words(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let is_word = |line: &&str| line.len() == 8 && line.chars().all(|one| one.is_ascii_hexdigit());
    lines.filter(is_word).map(str::to_owned).collect()
}

fn here(elf: &Path) -> Vec<String> {
    let mut board = board(&[]);
    board.load(&Image::from_elf(&std::fs::read(elf).unwrap(), "exceptions").unwrap()).unwrap();
    let limits = Limits { file_bytes: 0, files: 0 };
    board.enable_semihosting(None, Some(b""), limits).unwrap();
    board.reset(Some(0));
    let request = Request { cycles: Some(4_000_000), ..Request::default() };
    let stop = board.run(&request).unwrap();
    let text = String::from_utf8(board.semihosting_output()).unwrap();
    assert_eq!(stop.reason, Reason::SemihostingExit, "{}\n{text}", stop.sentence);
    words(&text)
}

#[test]
fn exceptions_do_as_in_qemu() {
    let Some(elf) = build() else { return };
    let found = here(&elf);
    let Some(wanted) = in_qemu(&elf) else { return };
    let mut last_mark = String::new();
    for (n, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        if wanted.starts_with("aa") {
            last_mark.clone_from(wanted);
        }
        assert_eq!(found, wanted, "word {n}, behind the mark {last_mark}");
    }
    assert_eq!(found.len(), wanted.len());
    println!("{} words are equal", found.len());
}
