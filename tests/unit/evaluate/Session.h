// A program evaluated from its text, for tests.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "language/types/TypeContext.h"
#include "syntax/SyntaxTree.h"

#include <gtest/gtest.h>

namespace gluond::evaluate {

struct Session {
  Interner names;
  language::Heap heap;
  language::TypeContext types{names};
  Interpreter interpreter;

  explicit Session(InterpreterOptions options = {})
      : interpreter(heap, names, types, std::move(options)) {}

  const ModuleObject* run(std::string source, llvm::StringRef moduleName = "program",
                          std::string path = "program.py") {
    auto tree =
        syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(std::move(source)), {}, names);
    return interpreter.runModule({tree->body(), std::move(path), moduleName.str(), tree},
                                 moduleName);
  }
  // The repr of a global after running the program; "<Class>: <message>" when it raised.
  std::string result(std::string source, llvm::StringRef global = "out") {
    const ModuleObject* module = run(std::move(source));
    if (!interpreter.moduleErrors().empty()) {
      auto& error = interpreter.moduleErrors()[0];
      return (error.exhausted ? "exhausted" : error.exceptionClass) + ": " + error.message;
    }
    Value value = module->globals->get(names.intern(global));
    if (value.isAbsent()) return "<unbound>";
    std::string text = interpreter.repr(value);
    if (interpreter.failed()) return "repr: " + interpreter.takeError().message;
    return text;
  }
  Value global(const ModuleObject* module, llvm::StringRef name) {
    return module->globals->get(names.intern(name));
  }
};

} // namespace gluond::evaluate
