"""Linux, macOS and Windows: no name of one system alone without a guard, workers that start anew, text files with their encoding."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "app.py", *(path for room in ("spice_core", "pages", "deploy") for path in sorted((ROOT / room).rglob("*.py")))]
MODULES = set("crypt curses fcntl grp msvcrt nis posix pty pwd readline resource spwd syslog termios tty winreg winsound".split())
NAMES = {
    "os": "chown fchmod fork forkpty getegid geteuid getgid getloadavg getpgid getuid kill killpg lchown link mkfifo mknod nice openpty "
    "register_at_fork sched_getaffinity sched_setaffinity setgid setpgid setpriority setsid setuid startfile symlink uname wait wait3 wait4 "
    "waitpid".split(),
    "signal": "SIGALRM SIGBREAK SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 alarm pause pthread_kill setitimer siginterrupt "
    "sigwait".split(),
    "socket": ["AF_UNIX", "fromfd"],
    "time": ["tzset", "clock_gettime"],
}
ARGUMENTS = {"preexec_fn", "start_new_session", "pass_fds", "process_group", "creationflags", "startupinfo"}
METHODS = {"symlink_to", "hardlink_to", "set_start_method"}
PLACES = ("/dev/", "/proc/", "/tmp/", "/usr/", "/etc/", "/var/", "C:\\")
GUARDS = ("hasattr(", "os.name", "sys.platform", "platform.system", "ImportError", "AttributeError")
OPENERS = {"open", "read_text", "write_text", "TextIOWrapper"}


def found(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What a source names that not every system has, with its node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from ((node, name) for name in names if name.partition(".")[0] in MODULES)
            if isinstance(node, ast.ImportFrom) and node.module in NAMES:
                yield from ((node, each.name) for each in node.names if each.name in NAMES[node.module])
        elif isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in NAMES.get(of, ()) or node.attr in METHODS:
                yield node, f"{of}.{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg in ARGUMENTS:
            yield node, str(node.arg)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get_context" and node.args:
            yield node, "get_context"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PLACES):
            yield node, node.value


def _asks(node: ast.If | ast.IfExp | ast.Try) -> str:
    """The condition of an ``if``, or the errors that a ``try`` catches."""
    if isinstance(node, ast.Try):
        return " ".join(ast.unparse(handler.type) for handler in node.handlers if handler.type)
    return ast.unparse(node.test)


def unguarded(text: str) -> list[str]:
    """What a source names outside of an ``if`` or ``try`` that asks for the system."""
    tree = ast.parse(text)
    asking = [node for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp | ast.Try) and any(g in _asks(node) for g in GUARDS)]
    safe = {id(inner) for node in asking for inner in ast.walk(node)}
    return [f"line {getattr(node, 'lineno', 0)}: {name}" for node, name in found(tree) if id(node) not in safe]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import fcntl", ["line 1: fcntl"]),
        ("try:\n    import resource\nexcept ImportError:\n    resource = None", []),
        ("import os\nos.fork()", ["line 2: os.fork"]),
        ("import os\nif hasattr(os, 'nice'):\n    os.nice(10)", []),
        ("from signal import SIGKILL", ["line 1: SIGKILL"]),
        ("Popen(a, preexec_fn=f)", ["line 1: preexec_fn"]),
        ("multiprocessing.get_context('fork')", ["line 1: get_context"]),
        ("x = '/dev/shm/a'", ["line 1: /dev/shm/a"]),
        ("signal.signal(signal.SIGTERM, f)", []),
    ],
)
def test_the_check_sees_what_it_looks_for(text: str, names: list[str]):
    assert unguarded(text) == names


def test_no_name_of_one_system_stands_unguarded():
    assert len(SOURCES) > 200
    lost = {path.relative_to(ROOT).as_posix(): names for path in SOURCES if (names := unguarded(path.read_text(encoding="utf-8")))}
    assert lost == {}


def test_text_files_are_opened_in_an_encoding():
    """The default is UTF-8 on no Windows before Python 3.15."""
    lost = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            said = {keyword.arg for keyword in node.keywords} | {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
            binary = any(isinstance(word, str) and "b" in word and len(word) <= 3 for word in said)
            of = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            plain = of in ("", "io", "path", "Path") or name != "open"
            if name in OPENERS and plain and not said & {"encoding", "utf-8", "ascii"} and not binary and None not in said:
                lost.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    assert lost == []


def test_there_are_no_links_in_the_tree():
    done = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a checkout")
    assert [line for line in done.stdout.splitlines() if line.startswith("120000")] == []
    names = [line.partition("\t")[2] for line in done.stdout.splitlines()]
    assert len({name.lower() for name in names}) == len(names)  # file systems that know no case
    assert [name for name in names if set(name) & set('<>:"|?*\\') or len(name) > 150] == []


@pytest.mark.parser
def test_workers_start_anew(tmp_path):
    rows = [{"image_id": i, "test": f"a brown dog on {i} sofas", "refs": ["a dog lies on a couch"]} for i in range(12)]
    (tmp_path / "in.json").write_text(json.dumps(rows), encoding="utf-8")
    code = """
import multiprocessing, sys
from spice_core.cli.main import main
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    sys.exit(main(["score", "in.json", "--silent", *sys.argv[1:]]))
"""
    (tmp_path / "run.py").write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "run.py"]
    one, two = (
        subprocess.run([*command, "--workers", number], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
        for number in ("1", "2")
    )
    assert one == two and len(json.loads(one)) == 12


@pytest.mark.parser
def test_what_an_encoding_lacks_is_escaped(tmp_path):
    (tmp_path / "in.txt").write_text("a café ☕ beside a dog\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, "-m", "spice_core", "parse", "in.txt"], cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("cp1252")
    assert "café \\u2615" in text and json.loads(text)["caption"] == "a café ☕ beside a dog"
