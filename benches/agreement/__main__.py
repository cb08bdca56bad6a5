"""Compares the engine with every recording of a real part, and writes docs/reference/agreement.md.

usage: python benches/agreement [PAGE]. `CYCLESCOPE_VECTORS` replaces ../shared/vectors. A set that
is absent is skipped with a word. The last lines are one for each set: NAME: N of M. The exit code
is 1 where a file cannot be read or too few cases of a set agree.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from agreement.program import compare_all  # noqa: E402

recordings = Path(os.environ.get("CYCLESCOPE_VECTORS") or ROOT.parent / "shared" / "vectors")
sys.exit(compare_all(recordings, Path(sys.argv[1]) if len(sys.argv) > 1 else None))
