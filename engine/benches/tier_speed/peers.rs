//! Other programs that execute the same job, each started for itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::jobs::{built, compile, finished, source, Program, Set, RAM};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// Counts cycles.
    Mgba,
    /// Count none.
    Qemu,
    QemuIcount,
    Unicorn,
}

/// The text that a command prints; none if it cannot be run.
fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The interpreter of the checkout, which has unicorn.
fn python() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/bin/python")
}

/// Seconds of the processor that a command takes, those of its threads included.
fn seconds_of(command: &str) -> f64 {
    let script = format!("TIMEFORMAT='%U %S'; time {command} >/dev/null 2>&1");
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash");
    let text = String::from_utf8(output.stderr).expect("its times");
    text.split_whitespace().map(|one| one.parse::<f64>().expect("seconds")).sum()
}

impl Peer {
    pub fn all() -> [Peer; 4] {
        [Peer::Mgba, Peer::QemuIcount, Peer::Qemu, Peer::Unicorn]
    }

    /// Its version; none if it is absent.
    pub fn version(self) -> Option<String> {
        let text = match self {
            Peer::Mgba => {
                printed(Command::new("dpkg-query").args(["-W", "-f=${Version}", "libmgba-dev"]))?
            }
            Peer::Qemu | Peer::QemuIcount => {
                printed(Command::new("qemu-system-arm").arg("--version"))?
            }
            Peer::Unicorn => printed(
                Command::new(python()).args(["-c", "import unicorn; print(unicorn.__version__)"]),
            )?,
        };
        let first = text.lines().next()?;
        Some(first.trim_start_matches("QEMU emulator version ").split(' ').next()?.to_owned())
    }

    pub fn name(self) -> String {
        let version = self.version().unwrap_or_default();
        match self {
            Peer::Mgba => format!("mGBA {version}"),
            Peer::Qemu => format!("QEMU {version} arm926"),
            Peer::QemuIcount => format!("QEMU {version} arm926 `-icount shift=0`"),
            Peer::Unicorn => format!("unicorn {version}"),
        }
    }

    /// Whether it can be run here; says so if not.
    pub fn is_there(&self) -> bool {
        let there = self.version().is_some() && (*self != Peer::Mgba || Self::driver().is_some());
        if !there {
            let what = match self {
                Peer::Mgba => "mGBA's core (libmgba-dev)",
                Peer::Qemu | Peer::QemuIcount => "qemu-system-arm",
                Peer::Unicorn => "unicorn",
            };
            eprintln!("SKIPPED: {what} is not installed here");
        }
        there
    }

    /// The program that runs mGBA's core.
    fn driver() -> Option<PathBuf> {
        let out = built("tier_speed_mgba");
        let mut command = Command::new("cc");
        command.arg("-O2").arg("-o").arg(&out).arg(source("mgba.c")).arg("-lmgba");
        command.output().ok().filter(|output| output.status.success()).map(|_| out)
    }

    /// Seconds of the processor that the job takes, without those to start.
    pub fn seconds(self, (program, set): (&Program, Set), rounds: u32) -> f64 {
        let plain = |rounds| compile((program, set), (RAM, RAM), rounds, &[]);
        let at = |elf: &Path| format!("{:#x}", finished(elf));
        let measured = |command: &mut Command| -> f64 {
            let text = printed(command).expect("a peer's run");
            text.trim().parse().expect("seconds")
        };
        match self {
            Peer::Mgba => {
                let elf = plain(rounds);
                measured(Command::new(built("tier_speed_mgba")).arg(&elf).arg(at(&elf)))
            }
            Peer::Unicorn => {
                let elf = plain(rounds);
                measured(
                    Command::new(python()).arg(source("unicorn_job.py")).arg(&elf).arg(at(&elf)),
                )
            }
            Peer::Qemu | Peer::QemuIcount => {
                let run = |rounds| {
                    let elf = compile((program, set), (RAM, RAM), rounds, &["-DSEMIHOSTING"]);
                    let count = if self == Peer::Qemu { "" } else { "-icount shift=0" };
                    seconds_of(&format!(
                        "qemu-system-arm -M versatilepb -cpu arm926 -nographic -monitor none \
                         -serial none -semihosting {count} -kernel {}",
                        elf.display()
                    ))
                };
                run(rounds) - run(0)
            }
        }
    }
}
