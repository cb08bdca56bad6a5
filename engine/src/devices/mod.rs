//! The devices, one file each, named by part.

pub mod gpio_lpc2000;
pub mod measurement_timer;
pub mod pinsel_lpc2000;
#[cfg(test)]
mod rig;
pub mod scb_lpc2000;
pub mod timer_lpc2000;
pub mod uart_16550;
pub mod unmodelled;
pub mod vic_pl190;

use crate::bus::Width;
use crate::device::{Device, Port};
use serde::de::DeserializeOwned;
use serde::Deserialize;

const KINDS: [&str; 8] = [
    "gpio_lpc2000",
    "measurement_timer",
    "pinsel_lpc2000",
    "scb_lpc2000",
    "timer_lpc2000",
    "uart_16550",
    "unmodelled",
    "vic_pl190",
];

/// Makes a device of `kind`, an entry of a board file, from the parameters given there.
///
/// # Errors
/// One sentence, when the kind is not known or its parameters do not fit.
pub fn make(kind: &str, parameters: toml::Table) -> Result<Box<dyn Device>, String> {
    Ok(match kind {
        "gpio_lpc2000" => plain::<gpio_lpc2000::Gpio>(kind, parameters)?,
        "measurement_timer" => plain::<measurement_timer::MeasurementTimer>(kind, parameters)?,
        "pinsel_lpc2000" => plain::<pinsel_lpc2000::PinSelect>(kind, parameters)?,
        "scb_lpc2000" => Box::new(scb_lpc2000::SystemControl::new(parse(kind, parameters)?)),
        "timer_lpc2000" => plain::<timer_lpc2000::Timer>(kind, parameters)?,
        "uart_16550" => Box::new(uart_16550::Uart::new(parse(kind, parameters)?)),
        "unmodelled" => Box::new(unmodelled::Unmodelled::new(parse(kind, parameters)?)),
        "vic_pl190" => plain::<vic_pl190::Vic>(kind, parameters)?,
        _ => return Err(format!("no device of kind `{kind}`; the kinds are {}", KINDS.join(", "))),
    })
}

/// A device without parameters.
fn plain<D: Device + Default + 'static>(
    kind: &str,
    parameters: toml::Table,
) -> Result<Box<dyn Device>, String> {
    let NoParameters {} = parse(kind, parameters)?;
    Ok(Box::new(D::default()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

fn parse<P: DeserializeOwned>(kind: &str, parameters: toml::Table) -> Result<P, String> {
    parameters.try_into().map_err(|error: toml::de::Error| {
        format!("parameters of `{kind}`: {}", error.message().trim_end())
    })
}

/// The bits of `value` that an access of this width carries.
const fn lanes(width: Width, value: u32) -> u32 {
    match width {
        Width::Byte => value & 0xFF,
        Width::Half => value & 0xFFFF,
        Width::Word => value,
    }
}

fn no_register(part: &str, offset: u32, port: &mut Port) {
    port.unmodelled(format!("register at offset {offset:#04x} of {part}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: &str, parameters: &str) -> String {
        make(kind, parameters.parse().unwrap()).err().expect("refused")
    }

    #[test]
    fn every_kind_listed_can_be_made() {
        for kind in KINDS {
            if let Err(error) = make(kind, toml::Table::new()) {
                assert!(error.contains("missing field"), "{kind}: {error}");
            }
        }
    }

    fn made(kind: &str) -> Box<dyn Device> {
        let parameters = match kind {
            "scb_lpc2000" => "oscillator_hz = 12000000",
            "unmodelled" => "what = \"nothing\"",
            _ => "",
        };
        make(kind, parameters.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_reset_forgets_all_registers_and_inputs() {
        for kind in KINDS {
            let mut device = made(kind);
            let mut port = Port::new(0);
            device.reset(&mut port);
            let first = port.take(1000);
            for offset in (0..0x400).step_by(4) {
                device.write(offset, Width::Word, 0x5555_5555, &mut port);
            }
            (0..device.inputs().len()).for_each(|input| device.changed(input, 1, &mut port));
            port.take(0);
            device.reset(&mut port);
            assert_eq!(port.take(0), first, "{kind}");
        }
    }

    #[test]
    fn whatever_the_guest_does_no_device_panics_or_looks_back() {
        for kind in KINDS {
            let mut rig = rig::Rig::of(made(kind));
            // A linear congruential generator: the same numbers every time.
            let mut state = 1u64;
            let mut number = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u32
            };
            for _ in 0..50_000 {
                let cycles = [0, 1, 7, 5000][number() as usize % 4];
                let width = [Width::Byte, Width::Half, Width::Word][number() as usize % 3];
                let offset = width.align(number() % [0x40, 0x240, 0x1000][number() as usize % 3]);
                let value = number() >> (number() % 31);
                rig.at(rig.now() + cycles);
                match (number() % 4, rig.inputs()) {
                    (0, _) => drop(rig.read_as(offset, width)),
                    (1, inputs) if !inputs.is_empty() => {
                        rig.input(inputs[number() as usize % inputs.len()], value);
                    }
                    _ => drop(rig.write_as(offset, width, value)),
                }
            }
        }
    }

    #[test]
    fn an_unknown_kind_is_answered_with_the_kinds_there_are() {
        let error = error("uart", "");
        assert!(error.contains("`uart`") && error.contains("measurement_timer"), "{error}");
    }

    #[test]
    fn an_unknown_parameter_is_refused_by_name() {
        let error = error("measurement_timer", "speed = 1");
        assert!(error.contains("`measurement_timer`") && error.contains("`speed`"), "{error}");
    }
}
