#include "evaluate/triton/EarlierCalls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using language::Builtin;
using language::Parameter;
using language::ParameterKind;

// Calls `look` with the names of the modules and classes that have a builtin, the defining one
// first, until it returns true. A module that falls back to another one has that one's.
static void eachOwner(const Builtin& builtin, llvm::function_ref<bool(llvm::StringRef)> look) {
  llvm::SmallVector<llvm::StringRef, 4> places;
  llvm::SplitString(builtin.where, places);
  for (llvm::StringRef place : places)
    for (const language::BuiltinModule& module : language::builtinModules())
      if ((module.alias == place || language::module(module.fallback).alias == place) &&
          look(module.isClass ? place : llvm::StringRef(module.name)))
        return;
}

llvm::StringRef earlierSignature(releases::Release release, const Builtin& builtin) {
  llvm::StringRef found;
  if (release != releases::newest)
    eachOwner(builtin, [&](llvm::StringRef owner) {
      bool isThere = releases::has(release, owner, builtin.name).value_or(true);
      auto* before = isThere ? nullptr : releases::predecessorOf(release, owner, builtin.name);
      found = releases::signatureIn(release, owner, before ? before->name : builtin.name);
      return !found.empty();
    });
  return found;
}

std::optional<releases::Life> lifeOf(const Builtin& builtin) {
  std::optional<releases::Life> found;
  eachOwner(builtin, [&](llvm::StringRef owner) {
    found = releases::lifeOf(owner, builtin.name);
    return true;
  });
  return found;
}

namespace {

llvm::SmallVector<Parameter, 8> parametersOf(llvm::StringRef signature) {
  llvm::SmallVector<Parameter, 8> result;
  signature.consume_front("(");
  signature.consume_back(")");
  int depth = 0;
  bool isKeywordOnly = false;
  size_t begin = 0;
  for (size_t i = 0; i <= signature.size(); ++i) {
    char c = i < signature.size() ? signature[i] : ',';
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c != ',' || depth) continue;
    llvm::StringRef piece = signature.slice(begin, i).trim();
    begin = i + 1;
    if (piece == "*")
      isKeywordOnly = true;
    else if (!piece.empty())
      result.push_back(language::detail::readParameter(std::string_view(piece.data(), piece.size()),
                                                       isKeywordOnly));
    isKeywordOnly |= piece.starts_with("*");
  }
  return result;
}

llvm::StringRef nameOf(const Parameter& parameter) {
  return {parameter.name.data(), parameter.name.size()};
}
bool isNamed(const Parameter& parameter) {
  return parameter.kind == ParameterKind::Positional ||
         parameter.kind == ParameterKind::KeywordOnly;
}

const Parameter* parameterNamed(llvm::ArrayRef<Parameter> parameters, llvm::StringRef name) {
  const auto* it = llvm::find_if(
      parameters, [&](const Parameter& each) { return isNamed(each) && nameOf(each) == name; });
  return it == parameters.end() ? nullptr : it;
}
bool hasKind(llvm::ArrayRef<Parameter> parameters, ParameterKind kind) {
  return llvm::any_of(parameters, [&](const Parameter& each) { return each.kind == kind; });
}

// The name that an earlier parameter has now; "" if it has none.
std::string nameNow(const Builtin& builtin, llvm::StringRef earlier) {
  for (const releases::RenamedParameter& row : releases::renamedParameters())
    if (row.function == builtin.name && row.before == earlier) return row.now.str();
  return parameterNamed(builtin.parameters, earlier) ? earlier.str() : "";
}

} // namespace

llvm::SmallVector<Parameter, 8> parametersIn(releases::Release release, const Builtin& builtin) {
  llvm::StringRef signature = earlierSignature(release, builtin);
  return signature.empty() ? llvm::SmallVector<Parameter, 8>(builtin.parameters)
                           : parametersOf(signature);
}

EarlierCall callIn(releases::Release release, const Builtin& builtin, size_t positional,
                   llvm::ArrayRef<llvm::StringRef> keywords) {
  using Outcome = EarlierCall::Outcome;
  EarlierCall call;
  llvm::StringRef signature = earlierSignature(release, builtin);
  if (signature.empty()) return call;
  llvm::SmallVector<Parameter, 8> earlier = parametersOf(signature);
  for (const Parameter& each : earlier)
    call.accepted += each.kind == ParameterKind::Positional;
  auto refuse = [&](Outcome why, llvm::StringRef name = "") {
    call.outcome = why;
    call.name = name.str();
    return call;
  };
  if (positional > call.accepted && !hasKind(earlier, ParameterKind::VarArgs))
    return refuse(Outcome::TooMany);
  for (auto [i, keyword] : llvm::enumerate(keywords))
    if (!parameterNamed(earlier, keyword) && !hasKind(earlier, ParameterKind::KwArgs)) {
      call.keyword = i;
      for (const releases::RenamedParameter& row : releases::renamedParameters())
        if (row.function == builtin.name && row.now == keyword &&
            parameterNamed(earlier, row.before))
          return refuse(Outcome::UnexpectedKeyword, row.before);
      return refuse(Outcome::UnexpectedKeyword);
    }
  for (auto [i, each] : llvm::enumerate(earlier))
    if (isNamed(each) && each.defaultKind == language::DefaultKind::Required && i >= positional &&
        !llvm::is_contained(keywords, nameOf(each)))
      return refuse(Outcome::Missing, nameOf(each));

  if (hasKind(earlier, ParameterKind::VarArgs) || hasKind(earlier, ParameterKind::KwArgs))
    return call;
  call.firstNamed = positional;
  bool isSame = true;
  for (size_t i = 0; i < positional; ++i) {
    std::string now = nameNow(builtin, nameOf(earlier[i]));
    if (now.empty()) return refuse(Outcome::Unknown);
    bool isInPlace = i < builtin.parameters.size() &&
                     builtin.parameters[i].kind == ParameterKind::Positional &&
                     nameOf(builtin.parameters[i]) == now;
    if (isInPlace && isSame) continue;
    if (isSame) call.firstNamed = i;
    isSame = false;
    call.named.push_back(now);
  }
  for (llvm::StringRef keyword : keywords) {
    std::string now = nameNow(builtin, keyword);
    if (now.empty()) return refuse(Outcome::Unknown);
    isSame &= now == keyword;
    call.keywords.push_back(now);
  }
  call.outcome = isSame ? Outcome::Same : Outcome::Rewritten;
  return call;
}

// As `earlierForm`, of one release.
static std::optional<EarlierForm> formIn(releases::Release release, const Builtin& builtin,
                                         size_t positional,
                                         llvm::ArrayRef<llvm::StringRef> keywords) {
  llvm::StringRef signature = earlierSignature(release, builtin);
  if (signature.empty()) return std::nullopt;
  llvm::SmallVector<Parameter, 8> earlier = parametersOf(signature);
  EarlierForm form;
  auto add = [&](const Parameter* parameter) {
    if (!parameter || !isNamed(*parameter)) return false;
    form.names.push_back(nameNow(builtin, nameOf(*parameter)));
    form.defaults.emplace_back(parameter->defaultText);
    return true;
  };
  for (size_t i = 0; i < positional; ++i)
    if (i >= earlier.size() || earlier[i].kind != ParameterKind::Positional || !add(&earlier[i]))
      return std::nullopt;
  for (llvm::StringRef keyword : keywords)
    if (!add(parameterNamed(earlier, keyword))) return std::nullopt;
  return form;
}

std::optional<EarlierForm> earlierForm(const Builtin& builtin, size_t positional,
                                       llvm::ArrayRef<llvm::StringRef> keywords) {
  for (releases::Release release : llvm::reverse(releases::all()))
    if (release != releases::newest)
      if (auto form = formIn(release, builtin, positional, keywords)) return form;
  return std::nullopt;
}

} // namespace gluond::evaluate
