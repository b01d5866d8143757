#include "ir/Context.h"

#include "ir/LlvmDialect.h"
#include "ir/amdg/Dialect.h"
#include "ir/gluon/Dialect.h"
#include "ir/rocdl/Dialect.h"
#include "ir/tt/Dialect.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/ttg/Dialect.h"
#include "ir/tti/Dialect.h"
#include "ir/ttng/Dialect.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/UB/IR/UBOps.h>
#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Parser/Parser.h>

#include <algorithm>
#include <vector>

using namespace mlir;

namespace gluond::ir {

std::unique_ptr<MLIRContext> createContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false); // printing one op numbers the values of all its function
  context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, math::MathDialect,
                       scf::SCFDialect, ub::UBDialect, mlir::gpu::GPUDialect, tt::TTDialect,
                       ttg::TTGDialect, ttng::TTNGDialect, tti::TTIDialect, amdg::AMDGDialect,
                       rocdl::ROCDLDialect, gluon::GluonDialect>();
  tt::addReleaseInForce(*context);
  registerLlvmDialect(*context);
  return context;
}

std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().assumeVerified());
  return text;
}

namespace {

// How deep brackets nest in the text, strings and comments aside.
size_t nestingOf(StringRef text) {
  size_t depth = 0, angles = 0, deepest = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
      break;
    case '/':
      if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
      break;
    case '<':
      ++angles;
      break;
    case '>':
      if (angles != 0 && (i == 0 || text[i - 1] != '-')) --angles;
      break;
    case '(':
    case '[':
    case '{':
      ++depth;
      break;
    case ')':
    case ']':
    case '}':
      if (depth != 0) --depth;
      break;
    default:
      break;
    }
    deepest = std::max(deepest, depth + angles);
  }
  return deepest;
}

// The number of digits of the longest number: reading one takes the square of them.
size_t longestNumber(StringRef text) {
  size_t longest = 0;
  while (true) {
    text = text.drop_until(llvm::isDigit);
    size_t digits = text.take_while(llvm::isDigit).size();
    if (digits == 0) return longest;
    longest = std::max(longest, digits);
    text = text.drop_front(digits);
  }
}

// Returns a directly or indirectly recursive function, or null if there is none.
FunctionOpInterface recursive(ModuleOp module) {
  enum class State : uint8_t { Open, Done };
  llvm::DenseMap<Operation*, State> states;
  struct Visit {
    Operation* function;
    llvm::SmallVector<Operation*> callees;
  };
  SymbolTable symbols(module);
  auto calleesOf = [&](Operation* function) {
    llvm::SmallVector<Operation*> result;
    function->walk([&](CallOpInterface call) {
      if (auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        if (Operation* callee = symbols.lookup(name.getLeafReference())) result.push_back(callee);
    });
    return result;
  };
  for (Operation& root : module.getOps()) {
    if (!isa<FunctionOpInterface>(root) || !states.try_emplace(&root, State::Open).second) continue;
    std::vector<Visit> path;
    path.push_back({&root, calleesOf(&root)});
    while (!path.empty()) {
      if (path.back().callees.empty()) {
        states[path.back().function] = State::Done;
        path.pop_back();
        continue;
      }
      Operation* callee = path.back().callees.pop_back_val();
      auto [it, isNew] = states.try_emplace(callee, State::Open);
      if (isNew)
        path.push_back({callee, calleesOf(callee)});
      else if (it->second == State::Open)
        return dyn_cast<FunctionOpInterface>(callee);
    }
  }
  return nullptr;
}

} // namespace

// MLIR reads a type after an attribute of a dialect (`#tt.cache_policy<...> : T`), also where
// Triton prints the colon of its operation there. Gives such attributes the type that says nothing.
static std::string withTypedPolicies(StringRef text) {
  constexpr StringRef policy = "cachePolicy = #tt.cache_policy<";
  std::string result;
  for (size_t at = text.find(policy); at != StringRef::npos; at = text.find(policy)) {
    size_t end = std::min(text.find('>', at), text.size() - 1) + 1;
    result += text.take_front(end);
    text = text.drop_front(end);
    if (text.starts_with(" : ")) result += " : none";
  }
  result += text;
  return result;
}

OwningOpRef<ModuleOp> parseModule(StringRef text, MLIRContext& context) {
  // MLIR would read it, and trusts what it reads: it is for IR that a compiler wrote.
  if (text.starts_with("ML\xEFR")) {
    emitError(UnknownLoc::get(&context)) << "it is MLIR bytecode, and IR is read as text";
    return nullptr;
  }
  constexpr size_t deepest = 500; // MLIR's parser recurses; real modules stay below a tenth of it
  if (nestingOf(text) > deepest) {
    emitError(UnknownLoc::get(&context)) << "brackets nest deeper than " << deepest << " levels";
    return nullptr;
  }
  constexpr size_t mostDigits = 4000;
  if (longestNumber(text) > mostDigits) {
    emitError(UnknownLoc::get(&context)) << "a number has more than " << mostDigits << " digits";
    return nullptr;
  }
  // MLIR's lexer reads up to a zero byte, which a std::string has and a StringRef need not have.
  std::string ended = text.contains("#tt.cache_policy<") ? withTypedPolicies(text) : text.str();
  auto module = parseSourceString<ModuleOp>(ended, &context);
  if (!module) return nullptr;
  if (auto function = recursive(*module)) {
    function->emitError() << "function '" << function.getName()
                          << "' calls itself, which no kernel may";
    return nullptr;
  }
  return module;
}

} // namespace gluond::ir
