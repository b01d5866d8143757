#include "layout/named/Spelling.h"

#include "layout/named/Properties.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Twine.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

namespace {

struct Field {
  llvm::StringLiteral name;
  std::string text;
  bool positional = false; // written without its name
  Layout layout = {};      // when the field is one
};

struct Spelled {
  llvm::StringLiteral space, cls;
  llvm::SmallVector<Field, 8> fields;
};

template <typename T> std::string list(llvm::ArrayRef<T> values) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  os << "]";
  return text;
}
std::string text(const Ints& values) {
  return list(llvm::ArrayRef(values));
}
std::string text(const Order& values) {
  return list(llvm::ArrayRef(values));
}
std::string text(unsigned value) {
  return std::to_string(value);
}
std::string text(bool value) {
  return value ? "True" : "False";
}
std::string text(const Bases& bases) {
  std::string result = "[";
  llvm::raw_string_ostream os(result);
  llvm::interleaveComma(bases, os,
                        [&](const Coordinates& basis) { os << list(llvm::ArrayRef(basis)); });
  os << "]";
  return result;
}

Field positional(llvm::StringLiteral name, std::string value) {
  return {name, std::move(value), true};
}
template <typename T> Field named(llvm::StringLiteral name, const T& value) {
  return {name, text(value)};
}
Field nested(llvm::StringLiteral name, const Layout& value) {
  return {name, spelling(value), false, value};
}

void addCga(Spelled& s, const LinearLayout& cga) {
  if (cga.inBits(Dim::Block)) s.fields.push_back(named("cga_layout", cga.bases(Dim::Block)));
}

std::string shapeOf(const LinearLayout& linear) {
  return list(llvm::ArrayRef(linear.outSizes()));
}

Spelled spell(const Blocked& f) {
  Spelled s{"gl.", "BlockedLayout", {}};
  s.fields = {positional("size_per_thread", text(f.sizePerThread)),
              positional("threads_per_warp", text(f.threadsPerWarp)),
              positional("warps_per_cta", text(f.warpsPerCTA)), positional("order", text(f.order))};
  addCga(s, f.CGALayout);
  return s;
}
Spelled spell(const Slice& f) {
  return {"gl.",
          "SliceLayout",
          {positional("dim", text(f.dim)), {"parent", spelling(f.parent), true, f.parent}}};
}
Spelled spell(const Linear& f) {
  Spelled s{"gl.", "DistributedLinearLayout", {}};
  constexpr std::pair<llvm::StringLiteral, Dim> groups[] = {{"reg_bases", Dim::Register},
                                                            {"lane_bases", Dim::Lane},
                                                            {"warp_bases", Dim::Warp},
                                                            {"block_bases", Dim::Block}};
  for (const auto& [field, dim] : groups)
    s.fields.push_back(named(field, f.linearLayout.bases(dim)));
  s.fields.push_back({"shape", shapeOf(f.linearLayout)});
  return s;
}
Spelled spell(const DotOperand& f) {
  return {
      "gl.",
      "DotOperandLayout",
      {named("operand_index", f.opIdx), nested("parent", f.parent), named("k_width", f.kWidth)}};
}
Spelled spell(const NvidiaMma& f) {
  Spelled s{"gl.", "NVMMADistributedLayout", {}};
  s.fields = {{"version", "[" + text(f.versionMajor) + ", " + text(f.versionMinor) + "]"},
              named("warps_per_cta", f.warpsPerCTA),
              named("instr_shape", f.instrShape)};
  addCga(s, f.CGALayout);
  return s;
}
Spelled spell(const AmdMfma& f) {
  Spelled s{"gl.amd.", "AMDMFMALayout", {}};
  s.fields = {named("version", f.version), named("instr_shape", f.instrShape),
              named("transposed", f.isTransposed), named("warps_per_cta", f.warpsPerCTA)};
  if (f.elementBitWidth != 32) s.fields.push_back(named("element_bitwidth", f.elementBitWidth));
  if (llvm::any_of(f.tilesPerWarp, [](int32_t t) { return t != 1; }))
    s.fields.push_back(named("tiles_per_warp", f.tilesPerWarp));
  addCga(s, f.CGALayout);
  return s;
}
Spelled spell(const AmdWmma& f) {
  Spelled s{"gl.amd.", "AMDWMMALayout", {}};
  s.fields = {named("version", f.version), named("transposed", f.isTransposed),
              named("warp_bases", f.ctaLayout.bases(Dim::Warp))};
  if (f.ctaLayout.inBits(Dim::Register))
    s.fields.push_back(named("reg_bases", f.ctaLayout.bases(Dim::Register)));
  if (f.instrShape != Ints{16, 16, 16}) s.fields.push_back(named("instr_shape", f.instrShape));
  addCga(s, f.CGALayout);
  if (f.ctaLayout.outs().size() != 2)
    s.fields.push_back(named("rank", static_cast<unsigned>(f.ctaLayout.outs().size())));
  return s;
}
template <typename T>
Spelled spellSwizzle(llvm::StringLiteral space, llvm::StringLiteral cls, const T& f) {
  Spelled s{space, cls, {}};
  s.fields = {named("vec", f.vec), named("per_phase", f.perPhase), named("max_phase", f.maxPhase),
              named("order", f.order)};
  addCga(s, f.CGALayout);
  return s;
}
Spelled spell(const SwizzledShared& f) {
  return spellSwizzle("gl.", "SwizzledSharedLayout", f);
}
Spelled spell(const AmdRotatingShared& f) {
  return spellSwizzle("", "AMDRotatingShared", f);
}
// The CTAs' part as Gluon writes it: in tiles, not in elements.
Bases paddedCga(const PaddedShared& f) {
  OrError<LinearLayout> cga = cgaOf(f.linearComponent);
  return cga ? cga->bases(Dim::Block) : Bases();
}
Spelled spell(const PaddedShared& f) {
  Bases pairs;
  for (auto [interval, padding] : llvm::zip_equal(f.intervals, f.paddings))
    pairs.push_back({interval, padding});
  return {"gl.",
          "PaddedSharedLayout",
          {named("interval_padding_pairs", pairs),
           named("offset_bases", f.linearComponent.bases(Dim::Offset)),
           named("cga_layout", paddedCga(f)),
           {"shape", shapeOf(f.linearComponent)}}};
}
Spelled spell(const SharedLinear& f) {
  Spelled s{
      "gl.", "SharedLinearLayout", {named("offset_bases", f.linearLayout.bases(Dim::Offset))}};
  if (f.linearLayout.inBits(Dim::Block))
    s.fields.push_back(named("block_bases", f.linearLayout.bases(Dim::Block)));
  if (f.layoutAlignment != 16) s.fields.push_back(named("alignment", f.layoutAlignment));
  return s;
}
Spelled spell(const NvmmaShared& f) {
  unsigned rank = static_cast<unsigned>(f.CGALayout.outs().size());
  Spelled s{"gl.",
            "NVMMASharedLayout",
            {named("swizzle_byte_width", f.swizzlingByteWidth),
             named("element_bitwidth", f.elementBitWidth)}};
  s.fields.push_back(named("rank", rank));
  if (f.transposed) s.fields.push_back(named("transposed", true));
  if (f.fp4Padded) s.fields.push_back(named("fp4_padded", true));
  addCga(s, f.CGALayout);
  return s;
}
Spelled spell(const PartitionedShared& f) {
  return {"gl.amd.cdna5.",
          "PartitionedSharedLayout",
          {named("num_partitions", f.numPartitions), named("num_groups", f.numGroups),
           named("partition_dim", f.partitionDim), nested("partition_layout", f.partitionLayout)}};
}
Spelled spell(const TensorMemory& f) {
  Spelled s{"gl.nvidia.blackwell.",
            "TensorMemoryLayout",
            {{"block", "[" + text(f.blockM) + ", " + text(f.blockN) + "]"},
             named("col_stride", f.colStride)}};
  addCga(s, f.CGALayout);
  if (f.twoCTAs) s.fields.push_back(named("two_ctas", true));
  if (f.fp4Padded) s.fields.push_back(named("fp4_padded", true));
  return s;
}
Spelled spell(const TensorMemoryScales& f) {
  Spelled s{f.kThenMn ? llvm::StringLiteral("gl.nvidia.rubin.")
                      : llvm::StringLiteral("gl.nvidia.blackwell."),
            "TensorMemoryScalesLayout",
            {}};
  addCga(s, f.CGALayout);
  if (f.kThenMn) s.fields.push_back({"block_rep_order", "\"kThenMn\""});
  return s;
}

Spelled spell(const Layout& layout) {
  return std::visit([](const auto& f) { return spell(f); }, layout.fields());
}

void compare(const Layout& left, const Layout& right, llvm::StringRef path,
             llvm::SmallVectorImpl<FieldDifference>& result) {
  if (left == right) return;
  auto prefixed = [&](llvm::StringRef name) {
    return path.empty() ? name.str() : (llvm::Twine(path) + "." + name).str();
  };
  if (!left || !right || left.kind() != right.kind()) {
    result.push_back({path.str(), spelling(left), spelling(right)});
    return;
  }
  Spelled a = spell(left), b = spell(right);
  auto find = [](const Spelled& s, llvm::StringRef name) -> const Field* {
    const Field* field = llvm::find_if(s.fields, [&](const Field& f) { return f.name == name; });
    return field == s.fields.end() ? nullptr : field;
  };
  auto add = [&](llvm::StringRef name, const Field* x, const Field* y) {
    if (x && y && x->layout && y->layout)
      return compare(x->layout, y->layout, prefixed(name), result);
    std::string l = x ? x->text : "default", r = y ? y->text : "default";
    if (l != r) result.push_back({prefixed(name), l, r});
  };
  for (const Field& field : a.fields)
    add(field.name, &field, find(b, field.name));
  for (const Field& field : b.fields)
    if (!find(a, field.name)) add(field.name, nullptr, &field);
}

} // namespace

llvm::StringRef gluonClass(const Layout& layout) {
  return layout ? spell(layout).cls : llvm::StringRef("None");
}

std::string spelling(const Layout& layout) {
  if (!layout) return "None";
  Spelled s = spell(layout);
  std::string result = (llvm::Twine(s.space) + s.cls + "(").str();
  llvm::raw_string_ostream os(result);
  llvm::interleaveComma(s.fields, os, [&](const Field& field) {
    if (!field.positional) os << field.name << "=";
    os << field.text;
  });
  os << ")";
  return result;
}

llvm::SmallVector<FieldDifference, 4> differences(const Layout& left, const Layout& right) {
  llvm::SmallVector<FieldDifference, 4> result;
  compare(left, right, "", result);
  return result;
}

} // namespace gluond::layout
