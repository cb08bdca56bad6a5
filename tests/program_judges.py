"""Judges of the benchmark's programs: each makes the output by other means."""

import bz2
import heapq
import json
import re
import subprocess
import sys
import zlib
from collections import Counter

import eighth_judges
import fifth_judges
import fourth_judges
import numpy as np
import second_judges
import seventh_judges
import sixth_judges
import third_judges
from signal_judges import (
    Files,
    Judge,
    adpcm,
    adpcm_back,
    dithered,
    fft,
    filtered,
    jpeg,
    numbers,
    tiff,
    viterbi,
)


def openssl(*arguments: str, of: bytes) -> bytes:
    command = ["openssl", "enc", *arguments, "-nopad", "-nosalt"]
    return subprocess.run(command, input=of, check=True, capture_output=True).stdout


def filled(data: bytes, block: int) -> bytes:
    return data + bytes(-len(data) % block)


def sums_by(tool: str) -> Judge:
    def judge(inputs: Files, files: Files, console: str) -> object:
        found = dict(reversed(line.split()) for line in files["sums.txt"].decode().splitlines())
        done = (subprocess.run([tool], input=one, capture_output=True) for one in inputs.values())
        return found, dict(
            zip(inputs, (one.stdout.decode().split()[0] for one in done), strict=True)
        )

    return judge


def crc32(inputs: Files, files: Files, console: str) -> object:
    rows = [line.split() for line in files["sums.txt"].decode().splitlines()]
    wanted = [[f"{zlib.crc32(one):08X}", str(len(one)), name] for name, one in inputs.items()]
    return rows, wanted


def points(inputs: Files, files: Files, console: str) -> object:
    wanted = sorted(numbers(inputs["points.txt"]), key=lambda p: (sum(x * x for x in p), p[:2]))
    return numbers(files["sorted.txt"]), wanted


def bitcount(inputs: Files, files: Files, console: str) -> object:
    number, bits = 1, 0
    for _ in range(12_000):
        bits += number.bit_count()
        number = (number * 1664525 + 1013904223) % 2**32
    return {line.split()[1] for line in console.splitlines()}, {str(bits)}


def blowfish(inputs: Files, files: Files, console: str) -> object:
    options = ["-bf-ecb", "-provider", "legacy", "-provider", "default"]
    key = b"sixteen letters!".hex()
    return files["letter.enc"], openssl(*options, "-K", key, of=filled(inputs["letter.txt"], 8))


def rijndael(inputs: Files, files: Files, console: str) -> object:
    options = ["-aes-128-cbc", "-K", "2b7e151628aed2a6abf7158809cf4f3c", "-iv", "0" * 32]
    return files["letter.enc"], openssl(*options, of=filled(inputs["letter.txt"], 16))


def dijkstra(inputs: Files, files: Files, console: str) -> object:
    (nodes, edges), *rest = numbers(inputs["graph.txt"])
    graph: dict[int, list[tuple[int, int]]] = {node: [] for node in range(nodes)}
    for begin, end, length in rest[:edges]:
        graph[begin].append((end, length))
    wanted = []
    for begin, end in rest[edges:]:
        waiting, known = [(0, begin)], dict[int, int]()
        while waiting:
            distance, node = heapq.heappop(waiting)
            if node not in known:
                known[node] = distance
                for to, more in graph[node]:
                    heapq.heappush(waiting, (distance + more, to))
        wanted.append(f"{begin} to {end}: {known.get(end, 'none')}")
    lines = files["ways.txt"].decode().splitlines()
    return [line.split(" by")[0] for line in lines], wanted


def spell(inputs: Files, files: Files, console: str) -> object:
    known = set(inputs["words.txt"].decode().split())
    text = re.findall("[a-z]+", inputs["letter.txt"].decode().lower())
    wrong = [line.split(":")[0].split()[1] for line in files["wrong.txt"].decode().splitlines()]
    return wrong, [one for one in text if one not in known]


def stringsearch(inputs: Files, files: Files, console: str) -> object:
    text = inputs["letter.txt"].decode().lower()
    found = [line.rpartition(": ") for line in console.splitlines()[:-1]]
    wanted = []
    for word in inputs["words.txt"].decode().split():
        places = [one.start() for one in re.finditer(f"(?={word})", text)]
        if places:
            wanted.append((word, f"{len(places)}, first at {places[0]}"))
    return [(word, said) for word, _, said in found], wanted


def grep(inputs: Files, files: Files, console: str) -> object:
    expression = re.compile("[aeiou][^aeiou]+[aeiou]t*.$")
    wanted = [
        f"{name}:{number}:{line}"
        for name, text in inputs.items()
        for number, line in enumerate(text.decode().splitlines(), 1)
        if expression.search(line)
    ]
    return console.splitlines(), wanted


def wordcount(inputs: Files, files: Files, console: str) -> object:
    counts = Counter(re.findall("[a-z]+", inputs["letter.txt"].decode().lower()))
    order = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    rows = [line.split() for line in files["words.txt"].decode().splitlines()]
    return rows, [[str(count), word] for word, count in order]


def solve(inputs: Files, files: Files, console: str) -> object:
    rows, wanted = numbers(inputs["systems.txt"]), []
    while rows:
        size = rows.pop(0)[0]
        system, rows = np.array(rows[:size], float), rows[size:]
        singular = np.linalg.matrix_rank(system[:, :size]) < size
        wanted.append(None if singular else np.linalg.solve(system[:, :size], system[:, size]))
    lines = files["solutions.txt"].decode().splitlines()
    agreed = [
        line == "singular"
        if one is None
        else np.allclose(np.array(line.split(), float), one * 1e6, atol=2)
        for line, one in zip(lines, wanted, strict=True)
    ]
    return all(agreed), True


def life(inputs: Files, files: Files, console: str) -> object:
    rows = inputs["world.txt"].decode().split()
    world = np.array([[c == "#" for c in row] for row in rows], int)
    shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
    for _ in range(12):
        around = sum(np.roll(world, one, (0, 1)) for one in shifts)
        world = ((around == 3) | (around == 2) & (world == 1)).astype(int)
    return files["later.txt"].decode().split(), ["".join(".#"[c] for c in row) for row in world]


def rsa(inputs: Files, files: Files, console: str) -> object:
    modulus = 0xC7970CEEDCC3B0754490201A7AA613CD73911081C790F5F1A8726F463550BB5B
    exponent = 0x1B3A9F5C7E2D4F60817263544536271809FEDCBA98765432100F1E2D3C4B5A69
    lines = inputs["messages.txt"].split()
    return files["signed.txt"].split(), [
        b"%064x" % pow(int(x, 16), exponent, modulus) for x in lines
    ]


def digits_of_e(inputs: Files, files: Files, console: str) -> object:
    total = term = 10**330
    for divisor in range(1, 400):
        term //= divisor
        total += term
    return console.replace("\n", "").replace(".", ""), str(total)[:301]


def workers(inputs: Files, files: Files, console: str) -> object:
    a, b = np.frombuffer(inputs["matrices.bin"], "<i2").astype(np.int64).reshape(2, 48, 48)
    parts = a[:, :, None] * b[None, :, :]
    wanted = (np.sign(parts) * (np.abs(parts) // 256)).sum(axis=1)
    return files["product.bin"], wanted.astype("<i4").tobytes()


def ledger(inputs: Files, files: Files, console: str) -> object:
    cents: Counter[str] = Counter()
    for line in inputs["bookings.csv"].decode().splitlines():
        if line.count(",") == 2:
            _, name, amount = line.split(",")
            cents[name] += int(amount.replace(".", ""))
    rows = [line.split() for line in files["report.txt"].decode().splitlines()]
    found = [(row[0], int(row[-1].replace(".", ""))) for row in rows]
    return found, sorted(cents.items(), key=lambda one: (-one[1], one[0]))


def diff(inputs: Files, files: Files, console: str) -> object:
    old, new = (set(inputs[one].decode().split()) for one in ("old.txt", "new.txt"))
    found = [line.split()[1:] for line in console.splitlines()]
    return (
        {word for mark, word in found if mark == "<"},
        {word for mark, word in found if mark == ">"},
    ), (old - new, new - old)


def lua(inputs: Files, files: Files, console: str) -> object:
    counts = Counter(re.findall("[a-z]+", inputs["letter.txt"].decode().lower()))
    order = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:20]
    primes = sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(2, 3001))
    wanted = [f"{count:4} {word}" for word, count in order] + [f"{primes} primes up to 3000"]
    return console.splitlines(), wanted


def messages(inputs: Files, files: Files, console: str) -> object:
    counts: Counter[int] = Counter()
    for line in inputs["requests.txt"].decode().splitlines():
        _, action, key = line.split()
        counts[int(key)] = {"a": counts[int(key)] + 1, "d": 0}.get(action, counts[int(key)])
    wanted = [[key, count] for key, count in sorted(counts.items()) if count]
    return numbers(files["table.txt"]), wanted


def restored(name: str, packed: str) -> Judge:
    def judge(inputs: Files, files: Files, console: str) -> object:
        original = sys.modules["benchmark"].host_run(packed)
        return files[name], original.files[name]

    return judge


JUDGES: dict[str, Judge] = {
    "crc32": crc32,
    "qsort-points": points,
    "adpcm-encode": adpcm,
    "adpcm-decode": adpcm_back,
    "bitcount": bitcount,
    "blowfish-encrypt": blowfish,
    "blowfish-decrypt": lambda inputs, files, console: (
        files["letter.dec"],
        filled(sys.modules["benchmark"].programs()["blowfish-encrypt"].files()["letter.txt"], 8),
    ),
    "rijndael-encrypt": rijndael,
    "rijndael-decrypt": lambda inputs, files, console: (
        files["letter.dec"],
        filled(sys.modules["benchmark"].programs()["rijndael-encrypt"].files()["letter.txt"], 16),
    ),
    "dijkstra": dijkstra,
    "fft": fft,
    "spell": spell,
    "sha1": sums_by("sha1sum"),
    "md5": sums_by("md5sum"),
    "stringsearch": stringsearch,
    "grep": grep,
    "tiff-rgba": tiff,
    "tiff-dither": dithered,
    "filter-tasks": filtered,
    "ledger": ledger,
    "diff": diff,
    "messages": messages,
    "wordcount": wordcount,
    "solve": solve,
    "life": life,
    "rsa": rsa,
    "digits": digits_of_e,
    "viterbi": viterbi,
    "workers": workers,
    "queens": lambda inputs, files, console: (console.split("\n")[1], "352 ways"),
    "deflate": lambda inputs, files, console: (
        zlib.decompress(files["letter.z"]),
        inputs["letter.txt"],
    ),
    "json": lambda inputs, files, console: (
        json.loads(files["sorted.json"]),
        json.loads(inputs["data.json"]),
    ),
    "inflate": restored("letter.txt", "deflate"),
    "unhuffman": restored("letter.txt", "huffman"),
    "expand": restored("letter.txt", "shrink"),
    "widen": restored("letter.txt", "narrow"),
    **second_judges.JUDGES,
    **third_judges.THIRD_JUDGES,
    **fourth_judges.FOURTH_JUDGES,
    **fifth_judges.FIFTH_JUDGES,
    **sixth_judges.SIXTH_JUDGES,
    **seventh_judges.SEVENTH_JUDGES,
    **eighth_judges.EIGHTH_JUDGES,
}
OF_LIBRARIES: dict[str, Judge] = {
    "bzip2-pack": lambda inputs, files, console: (
        bz2.decompress(files["letter.bz2"]),
        inputs["letter.txt"],
    ),
    "jpeg-compress": jpeg,
    "lua": lua,
    "bzip2-unpack": restored("letter.txt", "bzip2-pack"),
    **third_judges.THIRD_JUDGES_OF_LIBRARIES,
    **fourth_judges.FOURTH_JUDGES_OF_LIBRARIES,
    **fifth_judges.FIFTH_JUDGES_OF_LIBRARIES,
    **sixth_judges.SIXTH_JUDGES_OF_LIBRARIES,
    **seventh_judges.SEVENTH_JUDGES_OF_LIBRARIES,
    **eighth_judges.EIGHTH_JUDGES_OF_LIBRARIES,
    "rice-unpack": restored("samples.bin", "rice-pack"),
    "lzma-unpack": restored("letter.txt", "lzma-pack"),
    "zstd-unpack": restored("letter.txt", "zstd-pack"),
    "flac-decode": restored("speech.pcm", "flac-encode"),
    "lz4-unpack": restored("letter.txt", "lz4-pack"),
    "brotli-unpack": restored("page.txt", "brotli-pack"),
}
