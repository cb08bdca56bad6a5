//! Modes of the waveform generator, as the tables "Waveform Generation Mode Bit Description" of the data sheet
//! have them.

/// The value that the counter counts up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// This value.
    Fixed(u16),
    /// OCRnA.
    Compare,
    /// ICRn.
    Capture,
}

/// When an overflow is flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// When the counter leaves its largest value for 0.
    Max,
    /// When it leaves TOP for 0.
    Top,
    /// When it leaves 0 upwards, behind a way down.
    Bottom,
}

/// How the counter moves, and when a value written to OCRnx takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope {
    /// Up, then 0; OCRnx at once. The pins follow matches alone.
    Plain,
    /// Up, then 0; OCRnx as the counter begins anew.
    FastPwm,
    /// Up and down; OCRnx as the counter leaves TOP.
    PhaseCorrect,
    /// Up and down; OCRnx as the counter leaves 0.
    PhaseAndFrequencyCorrect,
}

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The value that it counts up to.
    pub top: Top,
    /// How it moves.
    pub slope: Slope,
    /// When TOVn is set.
    pub overflow: Overflow,
    /// COMnA = 1 toggles the pin of channel A.
    pub toggles: bool,
}

const fn mode(slope: Slope, top: Top, overflow: Overflow) -> Option<Mode> {
    Some(Mode { top, slope, overflow, toggles: matches!(slope, Slope::Plain) })
}

const fn toggling(slope: Slope, top: Top, overflow: Overflow) -> Option<Mode> {
    Some(Mode { top, slope, overflow, toggles: true })
}

use Overflow::{Bottom, Max, Top as AtTop};
use Slope::{FastPwm, PhaseAndFrequencyCorrect, PhaseCorrect, Plain};
use Top::{Capture, Compare, Fixed};

/// By WGM2:0, of a timer of 8 bits (Table 16-8, Table 20-8). None: reserved.
pub const OF_8_BITS: [Option<Mode>; 8] = [
    mode(Plain, Fixed(0xFF), Max),
    mode(PhaseCorrect, Fixed(0xFF), Bottom),
    mode(Plain, Compare, Max),
    mode(FastPwm, Fixed(0xFF), Max),
    None,
    toggling(PhaseCorrect, Compare, Bottom),
    None,
    toggling(FastPwm, Compare, AtTop),
];

/// By WGM3:0, of a timer of 16 bits (Table 17-2). None: reserved.
pub const OF_16_BITS: [Option<Mode>; 16] = [
    mode(Plain, Fixed(0xFFFF), Max),
    mode(PhaseCorrect, Fixed(0xFF), Bottom),
    mode(PhaseCorrect, Fixed(0x1FF), Bottom),
    mode(PhaseCorrect, Fixed(0x3FF), Bottom),
    mode(Plain, Compare, Max),
    mode(FastPwm, Fixed(0xFF), AtTop),
    mode(FastPwm, Fixed(0x1FF), AtTop),
    mode(FastPwm, Fixed(0x3FF), AtTop),
    mode(PhaseAndFrequencyCorrect, Capture, Bottom),
    toggling(PhaseAndFrequencyCorrect, Compare, Bottom),
    mode(PhaseCorrect, Capture, Bottom),
    toggling(PhaseCorrect, Compare, Bottom),
    mode(Plain, Capture, Max),
    None,
    toggling(FastPwm, Capture, AtTop),
    toggling(FastPwm, Compare, AtTop),
];
