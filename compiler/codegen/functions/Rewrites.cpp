#include "codegen/functions/Rewrites.h"

#include "chips/Chip.h"
#include "chips/GluonModules.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Values.h"
#include "codegen/suggestions/MissingImports.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

using diagnostics::FixId;
using language::TypeKind;
using syntax::Attribute;
using syntax::Call;
using syntax::Expr;
using syntax::NameExpr;
using syntax::Node;

namespace {

// The innermost node of a kind around a place of the current function.
template <typename Kind> const Kind* around(const IrBuilder& emit, const Node& node, auto&& isIt) {
  const syntax::FunctionDef* def = emit.definition();
  const Kind* found = nullptr;
  if (def)
    for (const Node* each : syntax::pathFrom(def->body, node.range.begin))
      if (auto* kind = llvm::dyn_cast<Kind>(each); kind && isIt(*kind) && !found) found = kind;
  return found;
}

// The value of a variable of the current function.
Value variable(const IrBuilder& emit, const Expr* expr) {
  Value found = Value::absent();
  auto* name = llvm::dyn_cast<NameExpr>(expr);
  if (name)
    emit.forEachVariable([&](llvm::StringRef each, Value value) {
      if (each == emit.names().text(name->name)) found = value;
    });
  return found;
}

} // namespace

void offerStore(IrBuilder& emit, Reported& reported, const Node* node) {
  auto* target = llvm::dyn_cast_if_present<syntax::Subscript>(node);
  if (!target) return;
  auto* assign = around<syntax::Assign>(emit, *target, [&](const syntax::Assign& each) {
    return each.targets.size() == 1 && each.targets.front() == target;
  });
  auto* base = variable(emit, target->value).as<language::IrObject>();
  std::string language = emit.languageName();
  if (!assign || !base || language.empty()) return;
  std::string value = emit.sourceText(assign->value).str(), text;
  std::string index = emit.sourceText(target->index).str();
  if (base->type->is(TypeKind::SharedMemoryDescriptor)) {
    bool isWhole = llvm::isa<syntax::Slice, syntax::Tuple>(target->index);
    text = emit.sourceText(target->value).str() + (isWhole ? "" : ".index(" + index + ")") +
           ".store(" + value + ")";
  } else if (base->type->isPointer() ||
             (base->type->isTensor() && base->type->element()->isPointer())) {
    auto masks = variablesThat(emit, [](Value held) {
      auto* ir = held.as<language::IrObject>();
      return ir && ir->type->isTensor() && ir->type->element()->isBool();
    });
    text = language + ".store(" + emit.sourceText(target->value).str() + " + " + index + ", " +
           value + (masks.size() == 1 ? ", mask=" + masks.front() : "") + ")";
  } else
    return;
  reported.fix(FixId::TryText, {{assign->range, text}}, text);
}

void offerPrint(IrBuilder& emit, Reported& reported, const syntax::JoinedStr* format) {
  auto* call = around<Call>(emit, *format, [&](const Call& each) {
    auto* function = llvm::dyn_cast<NameExpr>(each.func);
    return function && emit.names().text(function->name) == "print" && each.args.size() == 1 &&
           each.args.front() == format;
  });
  std::string language = emit.languageName(), prefix, values;
  if (!call || language.empty()) return;
  for (const Expr* part : format->parts) {
    if (auto* constant = llvm::dyn_cast<syntax::Constant>(part))
      prefix += constant->string;
    else if (auto* value = llvm::dyn_cast<syntax::FormattedValue>(part))
      values += ", " + emit.sourceText(value->value).str();
  }
  if (prefix.find_first_of("\"\\\n{}") != std::string::npos) return;
  std::string text = language + ".device_print(\"" + prefix + "\"" + values + ")";
  reported.fix(FixId::TryText, {{call->range, text}}, text);
}

void offerFunction(IrBuilder& emit, Reported& reported, const Attribute* method,
                   const Type* receiverType) {
  std::string language = emit.languageName();
  auto* call = around<Call>(emit, *method, [&](const Call& each) { return each.func == method; });
  if (!call || language.empty()) return;
  llvm::StringRef name = emit.names().text(method->attribute.name);
  llvm::StringRef meant = gluonNameFor(name);
  if (meant.empty()) meant = name;
  const language::Builtin* row = language::findBuiltin(language::ModuleId::gl, meant);
  if (!row) return;
  bool takesPointer =
      row->hasParameters() && !row->parameters.empty() && row->parameters.front().name == "pointer";
  if (takesPointer && !receiverType->scalar()->isPointer()) return;
  std::string receiver = emit.sourceText(method->value).str(), text;
  if (row->kind == language::BuiltinKind::Dtype && call->args.empty()) {
    text = primaryText(emit, method->value) + ".to(" + language + "." + meant.str() + ")";
  } else if (row->hasParameters() && !row->parameters.empty()) {
    llvm::SmallVector<std::string, 4> arguments{receiver};
    for (const Expr* argument : call->args)
      arguments.push_back(emit.sourceText(argument).str());
    // x.where(condition, y), as torch writes it, has the condition first here.
    if (meant == "where" && arguments.size() > 1) std::swap(arguments[0], arguments[1]);
    text = language + "." + meant.str() + "(" + llvm::join(arguments, ", ");
    for (const syntax::Keyword& keyword : call->keywords)
      text +=
          ", " + emit.source()->slice({keyword.name.range.begin, keyword.value->range.end}).str();
    text += ")";
  } else
    return;
  reported.fix(FixId::TryText, {{call->range, text}}, text);
}

// Whether a module of Gluon is for the chip that is compiled for, or for all: not for later ones,
// nor for those whose matrix products are of another kind.
static bool isForTarget(llvm::StringRef module, const Target& target) {
  for (const chips::GluonModule& row : chips::gluonModules()) {
    std::string part = ("." + row.vendor + "." + row.name).str();
    auto [before, after] = module.split(part);
    if (before == module || (!after.empty() && !after.starts_with("."))) continue;
    auto isOf = [](llvm::StringRef name) {
      return [name](const chips::Chip& chip) { return chip.target == name; };
    };
    const auto* own = llvm::find_if(chips::allChips(), isOf(target.name()));
    const auto* needed = llvm::find_if(chips::allChips(), isOf(row.target));
    if (own == chips::allChips().end() || needed == chips::allChips().end()) return true;
    if (target.isCuda() && row.name == chips::oldestNvidiaModule) return true;
    return needed <= own && needed->has(Feature::Mfma) == own->has(Feature::Mfma);
  }
  return true;
}

bool offerOtherModule(IrBuilder& emit, Reported& reported, const Attribute* member,
                      const language::ModuleObject& module) {
  const llvm::StringRef language = "triton.experimental.gluon.language";
  if (!module.name.starts_with(language) || !emit.source()) return false;
  llvm::StringRef name = emit.names().text(member->attribute.name);
  // Each thing of that name has the shortest text for it here.
  llvm::SmallVector<std::pair<const language::Builtin*, std::string>, 3> found;
  for (const language::BuiltinModule& other : language::builtinModules()) {
    bool isOtherVendor = other.name.contains(emit.target().isCuda() ? ".amd" : ".nvidia");
    if (other.isClass || isOtherVendor || !other.name.starts_with(language) ||
        other.name == module.name || other.name.contains("._") ||
        !isForTarget(other.name, emit.target()))
      continue;
    const language::Builtin* row = language::findBuiltin(other.id, name);
    if (!row) continue;
    std::string text = nameOf(emit, other.name, name);
    auto known = llvm::find_if(found, [&](const auto& each) { return each.first == row; });
    if (known == found.end())
      found.push_back({row, std::move(text)});
    else if (text.size() < known->second.size())
      known->second = std::move(text);
  }
  for (const auto& [row, text] : found)
    reported.fix(FixId::TryText, {{member->range, text}}, text);
  return !found.empty();
}

void offerPower(IrBuilder& emit, Reported& reported, const Node* power, llvm::StringRef base,
                Value exponent) {
  exponent = exponent.unwrapped();
  double by = exponent.is(ValueKind::Float) ? exponent.asFloat()
              : exponent.is(ValueKind::Int) ? static_cast<double>(exponent.asInt())
                                            : 0;
  std::string language = emit.languageName(), text;
  bool isPlain = llvm::all_of(base, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (by == 2 && isPlain) text = (base + " * " + base).str();
  if (by == 0.5 && !language.empty()) text = language + ".sqrt(" + base.str() + ")";
  if (by == -0.5 && !language.empty()) text = language + ".rsqrt(" + base.str() + ")";
  if (!text.empty()) reported.fix(FixId::TryText, {{power->range, text}}, text);
}

void offerBitwise(IrBuilder& emit, Reported& reported, const syntax::BoolOp& logical) {
  if (!emit.source()) return;
  llvm::StringRef word = logical.isAnd ? "and" : "or", symbol = logical.isAnd ? "&" : "|";
  std::vector<text::Edit> edits;
  for (size_t i = 0; i < logical.values.size(); ++i) {
    text::Range range = logical.values[i]->range;
    bool isClosed = false; // in parentheses already
    if (i + 1 < logical.values.size()) {
      text::Range between{range.end, logical.values[i + 1]->range.begin};
      llvm::StringRef gap = emit.source()->slice(between);
      size_t at = gap.find(word);
      if (at == llvm::StringRef::npos || gap.contains('#')) return;
      isClosed = gap.take_front(at).contains(')');
      auto begin = between.begin + static_cast<text::Offset>(at);
      edits.push_back({{begin, begin + static_cast<text::Offset>(word.size())}, symbol.str()});
    } else {
      llvm::StringRef gap = emit.source()->slice({logical.values[i - 1]->range.end, range.begin});
      isClosed = gap.contains('(');
    }
    bool bindsTightly =
        llvm::isa<syntax::NameExpr, Call, Attribute, syntax::Subscript>(logical.values[i]);
    if (isClosed || bindsTightly) continue;
    edits.push_back({{range.begin, range.begin}, "("});
    edits.push_back({{range.end, range.end}, ")"});
  }
  llvm::sort(edits, [](const text::Edit& one, const text::Edit& other) {
    return one.range.begin < other.range.begin;
  });
  reported.fix(FixId::TryText, std::move(edits), symbol.str());
}

bool offerLanguage(IrBuilder& emit, Reported& reported, const Attribute* member,
                   const language::ModuleObject& module, syntax::Stmts statements) {
  llvm::StringRef name = emit.names().text(member->attribute.name);
  if (module.name == "triton.experimental.gluon" || module.name == "triton") {
    std::string text = languageTextFor(emit, name);
    if (!text.empty()) reported.fix(FixId::TryText, {{member->range, text}}, text);
    return !text.empty();
  }
  if (!isGluonLanguage(module) || !emit.source()) return false;
  auto missing =
      missingImport(name, emit.target().isCuda(), statements, emit.names(), *emit.source());
  if (!missing) return false;
  reported.fix(FixId::AddImport, {missing->edit, {member->range, name.str()}}, missing->statement);
  return true;
}

std::string languageTextFor(const IrBuilder& emit, llvm::StringRef name) {
  std::string language = emit.languageName();
  if (language.empty()) return {};
  llvm::StringRef meant = name;
  if (!language::findBuiltin(language::ModuleId::gl, meant)) meant = gluonNameFor(name);
  if (meant.empty()) {
    Nearest nearest(name); // atomicAdd is atomic_add
    nearest.offerMembers(language::ModuleId::gl);
    if (nearest.isClear()) meant = nearest.name();
  }
  return meant.empty() ? std::string() : language + "." + meant.str();
}

const Attribute* memberOf(const IrBuilder& emit, const Node& name) {
  return around<Attribute>(emit, name, [&](const Attribute& each) { return each.value == &name; });
}

bool isCalled(const IrBuilder& emit, const Node& function) {
  return around<Call>(emit, function, [&](const Call& each) { return each.func == &function; });
}

void offerGluonImport(IrBuilder& emit, Reported& reported, const Attribute* member,
                      syntax::Stmts statements) {
  auto* base = llvm::dyn_cast<NameExpr>(member->value);
  llvm::StringRef name = emit.names().text(member->attribute.name);
  if (!base || !language::findBuiltin(language::ModuleId::gl, name)) return;
  for (const syntax::Stmt* each : statements) {
    auto* import = llvm::dyn_cast<syntax::Import>(each);
    auto* from = llvm::dyn_cast<syntax::ImportFrom>(each);
    auto aliases = import ? import->names : from ? from->names : decltype(from->names)();
    if (aliases.size() != 1 || aliases[0].path.empty() || aliases[0].asName.name != base->name)
      continue;
    std::string text =
        "from triton.experimental.gluon import language as " + emit.names().text(base->name).str();
    reported.fix(FixId::TryText, {{each->range, text}}, text);
  }
}

void offerWaitAfter(IrBuilder& emit, Reported& reported, const Node* node, llvm::StringRef name) {
  auto* statement = llvm::dyn_cast_if_present<syntax::Stmt>(node);
  const text::SourceText* source = emit.source();
  if (!statement || !source) return;
  text::Offset begin = statement->range.begin, end = statement->range.end;
  llvm::StringRef indent = source->slice({source->lineStart(source->lineOf(begin)), begin});
  if (!indent.trim(" \t").empty()) return;
  std::string wait =
      name.str() + " = " +
      nameOf(emit, "triton.experimental.gluon.language.nvidia.hopper", "warpgroup_mma_wait") +
      "(num_outstanding=0, deps=(" + name.str() + ",))";
  reported.fix(FixId::InsertWait, {{{end, end}, "\n" + indent.str() + wait}}, wait);
}

} // namespace gluond::codegen
