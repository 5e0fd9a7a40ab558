"""``python -m tests.audit``: known vulnerabilities in what is pinned, where pip-audit and its data can be had."""

import json
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
PATIENCE: Final = 300
"""Seconds for each step."""
NOTHING: Final = "nothing was compared"


def main() -> int:
    with TemporaryDirectory(prefix="towow-audit-") as folder:
        # In an environment of its own: what it needs is not what we run with.
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        installed = _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pip-audit")
        if installed is None or installed.returncode != 0:
            print(f"pip-audit cannot be installed here; {NOTHING}.")
            return 0
        pinned = str(ROOT / "constraints.txt")
        audited = _run(
            python, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format=json", "--requirement", pinned
        )
    try:
        packages: list[dict[str, Any]] = json.loads(audited.stdout if audited else "")["dependencies"]
    except ValueError:
        packages = []
    known = [each for each in packages if "vulns" in each]
    if not known:
        print(f"The advisories cannot be reached from here; {NOTHING}.")
        return 0
    holes = [(each, hole) for each in known for hole in each["vulns"]]
    for each, hole in holes:
        fixed = ", ".join(hole["fix_versions"]) or "nothing yet"
        print(f"{each['name']} {each['version']}: {hole['id']}, fixed in {fixed}")
    print(f"{len(known)} of {len(packages)} packages were compared; {len(holes)} known vulnerabilities.")
    return 1 if holes else 0


def _run(*command: str | Path) -> "subprocess.CompletedProcess[str] | None":
    """Run a command; None where it takes too long."""
    try:
        return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    sys.exit(main())
