#include "driver/program/DirectiveReader.h"

#include "chips/Target.h"
#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/launches/AssumedTypes.h"
#include "evaluate/launches/Launches.h"
#include "language/parameters/SpecializedDivisor.h"
#include "language/types/TypeContext.h"
#include "language/types/TypeText.h"
#include "support/Allowance.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using namespace language;

std::optional<SignatureText> parseSignature(llvm::StringRef text, TypeContext& types) {
  SignatureText result{};
  auto [type, divisor] = text.trim().split(':');
  if (text.contains(':')) {
    unsigned number;
    if (divisor.getAsInteger(10, number) || number == 0) return std::nullopt;
    if (number % language::specializedDivisor == 0)
      result.divisibleBy = language::specializedDivisor;
  }
  result.type = typeOfSignature(type, types);
  if (!result.type) return std::nullopt;
  return result;
}

void DirectiveReader::complain(const FunctionObject& kernel, text::Range range,
                               const std::string& problem) {
  diagnostics::Reporter emit(diagnostics_, tree_.file());
  emit(diagnostics::Id::LaunchArgument, range, kernel.qualname, problem);
}

std::vector<DirectiveReader::Read> DirectiveReader::read(const FunctionObject& kernel) {
  constexpr size_t most = 256; // as of the launches in host code
  std::vector<Read> launches;
  for (const Directive& directive : directivesOf(*kernel.def, tree_.source())) {
    if (Spending::isSpent()) break;
    if (launches.size() == most) {
      complain(kernel, directive.range,
               "is beyond the " + std::to_string(most) + " that gluond reads above one kernel");
      break;
    }
    Read read{{}, {tree_.file(), directive.range}};
    read.launch.id = kernel.qualname.str() + ".directive." + std::to_string(launches.size());
    if (readOne(kernel, directive, read.launch)) launches.push_back(std::move(read));
  }
  return launches;
}

bool DirectiveReader::readOne(const FunctionObject& kernel, const Directive& directive,
                              evaluate::Launch& out) {
  auto fail = [&](text::Range range, const std::string& problem) {
    complain(kernel, range, problem);
    return false;
  };
  // What the interpreter raised, or that it stopped.
  auto failEvaluation = [&](text::Range range, auto problemOf) {
    evaluate::PythonError error = interpreter_.takeError();
    if (!error.exhausted) return fail(range, problemOf(error));
    diagnostics::Reporter emit(diagnostics_, tree_.file());
    emit(diagnostics::Id::BudgetExhausted, range, error.message);
    return false;
  };
  constexpr size_t longest = size_t{64} << 10; // a launch has some dozens of arguments
  if (directive.call.size() > longest)
    return fail(directive.range, "is longer than the 64 KB that gluond reads of a directive");
  if (!directive.isClosed) return fail(directive.range, "has no closing parenthesis");
  auto snippet = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(directive.call),
                                           tree_.file(), tree_.interner());
  snippets_.push_back(snippet);
  auto placeOf = [&](text::Range range) {
    return text::Range{directive.toFile(range.begin), directive.toFile(range.end)};
  };
  if (!snippet->errors().empty())
    return fail(placeOf(snippet->errors().front().location.range),
                "is not a call: " + snippet->errors().front().message);
  auto* statement = snippet->body().size() == 1
                        ? llvm::dyn_cast<syntax::ExprStmt>(snippet->body().front())
                        : nullptr;
  auto* call = statement ? llvm::dyn_cast<syntax::Call>(statement->value) : nullptr;
  if (!call) return fail(directive.range, "is not a call");

  const auto& parameters = kernel.def->parameters;
  std::string target;
  llvm::SmallVector<Value, 8> positional;
  llvm::SmallVector<KeywordArgument, 8> keywords;
  struct Typed {
    size_t parameter;
    SignatureText signature;
  };
  llvm::SmallVector<Typed, 8> typed;
  auto take = [&](const syntax::Expr* expr, std::optional<size_t> parameter, Value& value) {
    value = interpreter_.evaluate(expr, module_->globals, module_);
    if (interpreter_.failed())
      return failEvaluation(placeOf(expr->range), [](const evaluate::PythonError& error) {
        return "has an argument that raises " + error.exceptionClass + ": " + error.message;
      });
    auto* text = value.as<StrObject>();
    if (!parameter || !text || !value.is(ValueKind::Str)) return true;
    if (*parameter < kernel.annotations.size() &&
        evaluate::isConstexprAnnotation(kernel.annotations[*parameter]))
      return true;
    auto signature = parseSignature(text->text, interpreter_.types());
    if (!signature)
      return fail(placeOf(expr->range), "has an unknown type: \"" + text->text.str() + "\"");
    typed.push_back({*parameter, *signature});
    value = Value::unknown();
    return true;
  };

  for (auto [i, expr] : llvm::enumerate(call->args)) {
    if (llvm::isa<syntax::Starred>(expr) || i >= parameters.size())
      return fail(placeOf(expr->range), "has more arguments than the kernel has parameters");
    if (!take(expr, i, positional.emplace_back())) return false;
  }
  for (const syntax::Keyword& keyword : call->keywords) {
    llvm::StringRef name = tree_.interner().text(keyword.name.name);
    auto parameter =
        llvm::find_if(parameters, [&](const auto& p) { return p.name.name == keyword.name.name; });
    std::optional<size_t> index;
    if (parameter != parameters.end()) index = static_cast<size_t>(parameter - parameters.begin());
    Value value;
    if (!take(keyword.value, index, value)) return false;
    if (name == "target" && !index) {
      auto* text = value.as<StrObject>();
      if (!text || !chips::Target::parse(text->text))
        return fail(placeOf(keyword.value->range),
                    "has an unknown target; write for example \"cuda:90\" or \"hip:gfx942\"");
      target = text->text.str();
      continue;
    }
    keywords.push_back({keyword.name.name, value});
  }

  std::string id = out.id;
  if (!evaluate::specialize(interpreter_, &kernel, {positional, keywords}, out))
    return failEvaluation(directive.range, [](const evaluate::PythonError& error) {
      return "does not match the kernel: " + error.message;
    });
  out.id = id;
  if (!target.empty()) out.target = target;
  evaluate::assumeTypes(out, tree_.interner(), interpreter_.types());
  for (const Typed& each : typed) {
    evaluate::LaunchArgument& argument = out.arguments[each.parameter];
    argument.type = each.signature.type;
    argument.divisibleBy = each.signature.divisibleBy;
    argument.pointerRange.reset(); // of what was assumed without the signature
    argument.isConstexpr = argument.isTuple = false;
    argument.isAssumed = argument.isTypeAssumed = argument.isDtypeAssumed = false;
  }
  return true;
}

} // namespace gluond::driver
