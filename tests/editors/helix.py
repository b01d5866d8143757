"""Helix on a terminal that is not there: what try.py expects of an editor, printed as the others print it.

Helix has no mode without a screen, so this is one: a pseudo-terminal, the few escape sequences that Helix draws with, and keys. The
configuration is that of docs/editors.md.
"""
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from pathlib import Path

ROWS, COLUMNS = 40, 150
SEQUENCE = re.compile(rb"\x1b(?:\[([0-9;?<>=]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Za-z0-9]|[=>78cM]|P[^\x1b]*\x1b\\)")


class Screen:
    """The cells of a terminal: text, cursor movements, erasing. Colours are passed over."""

    def __init__(self):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.pending = b""

    def feed(self, data):
        data, at = self.pending + data, 0
        self.pending = b""
        while at < len(data):
            if data[at] == 0x1B:
                match = SEQUENCE.match(data, at)
                if not match:
                    if len(data) - at < 64:
                        self.pending = data[at:]
                        return
                    at += 1
                    continue
                self.control(match[1], match[2])
                at = match.end()
                continue
            end = at + 1
            while end < len(data) and data[end] != 0x1B:
                end += 1
            for character in data[at:end].decode("utf-8", "replace"):
                self.put(character)
            at = end

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row = min(self.row + 1, ROWS - 1)
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column < COLUMNS:
                self.cells[self.row][self.column] = character
            self.column += 1

    def control(self, parameters, final):
        if not final or (parameters or b"").startswith((b"?", b"<", b">", b"=")):
            return
        numbers = [int(n) if n else 0 for n in (parameters or b"").split(b";")]
        first = max(1, numbers[0])
        if final in b"Hf":
            self.row = min(first, ROWS) - 1
            self.column = min(max(1, numbers[1] if len(numbers) > 1 else 1), COLUMNS) - 1
        elif final == b"J":
            self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        elif final == b"K":
            self.cells[self.row][self.column:] = [" "] * (COLUMNS - self.column)
        elif final == b"G":
            self.column = first - 1
        elif final in b"ABCD":
            rows, columns = {b"A": (-1, 0), b"B": (1, 0), b"C": (0, 1), b"D": (0, -1)}[final]
            self.row = min(max(0, self.row + rows * first), ROWS - 1)
            self.column = min(max(0, self.column + columns * first), COLUMNS - 1)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Helix:

    def __init__(self, file, folder):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", COLORTERM="", XDG_CONFIG_HOME=str(folder / "config"), XDG_CACHE_HOME=str(folder / "cache"))
            os.execvp("hx", ["hx", str(file)])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.screen = Screen()

    def until(self, pattern, seconds=20):
        """The first match on the screen, or None."""
        end = time.time() + seconds
        while time.time() < end:
            if match := re.search(pattern, self.screen.text()):
                return match
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    data = os.read(self.terminal, 65536)
                except OSError:
                    return None
                if b"\x1b[6n" in data:  # where is the cursor?
                    os.write(self.terminal, b"\x1b[1;1R")
                self.screen.feed(data)
        return None

    def keys(self, text):
        for part in re.findall(r"<\w+>|.", text):
            os.write(self.terminal, {"<ret>": b"\r", "<esc>": b"\x1b", "<space>": b" "}.get(part, part.encode()))
            self.until(r"(?!)", 0.08)

    def close(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


def main():
    kernel = Path(os.environ["KERNEL"])
    folder = kernel.parent
    configuration = folder / "config" / "helix"
    configuration.mkdir(parents=True)
    (configuration / "languages.toml").write_text(Path(os.environ["SETUP"]).read_text())
    (configuration / "config.toml").write_text("[editor.lsp]\ndisplay-inlay-hints = true\n")
    helix = Helix(kernel, folder)
    try:
        helix.until(r"def kernel")
        marked = helix.until(r"\u25cf\s+(\d+) ")  # the line with a dot before its number
        helix.keys(":17<ret>gs")
        found = helix.until(r"unknown-attribute")
        print("diagnostic: " + (f"{marked[1]} {found[0]}" if marked and found else "nothing"))
        hint = helix.until(r"float32\[128\]", 5)
        print("hint: " + (hint[0] if hint else "nothing"))
        helix.keys("<esc>:16<ret>gs<space>k")
        found = helix.until(r"values: float32\[128\]")
        print("hover: " + (found[0] if found else "nothing"))
        helix.keys("<esc><esc>/double\\(gl<ret>hhhgd")
        found = helix.until(r"\b8:\d+")
        print("definition: " + (found[0] if found else "nothing"))
        helix.keys("<esc>:17<ret>oy = gl.stor")
        found = helix.until(r"\bstore\b")
        print("completion: " + (found[0] if found else "nothing"))
    finally:
        helix.close()


if __name__ == "__main__":
    main()
