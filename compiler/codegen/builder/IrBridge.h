// Gives the evaluator access to values of the IR while it runs constexpr functions and constructors
// for a kernel.
#pragma once

#include "language/values/IrAccess.h"

#include <optional>

namespace gluond::codegen {

struct Unit;

// The class of Gluon's that a value of a type in IR is an instance of; null if it has none.
const language::Builtin* classOfIr(const Type* type);

class IrBridge final : public language::IrAccess {
public:
  explicit IrBridge(Unit& unit) : unit_(unit) {}
  language::Value attribute(language::Value ir, Name name) override;
  bool isInstance(language::Value ir, const language::Builtin* cls) override;
  language::Value call(language::Value callee, const language::CallArguments& arguments) override;
  language::Value binary(int op, bool isCompare, language::Value left,
                         language::Value right) override;
  language::Value typeOf(language::Value ir) override;

  // An option that the kernel is compiled with, as Triton's builder.options has it (num_warps,
  // arch): Absent if gluond does not know it, Unknown while the kernel is checked for any launch.
  language::Value option(llvm::StringRef name);
  // The warps that the caller of the function gives it, as a partition; nullopt for a kernel's own.
  std::optional<unsigned> callerWarps();
  // Gives the module an attribute: a bool, a 32-bit integer, a text, or None for a unit attribute.
  void setModuleAttribute(llvm::StringRef name, language::Value attribute);

private:
  Unit& unit_;
};

} // namespace gluond::codegen
