#include "Dictionary.h"

#include "driver/settings/Configuration.h"
#include "ir/Context.h"
#include "language/types/Builtin.h"
#include "lsp/protocol/Extensions.h"
#include "lsp/protocol/Messages.h"
#include "runner/protocol/Messages.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::fuzz {

namespace {

std::vector<std::string> ofPython() {
  std::vector<std::string> words;
  for (const language::Builtin& row : language::builtins())
    words.push_back(row.name.str());
  return words;
}

// Names of ops, and what types and attributes are called.
std::vector<std::string> ofIr() {
  std::vector<std::string> words = {
      "!tt.ptr<f32>",
      "!ttg.memdesc<1xi64, #shared, #smem, mutable>",
      "!ttg.async.token",
      "tensor<128xf32>",
      "tensor<0xf32>",
      "tensor<?xf32>",
      "tensor<9223372036854775807xf32>",
      "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
      "#ttg.slice<{dim = 0, parent = #blocked}>",
      "#ttg.shared_memory",
      "#ttng.tensor_memory",
      "dense<0>",
      "index",
      "f8E4M3FN",
      "bf16",
      "i1",
      "loc(unknown)",
      "{\"ttg.num-warps\" = 0 : i32}",
      "^bb0",
      "%0",
      "%arg0",
      "unit"};
  auto context = ir::createContext();
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    words.push_back(name.getStringRef().str());
  return words;
}

// Members of messages, and what stands in records.
std::vector<std::string> ofJson() {
  std::vector<std::string> words = {"id",           "method",   "params",       "result",
                                    "error",        "file",     "kernel",       "line",
                                    "target",       "options",  "args",         "closure",
                                    "defaults",     "globals",  "run",          "name",
                                    "type",         "value",    "divisible_by", "constexpr",
                                    "*fp32",        "i32",      "tensordesc",   "tensordesc_im2col",
                                    "tuple",        "$tuple",   "$dict",        "$float",
                                    "$range",       "$slice",   "$constexpr",   "$dtype",
                                    "$pointer",     "$layout",  "$type",        "$fn",
                                    "$class",       "$enum",    "$namedtuple",  "$object",
                                    "$bound",       "$builtin", "$module",      "num_warps",
                                    "num_ctas",     "maxnreg",  "cuda:90",      "hip:gfx942",
                                    "textDocument", "position", "character",    "contentChanges",
                                    "text",         "uri",      "range",        "start",
                                    "end",          "version"};
  for (const driver::SettingRow& row : driver::settingRows())
    words.push_back(row.name.str());
  auto add = [&](std::vector<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  add(json::fieldNames<runner::LoadParams>());
  add(json::fieldNames<runner::RunParams>());
  add(json::fieldNames<runner::TimeParams>());
  add(json::fieldNames<runner::CompareParams>());
  return words;
}

} // namespace

const std::vector<std::string>& dictionary(Shape shape) {
  static const std::vector<std::string> python = ofPython();
  switch (shape) {
  case Shape::Ir: {
    static const std::vector<std::string> ir = ofIr();
    return ir;
  }
  case Shape::JsonLines:
  case Shape::Lines: {
    static const std::vector<std::string> json = ofJson();
    return json;
  }
  default:
    return python;
  }
}

} // namespace gluond::fuzz
