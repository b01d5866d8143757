#!/usr/bin/env python3
"""tee.py FILE PROGRAM...: runs a language server and writes what goes in and out to FILE, one message a line."""
import json
import os
import subprocess
import sys
import threading


def messages(stream):
    """Raw frames and their bodies."""
    while True:
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            byte = stream.read(1)
            if not byte:
                return
            header += byte
        length = int(header.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        body = stream.read(length)
        yield header + body, body


def main():
    record, command = sys.argv[1], sys.argv[2:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock, out = threading.Lock(), open(record, "w")

    def copy(source, target, who):
        for frame, body in messages(source):
            with lock:
                out.write(json.dumps({who: json.loads(body)}, ensure_ascii=False) + "\n")
                out.flush()
            target.write(frame)
            target.flush()
        target.close()

    # The server ends first; the client waits for that with its end of the pipe open.
    forward = threading.Thread(target=copy, args=(sys.stdin.buffer, server.stdin, "client"), daemon=True)
    forward.start()
    copy(server.stdout, sys.stdout.buffer, "server")
    code = server.wait()
    with lock:
        out.close()
    os._exit(code)


if __name__ == "__main__":
    main()
