// What an interpreter is given: how files are imported, who hears of launches, the target, the
// budget, the release of Triton.
#pragma once

#include "chips/Chip.h"
#include "evaluate/interpreter/Budget.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/ProgramEnvironment.h"
#include "language/values/IrAccess.h"
#include "language/values/Native.h"
#include "language/values/Value.h"
#include "releases/Release.h"
#include "support/Cancellation.h"
#include "syntax/tree/Ast.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gluond::evaluate {

class Interpreter;
struct Launch;

// A file to be imported: its statements (kept alive by `owner`), its absolute path and its
// __name__.
struct ModuleSource {
  syntax::Stmts body;
  std::string path, name;
  std::shared_ptr<const void> owner;
};
// Finds `module` (dotted; `level` leading dots) as imported by the file at `importingPath`; returns
// nullopt if it is not in the workspace.
using Importer = std::function<std::optional<ModuleSource>(llvm::StringRef importingPath,
                                                           llvm::StringRef module, unsigned level)>;

// Receives each kernel[grid](...) call as it happens; implemented by the launch recorder
// (Launches.h). Returns the value of the call.
class LaunchSink {
public:
  virtual ~LaunchSink() = default;
  // `kernel` is the jit function, or the object that decorates it (Autotuner, Heuristics); `grid`
  // is the value in the brackets, or Unknown.
  virtual Value launch(Interpreter& interpreter, Value kernel, Value grid,
                       const CallArguments& arguments, bool certain) = 0;
  // triton.compile(...): a specialization that the program writes down, without values.
  virtual void compile(Interpreter& interpreter, Launch launch, bool certain) = 0;
  // The program divided one integer by another, rounding down: many grids are made so.
  virtual void divided(int64_t /*number*/, int64_t /*divisor*/, int64_t /*quotient*/) {}
};

struct InterpreterOptions {
  std::string target = chips::standardTarget.str();
  Budget budget;
  Importer importer;
  LaunchSink* launches = nullptr;
  language::IrAccess* ir = nullptr;             // codegen's handler for values of the IR
  releases::Release release = releases::newest; // of Triton, whose names and versions programs see
  ProgramEnvironment environment;
  // Packages that are found nowhere are not installed, where the program is ready for that: a
  // guarded import of one raises.
  bool lacksPackages = false;
  // `import a.b` runs a's __init__.py first, so that modules run in Python's order.
  bool importsPackages = false;
  CancellationToken cancellation;
};

} // namespace gluond::evaluate
