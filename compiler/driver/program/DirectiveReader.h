// Turns directive comments into launches: evaluates their arguments in the module's scope. Internal
// to EvaluatedFile.
#pragma once

#include "driver/program/Directives.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/launches/Launch.h"
#include "syntax/SyntaxTree.h"

#include <vector>

namespace gluond::driver {

class DirectiveReader {
public:
  // `snippets` owns the trees of evaluated text; mistakes are added to `diagnostics`.
  DirectiveReader(evaluate::Interpreter& interpreter, const syntax::SyntaxTree& tree,
                  const language::ModuleObject* module,
                  std::vector<std::shared_ptr<const syntax::SyntaxTree>>& snippets,
                  std::vector<diagnostics::Diagnostic>& diagnostics)
      : interpreter_(interpreter), tree_(tree), module_(module), snippets_(snippets),
        diagnostics_(diagnostics) {}

  struct Read {
    evaluate::Launch launch;
    diagnostics::Location place;
  };
  std::vector<Read> read(const language::FunctionObject& kernel);

private:
  bool readOne(const language::FunctionObject& kernel, const Directive& directive,
               evaluate::Launch& out);
  void complain(const language::FunctionObject& kernel, text::Range range,
                const std::string& problem);

  evaluate::Interpreter& interpreter_;
  const syntax::SyntaxTree& tree_;
  const language::ModuleObject* module_;
  std::vector<std::shared_ptr<const syntax::SyntaxTree>>& snippets_;
  std::vector<diagnostics::Diagnostic>& diagnostics_;
};

// Parses "*fp32:16", "i64", "*kfp16" as type and divisibility; nullopt if it is no signature.
struct SignatureText {
  const language::Type* type;
  std::optional<unsigned> divisibleBy;
};
std::optional<SignatureText> parseSignature(llvm::StringRef text, language::TypeContext& types);

} // namespace gluond::driver
