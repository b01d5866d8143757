"""A GPU process on a Ray cluster: gluond's side of a connection to a `gluond-runner` that an actor started.

    gluond bench kernel.py --kernel matmul --vary num_warps=4,8 --runner 'python -m gluond.rayrunner --gpus 1' --runners-each 8

Each process connects to the cluster (of `--address`, else of RAY_ADDRESS, else the one that runs here), asks for an actor with the given resources, and
relays bytes both ways. If the actor or its node dies, it ends, and gluond starts another one.
"""
import argparse
import json
import os
import subprocess
import sys
import threading

CHUNK = 1 << 20


class Worker:
    """The actor: a process whose standard streams are read and written from far away."""

    def __init__(self, command):
        self.process = subprocess.Popen(["/bin/sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self):
        return self.process.stdout.read1(CHUNK)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def stop(self):
        self.process.kill()


def relay(actor, ray, out):
    """Until one of the two sides ends."""

    def forward():
        try:
            while data := sys.stdin.buffer.raw.read(CHUNK):
                ray.get(actor.write.remote(data))
        except Exception:
            pass  # the other direction notices as well
        os._exit(0)  # gluond has closed the connection; the actor ends with its owner

    threading.Thread(target=forward, daemon=True).start()
    while data := ray.get(actor.read.remote()):
        while data:
            data = data[os.write(out, data):]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m gluond.rayrunner", description="Starts gluond-runner on a Ray cluster.")
    parser.add_argument("--address", help="of the cluster (default: RAY_ADDRESS, or the one on this machine)")
    parser.add_argument("--gpus", type=float, default=1, help="GPUs of the process (default: 1)")
    parser.add_argument("--cpus", type=float, default=1, help="CPUs of the process (default: 1)")
    parser.add_argument("--resources", type=json.loads, default={}, help="other resources, as JSON: '{\"H200\": 1}'")
    parser.add_argument("--command", default="exec gluond-runner", help="starts the runner there (default: gluond-runner)")
    options = parser.parse_args(arguments)
    # Standard output belongs to the runner alone: whatever else prints goes to standard error.
    out = os.dup(1)
    os.dup2(2, 1)
    try:
        import ray
    except ImportError:
        sys.exit("gluond.rayrunner: ray is not installed (pip install ray)")
    try:
        ray.init(address=options.address or os.environ.get("RAY_ADDRESS") or "auto", log_to_driver=False, logging_level="ERROR")
        remote = ray.remote(num_gpus=options.gpus, num_cpus=options.cpus, resources=options.resources, max_concurrency=3, max_restarts=0)(Worker)
        relay(remote.remote(options.command), ray, out)
    except Exception as error:
        print(f"gluond.rayrunner: {error}", file=sys.stderr)
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
