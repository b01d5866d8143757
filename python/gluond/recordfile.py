"""A file of launch records (docs/launch-records.md): what a program's run adds to it.

Several processes may add to one file at the same time. A specialization is written once, however often it is launched or recorded;
records of a kernel whose parameters have changed since are dropped, and lines that moved are corrected. Readers see whole lines only:
records are appended with one write, and a file that has to change is replaced.
"""
import contextlib
import json
import os
import re
import secrets
import stat
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows: there several processes at once are not supported
    fcntl = None

NOT_COMPARED = ("id", "run")  # a record's name, and with what it happened to be launched


def content(record):
    """What tells one specialization from another."""
    return json.dumps({key: value for key, value in record.items() if key not in NOT_COMPARED}, sort_keys=True)


MOST_BYTES = 64 << 20  # of a record file
LOCK_SECONDS = 60
CLOEXEC = getattr(os, "O_CLOEXEC", 0)
# Neither waits for a pipe nor follows a link: what lies in `.gluond` may have come with the project.
CAREFUL = CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextlib.contextmanager
def locked(folder):
    """The folder's record files belong to this process within the block, which gets the folder's descriptor."""
    if fcntl is None:
        yield None
        return
    # A `.gluond` is gluond's own choice; another folder is what the user named.
    descriptor = os.open(folder, os.O_RDONLY | (CAREFUL | os.O_DIRECTORY if folder.name == ".gluond" else CLOEXEC))
    try:
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError(f"another process keeps the records in '{folder}' for itself") from None
                time.sleep(0.05)
        yield descriptor
    finally:
        os.close(descriptor)  # gives the lock back


def opened(path, folder, flags):
    """The descriptor of a record file, which is a regular file in the folder and no link."""
    descriptor = os.open(path if folder is None else path.name, flags | CAREFUL, 0o666, **({} if folder is None else {"dir_fd": folder}))
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES:
        return descriptor
    os.close(descriptor)
    raise OSError(f"'{path}' is no record file: not a regular file, or too large")


def read(path, folder):
    try:
        descriptor = opened(path, folder, os.O_RDONLY)
    except FileNotFoundError:
        return ""
    with os.fdopen(descriptor, "r", encoding="utf-8") as file:
        return file.read()


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


def data_folder(path):
    """Where the contents of tensors lie that the records of a file name."""
    return path.with_name(path.name.removesuffix(".launches.jsonl") + ".data")


def write_data(path, files):
    """Writes the files that are not there yet."""
    folder = data_folder(path)
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | CAREFUL | getattr(os, "O_DIRECTORY", 0)) if fcntl is not None else None
    try:
        for name, contents in files.items():
            if not (folder / name).exists():
                replace(folder / name, descriptor, contents)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def remove_data(path, text):
    """Removes the files that no record names any more."""
    folder = data_folder(path)
    if folder.is_symlink() or not folder.is_dir():
        return
    for file in folder.glob("*.npy"):
        if f"{folder.name}/{file.name}" not in text:
            file.unlink()


def add(path, record, data=None):
    """Adds a record, which gets its id. False: the file had it already. `data`, files by name: its `run` is kept in either case."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.parent) as folder:
        if data:
            write_data(path, data)
        text = read(path, folder)
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
            if data is not None and "run" in record and content(now) == content(record):
                now = {**now, "run": record["run"]}
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
            after = "".join(line + "\n" for line in kept + added)
            replace(path, folder, after)
            remove_data(path, after)
        elif added:
            append(path, folder, ("" if not text or text.endswith("\n") else "\n") + added[0] + "\n")
    return is_new


def append(path, folder, text):
    descriptor = opened(path, folder, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def replace(path, folder, contents):
    name = f".{path.name}.{secrets.token_hex(8)}.tmp"  # beside its place, and nobody else's
    at, own = ({}, path.parent / name) if folder is None else ({"dir_fd": folder}, name)
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CAREFUL, 0o666, **at)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(contents.encode() if isinstance(contents, str) else contents)
        if folder is None:
            os.replace(own, path)
        else:
            os.replace(own, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(own, **at)
        raise
