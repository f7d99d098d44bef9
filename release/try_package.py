"""Try the sdist and the wheel of a folder in an environment that has nothing of the checkout."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "avoid-the-centre"


def try_package(package: Path) -> str:
    """Install a wheel or an sdist, learn from the bundled example, and say what came out.

    The dependencies are those of this environment; plancost itself is not visible from it.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        venv.create(root / "env", with_pip=False)
        python = root / "env" / "bin" / "python"
        site = next((root / "env" / "lib").glob("python3*/site-packages"))
        arguments = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site]
        _run([sys.executable, "-m", "pip", *arguments, package.resolve()], root)
        # A folder that a .pth file names is searched, but its own .pth files are not read, and
        # those are what makes the checkout visible.
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        where = _run([python, "-c", "import plancost; print(plancost.__file__)"], root)
        if not Path(where).is_relative_to(root.resolve()):
            raise SystemExit(f"{package.name}: plancost was imported from {where}")
        output = ["--output", "RESULT.json", "--report", "report.html"]
        said = _run([python, "-m", "plancost", "learn", EXAMPLE, *output], root)
        return said.splitlines()[0]


def _run(command: list[object], folder: Path) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{command[1:4]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def main() -> int:
    """Try everything in the folder that is named."""
    packages = sorted(Path(sys.argv[1]).glob("plancost-*[.-]*"))
    if len(packages) != 2:
        print(f"{sys.argv[1]} does not have one sdist and one wheel", file=sys.stderr)
        return 1
    for package in packages:
        print(f"{package.name}: {try_package(package)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
