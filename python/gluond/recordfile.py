"""A file of launch records (docs/launch-records.md): what a program's run adds to it.

Several processes may add to one file at the same time. A specialization is written once, however often it is launched or recorded;
records of a kernel whose parameters have changed since are dropped, and lines that moved are corrected. Readers see whole lines only:
records are appended with one write, and a file that has to change is replaced.
"""
import contextlib
import json
import os
import re
import tempfile
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows: there several processes at once are not supported
    fcntl = None

NOT_COMPARED = ("id", "run")  # a record's name, and with what it happened to be launched


def content(record):
    """What tells one specialization from another."""
    return json.dumps({key: value for key, value in record.items() if key not in NOT_COMPARED}, sort_keys=True)


@contextlib.contextmanager
def locked(folder):
    """The folder's record files belong to this process within the block."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


def first_part_of_id(record):
    kernel = re.sub(r"\.<locals>|[<>]", "", record["kernel"])
    return f"{Path(record['file']).stem}.{kernel}.{record['target'].replace(':', '')}"


def brought_up_to_date(old, new):
    """An older record of a kernel as it is to be kept now that `new` was seen; None: it describes a kernel that is no more."""
    if (old.get("file"), old.get("kernel")) != (new["file"], new["kernel"]) or "<locals>" in new["kernel"]:
        return old
    names = lambda record: [argument.get("name") for argument in record.get("args", [])]
    if names(old) != names(new):
        return None
    return {**old, "line": new["line"]}


def add(path, record):
    """Adds a record, which gets its id. False: the file had it already."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.parent):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        known, kept, ids = set(), [], set()
        for line in text.splitlines():
            try:
                old = json.loads(line)
            except ValueError:
                old = None
            if not isinstance(old, dict):
                kept.append(line)  # not ours to judge
                continue
            now = brought_up_to_date(old, record)
            if now is None:
                continue
            kept.append(line if now == old else json.dumps(now))
            known.add(content(now))
            ids.add(now.get("id"))
        is_new = content(record) not in known
        added = []
        if is_new:
            base, number = first_part_of_id(record), 0
            while f"{base}.{number}" in ids:
                number += 1
            record["id"] = f"{base}.{number}"
            added = [json.dumps(record)]
        if kept != text.splitlines():
            replace(path, "".join(line + "\n" for line in kept + added))
        elif added:
            append(path, ("" if not text or text.endswith("\n") else "\n") + added[0] + "\n")
    return is_new


def append(path, text):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def replace(path, text):
    handle, name = tempfile.mkstemp(prefix=path.name, suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
