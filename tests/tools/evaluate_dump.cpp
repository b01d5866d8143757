// evaluate_dump FILE [TARGET]: what evaluation makes of a file: its globals, the launches found,
// the exceptions.
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

using namespace gluond;

int main(int argc, char** argv) {
  if (argc < 2) {
    llvm::errs() << "usage: evaluate_dump FILE [TARGET]\n";
    return 2;
  }
  auto buffer = llvm::MemoryBuffer::getFile(argv[1]);
  if (!buffer) {
    llvm::errs() << argv[1] << ": " << buffer.getError().message() << "\n";
    return 2;
  }
  Interner names;
  auto tree = syntax::SyntaxTree::parse(
      std::make_shared<text::SourceText>((*buffer)->getBuffer().str()), {}, names);
  evaluate::EvaluationRequest request;
  request.source = {tree->body(), argv[1], llvm::sys::path::stem(argv[1]).str(), tree};
  if (argc > 2) request.target = argv[2];
  auto evaluation = evaluate::ModuleEvaluation::evaluate(names, std::move(request));
  language::Heap heap;
  language::TypeContext types(names);
  evaluate::Interpreter interpreter(heap, names, types, {});
  for (auto [name, value] : *evaluation->module()->globals)
    if (name && !value.isAbsent())
      llvm::outs() << names.text(name) << " = " << interpreter.repr(value) << "\n";
  for (auto& launch : evaluation->launches()) {
    llvm::outs() << launch.id << (launch.isCertain ? "" : " (perhaps)") << ":";
    for (auto& argument : launch.arguments) {
      llvm::outs() << " " << names.text(argument.name) << "=" << signature(argument);
      if (argument.isConstexpr) llvm::outs() << " " << interpreter.repr(argument.constant);
      if (argument.divisibleBy) llvm::outs() << " D";
      if (argument.isAssumed) llvm::outs() << " (assumed)";
    }
    for (auto& option : launch.options)
      llvm::outs() << " " << option.name << "=" << interpreter.repr(option.value);
    llvm::outs() << "\n";
  }
  for (auto& error : evaluation->errors()) {
    llvm::outs() << (error.exhausted ? "exhausted" : error.exceptionClass) << ": " << error.message;
    if (auto* place = error.place())
      llvm::outs() << " at line " << tree->source().lineOf(place->range.begin) + 1;
    llvm::outs() << "\n";
  }
}
