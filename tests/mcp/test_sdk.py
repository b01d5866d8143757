"""Every tool of `gluond mcp` through the official Python SDK, which validates arguments and results by their schemas. Run by ctest: test_sdk.py GLUOND
GLUOND-RUNNER FAKE-CUDA. Without the SDK (pip install mcp): 77."""
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(Path(__file__).parent)]
import peers  # noqa: E402

peers.under_python_with("import mcp.client.client", "the MCP SDK")
GLUOND, RUNNER_PROGRAM, FAKE = (os.path.abspath(argument) for argument in sys.argv[1:4])

import anyio  # noqa: E402
from mcp.client.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

sys.argv[1:] = [GLUOND, RUNNER_PROGRAM, FAKE]
from test_mcp import IMPORTS, RUNNER, kernel  # noqa: E402

RIGHT = {
    "check": {"files": ["good.py"]}, "apply_fix": {"file": "wrong.py", "suggested": True}, "explain": {"name": "layout-mismatch"}, "search": {"query": "load"},
    "launches": {"file": "good.py"}, "type_at": {"file": "good.py", "line": 11, "expression": "value"},
    "layout_map": {"layout": "gl.BlockedLayout([1], [32], [4], [0])", "dtype": "float32"}, "accesses": {"file": "good.py"}, "ir": {"file": "good.py", "stage": "ptx"},
    "budget": {"file": "good.py"}, "simulate": {"file": "good.py", "arguments": ["x=random"]}, "run": {"file": "good.py"},
    "benchmark": {"file": "good.py", "budgetMs": 10, "axes": [{"name": "num_warps", "values": ["4", "8"]}]},
    "compare": {"before": {"file": "good.py"}, "after": {"file": "good.py"}, "budgetMs": 100},
}


async def exercise(mode, folder):
    """Every tool with right arguments and with wrong ones, in one form of the protocol."""
    parameters = StdioServerParameters(command=GLUOND, args=["mcp", str(folder), "--runner", RUNNER], env={**os.environ, "GLUOND_CACHE_DIR": "off"})
    async with Client(stdio_client(parameters), mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == set(RIGHT), [tool.name for tool in tools]
        for tool in tools:
            seen = []

            async def told(progress, total, message):
                seen.append(progress)

            result = await client.call_tool(tool.name, RIGHT[tool.name], progress_callback=told)
            assert not result.is_error, (tool.name, result.content)
            assert isinstance(result.structured_content, dict), tool.name
            assert tool.name not in ("benchmark", "compare") or seen, f"{tool.name} reported no progress"
            for wrong in ({"nonsense": 1}, {**RIGHT[tool.name], "nonsense": 1}, {name: {"a": 1} for name in RIGHT[tool.name]}):
                result = await client.call_tool(tool.name, wrong)
                assert result.is_error and result.content[0].text, (tool.name, wrong)
        try:
            await client.call_tool("fly", {})
            raise AssertionError("an unknown tool was called")
        except Exception as error:
            assert "fly" in str(error), error
        resources = (await client.list_resources()).resources
        assert "gluond://skill" in {str(resource.uri) for resource in resources}
        for resource in resources:
            assert (await client.read_resource(str(resource.uri))).contents[0].text
        assert len((await client.list_resource_templates()).resource_templates) == 2
        assert "no mistakes" not in (await client.read_resource("gluond://diagnostics/layout-mismatch")).contents[0].text


for mode in ("legacy", "auto", "2026-07-28"):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        (folder / "good.py").write_text(IMPORTS + kernel())
        (folder / "wrong.py").write_text(IMPORTS + kernel(layout="layot"))
        anyio.run(exercise, mode, folder)
        print(f"{mode}: {len(RIGHT)} tools")
