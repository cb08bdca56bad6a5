//! The devices, one file each, named by part.

pub mod afio_stm32f1;
pub mod aic_at91;
pub mod dma_console;
pub mod dma_stm32f1;
pub mod ebi_at91;
pub mod eeprom_atmega;
pub mod exti_stm32f1;
pub mod flash_stm32f1;
mod gate_stm32;
pub mod gpio_lpc2000;
pub mod gpio_stm32f1;
mod halfwords;
pub mod interrupt_console;
pub mod measurement_timer;
mod opened_atmega;
pub mod pinsel_lpc2000;
pub mod pio_at91;
pub mod ports_atmega;
pub mod prescaler_atmega;
pub mod ps_at91;
pub mod pwr_stm32f1;
pub mod rcc_stm32f1;
#[cfg(test)]
mod register_tables;
mod registers;
mod registers_atmega;
mod registers_console;
mod registers_stm32;
#[cfg(test)]
mod rig;
pub mod scb_lpc2000;
pub mod sf_at91;
pub mod system_atmega;
pub mod systick_armv7m;
pub mod tc_at91;
pub mod timer_atmega;
pub mod timer_console;
pub mod timer_lpc2000;
pub mod timer_stm32f1;
pub mod uart_16550;
pub mod unmodelled;
pub mod usart_at91;
pub mod usart_atmega;
pub mod usart_stm32f1;
pub mod vic_pl190;
pub mod waits_console;
pub mod wd_at91;
pub mod wd_atmega;

use crate::device::{Device, Port};
use crate::registry::{parameters, MakeDevice};
use serde::Deserialize;

/// Every device that the engine brings, by its kind in board files.
pub(crate) const ALL: [(&str, MakeDevice); 37] = [
    ("afio_stm32f1", plain::<afio_stm32f1::AlternateFunctions>),
    ("aic_at91", plain::<aic_at91::Aic>),
    ("dma_console", plain::<dma_console::Dma>),
    ("dma_stm32f1", plain::<dma_stm32f1::Dma>),
    ("ebi_at91", |given| Ok(Box::new(ebi_at91::ExternalBus::new(parameters(given)?)?))),
    ("eeprom_atmega", |given| Ok(Box::new(eeprom_atmega::Eeprom::new(parameters(given)?)?))),
    ("exti_stm32f1", plain::<exti_stm32f1::ExternalInterrupts>),
    ("flash_stm32f1", |given| Ok(Box::new(flash_stm32f1::FlashInterface::new(parameters(given)?)))),
    ("gpio_lpc2000", plain::<gpio_lpc2000::Gpio>),
    ("gpio_stm32f1", plain::<gpio_stm32f1::Gpio>),
    ("interrupt_console", plain::<interrupt_console::Interrupts>),
    ("measurement_timer", plain::<measurement_timer::MeasurementTimer>),
    ("pinsel_lpc2000", plain::<pinsel_lpc2000::PinSelect>),
    ("pio_at91", plain::<pio_at91::ParallelIo>),
    ("ports_atmega", plain::<ports_atmega::Ports>),
    ("prescaler_atmega", plain::<prescaler_atmega::Prescaler>),
    ("ps_at91", plain::<ps_at91::PowerSaving>),
    ("pwr_stm32f1", plain::<pwr_stm32f1::Power>),
    ("rcc_stm32f1", |given| Ok(Box::new(rcc_stm32f1::ResetAndClock::new(parameters(given)?)?))),
    ("scb_lpc2000", |given| Ok(Box::new(scb_lpc2000::SystemControl::new(parameters(given)?)))),
    ("sf_at91", |given| Ok(Box::new(sf_at91::SpecialFunction::new(parameters(given)?)))),
    ("system_atmega", |given| Ok(Box::new(system_atmega::SystemControl::new(parameters(given)?)))),
    ("systick_armv7m", |given| Ok(Box::new(systick_armv7m::SystemTimer::new(parameters(given)?)))),
    ("tc_at91", plain::<tc_at91::TimerCounter>),
    ("timer_atmega", |given| Ok(Box::new(timer_atmega::Timer::new(parameters(given)?)?))),
    ("timer_console", plain::<timer_console::Timers>),
    ("timer_lpc2000", plain::<timer_lpc2000::Timer>),
    ("timer_stm32f1", |given| Ok(Box::new(timer_stm32f1::Timer::new(parameters(given)?)?))),
    ("uart_16550", |given| Ok(Box::new(uart_16550::Uart::new(parameters(given)?)))),
    ("unmodelled", |given| Ok(Box::new(unmodelled::Unmodelled::new(parameters(given)?)))),
    ("usart_at91", plain::<usart_at91::Usart>),
    ("usart_atmega", plain::<usart_atmega::Usart>),
    ("usart_stm32f1", |given| Ok(Box::new(usart_stm32f1::Usart::new(parameters(given)?)?))),
    ("vic_pl190", plain::<vic_pl190::Vic>),
    ("waits_console", plain::<waits_console::Waits>),
    ("wd_at91", plain::<wd_at91::Watchdog>),
    ("wd_atmega", plain::<wd_atmega::Watchdog>),
];

/// A device without parameters.
fn plain<D: Device + Default + 'static>(given: toml::Table) -> Result<Box<dyn Device>, String> {
    let NoParameters {} = parameters(given)?;
    Ok(Box::new(D::default()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

fn no_register(part: &str, offset: u32, port: &mut Port) {
    port.unmodelled(format!("register at offset {offset:#04x} of {part}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Width;
    use crate::registry::Registry;

    fn make(kind: &str, given: toml::Table) -> Result<Box<dyn Device>, String> {
        Registry::default().device(kind, given)
    }

    fn kinds() -> impl Iterator<Item = &'static str> {
        ALL.into_iter().map(|(kind, _)| kind)
    }

    fn error(kind: &str, parameters: &str) -> String {
        make(kind, parameters.parse().unwrap()).err().expect("refused")
    }

    #[test]
    fn every_kind_listed_can_be_made() {
        for kind in kinds() {
            if let Err(error) = make(kind, toml::Table::new()) {
                assert!(error.contains("missing field"), "{kind}: {error}");
            }
        }
    }

    fn made(kind: &str) -> Box<dyn Device> {
        let parameters = match kind {
            "eeprom_atmega" => "base = 0\nsize = 4096",
            "rcc_stm32f1" | "scb_lpc2000" | "system_atmega" => "oscillator_hz = 12000000",
            "timer_atmega" => "bits = 16",
            "unmodelled" => "what = \"nothing\"",
            _ => "",
        };
        make(kind, parameters.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_reset_forgets_all_registers_and_inputs() {
        for kind in kinds() {
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
        for kind in kinds() {
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
