#include "lsp/features/completion/ExpectedValue.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

namespace lang = gluond::language;

namespace {

struct Row {
  llvm::StringLiteral parameter;
  llvm::StringLiteral modules; // that the builtin is in one of; empty for all
  ExpectedValue expected;
};

constexpr llvm::StringLiteral copies =
    "hopper_tma blackwell_tma cdna5_tdm hopper blackwell rubin blackwell_clc";

constexpr Row rows[] = {
    {"mbarrier", "", ExpectedValue::Barrier},
    {"barrier", "", ExpectedValue::Barrier},
    {"smem", "", ExpectedValue::Buffer},
    {"mem_desc", "", ExpectedValue::Buffer},
    {"src", copies, ExpectedValue::Buffer},
    {"dst", "hopper_tma blackwell_tma cdna5_tdm hopper", ExpectedValue::Buffer},
    {"result", copies, ExpectedValue::Buffer},
    {"tensor_desc", "", ExpectedValue::Descriptor},
    {"desc", "cdna5_tdm tl", ExpectedValue::Descriptor},
    {"pointer", "", ExpectedValue::Pointer},
    {"ptr", "", ExpectedValue::Pointer},
    {"value", "shared_memory_descriptor tensor_memory_descriptor", ExpectedValue::Tensor},
    {"start", "gl tl", ExpectedValue::Constant},
    {"end", "gl tl", ExpectedValue::Constant},
    {"shape", "gl tl", ExpectedValue::Constant},
    {"axis", "", ExpectedValue::Constant},
    {"arg1", "", ExpectedValue::Constant},
    {"arg2", "", ExpectedValue::Constant},
};

bool isInOneOf(const lang::Builtin& builtin, llvm::StringRef modules) {
  llvm::SmallVector<llvm::StringRef> own, wanted;
  llvm::SplitString(builtin.where, own);
  llvm::SplitString(modules, wanted);
  return wanted.empty() ||
         llvm::any_of(own, [&](llvm::StringRef each) { return llvm::is_contained(wanted, each); });
}

// Layouts of descriptors are those of the blocks in shared memory that they copy.
ExpectedValue expectedLayout(const lang::Builtin& builtin, llvm::StringRef parameter) {
  llvm::StringRef name = builtin.name, where = builtin.where;
  if (builtin.id == lang::BuiltinId::gl_to_linear_layout) return ExpectedValue::AnyLayout;
  if (parameter == "partition_layout") return ExpectedValue::SharedLayout;
  bool isView = name == "reinterpret";
  if (name.contains("tensor_memory") || (isView && where.contains("tensor_memory")))
    return ExpectedValue::TensorMemoryLayout;
  bool isDescriptor =
      builtin.signature.contains("block_shape") || builtin.signature.contains("block_type");
  if (isDescriptor || isView || name.contains("allocate_shared") ||
      name.contains("shared_memory_descriptor"))
    return ExpectedValue::SharedLayout;
  return ExpectedValue::DistributedLayout;
}

} // namespace

bool takesLayout(llvm::StringRef parameter) {
  return (parameter.contains("layout") && parameter != "cga_layout") || parameter == "parent";
}

ExpectedValue expectedValue(const Callable& callable, llvm::StringRef parameter) {
  if (takesLayout(parameter))
    return callable.builtin ? expectedLayout(*callable.builtin, parameter)
                            : ExpectedValue::AnyLayout;
  if (!callable.builtin) return ExpectedValue::Anything;
  if (callable.builtin->kind == lang::BuiltinKind::Layout) return ExpectedValue::Constant;
  for (const Row& row : rows)
    if (row.parameter == parameter && isInOneOf(*callable.builtin, row.modules))
      return row.expected;
  return ExpectedValue::Anything;
}

bool isLayoutOf(ExpectedValue expected, lang::LayoutFamily family) {
  using enum lang::LayoutFamily;
  switch (expected) {
  case ExpectedValue::DistributedLayout:
    return family == Distributed;
  case ExpectedValue::SharedLayout:
    return family == Shared;
  case ExpectedValue::TensorMemoryLayout:
    return family == TensorMemory;
  default: // cache policies are made like layouts, and are none
    return family != Policy;
  }
}

std::optional<bool> isFitting(ExpectedValue expected, const codegen::TypeFact& type) {
  using enum codegen::FactKind;
  auto isBuffer = [&] { return type.kind == MemoryDescriptor && !type.isTensorMemory; };
  if (type.kind == Aggregate || type.kind == Tuple || type.kind == Other)
    return std::nullopt; // a part of it may fit
  switch (expected) {
  case ExpectedValue::Anything:
    return std::nullopt;
  case ExpectedValue::Buffer:
    return isBuffer() && type.dtype != "int64";
  case ExpectedValue::Barrier:
    return isBuffer() && type.dtype == "int64";
  case ExpectedValue::Descriptor:
    return type.kind == TensorDescriptor;
  case ExpectedValue::Pointer:
    return type.kind == Pointer || llvm::StringRef(type.dtype).contains('*');
  case ExpectedValue::Tensor:
    return type.kind == Tensor;
  case ExpectedValue::Constant:
    return type.kind == Constexpr;
  default:
    break;
  }
  if (type.kind != Constexpr || type.layout.empty()) return false;
  for (const lang::LayoutClass& cls : lang::layoutClasses())
    if (type.className == cls.name) return isLayoutOf(expected, cls.family);
  return std::nullopt;
}

} // namespace gluond::lsp
