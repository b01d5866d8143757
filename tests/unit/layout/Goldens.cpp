#include "Goldens.h"

#include <fstream>
#include <gtest/gtest.h>

namespace gluond::layout::test {

std::vector<Json> goldens(const std::string& name) {
  std::ifstream file(std::string(GLUOND_SOURCE_DIR) + "/tests/data/layouts/" + name + ".jsonl");
  EXPECT_TRUE(file.good()) << name;
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(Json::parse(line));
  return lines;
}

std::vector<int64_t> shapeFrom(const Json& json) {
  return json.get<std::vector<int64_t>>();
}

Bases basesFrom(const Json& json) {
  Bases bases;
  for (const Json& row : json) {
    std::vector<int32_t> values = row.get<std::vector<int32_t>>();
    bases.emplace_back(values.begin(), values.end());
  }
  return bases;
}

LinearLayout matrixFrom(const Json& json) {
  std::vector<Bases> storage;
  for (const Json& in : json["bases"])
    storage.push_back(basesFrom(in[1]));
  std::vector<LinearLayout::InBases> ins;
  for (size_t i = 0; i < storage.size(); ++i)
    ins.push_back({*dimNamed(json["bases"][i][0].get<std::string>()), storage[i]});
  std::vector<DimSize> outs;
  for (const Json& out : json["outs"])
    outs.push_back({*dimNamed(out[0].get<std::string>()), out[1].get<int64_t>()});
  auto layout = LinearLayout::fromBases(ins, outs);
  EXPECT_TRUE(layout) << layout.error();
  return layout.value_or(LinearLayout::invalid());
}

Json basesOf(const LinearLayout& layout) {
  Json result = Json::object();
  for (DimBits in : layout.ins()) {
    Json rows = Json::array();
    for (const Coordinates& basis : layout.bases(in.dim))
      rows.push_back(std::vector<int32_t>(basis.begin(), basis.end()));
    result[name(in.dim).str()] = rows;
  }
  return result;
}

namespace {
Ints ints(const Json& json) {
  std::vector<int32_t> values = json.get<std::vector<int32_t>>();
  return Ints(values.begin(), values.end());
}
Order order(const Json& json) {
  std::vector<unsigned> values = json.get<std::vector<unsigned>>();
  return Order(values.begin(), values.end());
}
OrError<LinearLayout> cga(const Json& json, size_t rank) {
  return makeCga(json.contains("cga_layout") ? basesFrom(json["cga_layout"]) : Bases(),
                 static_cast<unsigned>(rank));
}
OrError<LinearLayout> written(std::initializer_list<std::pair<Dim, const Json*>> ins,
                              std::vector<int64_t> shape) {
  std::vector<Bases> storage;
  for (auto [dim, json] : ins)
    storage.push_back(basesFrom(*json));
  std::vector<LinearLayout::InBases> bases;
  size_t i = 0;
  for (auto [dim, json] : ins)
    bases.push_back({dim, storage[i++]});
  std::vector<DimSize> outs;
  for (size_t d = 0; d < shape.size(); ++d)
    outs.push_back({tensorDim(static_cast<unsigned>(d)), shape[d]});
  auto layout = LinearLayout::fromBases(bases, outs);
  if (!layout) return tl::make_unexpected(LayoutError{"", layout.error()});
  return *layout;
}
std::vector<int64_t> extent(std::initializer_list<const Json*> lists, size_t rank) {
  std::vector<int64_t> shape(rank, 1);
  for (const Json* list : lists)
    for (const Json& basis : *list)
      for (size_t d = 0; d < rank; ++d)
        while (shape[d] <= basis[d].get<int64_t>())
          shape[d] *= 2;
  return shape;
}
} // namespace

OrError<Layout> layoutFrom(const Json& j) {
  std::string kind = j["$layout"];
  if (kind == "BlockedLayout") {
    OrError<LinearLayout> c = cga(j, j["order"].size());
    if (!c) return tl::make_unexpected(c.error());
    return Layout::make(Blocked{ints(j["size_per_thread"]), ints(j["threads_per_warp"]),
                                ints(j["warps_per_cta"]), order(j["order"]), *c});
  }
  if (kind == "SliceLayout" || kind == "DotOperandLayout") {
    OrError<Layout> parent = layoutFrom(j["parent"]);
    if (!parent) return parent;
    if (kind == "SliceLayout") return Layout::make(Slice{j["dim"], *parent});
    return Layout::make(DotOperand{j["operand_index"], *parent, j["k_width"]});
  }
  if (kind == "DistributedLinearLayout") {
    OrError<LinearLayout> linear = written({{Dim::Register, &j["reg_bases"]},
                                            {Dim::Lane, &j["lane_bases"]},
                                            {Dim::Warp, &j["warp_bases"]},
                                            {Dim::Block, &j["block_bases"]}},
                                           shapeFrom(j["shape"]));
    if (!linear) return tl::make_unexpected(linear.error());
    return Layout::make(Linear{*linear, !linear->isPermutation()});
  }
  if (kind == "NVMMADistributedLayout") {
    OrError<LinearLayout> c = cga(j, j["warps_per_cta"].size());
    if (!c) return tl::make_unexpected(c.error());
    return Layout::make(NvidiaMma{j["version"][0], j["version"][1], ints(j["warps_per_cta"]), *c,
                                  ints(j["instr_shape"])});
  }
  if (kind == "AMDMFMALayout") {
    OrError<LinearLayout> c = cga(j, j["warps_per_cta"].size());
    if (!c) return tl::make_unexpected(c.error());
    return Layout::make(AmdMfma{j["version"], ints(j["warps_per_cta"]), ints(j["instr_shape"]),
                                j["transposed"], *c, ints(j["tiles_per_warp"]),
                                j["element_bitwidth"]});
  }
  if (kind == "AMDWMMALayout") {
    size_t rank = j["rank"];
    OrError<LinearLayout> c = cga(j, rank);
    OrError<LinearLayout> tiles =
        written({{Dim::Register, &j["reg_bases"]}, {Dim::Warp, &j["warp_bases"]}},
                extent({&j["reg_bases"], &j["warp_bases"]}, rank));
    if (!c || !tiles) return tl::make_unexpected(c ? tiles.error() : c.error());
    return Layout::make(AmdWmma{j["version"], *tiles, j["transposed"], *c, ints(j["instr_shape"])});
  }
  if (kind == "SwizzledSharedLayout" || kind == "AMDRotatingShared") {
    OrError<LinearLayout> c = cga(j, j["order"].size());
    if (!c) return tl::make_unexpected(c.error());
    if (kind == "AMDRotatingShared")
      return Layout::make(
          AmdRotatingShared{j["vec"], j["per_phase"], j["max_phase"], order(j["order"]), *c});
    return Layout::make(
        SwizzledShared{j["vec"], j["per_phase"], j["max_phase"], order(j["order"]), *c});
  }
  if (kind == "SharedLinearLayout") {
    Json block = j.contains("block_bases") ? j["block_bases"] : Json::array();
    OrError<LinearLayout> linear =
        written({{Dim::Offset, &j["offset_bases"]}, {Dim::Block, &block}},
                extent({&j["offset_bases"], &block}, j["offset_bases"][0].size()));
    if (!linear) return tl::make_unexpected(linear.error());
    return Layout::make(SharedLinear{*linear, j["alignment"]});
  }
  if (kind == "NVMMASharedLayout") {
    OrError<LinearLayout> c = cga(j, j["rank"].get<size_t>());
    if (!c) return tl::make_unexpected(c.error());
    return Layout::make(NvmmaShared{j["swizzle_byte_width"], j["transposed"], j["element_bitwidth"],
                                    j["fp4_padded"], *c});
  }
  if (kind == "PartitionedSharedLayout") {
    OrError<Layout> inner = layoutFrom(j["partition_layout"]);
    if (!inner) return inner;
    return Layout::make(
        PartitionedShared{j["num_partitions"], j["num_groups"], j["partition_dim"], *inner});
  }
  OrError<LinearLayout> c = cga(j, 2);
  if (!c) return tl::make_unexpected(c.error());
  if (kind == "TensorMemoryLayout")
    return Layout::make(TensorMemory{j["block"][0], j["block"][1], j["col_stride"], *c,
                                     j["two_ctas"], j["fp4_padded"]});
  EXPECT_EQ(kind, "TensorMemoryScalesLayout");
  return Layout::make(TensorMemoryScales{*c, j.value("block_rep_order", "mnThenK") == "kThenMn"});
}

} // namespace gluond::layout::test
