#!/usr/bin/env python3
"""A session with an independent LSP client (pygls, lsprotocol): what an editor would send, every answer decoded and checked.

    tests/clients/scenario.py [--gluond build/bin/gluond] [--record tests/data/lsp]

lsprotocol refuses what the protocol does not allow, so an answer that comes back typed has the right form. With --record
the conversations are kept, one message a line, and replayed by tests/unit/lsp/ConversationTest.cpp, which needs no
Python. The exit status is 77 (ctest: skipped) where pygls is not installed:  pip install pygls"""
import argparse
import asyncio
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import peers  # noqa: E402

peers.under_python_with("import lsprotocol, pygls.lsp.client", "pygls")
from lsprotocol import types as T  # noqa: E402
from pygls.lsp.client import LanguageClient  # noqa: E402

URI, OTHER = "file:///w/kernels.py", "file:///w/main.py"
KERNELS = """\
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

BLOCK = gl.constexpr(128)


@gluon.aggregate
class Span:
    base: gl.tensor
    size: gl.constexpr

    @gluon.jit
    def at(self, offsets):
        return self.base + offsets


@gluon.jit
def double(x):
    \"\"\"Twice x.\"\"\"
    return x + x


@gluon.jit
def kernel(src, dst, n, SIZE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, SIZE, layout=layout)
    span = Span(src, SIZE)
    values = double(gl.load(span.at(offsets), mask=offsets < n))
    gl.store(dst + offsets, values, mask=offsets < n)


data = torch.empty(128, device="cuda")
kernel[(1,)](data, data, 128, 128)
"""
MAIN = "import kernels\nfrom kernels import double as twice\n\nkernels.kernel[(1,)](None, None, 1, 64)\n"


def place(text, marker, offset=0):
    at = text.index(marker) + offset
    line = text.count("\n", 0, at)
    return T.Position(line, at - (text.rfind("\n", 0, at) + 1))


class Session:
    def __init__(self, gluond, record):
        self.client = LanguageClient("scenario", "1")
        self.published = {}
        self.asked = []
        self.command = [gluond, "lsp"]
        if record:
            self.command = [sys.executable, str(HERE / "tee.py"), str(record), *self.command]

        @self.client.feature(T.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params):
            self.published[params.uri] = params

        @self.client.feature(T.CLIENT_REGISTER_CAPABILITY)
        def _(params):
            self.asked += [each.method for each in params.registrations]

        @self.client.feature(T.WORKSPACE_CONFIGURATION)
        def _(params):
            return [{"target": "cuda:90"} for _ in params.items]

    async def start(self, capabilities):
        await self.client.start_io(*self.command)
        result = await self.client.initialize_async(T.InitializeParams(
            capabilities=capabilities, initialization_options={"documentation": "file:///doc/diagnostics.md"},
            workspace_folders=[T.WorkspaceFolder(uri="file:///w", name="w")]))
        self.client.initialized(T.InitializedParams())
        return result.capabilities

    def open(self, uri, text):
        self.client.text_document_did_open(T.DidOpenTextDocumentParams(
            T.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)))

    def change(self, uri, version, start, end, text):
        self.client.text_document_did_change(T.DidChangeTextDocumentParams(
            T.VersionedTextDocumentIdentifier(uri=uri, version=version),
            [T.TextDocumentContentChangePartial(range=T.Range(start, end), text=text)]))

    async def diagnostics(self, uri, version):
        for _ in range(500):
            if uri in self.published and self.published[uri].version == version:
                return self.published[uri].diagnostics
            await asyncio.sleep(0.01)
        raise AssertionError(f"no diagnostics of version {version}")

    async def end(self):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def document(uri=URI):
    return T.TextDocumentIdentifier(uri)


def at(marker, offset=0, uri=URI, text=KERNELS):
    return {"text_document": document(uri), "position": place(text, marker, offset)}


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


async def reading(session):
    """Everything that is asked about a file as it stands."""
    c = session.client
    capabilities = await session.start(T.ClientCapabilities(
        general=T.GeneralClientCapabilities(position_encodings=[T.PositionEncodingKind.Utf16]),
        workspace=T.WorkspaceClientCapabilities(
            configuration=True, did_change_watched_files=T.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)),
        text_document=T.TextDocumentClientCapabilities(definition=T.DefinitionClientCapabilities(link_support=True))))
    check(capabilities.position_encoding == "utf-16", capabilities.position_encoding)
    session.open(URI, KERNELS)
    session.open(OTHER, MAIN)
    check(not await session.diagnostics(URI, 1), session.published[URI])

    hover = await c.text_document_hover_async(T.HoverParams(**at("values =")))
    check("float32[128]" in hover.contents.value and "per thread" in hover.contents.value, hover)
    hover = await c.text_document_hover_async(T.HoverParams(**at("BLOCK")))
    check("BLOCK = 128" in hover.contents.value, hover)
    hints = await c.text_document_inlay_hint_async(T.InlayHintParams(
        text_document=document(), range=T.Range(T.Position(0, 0), T.Position(99, 0))))
    check(any("float32[128]" in str(hint.label) for hint in hints), hints)
    signature = await c.text_document_signature_help_async(T.SignatureHelpParams(**at("gl.store(dst + offsets, ", 24)))
    check(signature.active_parameter == 1, signature)
    found = await c.text_document_definition_async(T.DefinitionParams(**at("double(gl")))
    check(found[0].target_selection_range.start.line == 18, found)
    found = await c.text_document_definition_async(T.DefinitionParams(**at("at(offsets), mask")))
    check(found[0].target_selection_range.start.line == 13, found)
    found = await c.text_document_type_definition_async(T.TypeDefinitionParams(**at("span.at")))
    check(found[0].range.start.line == 8, found)
    uses = await c.text_document_references_async(T.ReferenceParams(
        **at("double(x)"), context=T.ReferenceContext(include_declaration=True)))
    check({use.uri for use in uses} == {URI, OTHER}, uses)
    highlights = await c.text_document_document_highlight_async(T.DocumentHighlightParams(**at("offsets =")))
    check(len(highlights) == 5, highlights)
    symbols = await c.text_document_document_symbol_async(T.DocumentSymbolParams(document()))
    check([symbol.name for symbol in symbols] == ["BLOCK", "Span", "double", "kernel", "data"], symbols)
    symbols = await c.workspace_symbol_async(T.WorkspaceSymbolParams(query="kern"))
    check(symbols[0].name == "kernel", symbols)
    tokens = await c.text_document_semantic_tokens_full_async(T.SemanticTokensParams(document()))
    check(len(tokens.data) % 5 == 0 and tokens.data, tokens)
    await c.text_document_semantic_tokens_range_async(T.SemanticTokensRangeParams(
        text_document=document(), range=T.Range(T.Position(24, 0), T.Position(30, 0))))
    lenses = await c.text_document_code_lens_async(T.CodeLensParams(document()))
    check(lenses[0].command.command == "gluond.selectSpecialization", lenses)
    folds = await c.text_document_folding_range_async(T.FoldingRangeParams(document()))
    check(folds, folds)
    selection = await c.text_document_selection_range_async(T.SelectionRangeParams(
        text_document=document(), positions=[place(KERNELS, "offsets < n")]))
    check(selection[0].parent.parent is not None, selection)
    items = await c.text_document_prepare_call_hierarchy_async(T.CallHierarchyPrepareParams(**at("double(x)")))
    callers = await c.call_hierarchy_incoming_calls_async(T.CallHierarchyIncomingCallsParams(items[0]))
    check(callers[0].from_.name == "kernel", callers)
    called = await c.call_hierarchy_outgoing_calls_async(T.CallHierarchyOutgoingCallsParams(callers[0].from_))
    check("double" in [each.to.name for each in called], called)
    prepared = await c.text_document_prepare_rename_async(T.PrepareRenameParams(**at("double(x)")))
    check(prepared is not None, prepared)
    edit = await c.text_document_rename_async(T.RenameParams(**at("double(x)"), new_name="twofold"))
    check(len(edit.changes[URI]) == 2 and len(edit.changes[OTHER]) == 1, edit)
    await session.end()


async def typing(session):
    """Edits, half-typed code, mistakes and their fixes."""
    c = session.client
    await session.start(T.ClientCapabilities())
    session.open(URI, KERNELS)
    await session.diagnostics(URI, 1)
    start = place(KERNELS, "    gl.store")
    session.change(URI, 2, start, start, "    values.\n")
    members = await c.text_document_completion_async(T.CompletionParams(
        text_document=document(), position=T.Position(start.line, 11)))
    check("to" in [item.label for item in members.items], members)
    session.change(URI, 3, T.Position(start.line, 0), T.Position(start.line + 1, 0), "")
    wrong = place(KERNELS, "gl.store", 3)
    session.change(URI, 4, wrong, T.Position(wrong.line, wrong.character + 5), "stor")
    mistakes = await session.diagnostics(URI, 4)
    check(len(mistakes) == 1 and mistakes[0].range.start.line == wrong.line, mistakes)
    actions = await c.text_document_code_action_async(T.CodeActionParams(
        text_document=document(), range=mistakes[0].range, context=T.CodeActionContext(diagnostics=mistakes)))
    check(actions and actions[0].kind == "quickfix", actions)
    actions = await c.text_document_code_action_async(T.CodeActionParams(
        text_document=document(), range=mistakes[0].range,
        context=T.CodeActionContext(diagnostics=[], only=["source.fixAll"])))
    fix = actions[0].edit.changes[URI][0]
    session.change(URI, 5, fix.range.start, fix.range.end, fix.new_text)
    check(not await session.diagnostics(URI, 5), "the fix does not mend it")
    c.text_document_did_close(T.DidCloseTextDocumentParams(document()))
    await session.end()


async def pulling(session):
    """A client that pulls its diagnostics."""
    c = session.client
    capabilities = await session.start(T.ClientCapabilities(text_document=T.TextDocumentClientCapabilities(
        diagnostic=T.DiagnosticClientCapabilities())))
    check(capabilities.diagnostic_provider is not None, capabilities)
    session.open(URI, KERNELS.replace("gl.store", "gl.stor"))
    report = await c.text_document_diagnostic_async(T.DocumentDiagnosticParams(document()))
    check(len(report.items) == 1, report)
    again = await c.text_document_diagnostic_async(T.DocumentDiagnosticParams(document(), previous_result_id=report.result_id))
    check(again.kind == "unchanged", again)
    whole = await c.workspace_diagnostic_async(T.WorkspaceDiagnosticParams(previous_result_ids=[]))
    check(whole.items[0].uri == URI, whole)
    check(not session.published, session.published)
    await session.end()


SCENARIOS = {"reading": reading, "typing": typing, "pulling": pulling}


async def run(gluond, folder):
    for name, scenario in SCENARIOS.items():
        record = folder / f"{name}.jsonl" if folder else None
        await asyncio.wait_for(scenario(Session(gluond, record)), 60)
        print(f"{name}: fine")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gluond", default=HERE.parents[1] / "build/bin/gluond")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    asyncio.run(run(os.path.abspath(options.gluond), options.record and options.record.resolve()))


if __name__ == "__main__":
    main()
