// Definitions, references, renames, calls and symbols, through the server.
#include "FeatureFixture.h"

namespace gluond::lsp {
namespace {

class NavigationTest : public FeatureFixture {};

TEST_F(NavigationTest, definition) {
  open(
      "def $def[[helper]](x): return x\n\ndef f():\n  s = '\xf0\x9f\x98\x80'; return he^lper(s)\n");
  Json places = request("textDocument/definition", at(source.point()));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0]["uri"], uri);
  EXPECT_EQ(places[0]["range"], range("def"));
}

TEST_F(NavigationTest, definitionThroughImports) {
  client.open("file:///w/helpers.py", "import gl\n\n@gl.jit\ndef load(p): pass\n");
  client.open("file:///w/pkg/__init__.py", "");
  client.open("file:///w/pkg/deep.py", "X = 1\n");
  open("from helpers import load as l\nfrom pkg import deep\nimport pkg.deep as "
       "d\n$a^l(1)\n$b^deep.X\n$c^d.X\nimport os\n$d^os\n");
  Json load = request("textDocument/definition", at(source.point("a")));
  EXPECT_EQ(load[0]["uri"], "file:///w/helpers.py");
  EXPECT_EQ(load[0]["range"]["start"]["line"], 3);
  EXPECT_EQ(request("textDocument/definition", at(source.point("b")))[0]["uri"],
            "file:///w/pkg/deep.py");
  EXPECT_EQ(request("textDocument/definition", at(source.point("c")))[0]["uri"],
            "file:///w/pkg/deep.py");
  EXPECT_EQ(request("textDocument/definition", at(source.point("d")))[0]["range"]["start"]["line"],
            6); // the import
}

const std::string gluonImports = "from triton.experimental import gluon\n"
                                 "from triton.experimental.gluon import language as gl\n";

TEST_F(NavigationTest, definitionOfMembersAndKeywords) {
  open(gluonImports + R"(
class Config:
    $field[[size]]: int = 4
    def $method[[area]](self):
        return self.$self^size

def make($param[[width]]):
    return width
c = Config()
c.$c^area()
c.$cf^size
make($keyword^width=1)
Config.$cls^size
)");
  auto target = [&](const char* name) {
    Json places = request("textDocument/definition", at(source.point(name)));
    return places.is_null() || places.empty() ? Json(nullptr) : places[0]["range"];
  };
  EXPECT_EQ(target("self"), range("field"));
  EXPECT_EQ(target("c"), range("method"));
  EXPECT_EQ(target("cf"), range("field"));
  EXPECT_EQ(target("cls"), range("field"));
  EXPECT_EQ(target("keyword"), range("param"));
}

TEST_F(NavigationTest, definitionOfMethodsInKernels) {
  open(gluonImports + R"(
@gluon.aggregate
class $class[[Tile]]:
    base: gl.constexpr
    @gluon.jit
    def $method[[load]](self, offset):
        return offset + self.base

@gluon.jit
def kernel(p, n):
    tile = Tile(gl.constexpr(3))
    for i in range(n):
        tile = Tile(gl.constexpr(3))
    gl.store(p, ti$type^le.lo$use^ad(n))
)");
  EXPECT_EQ(request("textDocument/definition", at(source.point("use")))[0]["range"],
            range("method"));
  EXPECT_EQ(request("textDocument/typeDefinition", at(source.point("type")))[0]["range"],
            range("class"));
}

TEST_F(NavigationTest, referencesAcrossFiles) {
  client.open("file:///w/use.py",
              "from a import helper as h, other\nimport a\nh(block=1)\na.helper(2)\nhelper = 3\n");
  open("def he^lper(block):\n  return block\ndef other(): return helper(1)\n");
  std::map<std::string, int> count;
  Json places = request("textDocument/references", at(source.point()));
  for (const Json& place : places)
    ++count[place["uri"]];
  EXPECT_EQ(count[uri], 2) << places;
  EXPECT_EQ(count["file:///w/use.py"], 4) << places; // the import, its alias twice, a.helper
  Json params = at(source.point());
  params["context"] = {{"includeDeclaration", false}};
  EXPECT_LT(request("textDocument/references", params).size(), places.size());

  Json rename = at(source.point());
  rename["newName"] = "assist";
  Json changes = request("textDocument/rename", rename)["changes"];
  EXPECT_EQ(changes[uri].size(), 2u);
  EXPECT_EQ(changes["file:///w/use.py"].size(), 2u) << changes; // h stays h
  Json block = at(source.point() + 7);
  block["newName"] = "width";
  EXPECT_EQ(request("textDocument/rename", block)["changes"]["file:///w/use.py"].size(), 1u);
}

TEST_F(NavigationTest, renameOfMembersAndRefusals) {
  open(gluonImports + R"(
class Config:
    si$field^ze: int = 4
    def area(self): return self.size * self.size
c = Config(size=2)
c.size
x = gl.lo$builtin^ad(1)
)");
  Json params = at(source.point("field"));
  params["newName"] = "width";
  EXPECT_EQ(request("textDocument/rename", params)["changes"][uri].size(), 5u);
  Json builtin = at(source.point("builtin"));
  EXPECT_EQ(errorCode(request("textDocument/prepareRename", builtin)),
            static_cast<int>(ErrorCode::RequestFailed));
  builtin["newName"] = "read";
  Json refused = request("textDocument/rename", builtin);
  EXPECT_NE(refused["error"]["message"].get<std::string>().find("belongs to Gluon"),
            std::string::npos);
}

// Triton looks these names up in mappings and lists of strings.
TEST_F(NavigationTest, parametersThatStringsName) {
  client.open("file:///w/options.py", "SMALL = {'BLOCK': 64}\n");
  client.open("file:///w/host.py", R"(
from a import add, fill
from options import SMALL
def run(out):
    add[(1,)](out, 4, **SMALL)
    more = dict(BLOCK=128)
    more['value'] = 2.0
    more.update(count=4)
    fill[(1,)](out, **more)
)");
  open(R"(import triton
from functools import partial
)" + gluonImports +
       R"(
def prune(configs, named_args, **kwargs):
    return [c for c in configs if c.kwargs["BLOCK"] <= named_args["n"]]

@triton.autotune(configs=[triton.Config({"BL$key^OCK": b}, num_warps=4) for b in (256, 512)], key=["n"],
                 prune_configs_by={"early_config_prune": prune})
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@gluon.jit
def add(out, n, $block[[BLOCK]]: gl.constexpr, EVEN: gl.constexpr = True):
    gl.store(out, BLOCK + n)

@gluon.jit(do_not_specialize=["count"])
def fill(dst, co$count^unt, value, WIDTH: gl.constexpr = 4, BLOCK: gl.constexpr = 4):
    gl.store(dst, count * value)

def grid(meta):
    return (triton.cdiv(4, meta["BLOCK"]), meta.get("n"))
def main(x):
    add[grid](x, 4)
    add[lambda META: (META["n"],)](x, 4, BLOCK=2)
    go = partial(fill[(1,)], count=3)
    go(x, value=2.0)
    launch = fill[(1,)]
    launch(x, count=3, value=2.0)
)");
  Json places = request("textDocument/definition", at(source.point("key")));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0]["range"], range("block"));
  auto renamed = [&](const char* point) {
    Json params = at(source.point(point));
    params["newName"] = "renamed";
    return request("textDocument/rename", params);
  };
  Json changes = renamed("key")["changes"];
  // its definition and use, Config, two rules and reads, grid, a keyword, and the options' file
  EXPECT_EQ(changes[uri].size(), 7u) << changes;
  EXPECT_EQ(changes["file:///w/options.py"].size(), 1u) << changes;
  EXPECT_FALSE(changes.contains("file:///w/host.py"));
  changes = renamed("count")["changes"];
  EXPECT_EQ(changes[uri].size(), 5u) << changes;
  EXPECT_EQ(changes["file:///w/host.py"].size(), 1u) << changes;
}

// pytest and triton.testing look parameters up by strings, too.
TEST_F(NavigationTest, parametersThatTestsAndBenchmarksName) {
  open(gluonImports + R"(import pytest, triton
NAMES = ["first", "second"]
@pytest.fixture
def data(request):
    return 4

@pytest.mark.parametrize("ro$string^ws, cols", [(1, 2)])
@pytest.mark.parametrize(["dtype", 'block'], [(1, 2)])
def test_copy($rows[[rows]], cols, dty$dtype^pe, block, da$data^ta):
    print(rows, dtype, data)

@pytest.mark.parametrize(NAMES, [(1, 2)])
def test_names(fir$first^st, second):
    print(first)

@pytest.mark.parametrize("pie" "ces", [1])
def test_pieces(pie$pieces^ces):
    print(pieces)

@pytest.mark.parametrize("n", [1])
class TestAll:
    def test_one(self, $one^n):
        print(n)

@triton.testing.perf_report(triton.testing.Benchmark(
    x_names=["N"], x_vals=[1], line_arg="provider", line_vals=["a"], args={"M": 4}))
def bench(N, pro$line^vider, $m^M):
    print(N, provider, M)

def plain(da$plain^ta):
    return data
)");
  auto renamed = [&](const char* point) -> Json {
    Json params = at(source.point(point));
    params["newName"] = "renamed";
    Json result = request("textDocument/rename", params);
    return result.contains("error") ? result["error"]["message"] : Json(result["changes"][uri]);
  };
  for (auto [point, places] :
       {std::pair("string", 3), std::pair("dtype", 3), std::pair("first", 3), std::pair("line", 3),
        std::pair("m", 3), std::pair("one", 3), std::pair("plain", 2)}) {
    Json found = renamed(point);
    EXPECT_TRUE(found.is_array() && found.size() == static_cast<size_t>(places))
        << point << ": " << found;
  }
  Json places = request("textDocument/definition", at(source.point("string")));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0]["range"], range("rows"));
  EXPECT_NE(dumpJson(renamed("data")).find("is the name of a fixture"), std::string::npos);
  EXPECT_NE(dumpJson(renamed("pieces")).find("one plain string"), std::string::npos);
  Json params = at(source.point("string"));
  params["newName"] = "height";
  Json start = at(source.point("string") - 2)["position"];
  Json edits = request("textDocument/rename", params)["changes"][uri];
  EXPECT_TRUE(
      llvm::any_of(edits, [&](const Json& edit) { return edit["range"]["start"] == start; }))
      << edits << start;
}

TEST_F(NavigationTest, namesOfStarImports) {
  client.open("file:///w/deep.py", "def twice(x, by=2): return x * by\nK = 4\n_own = 1\n");
  client.open("file:///w/pkg.py", "from deep import *\n__all__ = ['twice', 'K']\n");
  open(
      "from pkg import *\nx = tw$use^ice(K, by=3)\ny = $hidden^_own\ndef f(twice): return twice\n");
  Json places = request("textDocument/definition", at(source.point("use")));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0]["uri"], "file:///w/deep.py");
  EXPECT_TRUE(request("textDocument/definition", at(source.point("hidden"))).is_null());
  Json params = at(source.point("use"));
  params["newName"] = "doubled";
  Json changes = request("textDocument/rename", params)["changes"];
  EXPECT_EQ(changes[uri].size(), 1u) << changes;
  EXPECT_EQ(changes["file:///w/deep.py"].size(), 1u) << changes;
  EXPECT_EQ(changes["file:///w/pkg.py"].size(), 1u) << changes; // of __all__
  Json help = request("textDocument/signatureHelp", at(source.point("use") + 4));
  EXPECT_EQ(help["signatures"][0]["label"], "twice(x, by=2)") << help;
}

TEST_F(NavigationTest, fieldsThatAreReplaced) {
  open(gluonImports + R"(import dataclasses
@gluon.aggregate
class Tile:
    da$field^ta: gl.tensor
    @gluon.jit
    def more(self):
        return gl.aggregate_replace(self, data=self.data + 1)
@dataclasses.dataclass
class Config:
    wid$width^th: int = 4
small = Config()
large = dataclasses.replace(small, width=8)
)");
  Json params = at(source.point("field"));
  params["newName"] = "renamed";
  EXPECT_EQ(request("textDocument/rename", params)["changes"][uri].size(), 3u);
  params = at(source.point("width"));
  params["newName"] = "renamed";
  EXPECT_EQ(request("textDocument/rename", params)["changes"][uri].size(), 2u);
}

TEST_F(NavigationTest, parametersThatUnknownMappingsGive) {
  open(gluonImports + R"(
@gluon.jit
def fill(dst, co$count^unt, BLO$block^CK: gl.constexpr):
    gl.store(dst, count)

@gluon.jit
def twin(dst, BLO$shared^CK: gl.constexpr):
    gl.store(dst, BLOCK)

SIZES = {"BLOCK": 4}
def main(x, options):
    fill[(1,)](x, 4, **options)
    twin[(1,)](x, **SIZES)
    fill[(1,)](x, 4, **SIZES)
)");
  auto refusal = [&](const char* point) {
    Json params = at(source.point(point));
    params["newName"] = "renamed";
    Json result = request("textDocument/rename", params);
    return result.contains("error") ? result["error"]["message"].get<std::string>() : "";
  };
  EXPECT_EQ(refusal("count"), "");
  EXPECT_NE(refusal("block").find("by '**options', whose keys are not known"), std::string::npos);
  EXPECT_NE(refusal("shared").find("also names a parameter of another function"),
            std::string::npos);
  Json params = at(source.point("count"));
  params["newName"] = "num_warps";
  Json refused = request("textDocument/rename", params);
  EXPECT_NE(refused["error"]["message"].get<std::string>().find("for themselves"),
            std::string::npos);
}

// The launch gives one value to the parameter and to its own option.
TEST_F(NavigationTest, parametersNamedLikeOptionsOfLaunchesKeepTheirNames) {
  open(gluonImports + R"(
@gluon.jit
def tile(dst, num_$warps^warps: gl.constexpr, sta$stages^ges: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [num_warps], [0])
    gl.store(dst + gl.arange(0, 64, layout), stages)

def main(x, num_war$own^ps):
    tile[(1,)](x, num_warps=8, stages=2)
)");
  auto refusal = [&](const char* point) {
    Json params = at(source.point(point));
    params["newName"] = "renamed";
    Json result = request("textDocument/rename", params);
    return result.contains("error") ? result["error"]["message"].get<std::string>() : "";
  };
  EXPECT_NE(refusal("warps").find("'num_warps' is also an option of launches"), std::string::npos);
  EXPECT_EQ(refusal("stages"), "");
  EXPECT_EQ(refusal("own"), "");
}

// Nothing is known of SIZE, so that codegen knows nothing of `state` either.
TEST_F(NavigationTest, fieldsOfInstancesThatAreAssignedAgain) {
  open(gluonImports + R"(
@gluon.aggregate
class State:
    a$field^cc: gl.tensor
    size: gl.constexpr
    @gluon.jit
    def bump(self, by):
        if by == 0:
            return State(self.acc, self.size)
        return State(self.acc + by, self.size)

@gluon.jit
def kernel(p, n, SIZE: gl.constexpr):
    offsets = gl.arange(0, SIZE)
    state = State(gl.load(p + offsets), SIZE)
    for i in range(n):
        state = state.bump(i)
    other = state.bump(2)
    gl.store(p + offsets, state.ac$use^c + other.acc)
)");
  Json params = at(source.point("field"));
  params["newName"] = "sum";
  EXPECT_EQ(request("textDocument/rename", params)["changes"][uri].size(), 5u);
  EXPECT_EQ(request("textDocument/definition", at(source.point("use")))[0]["range"]["start"],
            request("textDocument/definition", at(source.point("field")))[0]["range"]["start"]);
  std::string text = request("textDocument/hover", at(source.point("field")))["contents"]["value"];
  EXPECT_NE(text.find("(field) acc: gl.tensor"), std::string::npos) << text;
}

TEST_F(NavigationTest, callHierarchy) {
  open(gluonImports + R"(
@gluon.jit
def leaf(x):
    return x

@gluon.jit
def $name[[mid]]($at^x):
    return leaf(leaf(x))

@gluon.jit
def kernel(p):
    gl.store(p, mid(1))
kernel[(1,)](None)
)");
  Json items = request("textDocument/prepareCallHierarchy", at(source.range("name").begin));
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0]["name"], "mid");
  Json call = {{"item", items[0]}};
  Json outgoing = request("callHierarchy/outgoingCalls", call);
  ASSERT_EQ(outgoing.size(), 1u) << outgoing;
  EXPECT_EQ(outgoing[0]["to"]["name"], "leaf");
  EXPECT_EQ(outgoing[0]["fromRanges"].size(), 2u);
  Json incoming = request("callHierarchy/incomingCalls", call);
  ASSERT_EQ(incoming.size(), 1u) << incoming;
  EXPECT_EQ(incoming[0]["from"]["name"], "kernel");
  Json callers = request("callHierarchy/incomingCalls", {{"item", incoming[0]["from"]}});
  ASSERT_EQ(callers.size(), 1u) << callers;
  EXPECT_EQ(callers[0]["from"]["kind"], 2); // the module launches it
}

TEST_F(NavigationTest, selectionRanges) {
  open("def f(x):\n    y = g(al^pha, b=2)\n    return y\n");
  Json params = document();
  params["positions"] = Json::array({at(source.point())["position"]});
  Json chain = request("textDocument/selectionRange", params)[0];
  std::vector<std::string> texts;
  for (const Json* each = &chain; each;
       each = each->contains("parent") ? &(*each)["parent"] : nullptr) {
    Json r = (*each)["range"];
    auto offset = [&](const Json& p) { return text->offset({p["line"], p["character"]}); };
    texts.push_back(text->slice({offset(r["start"]), offset(r["end"])}).str());
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"alpha", "alpha, b=2", "g(alpha, b=2)",
                                             "y = g(alpha, b=2)", "y = g(alpha, b=2)\n    return y",
                                             "def f(x):\n    y = g(alpha, b=2)\n    return y",
                                             source.text}));
}

// A definition begins with the @ of its first decorator.
TEST_F(NavigationTest, selectionOfADecoratedFunction) {
  open("@one\n@two(1)\ndef f(x):\n    return y^y\n");
  Json params = document();
  params["positions"] = Json::array({at(source.point())["position"]});
  std::vector<Json> starts;
  Json chain = request("textDocument/selectionRange", params)[0];
  for (const Json* each = &chain; each;
       each = each->contains("parent") ? &(*each)["parent"] : nullptr)
    starts.push_back((*each)["range"]["start"]);
  ASSERT_GE(starts.size(), 3u);
  EXPECT_EQ(starts[starts.size() - 3], Json({{"line", 2}, {"character", 0}}));
  EXPECT_EQ(starts[starts.size() - 2], Json({{"line", 0}, {"character", 0}}));
}

TEST_F(NavigationTest, workspaceSymbols) {
  open(gluonImports + "class Config:\n  size: int = 1\n@gluon.jit\ndef copy_kernel(x): pass\n");
  client.open("file:///w/plain.py", "def copy_plain(): pass\n"); // nothing of Gluon in it
  Json found = request("workspace/symbol", {{"query", "copy"}});
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["name"], "copy_kernel");
  EXPECT_EQ(request("workspace/symbol", {{"query", "cpk"}}).size(), 1u);
  EXPECT_EQ(request("workspace/symbol", {{"query", "size"}})[0]["containerName"], "Config");
  EXPECT_TRUE(request("workspace/symbol", {{"query", "zzz"}}).empty());
}

TEST_F(NavigationTest, definitionOfNothing) {
  open("x = 1 ^ + 2\n");
  EXPECT_TRUE(request("textDocument/definition", at(source.point())).is_null());
  EXPECT_EQ(
      errorCode(client.request(
          "textDocument/definition",
          R"({"textDocument":{"uri":"file:///no/such.py"},"position":{"line":0,"character":0}})")),
      static_cast<int>(ErrorCode::InvalidParams));
}

TEST_F(NavigationTest, referencesAndHighlights) {
  open("def f($1[[block]]):\n  return $2[[bl^ock]] + 1\nf($3[[block]]=1)\n");
  Json places = request("textDocument/references", at(source.point()));
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0]["range"], range("1"));
  EXPECT_EQ(places[2]["range"], range("3"));
  Json highlights = request("textDocument/documentHighlight", at(source.point()));
  EXPECT_EQ(highlights[0]["kind"], 3);
  EXPECT_EQ(highlights[1]["kind"], 2);
}

TEST_F(NavigationTest, rename) {
  open("def f(bl^ock, other):\n  return block\nimport os\n$os^os\n");
  Json params = at(source.point());
  EXPECT_FALSE(request("textDocument/prepareRename", params).is_null());
  params["newName"] = "size";
  EXPECT_EQ(request("textDocument/rename", params)["changes"][uri].size(), 2u);
  for (const char* wrong : {"other", "class", "1a", "", "a b"}) {
    params["newName"] = wrong;
    EXPECT_EQ(errorCode(request("textDocument/rename", params)),
              static_cast<int>(ErrorCode::RequestFailed))
        << wrong;
  }
  Json import = at(source.point("os"));
  import["newName"] = "system";
  EXPECT_EQ(errorCode(request("textDocument/rename", import)),
            static_cast<int>(ErrorCode::RequestFailed));
}

TEST_F(NavigationTest, documentSymbols) {
  open("BLOCK = 4\nclass Config:\n  a: int\n  def m(self): pass\n@gluon.jit\ndef $k[[kernel]](x): "
       "pass\nif BLOCK:\n  y, z = 1, 2\n");
  Json symbols = request("textDocument/documentSymbol", document());
  std::vector<std::string> names;
  for (const Json& symbol : symbols)
    names.push_back(symbol["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"BLOCK", "Config", "kernel", "y", "z"}));
  EXPECT_EQ(symbols[1]["children"].size(), 2u);
  EXPECT_EQ(symbols[2]["detail"], "@gluon.jit");
  EXPECT_EQ(symbols[2]["selectionRange"], range("k"));
  EXPECT_EQ(symbols[2]["range"]["start"]["character"], 0) << "the @ belongs to it";
}

TEST_F(NavigationTest, folds) {
  open("import a\nimport b\n# one\n# two\ndef f(\n    x,\n):\n  return [\n    1,\n  ]\n");
  Json folds = request("textDocument/foldingRange", document());
  std::vector<std::pair<int, int>> lines;
  for (const Json& fold : folds)
    lines.emplace_back(fold["startLine"], fold["endLine"]);
  EXPECT_EQ(lines, (std::vector<std::pair<int, int>>{{0, 1}, {2, 3}, {4, 9}, {7, 9}}));
  EXPECT_EQ(folds[0]["kind"], "imports");
}

} // namespace
} // namespace gluond::lsp
