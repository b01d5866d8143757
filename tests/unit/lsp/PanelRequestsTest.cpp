// What the panels ask, on kernels small enough to count by hand.
#include "TestServer.h"
#include "support/MarkedSource.h"

#include <algorithm>
#include <set>

namespace gluond::lsp {
namespace {

constexpr const char* uri = "file:///w/a.py";

constexpr const char* program = R"(from triton.experimental import gluon
from triton.experimental.gluon import language as ttgl

# gluond: launch(src="*fp32:16", dst="*fp32:16", stride="i32:16", index="*i32:16")
@gluon.jit
def kernel(src, dst, stride, index):
    rows: ttgl.constexpr = $layout[[ttgl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])]]
    columns: ttgl.constexpr = ttgl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    i = ttgl.arange(0, 32, layout=ttgl.SliceLayout(1, rows))
    j = ttgl.arange(0, 32, layout=ttgl.SliceLayout(0, rows))
    where = i[:, None] * stride + j[None, :]
    tile = ttgl.load(src + where)
    ttgl.store(dst + i[:, None] + j[None, :] * stride, ^tile, mask=j[None, :] < 16)
    smem = ttgl.allocate_shared_memory(ttgl.float32, [32, 32], ttgl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    smem.store(ttgl.convert_layout(tile, columns))
    k = ttgl.load(index + ttgl.arange(0, 32, layout=ttgl.SliceLayout(1, rows)))
    ttgl.store(dst + k, k.to(ttgl.float32))
)";

class PanelRequests : public testing::Test {
protected:
  PanelRequests() : source(program), text(source.text) {
    client.initialize();
    client.open(uri, source.text);
  }
  Json request(const char* method, Json params) { return client.request(method, dumpJson(params)); }
  Json document() const { return {{"uri", uri}}; }
  Json position(text::Offset offset) const {
    text::Position p = text.position(offset);
    return {{"line", p.line}, {"character", p.character}};
  }
  Json operations() {
    return request("gluond/operations",
                   {{"textDocument", document()}, {"kernel", "kernel"}})["operations"];
  }
  Json access(int operation, int warp = 0, int instruction = 0, Json given = Json::array()) {
    return request("gluond/access", {{"textDocument", document()},
                                     {"kernel", "kernel"},
                                     {"operation", operation},
                                     {"warp", warp},
                                     {"instruction", instruction},
                                     {"given", given}});
  }
  // The index of the nth operation of a kind.
  int indexOf(const std::string& kind, int nth = 0) {
    for (const Json& operation : operations())
      if (operation["kind"] == kind && nth-- == 0) return operation["index"];
    return -1;
  }

  TestServer client;
  MarkedSource source;
  text::SourceText text;
};

TEST_F(PanelRequests, passesByNameWithWhatTheyChanged) {
  Json result = request("gluond/passes", {{"textDocument", document()}, {"kernel", "kernel"}});
  std::vector<std::string> names;
  for (const Json& pass : result["passes"]) {
    names.push_back(pass["id"]);
    EXPECT_EQ(pass["changed"].get<bool>(), pass.contains("text")) << pass["id"];
  }
  EXPECT_EQ(names.front(), "gluon-inline");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_NE(std::find(names.begin(), names.end(), "gluon-canonicalize:2"), names.end());
  EXPECT_FALSE(result.contains("failed"));
  // The IR after a pass, with its lines; after the last it is the stage's.
  auto behind = [&](const Json& pass) {
    return request(
        "gluond/stageIR",
        {{"textDocument", document()}, {"kernel", "kernel"}, {"stage", "ttgir"}, {"pass", pass}});
  };
  Json stage = request("gluond/stageIR",
                       {{"textDocument", document()}, {"kernel", "kernel"}, {"stage", "ttgir"}});
  EXPECT_EQ(behind(names.back())["text"], stage["text"]);
  EXPECT_EQ(behind(names.back())["lines"], stage["lines"]);
  std::string last = result["text"];
  for (const Json& pass : result["passes"]) {
    if (pass.contains("text")) last = pass["text"];
    EXPECT_EQ(behind(pass["id"])["text"], last) << pass["id"];
  }
  EXPECT_EQ(last, stage["text"].get<std::string>());
  EXPECT_NE(behind("nosuch")["error"]["message"].get<std::string>().find("unknown pass 'nosuch'"),
            std::string::npos);
}

TEST_F(PanelRequests, aRunAndAnyMomentOfIt) {
  Json run = request("gluond/simulate", {{"textDocument", document()}, {"kernel", "kernel"}});
  ASSERT_FALSE(run.contains("error")) << run.dump();
  EXPECT_EQ(run["program"], "0,0,0");
  EXPECT_EQ(run["schedule"], "latest");
  EXPECT_FALSE(run.contains("stopped"));
  uint64_t steps = run["steps"];
  EXPECT_GT(steps, 10u);
  ASSERT_EQ(run["lanes"].size(), 1u);
  EXPECT_EQ(run["lanes"][0]["name"], "default partition");
  // The slices name lines of the document.
  std::set<std::string> lines;
  for (const Json& slice : run["slices"]) {
    EXPECT_LE(slice["to"].get<uint64_t>(), steps);
    if (slice.contains("place")) lines.insert(run["places"][slice["place"].get<size_t>()]["text"]);
  }
  EXPECT_TRUE(lines.contains("smem.store(ttgl.convert_layout(tile, columns))"));
  ASSERT_EQ(run["buffers"].size(), 1u);
  const Json& buffer = run["buffers"][0];
  EXPECT_EQ(buffer["name"], "smem");
  EXPECT_EQ(buffer["shape"], Json({32, 32}));
  ASSERT_EQ(buffer["writes"].size(), 1u);
  uint64_t written = buffer["writes"][0];

  auto at = [&](uint64_t moment) {
    return request("gluond/moment", {{"run", run["run"]}, {"moment", moment}, {"buffer", 0}});
  };
  Json after = at(written), before = at(written - 1);
  EXPECT_EQ(after["contents"]["values"].size(), 1024u);
  EXPECT_NE(after["contents"]["values"][3], "");
  EXPECT_EQ(after["contents"]["changed"].size(), 1024u);
  EXPECT_EQ(after["contents"]["writtenAt"], written);
  EXPECT_EQ(before["contents"]["values"][3], "");
  EXPECT_FALSE(before["contents"].contains("writtenAt"));
  EXPECT_EQ(before["partitions"][0]["name"], "default partition");
  EXPECT_EQ(at(steps)["partitions"][0]["state"], "has ended");

  // What a value contains then: a tensor of registers, a buffer, an expression.
  auto value = [&](uint64_t moment, const char* expression) {
    return request("gluond/moment", {{"run", run["run"]},
                                     {"moment", moment},
                                     {"expression",
                                      {{"textDocument", document()},
                                       {"position", {{"line", 10}, {"character", 4}}},
                                       {"text", expression}}}});
  };
  Json columns = value(written, "j");
  EXPECT_EQ(columns["elements"]["shape"], Json({32}));
  EXPECT_EQ(columns["elements"]["dtype"], "int32");
  EXPECT_EQ(columns["elements"]["values"][7], "7");
  EXPECT_EQ(value(written, "smem")["elements"]["values"].size(), 1024u);
  EXPECT_EQ(value(written, "j + 1")["elements"]["values"][7], "8");
  EXPECT_EQ(value(0, "j")["problem"], "no call that is under way has such a variable");
  EXPECT_TRUE(value(written, "nothing").contains("problem"));
  EXPECT_TRUE(value(written, "j[").contains("problem"));

  // A new run takes the place of the last one; what cannot run says why.
  EXPECT_TRUE(request("gluond/moment", {{"run", "99"}, {"moment", 0}}).contains("error"));
  for (const auto& [name, value] :
       {std::pair("program", "900,0,0"), {"schedule", "explore:3"}, {"schedule", "never"}}) {
    Json refused = request("gluond/simulate",
                           {{"textDocument", document()}, {"kernel", "kernel"}, {name, value}});
    EXPECT_TRUE(refused.contains("error")) << name;
  }
}

TEST_F(PanelRequests, whatATargetCannotDoIsSaid) {
  auto errors = [&](const char* expression, const char* target, Json shape = {64, 64}) {
    std::string text;
    Json study = request(
        "gluond/studyLayout",
        {{"expression", expression}, {"shape", shape}, {"dtype", "fp32"}, {"target", target}});
    for (const Json& warning : study["warnings"])
      if (warning["severity"] == "error") text += warning["message"].get<std::string>() + "\n";
    return text;
  };
  auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const char* blocked = "gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])";
  EXPECT_EQ(errors(blocked, "cuda:90"), "");
  EXPECT_TRUE(has(errors(blocked, "hip:gfx942"), "32 lanes per warp, but the chip has 64"));
  EXPECT_EQ(errors(blocked, "hip:gfx1100"), "");
  EXPECT_TRUE(has(errors("gl.SliceLayout(1, gl.BlockedLayout([1, 4], [8, 8], [4, 1], [1, 0]))",
                         "cuda:80", {64}),
                  "64 lanes per warp, but the chip has 32"));
  EXPECT_TRUE(has(errors("gl.BlockedLayout([1, 1], [1, 32], [64, 1], [1, 0])", "cuda:90"),
                  "64 warps, which are 2048 threads"));
  const char* shared = "gl.SwizzledSharedLayout(1, 1, 1, [1, 0])";
  EXPECT_EQ(errors(shared, "cuda:90", {128, 256}), "");
  EXPECT_TRUE(has(errors(shared, "cuda:86", {128, 256}), "131072 bytes of shared memory"));
  EXPECT_TRUE(has(errors(shared, "cuda:90", {3, 128, 256}), "393216 bytes")); // three slots
  // Padding counts, too: 65536 bytes are there.
  const char* padded = "gl.PaddedSharedLayout.with_identity_for([[64, 4]], [128, 128], [1, 0])";
  EXPECT_TRUE(has(errors(padded, "hip:gfx942", {128, 128}), "69616 bytes of shared memory"));
  const char* wgmma =
      "gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])";
  EXPECT_EQ(errors(wgmma, "cuda:90"), "");
  EXPECT_TRUE(has(errors(wgmma, "cuda:80"), "wgmma"));
  EXPECT_TRUE(has(errors("gl.nvidia.blackwell.TensorMemoryLayout([128, 64], col_stride=1)",
                         "cuda:90", {128, 64}),
                  "no tensor memory"));
}

TEST_F(PanelRequests, operationsInOrderWithTheirLines) {
  Json all = operations();
  std::vector<std::string> kinds;
  std::vector<int> lines;
  for (const Json& operation : all) {
    kinds.push_back(operation["kind"]);
    lines.push_back(operation["location"]["range"]["start"]["line"]);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"global", "global", "buffer", "conversion", "shared",
                                             "global", "global"}));
  EXPECT_EQ(lines, (std::vector<int>{11, 12, 13, 14, 14, 15, 16}));
  EXPECT_EQ(all[0]["registers"], "gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])");
  EXPECT_EQ(all[3]["other"], "gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])");
  EXPECT_EQ(all[2]["summary"], "4096 bytes");
}

// Lane 8 r + c of warp w holds row 4 w + r, columns 4 c to 4 c + 3.
TEST_F(PanelRequests, addressesOfAGlobalLoad) {
  Json result = access(indexOf("global"), 1);
  ASSERT_TRUE(result.contains("addresses")) << result;
  EXPECT_EQ(result["bytes"], 16);
  EXPECT_EQ(result["warps"], 4);
  EXPECT_EQ(result["instructions"], 2);
  for (int lane = 0; lane < 32; ++lane) {
    int row = 4 + lane / 8, column = lane % 8 * 4;
    EXPECT_EQ(result["addresses"][lane], (row * 4096 + column) * 4);
    EXPECT_EQ(result["coordinates"][lane], (Json{row, column}));
  }
  EXPECT_EQ(result["sectors"], 16);
  EXPECT_EQ(result["leastSectors"], 16);
  EXPECT_EQ(result["lines"], 4);
  EXPECT_EQ(result["assumptions"],
            (Json::array(
                {{{"name", "stride"}, {"value", 4096}, {"given", false}, {"launched", false}}})));
}

TEST_F(PanelRequests, givenValuesTakeTheirPlace) {
  Json result = access(indexOf("global"), 0, 1, {{{"name", "stride"}, {"value", 48}}});
  EXPECT_EQ(result["addresses"][8], (17 * 48) * 4); // the second instruction begins 16 rows below
  EXPECT_EQ(result["assumptions"][0]["given"], true);
}

TEST_F(PanelRequests, uncoalescedAndMasked) {
  Json result = access(indexOf("global", 1));
  EXPECT_EQ(result["bytes"], 4);
  EXPECT_EQ(result["addresses"][9], (1 + 4 * 4096) * 4);
  EXPECT_EQ(result["active"][3], 1); // column 12
  EXPECT_EQ(result["active"][4], 0); // column 16
  EXPECT_EQ(result["sectors"], 4);   // four columns of four rows side by side
  EXPECT_EQ(result["leastSectors"], 2);
}

TEST_F(PanelRequests, banksOfASharedStore) {
  Json result = access(indexOf("shared"));
  EXPECT_EQ(result["banks"], 32);
  EXPECT_EQ(result["bytes"], 4);
  // Lanes 0 to 7 hold rows 0, 4, .. of a column: 32 words a row, so the same bank.
  EXPECT_EQ(result["addresses"][1], 4 * 128);
  EXPECT_EQ(result["wavefronts"], 8);
  EXPECT_EQ(result["leastWavefronts"], 1);
}

// What is loaded counts up, by as much as one says.
// A slot or a slice is a part of a buffer, which another buffer with the same layout is not.
TEST_F(PanelRequests, buffersOfSlotsAndSlices) {
  client.open("file:///w/b.py", R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# gluond: launch(x="*fp16:16", out="*fp16:16", k="i32")
@gluon.jit
def kernel(x, out, k):
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    part: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    plain: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    pads: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [128, 64], [1, 0])
    i = gl.arange(0, 128, gl.SliceLayout(1, rows))
    j = gl.arange(0, 64, gl.SliceLayout(0, rows))
    tile = gl.load(x + i[:, None] * 64 + j[None, :])
    ring = gl.allocate_shared_memory(gl.float16, [3, 128, 64], plain)
    other = gl.allocate_shared_memory(gl.float16, [128, 64], plain)
    padded = gl.allocate_shared_memory(gl.float16, [128, 64], pads)
    ring.index(k % 3).store(tile)
    other.store(tile)
    padded.store(tile)
    r = gl.arange(0, 128, gl.SliceLayout(1, part))
    c = gl.arange(0, 8, gl.SliceLayout(0, part))
    a = ring.index(k % 3).slice(8, 8, dim=1).load(part)
    b = padded.slice(8, 8, dim=1).load(part)
    d = other.permute((1, 0)).load(rows)
    gl.store(out + r[:, None] * 8 + c[None, :], a + b)
    gl.store(out + 4096 + gl.arange(0, 64, gl.SliceLayout(1, rows)), gl.sum(d, 1))
)");
  auto ask = [&](const char* method, Json params) {
    params["textDocument"] = {{"uri", "file:///w/b.py"}};
    params["kernel"] = "kernel";
    return request(method, std::move(params));
  };
  Json all = ask("gluond/operations", Json::object());
  ASSERT_TRUE(all.contains("operations")) << all;
  std::vector<Json> buffers, stores, loads;
  for (const Json& each : all["operations"]) {
    if (each["kind"] == "buffer") buffers.push_back(each);
    if (each["kind"] == "shared") (each["writes"] == true ? stores : loads).push_back(each);
  }
  ASSERT_EQ(buffers.size(), 3u) << all;
  ASSERT_EQ(stores.size(), 3u) << all;
  ASSERT_EQ(loads.size(), 3u) << all;
  EXPECT_EQ(buffers[0]["bufferShape"], (Json{3, 128, 64}));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(stores[i]["buffers"], (Json{buffers[i]["index"]})) << stores[i];
    EXPECT_EQ(stores[i]["bufferShape"], buffers[i]["bufferShape"]);
  }
  EXPECT_EQ(loads[0]["buffers"], (Json{buffers[0]["index"]}));
  EXPECT_EQ(loads[0]["shape"], (Json{128, 8}));
  EXPECT_EQ(loads[0]["bufferShape"], (Json{3, 128, 64}));
  EXPECT_EQ(loads[1]["buffers"], (Json{buffers[2]["index"]}));
  EXPECT_EQ(loads[2]["buffers"], (Json{buffers[1]["index"]}));
  EXPECT_EQ(loads[2]["bufferShape"], (Json{64, 128}));
  // Rows of 128 bytes, with padding of 144.
  EXPECT_EQ(loads[0]["summary"], "16 bytes per lane, ld.shared, 8-way bank conflicts");
  EXPECT_EQ(loads[1]["summary"], "16 bytes per lane, ld.shared, no bank conflicts");
  for (auto [load, row] : {std::pair(loads[0], 128), std::pair(loads[1], 144)}) {
    Json access = ask(
        "gluond/access",
        {{"operation", load["index"]}, {"warp", 0}, {"instruction", 0}, {"given", Json::array()}});
    ASSERT_TRUE(access.contains("addresses")) << access;
    EXPECT_EQ(access["addresses"][1], row) << access;
  }
}

TEST_F(PanelRequests, addressesThatDependOnMemory) {
  Json result = access(indexOf("global", 3));
  EXPECT_FALSE(result.contains("unknown")) << result;
  EXPECT_EQ(
      result["assumptions"],
      Json::parse(
          R"([{"name": "loaded in line 16: i *", "value": 1, "given": false, "launched": false}])"));
  EXPECT_EQ(result["addresses"][8], 4) << result; // lane 8 has the second row
  result =
      access(indexOf("global", 3), 0, 0, {{{"name", "loaded in line 16: i *"}, {"value", 64}}});
  EXPECT_EQ(result["addresses"][8], 256) << result;
}

TEST_F(PanelRequests, wrongNumbersAreRefused) {
  for (const Json& reply :
       {access(99), access(indexOf("global"), 4), access(indexOf("global"), 0, 2),
        access(indexOf("shared"), 0, 99), access(indexOf("conversion"))})
    EXPECT_EQ(errorCode(reply), static_cast<int>(ErrorCode::RequestFailed)) << reply;
}

TEST_F(PanelRequests, conversions) {
  Json result =
      request("gluond/conversion", {{"from", "gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])"},
                                    {"to", "gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])"},
                                    {"shape", {32, 32}},
                                    {"dtype", "fp32"}});
  EXPECT_EQ(result["kind"], "warps") << result;
  EXPECT_EQ(result["bytes"], 4096);
  EXPECT_EQ(result["from"]["kind"], "registers");
  // 8 registers a thread: 32 bytes out and 32 bytes in, at most 16 at a time; both sides hold runs
  // of 4 in different directions, so that one of them goes word by word.
  const Json& instructions = result["instructions"];
  EXPECT_EQ(instructions["stores"].get<int>() * instructions["storeBytes"].get<int>(), 32);
  EXPECT_EQ(instructions["loads"].get<int>() * instructions["loadBytes"].get<int>(), 32);
  EXPECT_EQ(instructions["barriers"], 1);
  EXPECT_EQ(instructions["barrier"], "program");
  Json lanes =
      request("gluond/conversion", {{"from", "gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])"},
                                    {"to", "gl.BlockedLayout([1, 1], [8, 4], [4, 1], [1, 0])"},
                                    {"shape", {32, 32}},
                                    {"dtype", "fp32"}});
  EXPECT_EQ(lanes["kind"], "lanes");
  EXPECT_EQ(lanes["instructions"]["shuffles"], 8) << "lanes trade places too";
  EXPECT_EQ(lanes["instructions"]["stores"], 0);
  Json free = request("gluond/conversion", {{"from", "gl.BlockedLayout([4], [32], [4], [0])"},
                                            {"to", "gl.BlockedLayout([4], [32], [4], [0])"},
                                            {"shape", {512}}});
  EXPECT_EQ(free["kind"], "nothing");
  EXPECT_FALSE(free.contains("instructions"));

  // In a loop, one round of 32 KiB costs less than two of 16 with more barriers.
  Json large = {{"from", "gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])"},
                {"to", "gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])"},
                {"shape", {128, 64}},
                {"dtype", "fp32"}};
  Json once = request("gluond/conversion", large);
  large["inLoop"] = true;
  Json looped = request("gluond/conversion", large);
  EXPECT_GT(once["instructions"]["barriers"], looped["instructions"]["barriers"]);
  EXPECT_LT(once["sharedBytes"], looped["sharedBytes"]);
  EXPECT_EQ(looped["sharedBytes"], 32768);
  EXPECT_THAT(looped["summary"].get<std::string>(),
              testing::HasSubstr("through 32768 bytes of shared memory and 1 barrier"));

  // AMD's chips: shared memory, shuffles, and CDNA 4's swaps of lanes.
  Json amd = {{"from", "gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0])"},
              {"to", "gl.BlockedLayout([4, 1], [16, 4], [1, 4], [0, 1])"},
              {"shape", {64, 64}},
              {"dtype", "fp16"},
              {"target", "hip:gfx942"}};
  EXPECT_GT(request("gluond/conversion", amd)["instructions"]["stores"], 0);
  amd["to"] = "gl.BlockedLayout([1, 2], [4, 16], [4, 1], [1, 0])";
  EXPECT_GT(request("gluond/conversion", amd)["instructions"]["shuffles"], 0);
  const std::string mfma = "gl.amd.AMDMFMALayout(version=4, instr_shape=[32, 32, 16], "
                           "transposed=True, warps_per_cta=[4, 1])";
  Json swapped = request("gluond/conversion", {{"from", mfma},
                                               {"to", "gl.DotOperandLayout(0, " + mfma + ", 8)"},
                                               {"shape", {128, 128}},
                                               {"dtype", "fp16"},
                                               {"target", "hip:gfx950"}});
  EXPECT_EQ(swapped["instructions"]["swaps"], 16) << swapped;
  EXPECT_EQ(swapped["sharedBytes"], 0);
  EXPECT_EQ(errorCode(request("gluond/conversion", {{"from", "1"}, {"to", "2"}, {"shape", {32}}})),
            static_cast<int>(ErrorCode::RequestFailed));
}

TEST_F(PanelRequests, aLayoutTriedOut) {
  Json good = request("gluond/studyLayout",
                      {{"expression", "gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])"},
                       {"shape", {64, 32}},
                       {"dtype", "fp32"}});
  EXPECT_EQ(good["global"]["bytes"], 16) << good;
  EXPECT_EQ(good["global"]["sectors"], good["global"]["leastSectors"]);
  EXPECT_EQ(good["warnings"], Json::array());
  EXPECT_EQ(good["registers"], 16);
  Json bad = request("gluond/studyLayout",
                     {{"expression", "gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])"},
                      {"shape", {128, 32}},
                      {"dtype", "fp32"},
                      {"partner", "gl.SwizzledSharedLayout(1, 1, 1, [1, 0])"}});
  EXPECT_EQ(bad["global"]["sectors"], 2 * bad["global"]["leastSectors"].get<int>()) << bad;
  EXPECT_EQ(bad["shared"]["wavefronts"], 8 * bad["shared"]["leastWavefronts"].get<int>());
  EXPECT_EQ(bad["warnings"].size(), 2u);
  Json broken =
      request("gluond/studyLayout",
              {{"expression", "gl.BlockedLayout([3], [32], [4], [0])"}, {"shape", {128}}});
  EXPECT_TRUE(broken["error"].is_string()) << broken;
}

TEST_F(PanelRequests, whereALayoutIsWrittenAndAnotherInItsPlace) {
  text::Range written = source.range("layout");
  Json range = {{"start", position(written.begin)}, {"end", position(written.end)}};
  Json map = request("gluond/layoutMap",
                     {{"textDocument", document()}, {"position", position(source.point())}});
  EXPECT_EQ(map["kind"], "registers") << map;
  EXPECT_EQ(map["source"]["range"], range) << map;
  Json params = {
      {"textDocument", document()},
      {"range", range},
      {"expression",
       "gl.SliceLayout(1, gl.BlockedLayout([1, 1, 2], [4, 8, 1], [4, 1, 1], [2, 1, 0]))"}};
  Json edit = request("gluond/writeLayout", params);
  std::string expected =
      "ttgl.SliceLayout(1, ttgl.BlockedLayout([1, 1, 2], [4, 8, 1], [4, 1, 1], [2, 1, 0]))";
  EXPECT_EQ(edit["text"], expected) << edit;
  EXPECT_EQ(edit["edit"]["changes"][uri][0]["newText"], expected);
  EXPECT_EQ(edit["edit"]["changes"][uri][0]["range"], range);
  params["range"]["end"]["character"] = params["range"]["end"]["character"].get<int>() - 1;
  EXPECT_EQ(errorCode(request("gluond/writeLayout", params)),
            static_cast<int>(ErrorCode::RequestFailed));
}

// A class under a name of its own: that name stays, and others are written as the file can.
TEST_F(PanelRequests, aLayoutImportedUnderAnotherNameIsWrittenUnderIt) {
  client.open("file:///w/b.py",
              "import torch\nfrom triton.experimental import gluon\n"
              "from triton.experimental.gluon.language import BlockedLayout as BL, SliceLayout\n"
              "import triton.experimental.gluon.language as g\n\n"
              "@gluon.jit\ndef k(a):\n    l: g.constexpr = BL([1], [32], [4], [0])\n"
              "    x = g.arange(0, 128, layout=l)\n\nk[(1,)](torch.empty(128))\n");
  Json map = request("gluond/layoutMap", {{"textDocument", {{"uri", "file:///w/b.py"}}},
                                          {"position", {{"line", 8}, {"character", 4}}}});
  Json range = {{"start", {{"line", 7}, {"character", 21}}},
                {"end", {{"line", 7}, {"character", 44}}}};
  ASSERT_EQ(map["source"]["range"], range) << map;
  auto written = [&](const char* expression) {
    return request("gluond/writeLayout", {{"textDocument", {{"uri", "file:///w/b.py"}}},
                                          {"range", range},
                                          {"expression", expression}})["text"];
  };
  EXPECT_EQ(written("gl.SliceLayout(1, gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 0]))"),
            "SliceLayout(1, BL([1, 1], [32, 1], [4, 1], [1, 0]))");
  EXPECT_EQ(written("gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2])"),
            "g.amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2])");
}

// What is not changed stays as it is written.
TEST_F(PanelRequests, aChangedLayoutKeepsItsArithmetic) {
  const std::string head = "from triton.experimental import gluon\nfrom triton.experimental.gluon "
                           "import language as gl\n\n"
                           "@gluon.constexpr_function\ndef make(n):\n    return "
                           "gl.BlockedLayout([1, n], [4, 8], [4, 1], [1, 0])\n\n"
                           "# gluond: launch(a=\"*fp32:16\", VEC=4, num_warps=4)\n"
                           "@gluon.jit\ndef k(a, VEC: gl.constexpr):\n";
  const std::string layout = "gl.BlockedLayout([1, VEC * 2], [4, 32 // 4], "
                             "warps_per_cta=[gl.num_warps(), 1], order=[1, 0])";
  const std::string body = "    l: gl.constexpr = " + layout +
                           "\n    m: gl.constexpr = make(VEC)\n"
                           "    x = gl.full([16, 64], 0, gl.int32, m)\n";
  client.open("file:///w/d.py", head + body);
  auto write = [&](int line, int from, int to, Json changes, const std::string& expression) {
    Json params = {{"textDocument", {{"uri", "file:///w/d.py"}}},
                   {"range",
                    {{"start", {{"line", line}, {"character", from}}},
                     {"end", {{"line", line}, {"character", to}}}}},
                   {"expression", expression}};
    if (!changes.is_null()) params["changes"] = changes;
    return request("gluond/writeLayout", params)["text"];
  };
  auto change = [](const char* parameter, int position, const char* was, const char* becomes) {
    return Json{
        {"parameter", parameter}, {"position", position}, {"was", was}, {"becomes", becomes}};
  };
  const int line = 10, from = 22, to = from + static_cast<int>(layout.size());
  EXPECT_EQ(write(line, from, to, {change("size_per_thread", 0, "[1, 8]", "[2, 8]")}, "gl.X"),
            "gl.BlockedLayout([2, VEC * 2], [4, 32 // 4], warps_per_cta=[gl.num_warps(), 1], "
            "order=[1, 0])");
  EXPECT_EQ(write(line, from, to,
                  {change("order", 3, "[1, 0]", "[0, 1]"),
                   change("size_per_thread", 0, "[1, 8]", "[1, 4, 1]"),
                   change("cga_layout", 4, "[]", "[[1, 0]]")},
                  "gl.X"),
            "gl.BlockedLayout([1, 4, 1], [4, 32 // 4], warps_per_cta=[gl.num_warps(), 1], "
            "order=[0, 1], cga_layout=[[1, 0]])");
  EXPECT_EQ(write(line, from, to, nullptr, "gl.BlockedLayout([1], [32], [4], [0])"),
            "gl.BlockedLayout([1], [32], [4], [0])");
  // A layout that a helper makes is written where the helper is called.
  Json map = request("gluond/layoutMap", {{"textDocument", {{"uri", "file:///w/d.py"}}},
                                          {"position", {{"line", 12}, {"character", 4}}}});
  EXPECT_EQ(map["source"]["range"]["start"], (Json{{"line", 11}, {"character", 22}})) << map;
  EXPECT_EQ(write(11, 22, 31, {change("size_per_thread", 0, "[1, 4]", "[1, 8]")},
                  "gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])"),
            "gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])");
  // A number has no layout, and that is said.
  Json scalar = request("gluond/layoutMap", {{"textDocument", {{"uri", "file:///w/d.py"}}},
                                             {"position", {{"line", 9}, {"character", 6}}}});
  EXPECT_TRUE(errorCode(scalar) != 0) << scalar;
}

TEST_F(PanelRequests, addressesAreThoseOfTheLaunch) {
  client.open(
      "file:///w/c.py",
      "import torch\nfrom triton.experimental import gluon\n"
      "from triton.experimental.gluon import language as gl\n\n"
      "@gluon.jit\ndef k(a, stride):\n    l: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
      "    gl.store(a + gl.arange(0, 128, layout=l) * stride, 1.0)\n\n"
      "a = torch.empty(128, 48)\nk[(1,)](a, a.stride(0))\n");
  auto assumed = [&](Json given) {
    Json params = {{"textDocument", {{"uri", "file:///w/c.py"}}},
                   {"kernel", "k"},
                   {"operation", 0},
                   {"warp", 0},
                   {"instruction", 0},
                   {"given", std::move(given)}};
    Json result = request("gluond/access", params);
    EXPECT_EQ(result["addresses"][1], result["assumptions"][0]["value"].get<int>() * 4) << result;
    return result["assumptions"];
  };
  EXPECT_EQ(assumed(Json::array()),
            Json::parse(R"([{"name": "stride", "value": 48, "given": false, "launched": true}])"));
  EXPECT_EQ(assumed(Json::parse(R"([{"name": "stride", "value": 3}])")),
            Json::parse(R"([{"name": "stride", "value": 3, "given": true, "launched": false}])"));
}

TEST_F(PanelRequests, mapsOfALineWhenTheCursorIsOnNothing) {
  text::Offset line = text.lineStart(11); // blanks before `tile = ...`
  Json map =
      request("gluond/layoutMap", {{"textDocument", document()}, {"position", position(line)}});
  EXPECT_EQ(map["shape"], (Json{32, 32})) << map;
}

} // namespace
} // namespace gluond::lsp
