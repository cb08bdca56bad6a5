"""Functions that the expressions on the pages may call."""

from pages import configurations, energy, excerpts, host, options, own_device, peripheral, values

FUNCTIONS = {
    one.__name__: one
    for one in (
        configurations.platform_extremes,
        configurations.platform_k,
        configurations.platform_made,
        configurations.platform_ratios,
        configurations.platform_spent,
        energy.energy_points,
        energy.switch_costs,
        energy.switch_image,
        energy.switch_nj,
        energy.switch_per_operation,
        energy.switch_range,
        energy.switch_residual,
        energy.switch_totals,
        excerpts.blocks,
        excerpts.excerpt,
        excerpts.shown,
        excerpts.summary,
        host.calls,
        host.conditions,
        host.swept,
        host.takes,
        options.option_costs,
        own_device.own_device_cost,
        peripheral.peripheral_costs,
        peripheral.peripheral_file,
        peripheral.peripheral_run,
        values.agreement,
        values.both,
        values.call,
        values.cases,
        values.classes,
        values.law,
        values.libraries,
        values.made,
        values.mean,
        values.net,
        values.slope,
        values.table,
    )
}
