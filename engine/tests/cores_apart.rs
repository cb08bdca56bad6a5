//! Outside the folders of cores nothing names a core, or knows one.

use std::fs;
use std::path::{Path, PathBuf};

/// Words of the cores that there are: their architecture, states, registers, inputs and instructions.
const WORDS: [&str; 38] = [
    "arm", "armv4t", "thumb", "cpsr", "spsr", "irq", "fiq", "swi", "bx", "ldr", "ldm", "stm", "sp",
    "lr", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
    "r14", "r15", "avre", "sreg", "rampz", "eind", "reti", "adiw", "lpm", "sbi",
];
/// Files that may use them, and why.
const FILES: [(&str, &str); 8] = [
    ("engine/src/devices/aic_at91.rs", "the manual of this controller calls its outputs so"),
    ("engine/src/devices/aic_at91/tests.rs", "the same"),
    ("engine/src/devices/ps_at91.rs", "its inputs are called by the outputs that drive them"),
    ("engine/src/devices/vic_pl190.rs", "the manual of this controller calls its outputs so"),
    ("engine/src/devices/vic_pl190/tests.rs", "the same"),
    ("engine/src/devices/scb_lpc2000.rs", "its inputs are called by the outputs that drive them"),
    ("engine/src/devices/scb_lpc2000/tests.rs", "the same"),
    ("engine/src/semihosting/mod.rs", "ARM's numbers are the host interface of every core"),
];
/// A manual, by its number, and a device whose manual is that of an architecture.
const MANUALS: [&str; 2] = ["ARM DDI", "systick_armv7m"];

/// The line without them.
fn without_manuals(line: &str) -> String {
    MANUALS.iter().fold(line.to_owned(), |text, manual| text.replace(manual, ""))
}

/// The sources below `folder`, but for folders called `cores`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            found.push(path);
        } else if !path.ends_with("cores") {
            sources(&path, found);
        }
    }
}

/// Whether the line has one of the words, as a word or as a part of an identifier.
fn knows(line: &str) -> bool {
    without_manuals(line)
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| WORDS.contains(&word))
}

#[test]
fn only_the_folders_of_cores_name_one_or_know_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(root.join("engine/src/cores")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let cores: Vec<_> =
        folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert!(!cores.is_empty());
    let (mut paths, mut found) = (Vec::new(), Vec::new());
    for folder in ["engine/src", "bindings/src", "gdb/src"] {
        sources(&root.join(folder), &mut paths);
    }
    let mut excused = [false; FILES.len()];
    for path in paths {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let exception = FILES.iter().position(|(file, _)| *file == name);
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let text = without_manuals(line).to_lowercase();
            let names = cores.iter().any(|core| text.contains(core.as_str()));
            match exception {
                Some(file) if knows(line) && !names => excused[file] = true,
                _ if names || knows(line) => found.push(format!("{name}:{}: {line}", number + 1)),
                _ => {}
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(excused, [true; FILES.len()], "an exception that nothing needs");
}
