// Gives the evaluator access to values of the IR while it runs constexpr functions and constructors
// for a kernel.
#pragma once

#include "language/values/IrAccess.h"

namespace gluond::codegen {

struct Unit;

class IrBridge final : public language::IrAccess {
public:
  explicit IrBridge(Unit& unit) : unit_(unit) {}
  language::Value attribute(language::Value ir, Name name) override;
  bool isInstance(language::Value ir, const language::Builtin* cls) override;
  language::Value call(language::Value callee, const language::CallArguments& arguments) override;
  language::Value binary(int op, bool isCompare, language::Value left,
                         language::Value right) override;
  language::Value typeOf(language::Value ir) override;

private:
  Unit& unit_;
};

} // namespace gluond::codegen
