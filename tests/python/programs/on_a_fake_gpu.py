"""recorded.py on a GPU that only says yes: Triton compiles and launches as always. argv[1]: the record file."""
import contextlib
import sys
import types

import gluond
import recorded
from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction

launches = []


class Utilities:

    def load_binary(self, name, binary, shared, device):
        assert binary  # real machine code
        return (1, 2, 32, 0, 1024)

    def unload_module(self, module):
        pass

    def get_device_properties(self, device):
        return {"max_shared_mem": 232448, "warpSize": 32}


class Driver:
    utils, binary_ext = Utilities(), "cubin"

    def __init__(self):
        self.launcher_cls = lambda source, metadata: lambda *arguments: launches.append(source.name)
        self.get_current_target = lambda: GPUTarget("cuda", 90, 32)
        self.get_current_device = lambda: 0
        self.get_current_stream = lambda device: 0
        self.get_benchmarker = lambda: lambda call, quantiles: (call(), [1.0] * len(quantiles))[1]


driver.set_active(Driver())
run = JITFunction.run
with gluond.record(sys.argv[1]) as recorder:
    recorded.main()
    with contextlib.suppress(TypeError):
        recorded.scale[(1, )](1, 2)  # not how it is called: Triton's own complaint comes through
assert JITFunction.run is run, "the recorder is still there"
print(len(launches), sum(recorder.added.values()))
