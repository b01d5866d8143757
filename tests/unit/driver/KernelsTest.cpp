#include "driver/launches/Kernels.h"

#include "diagnostics/Table.h"
#include "driver/analysis/Analysis.h"
#include "driver/analysis/Check.h"
#include "driver/launches/RecordWriter.h"
#include "support/MarkedSource.h"
#include "support/TempFolder.h"
#include "support/ThreadClock.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <set>

namespace gluond::driver {
namespace {

const std::string imports = "import torch\nfrom triton.experimental import gluon\n"
                            "from triton.experimental.gluon import language as gl\n\n";
const std::string kernelText = "@gluon.jit\ndef scale(src, dst, factor, BLOCK: gl.constexpr):\n"
                               "    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
                               "    offsets = gl.arange(0, BLOCK, layout=layout)\n"
                               "    gl.store(dst + offsets, gl.load(src + offsets) * factor)\n";

class KernelsTest : public testing::Test {
protected:
  void open(const std::string& text, int version = 1) {
    if (version == 1)
      workspace.open(path, 1, text);
    else
      workspace.change(path, version, text::SourceText(text));
    snapshot = workspace.snapshot();
    file = snapshot->file(path);
    list = kernelsOf(*snapshot, file, {});
  }
  std::vector<std::string> codes() {
    std::vector<std::string> result;
    auto checked = check(*snapshot, file, worker, {});
    for (const Finding& finding : checked->findings)
      result.push_back(diagnostics::slug(finding.diagnostic.id).str());
    return result;
  }

  std::string path = "/w/a.py";
  Workspace workspace{Settings{}};
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const File> file;
  std::shared_ptr<const KernelList> list;
  Worker worker;
};

TEST_F(KernelsTest, launchesFoundInHostCode) {
  open(imports + kernelText +
       "def run():\n    x = torch.empty(1024, device='cuda')\n    y = torch.empty_like(x)\n"
       "    scale[(1,)](x, y, 2.0, 128)\n    scale[(1,)](x, y, 2.0, 256, num_warps=8)\nrun()\n");
  ASSERT_EQ(list->kernels.size(), 1u);
  const Kernel& kernel = list->kernels[0];
  EXPECT_EQ(kernel.qualname, "scale");
  ASSERT_EQ(kernel.variants.size(), 2u);
  EXPECT_EQ(kernel.variants[0].origin, Origin::Launch);
  EXPECT_TRUE(kernel.variants[0].source);
  EXPECT_EQ(kernel.variants[1].label, "BLOCK=256 num_warps=8 (cuda:90)");
  EXPECT_NE(kernel.variants[0].hash, kernel.variants[1].hash);
  auto record = recordOf(kernel.variants[0], "a.py", snapshot->names());
  EXPECT_EQ(record["args"][0]["type"], "*fp32");
  EXPECT_EQ(record["args"][0]["divisible_by"], 16);
  EXPECT_EQ(record["args"][3]["value"], 128);
  EXPECT_EQ(record["line"], 6);
}

TEST_F(KernelsTest, labelsHaveTheLayoutsOfLaunches) {
  open(
      imports +
      "@gluon.jit\ndef copy(src, S: gl.constexpr, L: gl.constexpr):\n    pass\n"
      "x = torch.empty(1024, device='cuda')\nB = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])\n"
      "for last in (4, 8):\n"
      "    copy[(1,)](x, gl.SwizzledSharedLayout(8, 1, last, [1, 0]), gl.SliceLayout(1, B))\n"
      "for order in ([[0, 1], [0, 2]], [[0, 2], [0, 1]]):\n"
      "    copy[(1,)](x, 'vec=8 (a', gl.SharedLinearLayout(order + [[0, 4], [1, 0], [2, 0], [4, "
      "0], [8, 0]]))\n");
  ASSERT_EQ(list->kernels.size(), 1u);
  std::vector<std::string> labels;
  for (const Variant& variant : list->kernels[0].variants)
    labels.push_back(variant.label);
  // Whole, and if that is too long, from the field that differs.
  EXPECT_THAT(labels, testing::ElementsAre(
                          "S=SwizzledSharedLayout(8, 1, 4, [1, 0]) "
                          "L=SliceLayout(1,BlockedLayout([1,4],[4,8],[... num_warps=4 (cuda:90)",
                          "S=SwizzledSharedLayout(8, 1, 8, [1, 0]) "
                          "L=SliceLayout(1,BlockedLayout([1,4],[4,8],[... num_warps=4 (cuda:90)",
                          "S='vec=8 (a' "
                          "L=SharedLinearLayout([[0,1],[0,2],[0,4],[1,... num_warps=4 (cuda:90)",
                          "S='vec=8 (a' "
                          "L=SharedLinearLayout([[0,2],[0,1],[0,4],[1,... num_warps=4 (cuda:90)"));
}

// Texts without end, and a thousand differences, of which two are enough.
TEST_F(KernelsTest, labelsAreShortHoweverMuchALaunchIsSpecializedOn) {
  int64_t began = threadNanoseconds();
  open(imports +
       "@gluon.jit\ndef k(t, s: gl.constexpr):\n    pass\n"
       "x, y = torch.empty(8, device='cuda'), torch.empty(8, device='cuda', dtype=torch.int8)\n"
       "for text in ('x' * 900000, '[' * 900000, 'Layout(a' * 100000):\n"
       "    k[(1,)]((x,) * 3000, text)\n"
       "k[(1,)]((y,) * 3000, 'x' * 900000)\nk[(1,)]((y,) * 2999 + (x,), 'x' * 900000)\n");
  ASSERT_EQ(list->kernels.size(), 1u);
  std::set<std::string> labels;
  for (const Variant& variant : list->kernels[0].variants) {
    EXPECT_LT(variant.label.size(), 2000u);
    labels.insert(variant.label);
  }
  EXPECT_EQ(labels.size(), list->kernels[0].variants.size());
  EXPECT_EQ(labels.size(), 5u);
  EXPECT_LT(threadNanoseconds() - began, int64_t{5} * 1'000'000'000);
}

TEST_F(KernelsTest, defaultsWhereNobodyLaunches) {
  open(imports +
       "@gluon.jit\ndef helper(x): return x\n@gluon.jit\ndef lonely(p): gl.store(p, helper(1))\n");
  ASSERT_EQ(list->kernels.size(), 1u); // helper is called, so it is no kernel
  EXPECT_EQ(list->kernels[0].variants[0].origin, Origin::Default);
  EXPECT_EQ(codes(), std::vector<std::string>{"typed-defaults"});
}

TEST_F(KernelsTest, whyAKernelHasDefaultTypes) {
  std::string kernel = "@gluon.jit\ndef lonely(p): gl.store(p, 1)\n";
  int version = 0;
  auto reason = [&](const std::string& host) {
    open(imports + kernel + host, ++version);
    auto checked = check(*snapshot, file, worker, {});
    for (const Finding& finding : checked->findings)
      if (finding.diagnostic.id == diagnostics::Id::TypedDefaults)
        return finding.diagnostic.message;
    return std::string();
  };
  EXPECT_THAT(reason(""), testing::StartsWith("no launch of 'lonely' was found;"));
  EXPECT_THAT(reason("def run(*all): lonely[(1,)](*all)\n"),
              testing::StartsWith("the launch of 'lonely' was not evaluated"));
  EXPECT_THAT(reason("lonely[(1,)](wrong=1)\n"),
              testing::StartsWith("the launch of 'lonely' fails;"));
}

TEST_F(KernelsTest, directivesComeFirst) {
  open(imports +
       "# gluond: launch(src=\"*fp16:16\", dst=\"*fp32\", factor=1, BLOCK=2 * 64, "
       "target=\"cuda:100\")\n" +
       kernelText + "scale[(1,)](torch.empty(8), torch.empty(8), 2.0, 128)\n");
  ASSERT_EQ(list->kernels.size(), 1u);
  ASSERT_EQ(list->kernels[0].variants.size(), 1u);
  const Variant& variant = list->kernels[0].variants[0];
  EXPECT_EQ(variant.origin, Origin::Directive);
  EXPECT_EQ(variant.id, "scale.directive.0");
  EXPECT_EQ(variant.target, "cuda:100");
  auto record = recordOf(variant, "a.py", snapshot->names());
  EXPECT_EQ(record["args"][0]["type"], "*fp16");
  EXPECT_EQ(record["args"][0]["divisible_by"], 16);
  EXPECT_FALSE(record["args"][1].contains("divisible_by"));
  EXPECT_EQ(record["args"][2]["type"], "constexpr"); // an int that is 1
  EXPECT_EQ(record["args"][3]["value"], 128);
  Analyzer analyzer(*snapshot, worker, {});
  EXPECT_TRUE(analyzer.analyze(variant)->ok);
}

TEST_F(KernelsTest, wrongDirectivesAreSaid) {
  for (const char* wrong :
       {"launch(src=\"*fp99\", dst=1, factor=1, BLOCK=1)", "launch(", "launch(1, 2, 3, 4, 5)",
        "launch(src=nowhere, dst=1, factor=1, BLOCK=1)", "launch(unknown=1)", "launcher",
        "launch(src=1, dst=1, factor=1, BLOCK=1, target=\"tpu\")", "launch(src = = 2)"}) {
    open(imports + "# gluond: " + wrong + "\n" + kernelText);
    EXPECT_THAT(codes(), testing::Contains("launch-argument")) << wrong;
    workspace.close(path);
  }
}

TEST_F(KernelsTest, recordsBesideTheFile) {
  TempFolder folder;
  path = folder.write("a.py", imports + kernelText +
                                  "scale[(1,)](torch.empty(8), torch.empty(8), 2.0, 128)\n");
  std::string record =
      R"({"id":"r1","file":"a.py","kernel":"scale","target":"hip:gfx942","options":{"num_warps":4},"args":[
      {"name":"src","type":"*fp32"},{"name":"dst","type":"*fp32"},{"name":"factor","type":"fp32"},
      {"name":"BLOCK","type":"constexpr","value":64}]})";
  record.erase(std::remove(record.begin(), record.end(), '\n'), record.end());
  std::string missing = record;
  missing.replace(missing.find("\"scale\""), 7, "\"gone\"");
  folder.write("a.hip.launches.jsonl", record + "\nnot json\n" + missing + "\n");
  folder.write("b.launches.jsonl", record + "\n");
  snapshot = workspace.snapshot();
  file = snapshot->file(path);
  list = kernelsOf(*snapshot, file, {});
  ASSERT_EQ(list->kernels.size(), 1u);
  EXPECT_EQ(list->kernels[0].variants[0].origin, Origin::Record);
  EXPECT_EQ(list->kernels[0].variants[0].target, "hip:gfx942");
  auto found = codes();
  EXPECT_THAT(found, testing::Contains("unknown-kernel"));
  EXPECT_THAT(found, testing::Contains("malformed-record"));
}

// A record's type is one that the program could have made.
TEST_F(KernelsTest, typesInRecordsAreChecked) {
  const std::string shared = R"({"$layout":"SwizzledSharedLayout","vec":1,"per_phase":1,)"
                             R"("max_phase":1,"order":[1,0],"cga_layout":[]})",
                    blocked = R"({"$layout":"BlockedLayout","size_per_thread":[1,4],)"
                              R"("threads_per_warp":[8,4],"warps_per_cta":[4,1],"order":[1,0],)"
                              R"("cga_layout":[]})";
  auto isMalformed = [&](const std::string& kind, const std::string& shape,
                         const std::string& layout) {
    TempFolder folder;
    path = folder.write("a.py", imports + kernelText);
    folder.write("a.launches.jsonl",
                 R"({"id":"r1","file":"a.py","kernel":"scale","target":"cuda:90","options":{)"
                 R"("num_warps":4},"args":[{"name":"src","type":"*fp32"},{"name":"dst","type":)"
                 R"("*fp32"},{"name":"factor","type":"fp32"},{"name":"BLOCK","type":"constexpr",)"
                 R"("value":{"$type":")" +
                     kind + R"(","element_ty":{"$dtype":"fp32"},"shape":)" + shape +
                     R"(,"layout":)" + layout + R"(,"alloc_shape":[64,64]}}]})" + "\n");
    snapshot = workspace.snapshot();
    file = snapshot->file(path);
    list = kernelsOf(*snapshot, file, {});
    return llvm::is_contained(codes(), "malformed-record");
  };
  EXPECT_FALSE(isMalformed("distributed_type", "[64,64]", blocked));
  EXPECT_FALSE(isMalformed("shared_memory_descriptor_type", "[64,64]", shared));
  EXPECT_TRUE(isMalformed("distributed_type", "[64,64]", shared));
  EXPECT_TRUE(isMalformed("distributed_type", "[-1,4611686018427387904]", blocked));
  EXPECT_TRUE(isMalformed("distributed_type", "[64]", blocked));
  EXPECT_TRUE(isMalformed("block_type", "[3]", "null"));
  EXPECT_TRUE(isMalformed("shared_memory_descriptor_type", "[64,64]", blocked));
  EXPECT_TRUE(isMalformed("tensor_memory_descriptor_type", "[64,64]", shared));
}

// The same for a record's values: no range without a step, no int or enum made of fields.
TEST_F(KernelsTest, valuesInRecordsAreChecked) {
  auto isMalformed = [&](const std::string& value) {
    TempFolder folder;
    path = folder.write("a.py", imports +
                                    "import enum, typing\nclass E(enum.Enum):\n    A = 1\n"
                                    "class T(typing.NamedTuple):\n    a: int\n"
                                    "class P:\n    pass\n" +
                                    kernelText);
    folder.write("a.launches.jsonl",
                 R"({"id":"r1","file":"a.py","kernel":"scale","target":"cuda:90","options":{)"
                 R"("num_warps":4},"args":[{"name":"src","type":"*fp32"},{"name":"dst","type":)"
                 R"("*fp32"},{"name":"factor","type":"fp32"},{"name":"BLOCK","type":"constexpr",)"
                 R"("value":)" +
                     value + "}]}\n");
    snapshot = workspace.snapshot();
    file = snapshot->file(path);
    list = kernelsOf(*snapshot, file, {});
    return llvm::is_contained(codes(), "malformed-record");
  };
  EXPECT_FALSE(isMalformed(R"({"$range":[10,0,-1]})"));
  EXPECT_TRUE(isMalformed(R"({"$range":[10,0,0]})"));
  EXPECT_TRUE(isMalformed(R"({"$dict":[[{"$range":[10,0,0]},1]]})"));
  EXPECT_FALSE(isMalformed(R"({"$object":"P","fields":{"a":1}})"));
  EXPECT_TRUE(isMalformed(R"({"$object":"E","fields":{"a":1}})"));
  EXPECT_TRUE(isMalformed(R"({"$object":"T","fields":{"a":1}})"));
  EXPECT_TRUE(isMalformed(R"({"$object":"int","module":"builtins","fields":{}})"));
  EXPECT_FALSE(isMalformed(R"({"$namedtuple":{"$class":"T"},"fields":{"a":1}})"));
  EXPECT_TRUE(isMalformed(R"({"$namedtuple":{"$class":"P"},"fields":{"a":1}})"));
}

// Kernels of a file are compiled at the same time, and what one of them makes is gone with it.
TEST_F(KernelsTest, kernelsChangeNoObjectOfTheirProgram) {
  struct Case {
    std::string program, change, changed;
  };
  const Case cases[] = {
      // __new__ returns an object of the program, whose fields the generated __init__ sets
      {"G = []\n@dataclass\nclass C:\n    x: object = 0\n    def __new__(cls, *a):\n"
       "        return G[0] if G else object.__new__(cls)\nG.append(C(1))\n",
       "C([n] * 100)", "isinstance(G[0].x, list)"},
      // the generated __init__ of a base class
      {"@dataclass\nclass B:\n    x: object = 0\nclass D(B):\n    def __init__(self, x):\n"
       "        super().__init__(x)\nG = D(1)\n",
       "D.__init__(G, [n] * 100)", "isinstance(G.x, list)"},
      // a copy of a function shares its attributes
      {"@gluon.jit\ndef f():\n    pass\nf.tag = 1\n", "f.fn.more = [n] * 100",
       "hasattr(f, 'more')"},
      {"def f():\n    pass\nf.tag = 1\n", "gluon.jit(f).more = [n] * 100", "hasattr(f, 'more')"},
      {"import functools\ndef f():\n    pass\nf.tag = 1\n", "functools.wraps(dict)(f.fn)",
       "hasattr(f, '__wrapped__')"},
      // a list of the program that a mark is added to
      {"import pytest\nL = []\n", "g._gluond_marks = L\n    pytest.mark.foo(g)", "len(L) > 0"},
  };
  int version = 0;
  for (const auto& [program, change, changed] : cases) {
    open(imports + "from dataclasses import dataclass\n" + program +
             "@gluon.constexpr_function\ndef before(n):\n    def g():\n        pass\n"
             "    known = " +
             changed + "\n    " + change +
             "\n    return known\n"
             "@gluon.jit\ndef kernel(p, N: gl.constexpr):\n"
             "    gl.static_assert(before(N) == False)\n"
             "for n in range(4):\n"
             "    kernel[(1,)](torch.empty(64, device='cuda'), n)\n",
         ++version);
    EXPECT_THAT(codes(), testing::Not(testing::Contains("static-assert"))) << program;
  }
}

// A quick look evaluates the file for one target; records for others wait, but for those of a
// kernel that has no other, and the one the user chose.
TEST_F(KernelsTest, quickLooksLeaveOtherTargetsOut) {
  TempFolder folder;
  path = folder.write("a.py", imports + kernelText);
  std::string lines;
  for (std::string target : {"cuda:90", "cuda:100"})
    lines +=
        R"({"id":")" + target + R"(","file":"a.py","kernel":"scale","target":")" + target +
        R"(","options":{"num_warps":4},"args":[{"name":"src","type":"*fp32"},{"name":"dst","type":"*fp32"},)"
        R"({"name":"factor","type":"fp32"},{"name":"BLOCK","type":"constexpr","value":64}]})"
        "\n";
  folder.write("a.launches.jsonl", lines);
  auto look = [&](Depth depth) {
    snapshot = workspace.snapshot();
    return kernelsOf(*snapshot, snapshot->file(path), {}, depth);
  };
  auto quick = look(Depth::Quick), full = look(Depth::Full);
  EXPECT_FALSE(quick->isComplete);
  EXPECT_EQ(quick->programs.size(), 1u);
  EXPECT_EQ(quick->kernels[0].variants.size(), 1u);
  EXPECT_TRUE(full->isComplete);
  EXPECT_EQ(full->programs.size(), 2u);
  EXPECT_EQ(full->kernels[0].variants.size(), 2u);
  workspace.select(path, "scale", "cuda:100");
  quick = look(Depth::Quick);
  EXPECT_TRUE(quick->isComplete);
  EXPECT_EQ(quick->kernels[0].variants[quick->kernels[0].selected].id, "cuda:100");
}

// Between two keys in a large kernel there is time for mistakes only: the lints are those of the
// last whole check, where the text is still the same.
TEST_F(KernelsTest, lintsOfALargeKernelFollowAfterAPause) {
  std::string body;
  for (int i = 0; i < 500; ++i)
    body += "    x = x * 2.0 + gl.load(src + offsets)  # step " + std::to_string(i) + " of many\n";
  const std::string unused = "    gl.convert_layout(x, other)\n";
  auto program = [&](const std::string& first, const std::string& last) {
    return imports +
           "@gluon.jit\ndef scale(src, dst, BLOCK: gl.constexpr):\n"
           "    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
           "    other: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])\n"
           "    offsets = gl.arange(0, BLOCK, layout=layout)\n"
           "    x = gl.load(src + offsets)\n" +
           first + body + last +
           "    gl.store(dst + offsets, x)\n"
           "x = torch.empty(1024, device='cuda')\nscale[(1,)](x, x, 128)\n";
  };
  auto look = [&](Depth depth) { return *check(*snapshot, file, worker, {}, depth); };
  auto lines = [&](const CheckResult& result) {
    std::vector<uint32_t> found;
    for (const Finding& finding : result.findings)
      found.push_back(file->text().position(finding.diagnostic.location.range.begin).line);
    return found;
  };
  open(program("", unused));
  auto whole = look(Depth::Quick);
  EXPECT_TRUE(whole.isComplete);
  ASSERT_EQ(whole.findings.size(), 1u) << "the unused conversion";
  EXPECT_EQ(lines(whole), std::vector<uint32_t>{510});

  open(program("    x = x + 1.0\n", unused), 2);
  auto quick = look(Depth::Quick);
  EXPECT_FALSE(quick.isComplete);
  EXPECT_EQ(lines(quick), std::vector<uint32_t>{511});
  EXPECT_EQ(lines(look(Depth::Full)), std::vector<uint32_t>{511});

  open(program("    y = x + missing\n", unused), 3);
  quick = look(Depth::Quick);
  EXPECT_EQ(lines(quick), std::vector<uint32_t>{10}) << "mistakes are told at once";

  open(program("", ""), 4);
  EXPECT_TRUE(lines(look(Depth::Quick)).empty()) << "what was there is gone";
}

// A mistake is told once for all launches, at its place, and moves with its kernel when text above
// changes.
TEST_F(KernelsTest, resultsMoveWithTheirKernels) {
  MarkedSource source(imports +
                      "@gluon.jit\ndef k(p, N: gl.constexpr):\n    gl.store(p, $bad[[undefined]])\n"
                      "x = torch.empty(8, device=\"cuda\")\nk[(1,)](x, 1)\nk[(1,)](x, 2)\n");
  open(source.text);
  auto findings = check(*snapshot, file, worker, {})->findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].diagnostic.location.range, source.range("bad"));
  EXPECT_EQ(findings[0].kernel, "k");
  const std::string above = "# \xe2\x82\xac more text\n";
  open(above + source.text, 2);
  findings = check(*snapshot, file, worker, {})->findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].diagnostic.location.range.begin, source.range("bad").begin + above.size());
}

TEST_F(KernelsTest, fingerprintsFollowWhatAKernelReaches) {
  auto fingerprint = [&](const std::string& text) {
    static int version = 1;
    Workspace own{Settings{}};
    own.open(path, version++, imports + text);
    auto snap = own.snapshot();
    auto program = EvaluatedFile::of(*snap, snap->file(path), "cuda:90", "", {});
    return Fingerprinter(*program).of(*program->kernel("k")).value;
  };
  // Names are numbered per workspace: bind the same ones in the same order.
  std::string base = "C = gl.constexpr(4)\n@gluon.jit\ndef h(x): return x + C\n@gluon.jit\ndef "
                     "k(p): gl.store(p, h(1))\nz = 1\n";
  auto replaced = [&](const char* what, const char* with) {
    std::string text = base;
    return text.replace(text.find(what), strlen(what), with);
  };
  EXPECT_EQ(fingerprint(base), fingerprint(base));
  EXPECT_EQ(fingerprint(base), fingerprint(replaced("z = 1", "z = 2"))); // not reached
  EXPECT_NE(fingerprint(base), fingerprint(replaced("x + C", "x - C"))); // a callee's text
  EXPECT_NE(fingerprint(base),
            fingerprint(replaced("constexpr(4)", "constexpr(5)"))); // a global it names
  EXPECT_NE(fingerprint(base), fingerprint(replaced("h(1)", "h(2)")));
}

TEST_F(KernelsTest, cancelled) {
  open(imports + kernelText);
  CancellationSource source;
  source.cancel();
  EXPECT_FALSE(check(*snapshot, file, worker, source.token()));
}

TEST_F(KernelsTest, stageWithLineOrigins) {
  open(imports + kernelText + "scale[(1,)](torch.empty(8), torch.empty(8), 2.0, 128)\n");
  Analyzer analyzer(*snapshot, worker, {});
  for (const char* id : {"source", "ttgir"}) {
    auto stage = analyzer.stage(list->kernels[0].variants[0], id);
    ASSERT_TRUE(stage);
    EXPECT_EQ(stage->text,
              analyzer.stage(list->kernels[0].variants[0], id, false)->text); // as emit prints it
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(stage->text).split(lines, '\n');
    bool sawStore = false;
    for (const LineOrigin& origin : stage->lines) {
      ASSERT_LT(origin.line, lines.size());
      if (!lines[origin.line].contains("tt.store")) continue;
      sawStore = true;
      EXPECT_EQ(file->text().line(file->text().lineOf(origin.place.range.begin)).trim(),
                "gl.store(dst + offsets, gl.load(src + offsets) * factor)");
    }
    EXPECT_TRUE(sawStore) << stage->text;
  }
  EXPECT_FALSE(analyzer.stage(list->kernels[0].variants[0], "nonsense")->unsupported.empty());
}

TEST_F(KernelsTest, hostileFiles) {
  for (const std::string& text :
       {std::string("while True: pass\n"), std::string("def f(): f()\nf()\n"),
        std::string("import a\n"), std::string(3000, '('), std::string("\0\xff\xfe", 3),
        std::string("@gluon.jit\ndef k(\n")}) {
    open(text);
    EXPECT_TRUE(check(*snapshot, file, worker, {}));
    workspace.close(path);
  }
}

// Copies of a kernel in two files are kernels of their own: what is said of one is said in its
// file.
TEST_F(KernelsTest, copiesInTwoFiles) {
  std::string wrong = "@gluon.jit\ndef k(p):\n    gl.stor(p, 0)\n";
  std::string other = "/w/b.py";
  workspace.open(other, 1, imports + "# moved down\n" + wrong);
  open(imports + wrong);
  for (const std::string& each : {path, other}) {
    auto checked = check(*snapshot, snapshot->file(each), worker, {});
    bool isTold = false;
    for (const Finding& finding : checked->findings) {
      const text::SourceText& text = snapshot->file(each)->text();
      EXPECT_EQ(finding.diagnostic.location.file, snapshot->file(each)->id());
      if (finding.diagnostic.severity != diagnostics::Severity::Error) continue;
      isTold = true;
      EXPECT_TRUE(text.slice(finding.diagnostic.location.range).contains("stor")) << each;
    }
    EXPECT_TRUE(isTold) << each;
  }
}

// What a value holds many times is read once; what holds itself is equal to nothing.
TEST_F(KernelsTest, FingerprintsOfSharedValues) {
  open(imports + "shared = (1, 2)\nfor i in range(20):\n    shared = (shared,) * 100\n"
                 "other = (1, 3)\nfor i in range(20):\n    other = (other,) * 100\n"
                 "again = (1, 2)\nfor i in range(20):\n    again = (again,) * 100\n"
                 "itself = [1]\nitself.append(itself)\nitself.append(itself)\n");
  ASSERT_TRUE(list && !list->programs.empty());
  const EvaluatedFile& program = *list->programs.front();
  auto of = [&](const char* name) {
    language::Value value = program.module()->globals->get(snapshot->names().intern(name));
    return value.isAbsent() ? 0 : program.fingerprints().of(value);
  };
  EXPECT_NE(of("shared"), 0u);
  EXPECT_EQ(of("shared"), of("shared"));
  EXPECT_EQ(of("shared"), of("again"));
  EXPECT_NE(of("shared"), of("other"));
  EXPECT_NE(of("itself"), of("itself"));
}

} // namespace
} // namespace gluond::driver
