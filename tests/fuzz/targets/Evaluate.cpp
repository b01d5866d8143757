// A module's text, run at compile time: everything that a stranger's Python can make the evaluator
// do.
#include "../Target.h"
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

namespace gluond::fuzz {

void evaluate(llvm::StringRef input) {
  Interner names;
  auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(input.str()),
                                        diagnostics::FileId{0}, names);
  evaluate::EvaluationRequest request;
  request.source = {tree->body(), "/fuzz/program.py", "program", tree};
  // Small, so that running out of everything is tried often.
  request.budget.steps = 60'000;
  request.budget.memoryBytes = size_t{16} << 20;
  request.budget.integerBits = 1u << 14;
  auto evaluation = evaluate::ModuleEvaluation::evaluate(names, std::move(request));
  expect(evaluation && evaluation->module(), "an evaluation without a module");
}

} // namespace gluond::fuzz
