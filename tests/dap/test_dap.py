"""`gluond dap` as debug clients see it, through a client of our own (client.py). Run by ctest; argv: gluond."""
import base64
import os
import pathlib
import struct
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from client import Client, Refused  # noqa: E402

GLUOND = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "gluond"

HEAD = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, fence_async_shared, tma

"""

SUM = HEAD + """
@gluon.jit
def square(value):
    result = value * value  # in square
    return result


@gluon.jit
def sums(x, out, n, SIZE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    at = gl.arange(0, SIZE, layout=layout)
    total = gl.zeros([SIZE], gl.float32, layout)
    for i in range(n):
        values = gl.load(x + i * SIZE + at)
        total += square(values)  # add
        if i == 2:
            total = total + 1  # branch
    gl.store(out + at + gl.program_id(0) * SIZE, total)  # store


def run():
    x = torch.randn(4 * 256, device="cuda")
    out = torch.empty(3 * 256, device="cuda")
    sums[(3, )](x, out, 4, 256)


run()
"""

PARTITIONS = HEAD + """
@gluon.jit
def producer(buffer, ready, value, layout: gl.constexpr):
    data = gl.full([128], value, gl.float32, layout)
    buffer.store(data)  # produce
    fence_async_shared()
    mbarrier.arrive(ready, count=1)


@gluon.jit
def consumer(buffer, ready, out, layout: gl.constexpr):
    mbarrier.wait(ready, PHASE)  # wait
    seen = buffer.load(layout)
    gl.store(out + gl.arange(0, 128, layout=layout), seen)  # consume


@gluon.jit
def shared_value(out):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    flat: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    buffer = gl.allocate_shared_memory(gl.float32, [128], flat)
    ready = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, count=1)
    gl.warp_specialize([
        (consumer, (buffer, ready, out, layout)),
        (producer, (buffer, ready, 2.5, layout)),
    ], [4], [24])


out = torch.empty(128, device="cuda")
shared_value[(1, )](out)
"""

PARTS = HEAD + """
@gluon.aggregate
class State:
    total: gl.tensor
    ends: gl.tuple

    @gluon.constexpr_function
    def __init__(self, total, ends):
        self.total = total
        self.ends = ends


@gluon.jit
def in_parts(out, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, 128, layout=layout)
    state = State(at * 2, (n, at + n))
    pair = (at, n)
    sizes: gl.constexpr = (128, (4, "cg"))
    for i in range(n):
        state = State(state.total + 1, (i, state.ends[1]))  # turn
    gl.store(out + at, state.total + state.ends[0] + state.ends[1] + pair[0])  # end


in_parts[(2, )](torch.empty(128, dtype=torch.int32, device="cuda"), 4)
"""

COPIES = HEAD + """from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def copied(x, out):
    i = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    buffer = gl.allocate_shared_memory(gl.float32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    async_copy.async_load(buffer, x + i)  # copy
    async_copy.commit_group()
    gl.store(out + i, buffer.load(gl.BlockedLayout([1], [32], [4], [0])))  # read
    async_copy.wait_group(0)


copied[(1, )](torch.empty(128, device="cuda"), torch.empty(128, device="cuda"))
"""

LONG = HEAD + """
@gluon.jit
def long_loop(out, n):
    total = 0
    other = 1
    for i in range(n):
        total += i  # body
        other = other * 3 + total
    gl.store(out, total + other)


out = torch.empty(1, dtype=torch.int32, device="cuda")
long_loop[(1, )](out, 60000)
"""

NAN = HEAD + """
@gluon.jit
def roots(x, out):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, 128, layout=layout)
    value = gl.load(x + at)
    half = value - 1.0
    root = gl.sqrt(half)
    gl.device_assert(root == root)  # check
    gl.store(out + at, root)


x = torch.ones(128, device="cuda")
out = torch.empty(128, device="cuda")
roots[(1, )](x, out, debug=True)
"""


class DapTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.close()
        self.folder.cleanup()

    def write(self, text, name="kernel.py"):
        path = pathlib.Path(self.folder.name, name)
        path.write_text(text)
        self.lines = text.split("\n")
        return path

    def at(self, mark):
        return next(i + 1 for i, line in enumerate(self.lines) if mark in line)

    def client(self):
        client = Client(GLUOND, cwd=self.folder.name)
        self.clients.append(client)
        return client

    def launch(self, text, breakpoints=(), **options):
        path = self.write(text)
        lines = [self.at(b) if isinstance(b, str) else {**b, "line": self.at(b["line"])} for b in breakpoints]
        client = self.client()
        client.launch(path, lines, **options)
        return client

    # ------------------------------------------------------------ stepping
    def test_entry_and_steps(self):
        c = self.launch(SUM, stopOnEntry=True)
        self.assertEqual(c.stop["reason"], "entry")
        self.assertEqual(c.line(), self.at("layout: gl.constexpr"))
        seen = []
        for _ in range(7):
            c.move("next")
            seen.append(c.line())
        expected = ["at = gl.arange", "total = gl.zeros", "for i in", "values =", "# add", "if i == 2", "for i in"]
        self.assertEqual(seen, [self.at(mark) for mark in expected])

    def test_into_and_out_of_a_helper(self):
        c = self.launch(SUM, ["# add"])
        c.move("stepIn")
        self.assertEqual([f["name"] for f in c.stack()], ["square", "sums"])
        self.assertEqual(c.line(), self.at("# in square"))
        self.assertEqual(c.stack()[1]["line"], self.at("# add"))
        self.assertIn("value", c.locals())
        self.assertNotIn("result", c.locals())
        c.move("next")
        self.assertIn("result", c.locals())
        c.move("stepOut")
        self.assertEqual([f["name"] for f in c.stack()], ["sums"])
        self.assertEqual(c.line(), self.at("if i == 2"))

    def test_steps_back_are_the_steps_forward(self):
        c = self.launch(SUM, stopOnEntry=True)
        forward = [(c.line(), c.locals())]
        for _ in range(12):
            c.move("next")
            forward.append((c.line(), c.locals()))
        for expected in reversed(forward[:-1]):
            c.move("stepBack")
            self.assertEqual((c.line(), c.locals()), expected)
        self.assertEqual(c.move("stepBack")["reason"], "entry")  # the beginning

    def test_continue_to_the_end_and_back(self):
        c = self.launch(SUM, ["# store"])
        result = c.evaluate("total[5]")
        c.move("continue")
        self.assertIn("end of the program", c.stop["description"])
        memory = c.scope("Global memory")["out"]
        written = c.variables(memory["variablesReference"], filter="indexed", start=5, count=1)["[5]"]["value"]
        self.assertEqual(written, result)
        c.move("reverseContinue")
        self.assertEqual(c.line(), self.at("# store"))
        memory = c.scope("Global memory")["out"]
        before = c.variables(memory["variablesReference"], filter="indexed", start=5, count=1)["[5]"]["value"]
        self.assertNotEqual(before, result)
        c.move("continue")
        self.assertIn("end of the program", c.stop["description"])
        self.assertIsNone(c.move("continue"))  # terminated

    def test_run_to_a_line_both_ways(self):
        c = self.launch(SUM, stopOnEntry=True)

        def run_to(mark):
            targets = c.ask("gotoTargets", source={"path": c.program}, line=self.at(mark))["targets"]
            c.ask("goto", threadId=1, targetId=targets[0]["id"])
            c.stopped()
            self.assertEqual((c.stop["reason"], c.line()), ("goto", self.at(mark)))

        run_to("# branch")
        self.assertEqual(c.evaluate("i"), "2")
        run_to("total = gl.zeros")

    # ------------------------------------------------------------ breakpoints
    def test_conditions_hits_and_log_points(self):
        c = self.launch(SUM, [{"line": "# add", "condition": "i == 2"}])
        self.assertEqual(c.evaluate("i"), "2")
        c.set_breakpoints([{"line": self.at("# add"), "hitCondition": "1"}])
        c.move("continue")
        self.assertEqual(c.evaluate("i"), "3")
        d = self.launch(SUM, [{"line": "# add", "logMessage": "turn {i}: {values[0] == values[0]}"}])
        self.assertIn("end of the program", d.stop["description"])
        self.assertEqual([line for line in d.output().split("\n") if line.startswith("turn")],
                         [f"turn {i}: True" for i in range(4)])

    def test_braces_in_log_points(self):
        d = self.launch(SUM, [{"line": "# add", "logMessage": "{{i}} = {i}, {{{i}}} }} {"}])
        self.assertEqual([line for line in d.output().split("\n") if line.startswith("{i}")][0], "{i} = 0, {0} } {")

    def test_breakpoints_move_to_statements(self):
        c = self.launch(SUM, stopOnEntry=True)
        (moved, ) = c.set_breakpoints([self.at("for i in") - 0])
        self.assertTrue(moved["verified"])
        moved, none = c.set_breakpoints([self.at("def sums") + 0, 10_000])
        self.assertEqual(moved["line"], self.at("layout: gl.constexpr"))
        self.assertFalse(none["verified"])
        self.assertEqual(none["message"], "'sums' does not run this line.")
        places = c.ask("breakpointLocations", source={"path": c.program}, line=1, endLine=1000)["breakpoints"]
        self.assertIn({"line": self.at("# branch")}, places)

    def test_breakpoints_stay_in_their_function(self):
        # An editor sends all breakpoints of the file: those of other kernels, of imports and of host code as well.
        other = "@gluon.jit\ndef before(x):\n    gl.store(x, 1.0)  # before\n\n\n"
        after = "\n\n@gluon.jit\ndef after(x):\n    gl.store(x, 1.0)  # after\n\n\ndef run():"
        text = SUM.replace("@gluon.jit\ndef square", other + "@gluon.jit\ndef square").replace("\n\ndef run():", after)
        text = text.replace("    return result\n", "    # in a gap\n\n    return result  # last\n    # behind\n")
        c = self.launch(text, stopOnEntry=True, kernel="sums")
        told = c.set_breakpoints([self.at(mark) for mark in ("import triton", "# before", "# after", "torch.randn", "# behind")])
        for each in told:
            self.assertEqual((each["verified"], each["message"]), (False, "'sums' does not run this line."))
        gap, start = c.set_breakpoints([self.at("# in a gap"), self.at("def sums")])
        self.assertEqual((gap["line"], start["line"]), (self.at("# last"), self.at("layout: gl.constexpr")))
        c.set_breakpoints([self.at("# before")])
        c.move("continue")
        self.assertIn("end of the program", c.stop["description"])

    def test_a_wrong_condition_stops_and_says_so(self):
        c = self.launch(SUM, [{"line": "# add", "condition": "nobody > 1"}])
        self.assertIn("there is no variable 'nobody'", c.stop["text"])

    def test_a_condition_that_is_no_expression_is_told_at_once(self):
        c = self.launch(SUM, ["# store"])
        for mistake, words in (({"condition": "i =="}, "no Python expression"), ({"condition": "i = 3"}, "'==' compares"),
                               ({"hitCondition": "abc"}, "no hit count"), ({"hitCondition": "% 0"}, "never reached"), ({"hitCondition": "0"}, "never reached")):
            (told, ) = c.set_breakpoints([{"line": self.at("# add"), **mistake}])
            self.assertFalse(told["verified"], mistake)
            self.assertIn(words, told["message"])
            (told, ) = c.ask("setFunctionBreakpoints", breakpoints=[{"name": "square", **mistake}])["breakpoints"]
            self.assertIn(words, told["message"])
            self.assertFalse(told["verified"], mistake)
            c.move("reverseContinue")  # to the beginning: nothing stops there
            self.assertEqual(c.stop["reason"], "entry", mistake)
            c.set_breakpoints([self.at("# store")])
            c.ask("setFunctionBreakpoints", breakpoints=[])
            c.move("continue")

    def test_the_console_says_why_a_condition_fails(self):
        c = self.launch(SUM, [{"line": "# add", "condition": "nobody > 1"}])
        self.assertIn("there is no variable 'nobody' here", c.output())

    def test_breakpoints_after_a_restart(self):
        c = self.launch(SUM, ["# store", {"line": "def run()"}], stopAtEnd=False)
        self.assertEqual([b["verified"] for b in c.verified], [True, False])
        first = (c.line(), c.stop["hitBreakpointIds"])
        for _ in range(2):
            c.events.clear()
            c.ask("restart")
            self.assertEqual([e for e in c.events if e["event"] == "breakpoint"], [])
            c.stopped()
            self.assertEqual((c.line(), c.stop["hitBreakpointIds"]), first)

    def test_data_breakpoints_after_a_restart(self):
        text = SUM.replace("\nrun()", "    sums[(3, )](x, out, 4, 128)\n\n\nrun()")
        path = self.write(text)
        c = self.client()
        c.launch(path, [self.at("for i in")], launch="sums.cuda90.0")
        dataId = c.ask("dataBreakpointInfo", name="total[7]", frameId=c.frame())["dataId"]
        (watch, ) = c.ask("setDataBreakpoints", breakpoints=[{"dataId": dataId}])["breakpoints"]
        c.set_breakpoints([])
        c.events.clear()
        c.ask("restart")
        self.assertEqual(c.stopped()["reason"], "data breakpoint")
        self.assertIn("total[7] has got a value", c.stop["text"])
        c.move("continue")
        self.assertEqual((c.stop["hitBreakpointIds"], c.line()), ([watch["id"]], self.at("# add")))
        self.assertEqual([e for e in c.events if e["event"] == "breakpoint"], [])
        # In another specialization the value is elsewhere.
        c.ask("restart", arguments={"launch": "sums.cuda90.1"})
        event = c.wait("breakpoint")["body"]["breakpoint"]
        self.assertEqual((event["id"], event["verified"]), (watch["id"], False))
        self.assertIn("have changed", event["message"])

    def test_a_restart_tells_breakpoints_that_change(self):
        text = SUM.replace("        if i == 2:", "        if SIZE == 128:").replace("\nrun()", "    sums[(3, )](x, out, 4, 128)\n\n\nrun()")
        path = self.write(text)
        c = self.client()
        c.launch(path, [self.at("# branch"), self.at("# store")], launch="sums.cuda90.0")
        self.assertEqual([b["line"] for b in c.verified], [self.at("# store"), self.at("# store")])
        c.events.clear()
        c.ask("restart", arguments={"launch": "sums.cuda90.1"})
        event = c.wait("breakpoint")["body"]["breakpoint"]
        self.assertEqual((event["id"], event["line"]), (c.verified[0]["id"], self.at("# branch")))

    def test_function_breakpoint(self):
        path = self.write(SUM)
        c = self.client()
        c.launch(path, configure=lambda c: c.ask("setFunctionBreakpoints", breakpoints=[{"name": "square"}]))
        self.assertEqual(c.stop["reason"], "function breakpoint")
        self.assertEqual(c.line(), self.at("# in square"))

    def test_data_breakpoint_on_an_element(self):
        c = self.launch(SUM, ["for i in"])
        info = c.ask("dataBreakpointInfo", name="total[7]", frameId=c.frame())
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.set_breakpoints([])
        c.move("continue")
        self.assertEqual(c.stop["reason"], "data breakpoint")
        self.assertIn("total[7] has changed", c.stop["text"])
        self.assertEqual(c.line(), self.at("# add"))
        c.move("next")
        self.assertEqual(c.line(), self.at("if i == 2"))
        c.move("stepBack")
        c.move("continue")
        later = c.evaluate("total[7]")
        c.move("continue")
        c.move("reverseContinue")
        self.assertEqual(c.evaluate("total[7]"), later)

    def test_data_breakpoint_on_shared_memory_and_a_barrier(self):
        c = self.launch(PARTITIONS.replace("PHASE", "0"), ["gl.warp_specialize"])
        info = c.ask("dataBreakpointInfo", name="buffer[3]", frameId=c.frame())
        self.assertIsNotNone(info["dataId"], info)
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.move("continue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("# produce")))
        info = c.ask("dataBreakpointInfo", name="ready", frameId=c.frame())
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.move("continue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("mbarrier.arrive(")))
        self.assertIn("phase 1", c.evaluate("ready"))

    def test_data_breakpoints_on_ranges(self):
        c = self.launch(PARTITIONS.replace("PHASE", "0"), ["gl.warp_specialize"])
        info = c.ask("dataBreakpointInfo", name="buffer[4:8]", frameId=c.frame())
        self.assertIsNotNone(info["dataId"], info)
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.move("continue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("# produce")))
        self.assertIn("buffer[4:8] has changed", c.stop["text"])
        c = self.launch(SUM, ["for i in"])
        info = c.ask("dataBreakpointInfo", name="total[-8:]", frameId=c.frame())
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.set_breakpoints([])
        c.move("continue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("# add")))
        for name, why in (("total[300:]", "there are no such elements"), ("total[7, 7]", "the tensor has 1 dimensions"), ("i[0]", "have elements")):
            info = c.ask("dataBreakpointInfo", name=name, frameId=c.frame())
            self.assertIsNone(info["dataId"], name)
            self.assertIn(why, info["description"])

    def test_data_breakpoint_on_global_memory(self):
        c = self.launch(SUM, stopOnEntry=True, programId="1,0,0")
        out = c.scope("Global memory")["out"]
        info = c.ask("dataBreakpointInfo", name="[260]", variablesReference=out["variablesReference"])
        c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        c.move("continue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("# store")))
        # From the end, backwards: who wrote it?
        c.move("continue")
        self.assertIn("end of the program", c.stop["description"])
        c.move("reverseContinue")
        self.assertEqual((c.stop["reason"], c.line()), ("data breakpoint", self.at("# store")))

    # ------------------------------------------------------------ values
    def test_values_and_expressions(self):
        c = self.launch(SUM, ["# store"])
        for expression, value in {
                "n": "4", "i + 1 if i else 0": "4", "SIZE * 2": "512", "at[3]": "3", "at[2:8:3]": "[2, 5]",
                "gl.max(at)": "255", "gl.sum(at[:4]) == 6": "True", "gl.cdiv(n, 3)": "2", "-7 // 2": "-4",
                "not n": "False", "0 < n < 5": "True", "at.shape": "[256]", "len(at)": "256",
                "gl.sum(gl.where(at < 3, 1, 0))": "3", "at.shape[0] // 2": "128", "gl.program_id(0)": "0", "gl.num_programs(axis=0)": "3", "1 / 4": "0.25", "at[-1]": "255", "~n": "-5",
        }.items():
            self.assertEqual(c.evaluate(expression), value, expression)
        for expression in ("at.shape[1]", "gl.program_id(3)", "nobody", "at[300]", "at[0, 0]", "1 +", "__import__('os')", "n // 0", "(" * 300):
            with self.assertRaises(Refused, msg=expression):
                c.evaluate(expression)
        self.assertEqual(c.locals()["SIZE"], "256")

    def test_parts_of_tuples_and_aggregates(self):
        c = self.launch(PARTS, [{"line": "# turn", "condition": "state.total[3] > 6 and i == 1"}])
        for expression, value in {
                "state.total[3]": "7", "state.total[0:3]": "[1, 3, 5]", "state.total[:, None].shape": "[128, 1]", "state.ends[0]": "0",
                "state.ends[1][2]": "6", "pair[-1]": "4", "pair[i - 1][5]": "5", "(state.total - pair[0])[2]": "3", "len(pair)": "2",
        }.items():
            self.assertEqual(c.evaluate(expression), value, expression)
        shown = c.ask("evaluate", expression="state", frameId=c.frame(), context="hover")
        self.assertEqual(shown["type"], "State")
        self.assertEqual(shown["result"], c.locals()["state"])
        self.assertEqual(list(c.variables(shown["variablesReference"])), ["total", "ends"])
        sizes = c.scope("Locals")["sizes"]
        self.assertEqual((sizes["value"], sizes["type"]), ("(128, (4, 'cg'))", "constexpr"))
        parts = c.variables(sizes["variablesReference"])
        self.assertEqual({name: part["value"] for name, part in parts.items()}, {"[0]": "128", "[1]": "(4, 'cg')"})
        self.assertEqual(c.evaluate("sizes[0] * sizes[1][0] + len(sizes)"), "514")
        with self.assertRaisesRegex(Refused, "'.total', '.ends'"):
            c.evaluate("state.nobody")
        with self.assertRaisesRegex(Refused, "choose one"):
            c.evaluate("state + 1")
        part = c.ask("dataBreakpointInfo", name="state.total[3]", frameId=c.frame())
        self.assertTrue(part["dataId"], part)
        self.assertIn("choose one", c.ask("dataBreakpointInfo", name="state", frameId=c.frame())["description"])

    def test_paging_and_registers(self):
        c = self.launch(SUM, ["# store"])
        at = c.scope("Locals")["at"]
        self.assertEqual(at["indexedVariables"], 256)
        page = c.variables(at["variablesReference"], filter="indexed", start=100, count=3)
        self.assertEqual({n: v["value"] for n, v in page.items()}, {"[100]": "100", "[101]": "101", "[102]": "102"})
        named = c.variables(at["variablesReference"], filter="named")
        self.assertIn("min 0, max 255", named["statistics"]["value"])
        warps = c.variables(named["by warp, lane and register"]["variablesReference"])
        self.assertEqual(list(warps), ["warp 0", "warp 1", "warp 2", "warp 3"])
        lanes = c.variables(warps["warp 1"]["variablesReference"])
        registers = c.variables(lanes["lane 5"]["variablesReference"])
        # Two elements a lane, 32 lanes a warp.
        self.assertEqual([r["value"] for r in registers.values()], ["[74] = 74", "[75] = 75"])

    def test_memory_is_read(self):
        c = self.launch(SUM, stopOnEntry=True)
        memory = c.scope("Global memory")["x"]
        data = c.ask("readMemory", memoryReference=memory["memoryReference"], offset=4, count=8)
        values = struct.unpack("<2f", base64.b64decode(data["data"]))
        shown = c.variables(memory["variablesReference"], filter="indexed", start=1, count=2)
        for value, text in zip(values, shown.values()):
            self.assertAlmostEqual(value, float(text["value"]), places=5)
        past = c.ask("readMemory", memoryReference=memory["memoryReference"], offset=4096 * 4, count=8)
        self.assertEqual(past["unreadableBytes"], 8)

    # ------------------------------------------------------------ partitions and findings
    def test_a_partition_begins_with_its_first_statement(self):
        for command in ("next", "stepIn", "stepOut"):
            c = self.launch(PARTITIONS.replace("PHASE", "0"), ["gl.warp_specialize"])
            c.move("stepIn")
            self.assertEqual((c.stop["threadId"], c.line()), (1, self.at("# wait")))
            (frame, ) = c.stack(2)
            self.assertEqual((frame["name"], frame["line"]), ("shared_value", self.at("gl.warp_specialize")))
            self.assertEqual(frame["source"]["path"], c.program)
            c.move(command, thread=2)
            self.assertEqual((c.stop["threadId"], c.line()), (2, self.at("data = gl.full")), command)
            c.move("next")
            self.assertEqual((c.stop["threadId"], c.line()), (2, self.at("# produce")), command)

    def test_partitions_have_their_own_variables(self):
        # Both are called at the same place of the kernel.
        text = PARTITIONS.replace("PHASE", "0").replace("    data = gl.full(", "    mine = value + 1\n    data = gl.full(").replace("    mbarrier.wait(ready, 0)", "    mine = 7\n    mbarrier.wait(ready, 0)")
        c = self.launch(text, ["# produce", "# consume"])
        self.assertEqual([f["name"] for f in c.stack(1)], ["consumer", "shared_value"])
        self.assertEqual(c.evaluate("mine"), "3.5")
        frame = c.frame(0, thread=1)
        self.assertEqual(c.ask("evaluate", expression="mine", frameId=frame)["result"], "7")
        with self.assertRaises(Refused):
            c.evaluate("seen")
        with self.assertRaises(Refused):
            c.ask("evaluate", expression="data", frameId=frame)

    def test_partitions_are_threads(self):
        c = self.launch(PARTITIONS.replace("PHASE", "0"), ["# produce", "# consume"])
        names = {t["id"]: t["name"] for t in c.ask("threads")["threads"]}
        self.assertEqual(c.stop["threadId"], 2)
        self.assertIn("producer", names[2])
        self.assertIn("waits for a barrier", names[1])
        self.assertEqual([f["name"] for f in c.stack(2)], ["producer", "shared_value"])
        self.assertEqual(c.stack(1)[0]["line"], self.at("# wait"))
        self.assertEqual(c.evaluate("data[0]"), "2.5")
        self.assertIn("the default partition waits for parity 0", c.evaluate("ready"))
        self.assertEqual(set(c.locals()), {"buffer", "ready", "value", "layout", "data"})
        # What started the partition is on its stack, with its variables.
        self.assertEqual(set(c.locals(1)), {"out", "layout", "flat", "buffer", "ready"})
        c.move("continue")
        self.assertEqual((c.stop["threadId"], c.evaluate("seen[127]")), (1, "2.5"))

    def test_a_hang_is_explained(self):
        c = self.launch(PARTITIONS.replace("PHASE", "1").replace("mbarrier.wait(ready, 1)",
                                                                  "mbarrier.wait(ready, 0)\n    mbarrier.wait(ready, 1)"))
        self.assertEqual(c.stop["reason"], "exception")
        info = c.ask("exceptionInfo", threadId=1)
        self.assertEqual(info["exceptionId"], "run-deadlock")
        self.assertEqual(c.line(1), self.at("mbarrier.wait(ready, 1)"))
        barriers = c.scope("Barriers")
        self.assertIn("1 of 1 arrivals pending", list(barriers.values())[0]["value"])
        # Back to the last arrival.
        c.set_breakpoints([self.at("mbarrier.arrive(")])
        c.move("reverseContinue")
        self.assertEqual(c.line(), self.at("mbarrier.arrive("))

    def test_a_failed_assertion_stops_there(self):
        c = self.launch(NAN, args={"x": "zeros:f32[128]"})
        self.assertEqual((c.stop["reason"], c.line()), ("exception", self.at("# check")))
        self.assertEqual(c.evaluate("gl.max(root)"), "nan")
        c.move("stepBack")
        c.move("stepBack")
        self.assertEqual((c.line(), c.evaluate("half[0]")), (self.at("root ="), "-1.0"))

    def test_findings_can_be_passed_over(self):
        path = self.write(NAN)
        c = self.client()
        c.launch(path, args=["x=zeros:f32[128]"], configure=lambda c: c.ask("setExceptionBreakpoints", filters=[]))
        self.assertIn("end of the program", c.stop["description"])
        self.assertIn("run-assertion", c.output())

    def test_findings_by_code(self):
        answers = []

        def configure(c, code):
            answers.append(c.ask("setExceptionBreakpoints", filters=["error"], filterOptions=[{"filterId": "warning", "condition": code}])["breakpoints"])

        path = self.write(NAN)
        for code, reason in (("run-assertion", "exception"), ("run-deadlock", "pause"), ("run-asertion", "pause")):
            c = self.client()
            c.launch(path, args=["x=zeros:f32[128]"], configure=lambda c: configure(c, code))
            self.assertEqual(c.stop["reason"], reason, code)
        self.assertEqual([[b["verified"] for b in answer] for answer in answers], [[True, True], [True, True], [True, False]])
        self.assertIn("run-assertion", answers[-1][1]["message"])

    def test_a_race_explains_what_was_read_too_early(self):
        c = self.client()
        c.launch(self.write(COPIES))
        found = []
        while c.stop["reason"] == "exception":
            info = c.ask("exceptionInfo", threadId=c.stop["threadId"])
            found.append(info["exceptionId"])
            self.assertIn(f"kernel.py:{self.at('# read')}: here", info["details"]["stackTrace"])
            c.ask("continue", threadId=c.stop["threadId"])
            c.stopped()
        self.assertEqual(found, ["run-read-before-write", "run-race"])
        self.assertIn(f"kernel.py:{self.at('# copy')}", info["details"]["stackTrace"])

    def test_a_race_is_followed_to_its_missing_wait(self):
        path = self.write(PARTITIONS.replace("    mbarrier.wait(ready, PHASE)  # wait\n", ""))
        c = self.client()
        races = [{"filterId": each, "condition": "run-race"} for each in ("error", "warning")]
        c.launch(path, configure=lambda c: c.ask("setExceptionBreakpoints", filters=[], filterOptions=races))
        for schedule in ("latest", "random:3"):
            self.assertEqual(c.scope("Program")["schedule"]["value"], schedule)
            self.assertEqual(c.stop["reason"], "exception")
            info = c.ask("exceptionInfo", threadId=c.stop["threadId"])
            self.assertEqual(info["exceptionId"], "run-race", info)
            # Both accesses are told: the finding's place, and the other one among its events.
            for mark in ("# produce", "seen ="):
                self.assertIn(f"kernel.py:{self.at(mark)}", info["details"]["stackTrace"])
            c.ask("restart", arguments={"schedule": "random:3"})
            c.stopped()

    def test_any_schedule_goes_back_exactly(self):
        for schedule in ("earliest", "random:1", "random:2"):
            c = self.launch(PARTITIONS.replace("PHASE", "0"), stopOnEntry=True, schedule=schedule)
            forward = []
            while c.stop and c.stop["reason"] != "pause":
                forward.append((c.stop["threadId"], c.line(), c.locals()))
                c.move("stepIn")
            c.set_breakpoints([self.at("# produce")])
            c.move("reverseContinue")
            self.assertIn((c.stop["threadId"], c.line(), c.locals()), forward, schedule)

    # ------------------------------------------------------------ origins
    def chain(self, client, expression):
        """Name, what, line of each value on the way, in depth-first order."""
        found = []

        def visit(origin):
            found.append((origin["name"], origin["what"], origin.get("line")))
            for each in origin["from"]:
                visit(each)

        visit(client.ask("gluond/origin", frameId=client.frame(), expression=expression)["origin"])
        return found

    def test_the_first_nan_stops_the_program_where_it_is_made(self):
        c = self.launch(NAN.replace("gl.device_assert(root == root)", "rest = at + 1"), args={"x": "zeros:f32[128]"})
        # It is found where it is stored, and the program stops where it was made.
        self.assertEqual((c.stop["reason"], c.line()), ("exception", self.at("root =")), c.stop)
        self.assertIn("produces the first NaN", c.stop["text"])
        self.assertIn("run-first-nan", c.output())
        self.assertEqual(c.ask("exceptionInfo", threadId=1)["exceptionId"], "run-first-nan")
        self.assertEqual(c.evaluate("gl.sum(isnan(root))"), "128")
        # Not again where it is stored; but again from before it.
        self.assertEqual(c.move("continue")["reason"], "pause")
        c.move("reverseContinue")
        self.assertEqual((c.move("continue")["reason"], c.line()), ("exception", self.at("root =")))
        self.assertEqual(c.move("continue")["reason"], "pause")

    def test_a_nan_is_followed_to_its_load(self):
        c = self.launch(NAN, args={"x": "zeros:f32[128]"})
        moment = c.scope("Program")["moment"]
        self.assertEqual(self.chain(c, "root[9]")[:3],
                         [("root[9]", "math.sqrt", self.at("root =")), ("half[9]", "arith.subf", self.at("half =")),
                          ("value[9]", "loaded from element 9 of 'x'", self.at("value ="))])
        self.assertEqual(c.scope("Program")["moment"], moment)  # it stands where it was
        # The same as children of the element.
        root = c.scope("Locals")["root"]
        element = c.variables(root["variablesReference"], filter="indexed", start=9, count=1)["[9]"]
        self.assertEqual(element["value"], "nan")
        kin = c.variables(element["variablesReference"])
        origin = c.variables(kin["origin"]["variablesReference"])
        self.assertIn("math.sqrt", origin["root[9]"]["value"])
        half = c.variables(origin["root[9]"]["variablesReference"])["half[9]"]
        self.assertIn("-1.0 = arith.subf", half["value"])

    def test_origins_go_through_loops_and_helpers(self):
        c = self.launch(SUM, ["# store"])
        chain = self.chain(c, "total[7]")
        loads = [what for _, what, _ in chain if what.startswith("loaded")]
        self.assertEqual(sorted(loads), sorted(f"loaded from element {turn * 256 + 7} of 'x'" for turn in range(4)))
        self.assertIn(("result[7]", "arith.mulf", self.at("# in square")), chain)
        self.assertEqual(self.chain(c, "i")[0][1], "the next turn of the loop")

    def test_origins_go_through_shared_memory_and_partitions(self):
        c = self.launch(PARTITIONS.replace("PHASE", "0"), ["# consume"])
        chain = self.chain(c, "seen[5]")
        self.assertEqual(chain[1][2], self.at("# produce"))
        self.assertIn("ttg.local_store", chain[1][1])
        self.assertEqual(chain[2][0], "data[5]")

    def test_readers(self):
        c = self.launch(SUM, ["# add"])
        readers = c.ask("gluond/readers", frameId=c.frame(), expression="values[3]")["readers"]
        self.assertEqual([(r["what"], r["line"]) for r in readers], [("arith.mulf", self.at("# in square"))])

    # ------------------------------------------------------------ launching
    def test_another_program_of_the_grid(self):
        c = self.launch(SUM, ["# store"], programId="2,0,0")
        self.assertEqual(c.evaluate("gl.max(at)"), "255")
        self.assertEqual(c.scope("Program")["program_id"]["value"], "(2, 0, 0)")
        out = c.scope("Global memory")["out"]
        # The programs before it have written theirs.
        page = c.variables(out["variablesReference"], filter="indexed", start=256, count=1)
        self.assertEqual(page["[256]"]["value"], c.evaluate("total[0]"))
        c.ask("restart", arguments={"programId": [1, 0, 0]})
        c.stopped()
        self.assertEqual(c.scope("Program")["program_id"]["value"], "(1, 0, 0)")
        self.assertEqual(c.line(), self.at("# store"))

    def test_wrong_launches_are_refused_in_words(self):
        path = self.write(SUM)
        for options, words in ((dict(program="nowhere.py"), "nowhere.py"), (dict(kernel="nobody"), "nobody"),
                               (dict(programId="7,0,0"), "the grid has 3 programs along dimension 0, and so no program with number 7"), (dict(programId="x"), "programId"),
                               (dict(args=["q=1"]), "q"), (dict(grid="0"), "grid")):
            c = self.client()
            with self.assertRaises(Refused) as caught:
                c.launch(options.pop("program", path), **options)
            self.assertIn(words, str(caught.exception))
            with self.assertRaises(Refused):
                c.ask("continue", threadId=1)

    def test_a_grid_of_a_billion_programs(self):
        started = time.time()
        c = self.launch(SUM, stopOnEntry=True, grid="1000000000,1,1", programId="999999999,0,0", runProgramsBefore=False)
        self.assertEqual(c.scope("Program")["program_id"]["value"], "(999999999, 0, 0)")
        self.assertLess(time.time() - started, 30)

    # ------------------------------------------------------------ time and clients
    def test_a_kernel_without_end_is_paused(self):
        endless = LONG.replace("for i in range(n):", "i = 0\n    while i < n:\n        i = i * 1")
        path = self.write(endless)
        c = self.client()
        c.ask("initialize")
        c.ask("launch", program=str(path))
        c.ask("configurationDone")
        time.sleep(1)
        self.assertFalse(c.events and any(e["event"] == "stopped" for e in c.events))
        c.send("pause", threadId=1)
        self.assertEqual(c.stopped()["reason"], "pause")
        self.assertEqual(c.evaluate("i"), "0")
        # A breakpoint set while it runs stops it.
        c.ask("continue", threadId=1)
        c.program = str(path)
        c.set_breakpoints([self.at("# body")])
        self.assertEqual(c.stopped()["reason"], "breakpoint")
        c.ask("continue", threadId=1)
        self.clients.remove(c)
        self.assertEqual(c.close(), 0)

    def test_each_stop_tells_its_moment(self):
        c = self.launch(LONG, [])
        for command in ("stepBack", "next"):
            c.events.clear()
            c.ask(command, threadId=c.stop["threadId"])
            told = c.wait("gluond/moment")["body"]
            c.stopped()
            self.assertEqual(str(told["moment"]), c.scope("Program")["moment"]["value"].split()[0])
            self.assertLessEqual(told["moment"], told["reached"])
        c.events.clear()
        sought = c.ask("gluond/seek", moment=told["moment"] // 2)
        c.stopped()  # the reply told it, no event does
        self.assertLessEqual(sought["moment"], told["moment"] // 2 + 1)
        self.assertNotIn("gluond/moment", [event["event"] for event in c.events])

    def test_a_step_either_way_is_quick_in_a_long_run(self):
        c = self.launch(LONG, [])
        c.move("stepBack")
        moments = int(c.scope("Program")["moment"]["value"].split()[0])
        self.assertGreater(moments, 500_000)
        c.ask("gluond/seek", moment=moments // 2)
        c.stopped()
        c.move("next")
        times = []
        for command in ["stepBack"] * 10 + ["next"] * 10:
            before = (c.line(), c.locals())
            start = time.perf_counter()
            c.move(command)
            times.append(time.perf_counter() - start)
            self.assertNotEqual(before, (c.line(), c.locals()))
        times.sort()
        print(f"{moments} moments, a step: median {1000 * times[10]:.1f} ms, longest {1000 * times[-1]:.1f} ms")

    def test_mistakes_in_the_configuration(self):
        path = self.write(SUM)
        for wrong, words in (({"target": "cuda:33"}, "target: "), ({"target": "cuda90"}, "target: "), ({"settings": ["nope=1"]}, "settings: unknown setting 'nope'"),
                             ({"settings": "nope=1"}, "settings: expected a list"), ({"args": 5}, "args: expected a list"), ({"args": ["n=1", 5]}, "args: expected"),
                             ({"historyMemory": "x"}, "historyMemory: expected"), ({"historyMemory": -5}, "historyMemory: expected"), ({"stopOnEntry": "yes"}, "stopOnEntry: expected true or false"),
                             ({"records": ["/nope.jsonl"]}, "/nope.jsonl"), ({"records": "x.jsonl"}, "records: expected"), ({"grid": {"x": 1}}, "grid: expected"), ({"grid": [1, 2, 3, 4]}, "is not a grid"),
                             ({"programId": True}, "programId: expected"), ({"kernel": ["sums"]}, "kernel: expected")):
            c = self.client()
            c.ask("initialize")
            with self.assertRaises(Refused, msg=wrong) as refused:
                c.ask("launch", program=str(path), **wrong)
            self.assertIn(words, str(refused.exception))
        for grid in ("5", 5, [5], [5, 1, 1]):
            c = self.client()
            c.launch(path, [], grid=grid, programId=1, target="cuda:80", historyMemory=64, unknown=[1])
            self.assertIn("Program (1, 0, 0) of a grid of (5, 1, 1)", c.output())
        self.write(SUM + SUM.split("\ndef run")[0].replace("def sums", "def others"))
        c = self.client()
        c.ask("initialize")
        with self.assertRaisesRegex(Refused, "'kernel' is missing"):
            c.ask("launch", program=str(path))

    def test_garbage_and_strangers(self):
        c = self.client()
        c.ask("initialize")
        c.send_raw(b"nonsense\r\n\r\nContent-Length: 9\r\n\r\n{\"a\": [1}Content-Length: 4\r\n\r\nnull")
        for command, arguments in (("variables", {"variablesReference": 1 << 60}), ("nothing", {}), ("scopes", {"frameId": -1}),
                                   ("setBreakpoints", {"breakpoints": [{"line": -5}, 7, {"line": 1e300}], "source": 3}),
                                   ("launch", {"program": 5}), ("launch", {"args": {"x": None}}), ("stackTrace", {}),
                                   ("evaluate", {"expression": ["x"]}), ("readMemory", {"memoryReference": "9:9"})):
            try:
                c.ask(command, **arguments)
            except Refused:
                pass
        path = self.write(SUM)
        c.launch(path, [self.at("# store")])
        for command, arguments in (("variables", {"variablesReference": 1 << 60}), ("scopes", {"frameId": 1 << 40}),
                                   ("stackTrace", {"threadId": 10**12, "startFrame": -4}), ("goto", {"targetId": 99}),
                                   ("next", {"threadId": -7}), ("gluond/seek", {"moment": 10**18}),
                                   ("gluond/seek", {"moment": "x"}), ("readMemory", {"memoryReference": "2:0", "offset": -99}),
                                   ("dataBreakpointInfo", {"name": "[", "variablesReference": 10**9}),
                                   ("setDataBreakpoints", {"breakpoints": [{"dataId": "1"}, None]})):
            try:
                c.ask(command, **arguments)
            except Refused:
                pass
        self.assertTrue(c.ask("threads")["threads"])

    def test_large_tensors_are_shown_in_parts(self):
        c = self.launch(SUM.replace("4 * 256", "4 * 65536").replace("3 * 256", "3 * 65536").replace("4, 256)", "4, 65536)"), ["# store"])
        total = {v["name"]: v for v in c.ask("variables", variablesReference=c.ask("scopes", frameId=c.frame())["scopes"][0]["variablesReference"])["variables"]}["total"]
        shown = c.ask("variables", variablesReference=total["variablesReference"], filter="indexed", count=1 << 62)["variables"]
        self.assertLess(len(shown), 20_000)
        self.assertEqual(shown[-1]["name"], "...")
        last = c.ask("variables", variablesReference=total["variablesReference"], filter="indexed", start=65535, count=1 << 62)["variables"]
        self.assertEqual([v["name"] for v in last], ["[65535]"])
        scope = next(s for s in c.ask("scopes", frameId=c.frame())["scopes"] if s["name"] == "Global memory")
        x = c.variables(scope["variablesReference"])["x"]
        pages = [c.variables(x["variablesReference"], start=start, count=100) for start in (0, 4 * 65536 - 1, 4 * 65536)]
        self.assertEqual([len([name for name in page if name[0] == "["]) for page in pages], [100, 1, 0])
        self.assertIn("statistics", pages[0])

    def test_a_kernel_that_prints_without_end(self):
        path = self.write(LONG.replace("for i in range(n):", "i = 0\n    while i < n:\n        gl.device_print('value', i)\n        gl.device_print('again')\n        i = i * 1"))
        c = self.client()
        c.ask("initialize")
        c.ask("launch", program=str(path), historyMemory=64)
        c.ask("configurationDone")
        time.sleep(5)
        c.send("pause", threadId=1)
        c.stopped()
        status = pathlib.Path(f"/proc/{c.process.pid}/status").read_text()
        self.assertLess(int(status.split("VmHWM:")[1].split()[0]), 500_000)  # KB
        printed = sum(len(e["body"]["output"]) for e in c.events if e["event"] == "output" and e["body"].get("category") == "stdout")
        self.assertLess(printed, 3 << 20)

    def test_extreme_numbers(self):
        c = self.launch(SUM, ["# store"])
        for number in (-(1 << 63), (1 << 63) - 1, 1 << 64, -1, 1e300):
            for command, arguments in (("setBreakpoints", {"source": {"path": c.program}, "breakpoints": [{"line": number}]}),
                                       ("gotoTargets", {"source": {"path": c.program}, "line": number}),
                                       ("breakpointLocations", {"source": {"path": c.program}, "line": number, "endLine": number}),
                                       ("stackTrace", {"threadId": number, "startFrame": number, "levels": number}),
                                       ("readMemory", {"memoryReference": "2:0", "offset": number, "count": number})):
                try:
                    c.ask(command, **arguments)
                except Refused:
                    pass
        frame = c.frame()
        for expression in ("total" + " + total" * 160, "total[5:5][0:0]", "total[5:5][0]", "gl.cdiv(-9223372036854775807 - 1, 1)", "-9223372036854775807 // -1", "max(total[3:3])"):
            try:
                c.ask("evaluate", expression=expression, frameId=frame)
            except Refused:
                pass
        self.assertEqual(c.evaluate("1 + 1"), "2")

    def test_a_client_that_goes_away(self):
        path = self.write(LONG.replace("60000", "2000000000"))
        c = self.client()
        c.ask("initialize")
        c.ask("launch", program=str(path))
        c.ask("configurationDone")
        c.process.stdin.close()
        self.assertEqual(c.process.wait(timeout=20), 1)
        c.process.stdout.close()
        self.clients.remove(c)


if __name__ == "__main__":
    unittest.main()
