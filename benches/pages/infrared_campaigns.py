"""Commands from which docs/explanation/infrared.md takes its figures, by the name of a results
folder."""

FRAMES, WINDOWS = (64, 128, 256, 512, 1024, 2048), (1, 7)
BAUDS, WAITS = (115_200, 57_600, 38_400, 19_200, 9600), (0, 1, 2, 3)
TIMED_FRAMES, TIMED_SIZES, TURNAROUNDS = (64, 256, 2048), (1000, 4000, 16_000), ("10", "0.1")
"""Bytes of frames and of files, and milliseconds, of which times are compared."""
STATION_BUFFERS = (
    *((buffer, 30) for buffer in (16, 32, 64, 128, 256, 512)),
    *((512, time_out) for time_out in (0, 8, 120)),
    (16, 0),
)
"""Bytes of each buffer of a station with FreeRTOS, and its time-out in bits."""
FILE_SEEDS = range(1, 11)
OFFSETS_US = range(0, 10_000, 1000)
"""Later starts of the other board, over a tick of 10 ms."""
PIO_OFFSETS_US = (0, 3000, 6000)
"""Likewise, of transfers that end by chance."""
SYSTEMS = ("linux", "freertos")
LINE = "peripheral --line infrared --driver pdc"
FREERTOS = f"{LINE} --system freertos"
COST = "--analysis load --analysis overhead"
MORE = "--analysis load --analysis accesses --analysis latency"
LEAST = "--analysis load --analysis accesses"

INFRARED = {
    "infrared": "peripheral --line serial --line infrared --driver pdc --size 1000",
    "infrared_freertos": f"{FREERTOS} --size 1000",
    "infrared_freertos_sizes": f"{FREERTOS} {COST}",
    "infrared_sizes": f"peripheral --line serial --line infrared --driver pdc {COST}",
    "infrared_uploads": f"{LINE} --direction upload {COST}",
    "infrared_noise": f"{LINE} --size 16000 --errors 0.0001 --analysis overhead",
    "infrared_slow": f"{LINE} --driver pio --size 1000 --baud 9600 {MORE}",
}
INFRARED |= {
    f"infrared_{frame}_{window}": f"{LINE} --size 1000 --frame {frame} --window {window} {COST}"
    for frame in FRAMES
    for window in WINDOWS
}
INFRARED |= {
    f"infrared_time_{frame}_{window}_{turnaround}": f"{LINE} --frame {frame} --window {window} "
    f"--turnaround {turnaround} {' '.join(f'--size {size}' for size in TIMED_SIZES)} "
    "--analysis overhead"
    for frame in TIMED_FRAMES
    for window in WINDOWS
    for turnaround in TURNAROUNDS
}
INFRARED |= {
    f"infrared_pio_{baud}_{waits}_{offset}": "peripheral --line infrared --driver pio "
    f"--size 1000 --baud {baud} --ramwaits {waits} --offset {offset} --analysis overhead"
    for baud in BAUDS
    for waits in WAITS
    for offset in PIO_OFFSETS_US
}
INFRARED |= {
    f"infrared_octets_{waits}": "peripheral --line infrared --system freertos --size 1000 "
    f"--driver pdc-send --ramwaits {waits} {MORE}"
    for waits in WAITS
}
INFRARED |= {
    f"infrared_half_{offset}": "peripheral --line infrared --driver pdc-receive --driver pdc-send "
    f"--size 1000 --baud 9600 --ramwaits 0 --offset {offset} --analysis overhead"
    for offset in PIO_OFFSETS_US
}
INFRARED |= {
    f"infrared_pdc_{waits}": f"{LINE} --size 1000 --ramwaits {waits} {MORE}" for waits in WAITS
}
INFRARED |= {
    f"infrared_freertos_{buffer}_{time_out}": f"{FREERTOS} --size 1000 --receive-buffer {buffer} "
    f"--time-out {time_out} {MORE}"
    for buffer, time_out in STATION_BUFFERS
}
INFRARED |= {
    f"infrared_{system}_seed_{seed}": f"{LINE} --system {system} --size 1000 --file-seed {seed} "
    f"{LEAST}"
    for system in SYSTEMS
    for seed in FILE_SEEDS
}
INFRARED |= {
    f"infrared_{system}_offset_{offset}": f"{LINE} --system {system} --size 1000 "
    f"--offset {offset} {LEAST}"
    for system in SYSTEMS
    for offset in OFFSETS_US
}
INFRARED |= {
    f"serial_seed_{seed}": f"peripheral --driver pdc --size 1000 --file-seed {seed} {LEAST}"
    for seed in FILE_SEEDS
}
