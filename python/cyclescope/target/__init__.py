"""Facts about a place of measurement: its protocol, cases, series, conditions and energy model."""
