"""The rules of the house: who knows whom, what runs without torch, and what the repository may hold."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "models": set(),
    "vision": {"models"},
    "tracking": {"models"},
    "referee": {"models"},
    "reports": {"models"},
    "carromeye": {"models", "vision", "tracking", "referee", "reports"},
}
TRAINING_ONLY = {"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "filelock"}
TRAINING = "models.detector"
MAX_LINES = 400
MAX_FILE_BYTES = 16_000_000
MAX_REPOSITORY_BYTES = 64_000_000
TRAINING_LEFTOVERS = {".pt", ".pth", ".npz", ".cache"}

SOURCES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in SOURCES]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _imports(path: Path) -> Iterator[tuple[str, str | None, int]]:
    """Module, imported name (None for `import module`) and line of everything that a file imports, at its top or inside a function."""
    here = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else ()
            module = ".".join((*base, *(node.module or "").split("."))).strip(".")
            yield from ((module, alias.name, node.lineno) for alias in node.names)


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_package_knows_more_than_it_may(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    allowed = MAY_IMPORT[package] | {package}
    wrong = [f"line {line}: {module}" for module, _, line in _imports(path) if module.split(".")[0] in MAY_IMPORT.keys() - allowed]
    assert not wrong, f"{package} may import only {sorted(allowed)}"


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_package_takes_privates_of_another(path: Path) -> None:
    folder = ".".join(path.relative_to(ROOT).parent.parts)
    wrong = []
    names_of_others = {}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            module = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
            if module.split(".")[0] not in MAY_IMPORT or module.rpartition(".")[0].startswith(folder):
                continue
            names_of_others[alias.asname or alias.name.split(".")[0]] = module
            if any(part.startswith("_") and not part.startswith("__") for part in module.split(".")):
                wrong.append(f"line {node.lineno}: {module}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in names_of_others:
                wrong.append(f"line {node.lineno}: {ast.unparse(node)}")
    assert not wrong


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_what_is_public_is_explained(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")]
    assert ast.get_docstring(tree), "a module says what it holds"
    assert not [node.name for node in public if not ast.get_docstring(node)]


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_only_the_training_recipe_names_the_training_tools(path: Path) -> None:
    if path.relative_to(ROOT).parts[:2] == tuple(TRAINING.split(".")):
        return
    assert not [f"line {line}: {module}" for module, _, line in _imports(path) if module.split(".")[0] in TRAINING_ONLY]


def test_whatever_runs_a_review_loads_no_training_tools() -> None:
    """Import every module but the training recipe's, in a fresh interpreter where the training tools cannot be imported at all."""
    modules = [m for m in MODULES if not m.startswith(f"{TRAINING}.") and not m.endswith("__main__")]
    script = """
import importlib, json, sys
modules, banned = json.loads(sys.stdin.read())
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in banned:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
for module in modules:
    importlib.import_module(module)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([modules, sorted(TRAINING_ONLY)]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    heavy = {"numpy", "cv2", "av", "pandas", "scipy", "matplotlib"}
    script = "import sys, carromeye.cli; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert not heavy & set(done.stdout.split())


def _tracked() -> list[Path]:
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def test_the_repository_holds_no_large_files() -> None:
    sizes = {_name(path): path.stat().st_size for path in _tracked()}
    assert not {name: size for name, size in sizes.items() if size > MAX_FILE_BYTES}
    assert sum(sizes.values()) < MAX_REPOSITORY_BYTES


def test_the_repository_holds_no_leftovers_of_training() -> None:
    assert not [_name(path) for path in _tracked() if path.suffix in TRAINING_LEFTOVERS]


DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").rglob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_documents_point_to_what_exists(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    assert not [link for link in links if "://" not in link and not (path.parent / link).exists()]


def test_the_readme_tells_of_every_command() -> None:
    from carromeye.cli import app

    told = set(re.findall(r"carromeye ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert commands <= told


def test_the_change_log_has_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
