// The state that a worker keeps between kernels: the MLIR context with the dialects loaded,
// interned language types, the translations between the two, and the prelude. Only one thread may
// use it at a time; contexts are independent of each other.
#pragma once

#include "codegen/context/Prelude.h"
#include "codegen/context/ProgramMemory.h"
#include "codegen/context/QuickVerify.h"
#include "codegen/context/WellKnown.h"
#include "codegen/targets/Options.h"
#include "language/types/Type.h"
#include "language/types/TypeContext.h"
#include "layout/named/Layout.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OperationSupport.h>

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace gluond::codegen {

class CodegenContext {
public:
  explicit CodegenContext(Interner& names);
  ~CodegenContext();
  CodegenContext(const CodegenContext&) = delete;
  CodegenContext& operator=(const CodegenContext&) = delete;

  mlir::MLIRContext& mlir() { return *mlir_; }
  language::TypeContext& types() { return types_; }
  Interner& names() { return names_; }
  const WellKnown& wellKnown() const { return wellKnown_; }
  Prelude& prelude() { return prelude_; }
  QuickVerifier& verifier() { return verifier_; }

  // Triton's type.to_ir(builder), for types with one handle; for a tensor descriptor, the type of
  // the descriptor itself. Returns null if a layout in the type is not well-formed (see
  // takeLayoutError), or if the type has no representation, whatever the program made it of (see
  // takeTypeError).
  mlir::Type irType(const language::Type* type);
  // Triton's layout._to_ir(builder); returns null like irType(). Results are cached by address, so
  // layouts should be interned (TypeContext::layout); layouts of types are.
  mlir::Attribute encoding(const language::LayoutObject* layout);
  // The inverse (layout_to_gluon); returns null if Gluon has no name for the encoding.
  const language::LayoutObject* layoutOf(mlir::Attribute encoding, bool isRubin = false);

  // Caches for what MLIR looks up by hashing: integer attributes, tensors of i1, op names by
  // class, comparison predicates, and the attributes of a module, a function and a kernel's
  // arguments.
  mlir::IntegerAttr integer(const llvm::APInt& value);
  mlir::Type truthType(mlir::RankedTensorType type);
  std::optional<mlir::OperationName> operation(mlir::TypeID op) {
    auto& [known, name] = operations_[(reinterpret_cast<uintptr_t>(op.getAsOpaquePointer()) / 8) %
                                      operations_.size()];
    if (known == op) [[likely]]
      return name;
    auto found = mlir::RegisteredOperationName::lookup(op, mlir_.get());
    if (!found) return std::nullopt;
    known = op;
    return name = *found;
  }
  template <typename Attribute, typename Predicate> Attribute predicate(Predicate value) {
    mlir::Attribute& known =
        predicates_[{mlir::TypeID::get<Attribute>(), static_cast<unsigned>(value)}];
    if (!known) known = Attribute::get(mlir_.get(), value);
    return llvm::cast<Attribute>(known);
  }
  mlir::DictionaryAttr moduleAttributes(const Target& target, const Options& options);
  llvm::ArrayRef<mlir::NamedAttribute> functionAttributes(bool noinline, bool isPublic);
  mlir::DictionaryAttr argumentAttributes(std::optional<int64_t> divisibleBy,
                                          std::optional<int64_t> pointerRange);

  // Returns a member of one of Gluon's modules that is a row of the table or a scalar type, or
  // Absent if it is not cached.
  language::Value moduleMember(const language::ModuleObject& module, Name name) const;
  void noteMember(const language::ModuleObject& module, Name name, language::Value value);

  // The memory for a program, kept while the program lives; not kept if it has no owner.
  std::shared_ptr<ProgramMemory> memoryOf(const SourceFiles& files);

  struct LayoutProblem {
    const language::LayoutObject* layout;
    layout::LayoutError error;
  };
  std::optional<LayoutProblem> takeLayoutError() {
    return std::exchange(layoutError_, std::nullopt);
  }
  std::optional<std::string> takeTypeError() { return std::exchange(typeError_, std::nullopt); }

private:
  mlir::Type makeIrType(const language::Type* type);
  mlir::Type notRepresentable(const language::Type* type); // null; for takeTypeError
  mlir::Attribute makeEncoding(const language::LayoutObject& layout);

  std::unique_ptr<mlir::MLIRContext> mlir_;
  Interner& names_;
  WellKnown wellKnown_;
  language::TypeContext types_;
  language::Heap heap_; // for layouts made from encodings
  Prelude prelude_;
  QuickVerifier verifier_;
  mlir::Type scalars_[language::scalarKindCount];
  llvm::DenseMap<const language::LayoutObject*, mlir::Attribute> encodings_;
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, const language::LayoutObject*> layouts_;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, mlir::IntegerAttr> integers_;
  llvm::DenseMap<mlir::Type, mlir::Type> truths_;
  std::array<std::pair<mlir::TypeID, std::optional<mlir::OperationName>>, 256> operations_;
  llvm::DenseMap<std::pair<mlir::TypeID, unsigned>, mlir::Attribute> predicates_;
  struct ModuleKey {
    std::string target;
    unsigned numWarps, numCtas, maxnreg; // 0 if not given
    bool operator==(const ModuleKey&) const = default;
  };
  std::optional<std::pair<ModuleKey, mlir::DictionaryAttr>> module_; // the most recent one
  llvm::DenseMap<std::tuple<int64_t, int64_t, unsigned>, mlir::DictionaryAttr> arguments_;
  llvm::SmallVector<mlir::NamedAttribute, 2> functions_[4]; // indexed by noinline and public
  struct Member {
    llvm::StringRef module; // Gluon's own text; an address may be reused by another object
    language::Value value;
  };
  llvm::DenseMap<std::pair<const language::ModuleObject*, Name>, Member> members_;
  static constexpr size_t mostMembers = 4096, mostPrograms = 8;
  llvm::SmallVector<std::pair<std::weak_ptr<const void>, std::shared_ptr<ProgramMemory>>, 2>
      programs_;
  std::optional<LayoutProblem> layoutError_;
  std::optional<std::string> typeError_;
};

} // namespace gluond::codegen
