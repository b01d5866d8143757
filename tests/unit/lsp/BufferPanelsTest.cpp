// What the panels show of buffers: bulk copies, gathers, the operands of a pipelined product.
#include "TestServer.h"
#include "support/MarkedSource.h"

namespace gluond::lsp {
namespace {

constexpr const char* uri = "file:///w/a.py";

// A TMA load is one instruction of rows; a gather's lanes go where their indices say.
TEST(Operations, bulkCopiesAndGathers) {
  TestServer client;
  client.initialize();
  client.open(uri, R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
import torch

@gluon.jit
def kernel(desc, out, n1, n2, start, n4, n5):
    smem = gl.allocate_shared_memory(desc.dtype, desc.block_type.shape, desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [start, 32 + gl.program_id(0)], bar, smem)
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    plain = gl.allocate_shared_memory(gl.float32, [16, 32], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), gl.zeros([16, 32], gl.float32, layout))
    picked = plain.gather((row[:, None] + column[None, :]) % 16, axis=0)
    gl.store(out + row[:, None] * 32 + column[None, :], picked)

x = torch.empty((200, 256), dtype=torch.float16)
desc = TensorDescriptor.from_tensor(x, [64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
kernel[(1,)](desc, torch.empty(512), 7, 8, 192, 9, 10)
)");
  auto request = [&](const char* method, Json params) {
    params["textDocument"] = {{"uri", uri}};
    params["kernel"] = "kernel";
    return client.request(method, dumpJson(params));
  };
  Json all = request("gluond/operations", Json::object());
  ASSERT_TRUE(all.contains("operations")) << all;
  auto find = [&](const std::string& op) -> Json {
    for (const Json& each : all["operations"])
      if (each["op"] == op) return each;
    return {{"index", 999}};
  };
  auto access = [&](const Json& operation) {
    return request("gluond/access", {{"operation", operation["index"]},
                                     {"warp", 0},
                                     {"instruction", 0},
                                     {"given", Json::array()}});
  };
  Json load = find("ttng.async_tma_copy_global_to_local");
  EXPECT_EQ(load["kind"], "bulk") << all;
  Json bulk = access(load);
  EXPECT_EQ(bulk["bytes"], 128) << bulk; // a row of 64 halves
  EXPECT_EQ(bulk["sectors"], 64 * 4);
  EXPECT_EQ(bulk["leastSectors"], 64 * 4);
  EXPECT_EQ(bulk["addresses"], Json::array());
  // Where the block lies: the launch passes the tensor, and the numbers after the descriptor are
  // its own, not those of the arguments that follow.
  EXPECT_EQ(bulk["bulk"]["tensor"], (Json{200, 256}));
  EXPECT_EQ(bulk["bulk"]["origin"], (Json{192, 32}));
  EXPECT_EQ(bulk["bulk"]["message"], (Json{64, 64}));
  EXPECT_EQ(bulk["bulk"]["multicast"], false);
  EXPECT_EQ(bulk["bulk"]["picked"], false);
  EXPECT_FALSE(bulk.contains("unknown")) << bulk;
  Json names = Json::array();
  for (const Json& each : bulk["assumptions"])
    names.push_back(each["name"]);
  EXPECT_EQ(names, (Json{"desc.shape[0]", "desc.shape[1]", "start", "program_id(0)"})) << bulk;
  Json gather = access(find("ttg.local_gather"));
  ASSERT_EQ(gather["addresses"].size(), 32u) << gather;
  // Lane c of warp 0 takes row c % 16 of column c: every lane has a bank of its own.
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(gather["addresses"][lane], (lane % 16 * 32 + lane) * 4) << lane;
  EXPECT_EQ(gather["wavefronts"], 1);
}

// A pipelined product: buffers with slots, an accumulator of wgmma.
constexpr const char* product = R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait

# gluond: launch(out="*fp32:16", n="i32")
@gluon.jit
def product(out, n):
    L: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])
    S: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    P: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([ [64, 8] ], [64, 64], [1, 0])
    $a^a = gl.allocate_shared_memory(gl.float16, [3, 64, 64], S)
    $pad^padded = gl.allocate_shared_memory(gl.float16, [2, 64, 64], P)
    $start^acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, L))
    for i in range($n^n):
        $acc^acc = warpgroup_mma(a.index(0), a.index(1), acc, is_async=True)
    $done^x, $other^y = warpgroup_mma_wait(0, deps=[acc, a.index(2)])
    $slot^s = a.index(1)
    $any^t = a.index(n % 3)
    $half^h = a.index(n % 3).slice(32, 32, dim=0)
    $turned^u = a.index(2).permute((1, 0)).slice(16, 16, dim=1)
    $slots^v = a.slice(1, 2, dim=0)
    $whole^w = a.permute((0, 2, 1))
    $words^r = a.reinterpret(gl.float16, [3, 64, 64], S)
    $zz^z = missing(x)
)";

class Product : public testing::Test {
protected:
  Product() : source(product), text(source.text) {
    client.initialize();
    client.open(uri, source.text);
  }
  Json request(const char* method, const std::string& mark) {
    text::Position p = text.position(source.point(mark));
    return client.request(method,
                          dumpJson({{"textDocument", {{"uri", uri}}},
                                    {"position", {{"line", p.line}, {"character", p.character}}}}));
  }
  Json map(const std::string& mark) { return request("gluond/layoutMap", mark); }
  std::string hover(const std::string& mark) {
    return request("textDocument/hover", mark)["contents"]["value"];
  }
  TestServer client;
  MarkedSource source;
  text::SourceText text;
};

TEST_F(Product, buffersHaveSlots) {
  Json a = map("a");
  EXPECT_EQ(a["slots"], Json({3}));
  EXPECT_EQ(a["shape"], Json({64, 64}));
  EXPECT_EQ(a["kind"], "shared memory");
  EXPECT_EQ(a["value"], "a");
  Json padded = map("pad");
  EXPECT_EQ(padded["slots"], Json({2}));
  EXPECT_EQ(padded["padding"][0]["interval"], 64);
  EXPECT_FALSE(map("acc").contains("slots"));
}

// A view of a buffer is shown as a part of the buffer.
TEST_F(Product, viewsAreParts) {
  struct {
    const char* mark;
    Json shape, offsets;
  } views[] = {
      {"slot", {64, 64}, {1, 0, 0}},     {"any", {64, 64}, {-1, 0, 0}},
      {"half", {32, 64}, {-1, 32, 0}},   {"turned", {64, 16}, {2, 0, 16}},
      {"slots", {2, 64, 64}, {1, 0, 0}},
  };
  for (const auto& [mark, shape, offsets] : views) {
    Json picture = map(mark);
    EXPECT_EQ(picture["part"], Json({{"buffer", "a"}, {"offsets", offsets}, {"shape", shape}}))
        << mark << picture;
    EXPECT_EQ(picture["slots"], Json({3})) << mark;
    EXPECT_EQ(picture["shape"], Json({64, 64})) << mark;
  }
  for (const char* mark : {"a", "whole", "words"})
    EXPECT_FALSE(map(mark).contains("part")) << mark << map(mark);
}

TEST_F(Product, accumulatorsAreLikeTheTensorsTheyBecome) {
  for (const char* mark : {"start", "acc", "done"}) {
    Json picture = map(mark);
    EXPECT_EQ(picture["layout"], "gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], "
                                 "instr_shape=[16, 64, 16])")
        << mark;
    EXPECT_EQ(picture["dtype"], "float32") << mark;
    EXPECT_NE(hover(mark).find("float32[64, 64]"), std::string::npos) << hover(mark);
    EXPECT_NE(hover(mark).find("instr_shape=[16, 64, 16]"), std::string::npos) << mark;
  }
  EXPECT_EQ(map("other")["kind"], "shared memory");
  Json hints = client.request("textDocument/inlayHint",
                              dumpJson({{"textDocument", {{"uri", uri}}},
                                        {"range",
                                         {{"start", {{"line", 0}, {"character", 0}}},
                                          {"end", {{"line", 30}, {"character", 0}}}}}}));
  size_t accumulators = 0;
  for (const Json& hint : hints)
    accumulators += hint["label"] == ": float32[64, 64] accumulator NVMMADistributed";
  EXPECT_EQ(accumulators, 2u) << hints;
}

TEST_F(Product, aValueWithoutALayoutIsNotShownAsAnother) {
  EXPECT_NE(map("n")["error"]["message"].get<std::string>().find("int32"), std::string::npos)
      << map("n");
  EXPECT_TRUE(map("zz").contains("error")) << map("zz"); // unknown, though `x` beside it is not
}

} // namespace
} // namespace gluond::lsp
