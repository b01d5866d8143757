#include "driver/inspect/LayoutMap.h"

#include "chips/Target.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/interpreter/Interpreter.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutBridge.h"
#include "language/types/Text.h"
#include "language/types/TypeText.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using namespace language;

namespace {

// The names that an expression may use: Gluon under its usual aliases, and the members of its
// namespaces.
constexpr llvm::StringLiteral scopeText = R"(
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon import language as ttgl
from triton.experimental.gluon.language import *
from triton.experimental.gluon.language.nvidia import ampere, hopper, blackwell
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout
from triton.experimental.gluon.language.nvidia.hopper.mbarrier import MBarrierLayout
from triton.experimental.gluon.language import amd
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout
from triton.experimental.gluon.language.amd.gfx1250 import PartitionedSharedLayout
)";

const language::ScalarInfo* dtypeOf(llvm::StringRef text) {
  std::optional<ScalarKind> kind = language::scalarSpelled(text);
  if (!kind) kind = language::scalarInIr(text);
  return kind ? &scalarInfo(*kind) : nullptr;
}

// "; did you mean 'BlockedLayout'?" for an expression that calls a member that gl does not have.
std::string didYouMean(const syntax::Expr* expression, const Interner& names) {
  auto* call = llvm::dyn_cast<syntax::Call>(expression);
  auto* member = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
  auto* name = call ? llvm::dyn_cast<syntax::NameExpr>(call->func) : nullptr;
  if (!member && !name) return "";
  llvm::StringRef wanted = names.text(member ? member->attribute.name : name->name);
  if (findBuiltin(ModuleId::gl, wanted)) return "";
  codegen::Nearest nearest(wanted);
  nearest.offerMembers(ModuleId::gl);
  return nearest.name().empty() ? "" : "; did you mean '" + nearest.name().str() + "'?";
}

// Returns the smallest shape that a layout fills without repetition, given by its tile; empty if it
// has none.
std::vector<int64_t> tileOf(const layout::Layout& layout) {
  std::vector<int64_t> shape;
  auto ofLinear = [&](const layout::LinearLayout& linear) {
    for (int64_t size : linear.outSizes())
      shape.push_back(size);
  };
  // One instruction's result for each warp.
  auto ofProduct = [&](const auto& product) {
    if (product.instrShape.size() < 2 || product.warpsPerCTA.size() != 2) return;
    for (size_t i = 0; i < 2; ++i)
      shape.push_back(int64_t{product.instrShape[i]} * product.warpsPerCTA[i]);
  };
  if (auto* blocked = layout.as<layout::Blocked>()) {
    for (size_t i = 0; i < blocked->sizePerThread.size(); ++i)
      shape.push_back(int64_t{blocked->sizePerThread[i]} * blocked->threadsPerWarp[i] *
                      blocked->warpsPerCTA[i]);
  } else if (auto* slice = layout.as<layout::Slice>()) {
    shape = tileOf(slice->parent);
    if (slice->dim < shape.size()) shape.erase(shape.begin() + slice->dim);
  } else if (auto* linear = layout.as<layout::Linear>()) {
    ofLinear(linear->linearLayout);
  } else if (auto* shared = layout.as<layout::SharedLinear>()) {
    ofLinear(shared->linearLayout);
  } else if (auto* padded = layout.as<layout::PaddedShared>()) {
    ofLinear(padded->linearComponent);
  } else if (auto* mma = layout.as<layout::NvidiaMma>()) {
    ofProduct(*mma);
  } else if (auto* mfma = layout.as<layout::AmdMfma>()) {
    ofProduct(*mfma);
  } else if (auto* memory = layout.as<layout::TensorMemory>()) {
    shape = {memory->blockM, memory->blockN};
  }
  return shape;
}

} // namespace

std::optional<std::vector<int64_t>> parseShape(llvm::StringRef text) {
  std::vector<int64_t> shape;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::SplitString(text, parts, "x, []()");
  for (llvm::StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size <= 0 || size > int64_t{1} << 30) return std::nullopt;
    shape.push_back(size);
  }
  if (shape.empty() || shape.size() > 8) return std::nullopt;
  return shape;
}

tl::expected<LayoutMap, std::string> layoutMap(Interner& names, const LayoutRequest& request) {
  auto fail = [](const llvm::Twine& why) { return tl::unexpected(why.str()); };
  if (!chips::Target::parse(request.target))
    return fail("'" + request.target +
                "' is not a target; write for example cuda:90 or hip:gfx942");
  auto parse = [&](llvm::StringRef text) {
    return syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text.str()), {}, names);
  };
  auto scope = parse(scopeText), tree = parse(request.expression);
  if (!tree->errors().empty())
    return fail("'" + request.expression + "': " + tree->errors().front().message);
  auto* statement =
      tree->body().size() == 1 ? llvm::dyn_cast<syntax::ExprStmt>(tree->body().front()) : nullptr;
  if (!statement) return fail("'" + request.expression + "' is not an expression");

  Heap heap;
  TypeContext types(names);
  evaluate::InterpreterOptions options;
  options.target = request.target;
  options.budget.steps = 200'000;
  evaluate::Interpreter interpreter(heap, names, types, options);
  const ModuleObject* module =
      interpreter.runModule({scope->body(), "", "layout", scope}, "layout");
  Value value = interpreter.evaluate(statement->value, module->globals, module);
  if (interpreter.failed()) {
    evaluate::PythonError error = interpreter.takeError();
    return fail(error.exceptionClass + ": " + error.message + didYouMean(statement->value, names));
  }
  auto* object = value.as<LayoutObject>();
  if (!object)
    return fail("'" + request.expression + "' is " + repr(value, names) + ", not a layout");
  auto layout = toLayout(*object);
  if (!layout) return fail(language::messageOf(layout.error()));

  std::vector<int64_t> shape = request.shape.empty() ? tileOf(*layout) : request.shape;
  if (shape.empty()) return fail("a shape is required, because this layout has no tile of its own");
  std::vector<int64_t> slots;
  if (unsigned rank = layout->rank(); !layout->isDistributed() && rank > 0 && shape.size() > rank) {
    slots.assign(shape.begin(), shape.end() - rank);
    shape.erase(shape.begin(), shape.end() - rank);
  }
  if (shape.size() != layout->rank())
    return fail("the layout has rank " + llvm::Twine(layout->rank()) + ", but the shape has rank " +
                llvm::Twine(shape.size()));
  constexpr unsigned pointerBits = 64;
  unsigned bits = 0;
  if (llvm::StringRef(request.dtype).starts_with("*")) {
    bits = pointerBits;
  } else if (!request.dtype.empty()) {
    const ScalarInfo* dtype = dtypeOf(request.dtype);
    if (!dtype)
      return fail("'" + request.dtype +
                  "' is not a dtype; write one such as float16, bfloat16, float32, "
                  "int8 or float8e5");
    bits = dtype->bits;
  }
  auto picture = layout::makePicture(*layout, shape, request.expression, request.dtype, bits);
  if (!picture) return fail(language::messageOf(picture.error()));
  return LayoutMap{std::move(*picture), repr(*object), std::move(slots)};
}

} // namespace gluond::driver
