from pathlib import Path, PurePosixPath
import os, os.path as osp
ROOT = Path(__file__).resolve().parent
P = ROOT / "a" / "b.txt"
assert P.suffix == ".txt" and P.name == "b.txt" and P.stem == "b" and P.parent.name == "a" and P.with_suffix(".py").suffix == ".py" and str(P).endswith("b.txt") and P.parts[-1] == "b.txt" and P != ROOT and ROOT in P.parents and P.is_relative_to(ROOT) and P.relative_to(ROOT).as_posix() == "a/b.txt" and (ROOT / ".." / "x").resolve() and P > ROOT and "x" / Path("y") == Path("x/y") and hash(P) and len(str(P)) and f"{P}" and P.anchor == "/" and Path.cwd() and Path.home().exists() and Path("a", "b") == Path("a/b") and P.match("*.txt") and sorted([P, ROOT])[0] == ROOT and os.fspath(P) and P.with_stem("q").name == "q.txt"
for f in ROOT.glob("*.nothing"): f.read_text().split()
for f in sorted(ROOT.rglob("*.nope")): pass
assert osp.join("a", "b") == "a/b" and osp.splitext("a.b")[1] == ".b" and osp.basename(__file__) and osp.exists(__file__) and osp.dirname(osp.abspath(__file__)) and osp.relpath("a", "a") == "." and os.path.sep == "/" and os.getcwd() and os.cpu_count() > 0 and os.getpid() and os.linesep and os.name == "posix" and os.pathsep == ":" and os.curdir == "." and os.listdir(".") is not None and osp.isfile(__file__) and osp.commonprefix(["ab", "ac"]) == "a" and osp.normpath("a/../b") == "b" and osp.split("a/b") == ("a", "b") and osp.expandvars("x") == "x" and osp.isdir("/") and osp.getsize(__file__) and osp.commonpath(["/a/b", "/a/c"]) == "/a"
here: Path | None = None
def load(p: Path | str | None = None) -> list[Path]: return []
