// Calls of builtins: of those with a rule, in any release of Triton, and the mistakes of calls that
// do not fit their parameters.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/context/BufferRoots.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/rules/common/Rules.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/triton/EarlierCalls.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "language/types/Builtin.h"
#include "releases/ApiChanges.h"

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::Builtin;
using language::BuiltinId;
using language::KeywordArgument;

Value FunctionVisitor::asInRelease(const Builtin& builtin, CallSite& site) {
  using Outcome = evaluate::EarlierCall::Outcome;
  releases::Release release = unit_.specialization.release;
  if (release == releases::newest) return Value::absent();
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (const auto& [name, value] : site.keywords)
    names.push_back(text(name));
  evaluate::EarlierCall earlier = evaluate::callIn(release, builtin, site.args.size(), names);
  auto* call = llvm::dyn_cast<Call>(site.node);
  std::string function = (call ? emit_.sourceText(call->func).str() : builtin.name.str()) +
                         " of Triton " + releases::name(release).str();
  auto at = [&](const auto& nodes, size_t i) -> const Node* {
    return i < nodes.size() && nodes[i] ? static_cast<const Node*>(nodes[i]) : site.node;
  };
  switch (earlier.outcome) {
  case Outcome::Same:
    return Value::absent();
  case Outcome::Unknown:
    unit_.markIncomplete("the result of " + function);
    return Value::unknown();
  case Outcome::TooMany:
    return emit_.error(Id::TooManyArguments, at(site.nodes, earlier.accepted), function,
                       earlier.accepted, site.args.size());
  case Outcome::Missing:
    return emit_.error(Id::MissingArgument, site.node, function, earlier.name);
  case Outcome::UnexpectedKeyword: {
    Name keyword = site.keywords[earlier.keyword].first;
    Reported reported = emit_.error(Id::UnexpectedKeyword, at(site.keywordNodes, earlier.keyword),
                                    function, text(keyword));
    offerKeyword(emit_, reported, site.node, keyword, Nearest(text(keyword)), earlier.name);
    return reported;
  }
  case Outcome::Rewritten:
    break;
  }
  CallSite now{site.node, {}, {}, {}, {}, site.unused, site.isBound};
  for (size_t i = 0; i < site.args.size(); ++i) {
    const Expr* node = i < site.nodes.size() ? site.nodes[i] : nullptr;
    if (i < earlier.firstNamed) {
      now.args.push_back(site.args[i]);
      now.nodes.push_back(node);
    } else {
      now.keywords.push_back(
          {unit_.context.names().intern(earlier.named[i - earlier.firstNamed]), site.args[i]});
      now.keywordNodes.push_back(node);
    }
  }
  for (auto [i, keyword] : llvm::enumerate(site.keywords)) {
    now.keywords.push_back({unit_.context.names().intern(earlier.keywords[i]), keyword.second});
    now.keywordNodes.push_back(i < site.keywordNodes.size() ? site.keywordNodes[i] : nullptr);
  }
  site = std::move(now);
  return Value::absent();
}

Value FunctionVisitor::callRule(const Builtin& builtin, CallSite& site) {
  if (Value result = asInRelease(builtin, site); !result.isAbsent()) return result;
  language::BoundArguments bound;
  std::string error;
  llvm::SmallVector<KeywordArgument, 4> keywords;
  for (auto& [name, value] : site.keywords)
    keywords.push_back({name, value});
  auto keywordNode = [&](size_t i) {
    return i < site.keywordNodes.size() ? site.keywordNodes[i] : nullptr;
  };
  if (!language::bindArguments(builtin, site.args, keywords, unit_.context.names(), heap(), bound,
                               error)) {
    return misfit(builtin, site, bound);
  }
  // The user's expression for each parameter.
  llvm::SmallVector<const Expr*, 8> nodes;
  for (int from : bound.from) {
    if (from >= 0)
      nodes.push_back(static_cast<size_t>(from) < site.nodes.size()
                          ? site.nodes[static_cast<size_t>(from)]
                          : nullptr);
    else
      nodes.push_back(from == language::BoundArguments::fromDefault
                          ? nullptr
                          : keywordNode(static_cast<size_t>(-2 - from)));
  }
  const Node* last = std::exchange(emit_.node_, site.node);
  Value result = ruleOf(builtin)(emit_, Arguments{site.node, bound.values, nodes});
  emit_.node_ = last;
  return hasRefusedSource(result) ? Value::unknown() : result;
}

bool FunctionVisitor::hasRefusedSource(Value result) {
  mlir::OpBuilder& builder = emit_.opBuilder();
  mlir::Block* block = builder.getInsertionBlock();
  if (unit_.suppressed || !block || builder.getInsertionPoint() == block->begin()) return false;
  mlir::Operation& op = *std::prev(builder.getInsertionPoint());
  static constexpr llvm::StringLiteral dialects[] = {"ttg", "ttng", "amdg"};
  if (!llvm::is_contained(dialects, op.getName().getDialectNamespace()) &&
      !llvm::isa<tt::DotOp, tt::DotScaledOp>(op))
    return false;
  // Which of several shared buffers is wrong is not known; of an accumulator's type all follows.
  llvm::SmallVector<mlir::Value, 4> shared, accumulators;
  for (mlir::Value operand : op.getOperands()) {
    auto type = llvm::dyn_cast<ttg::MemDescType>(operand.getType());
    if (!type || type.getElementType().isInteger(64)) continue; // a barrier
    bool isTensorMemory = llvm::isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace());
    (isTensorMemory ? accumulators : shared).push_back(rootOfBuffer(operand, [](mlir::Operation*) {
      return nullptr;
    }));
  }
  if (shared.size() == 1 && accumulators.empty()) std::swap(shared, accumulators);
  auto isWrong = [&](mlir::Value buffer) { return unit_.wrongBuffers.contains(buffer); };
  bool hasResult = !result.isNone() && !result.isUnknown();
  if (llvm::any_of(accumulators, isWrong) || llvm::any_of(shared, isWrong)) return hasResult;
  bool isRefused = hasResult ? refusesAtOnce(unit_, op) : isRefusedAtEnd(unit_, op);
  if (isRefused) unit_.wrongBuffers.insert(accumulators.begin(), accumulators.end());
  return isRefused && hasResult;
}

const Node* FunctionVisitor::argumentNode(const CallSite& site, size_t parameter,
                                          llvm::StringRef name) const {
  for (auto [i, keyword] : llvm::enumerate(site.keywords))
    if (text(keyword.first) == name && i < site.keywordNodes.size()) return site.keywordNodes[i];
  if (parameter < site.nodes.size() && site.nodes[parameter]) return site.nodes[parameter];
  return site.node;
}

// Returns the one parameter without a default that a call does not give; if all with none are
// given, the one parameter that it does not give; else "".
llvm::StringRef FunctionVisitor::onlyLacking(const Builtin& builtin, const CallSite& site) const {
  // Of several unknown names none is more likely than the others.
  auto isUnknown = [&](const auto& keyword) {
    return llvm::none_of(builtin.parameters, [&](const auto& parameter) {
      return llvm::StringRef(parameter.name) == text(keyword.first);
    });
  };
  if (llvm::count_if(site.keywords, isUnknown) > 1) return {};
  llvm::StringRef found[2]; // without a default, any
  size_t count[2] = {0, 0};
  for (const auto& parameter : llvm::drop_begin(
           builtin.parameters, std::min<size_t>(site.args.size(), builtin.parameters.size()))) {
    llvm::StringRef name = parameter.name;
    if (llvm::any_of(site.keywords,
                     [&](const auto& keyword) { return text(keyword.first) == name; }))
      continue;
    found[1] = name, ++count[1];
    if (parameter.defaultKind == language::DefaultKind::Required) found[0] = name, ++count[0];
  }
  size_t which = count[0] == 0;
  return count[which] == 1 ? found[which] : llvm::StringRef();
}

// arrive(bar, 1): the last argument is meant for the first parameter that takes only a name.
static void offerKeywordOnly(Reported& reported, const Builtin& builtin, llvm::StringRef given,
                             const Node* at) {
  auto only = llvm::find_if(builtin.parameters, [](const auto& parameter) {
    return parameter.kind == language::ParameterKind::KeywordOnly;
  });
  if (only == builtin.parameters.end() || !llvm::isa<Expr>(at)) return;
  std::string name = llvm::StringRef(only->name).str() + "=";
  reported.fix(diagnostics::FixId::TryText, {{{at->range.begin, at->range.begin}, name}},
               name + given.str());
}

// tl.arange(0, n, layout=L): Gluon's function of the same name takes what Triton's does not.
static bool offerGluons(const IrBuilder& emit, Reported& reported, const Builtin& builtin,
                        const Call& call) {
  const Builtin* meant = language::findBuiltin(language::ModuleId::gl, builtin.name);
  std::string language = emit.languageName();
  if (!meant || meant == &builtin || language.empty() || !llvm::isa<Attribute>(call.func) ||
      call.args.size() > meant->parameters.size())
    return false;
  bool takesAll = llvm::all_of(call.keywords, [&](const Keyword& keyword) {
    return llvm::any_of(meant->parameters, [&](const auto& parameter) {
      return keyword.name.name &&
             emit.names().text(keyword.name.name) == llvm::StringRef(parameter.name);
    });
  });
  if (!takesAll) return false;
  std::string text = language + "." + builtin.name.str();
  reported.fix(diagnostics::FixId::TryText, {{call.func->range, text}}, text);
  return true;
}

// A builtin's call that does not fit its parameters.
Value FunctionVisitor::misfit(const Builtin& builtin, const CallSite& site,
                              const language::BoundArguments& bound) {
  using Misfit = language::BoundArguments::Misfit;
  auto* call = llvm::dyn_cast<Call>(site.node);
  std::string name = call ? emit_.sourceText(call->func).str() : builtin.name.str();
  auto offersOtherForm = [&](Reported& reported) {
    return call && !site.isBound &&
           (offerPresentForm(emit_, reported, builtin, *call) ||
            offerGluons(emit_, reported, builtin, *call));
  };
  if (bound.misfit == Misfit::TooMany) {
    const Node* at = bound.accepted < site.nodes.size() && site.nodes[bound.accepted]
                         ? site.nodes[bound.accepted]
                         : site.node;
    Reported reported =
        emit_.error(Id::TooManyArguments, at, name, bound.accepted, site.args.size());
    if (!offersOtherForm(reported) && bound.accepted + 1 == site.args.size())
      offerKeywordOnly(reported, builtin, emit_.sourceText(at), at);
    return reported;
  }
  if (bound.misfit == Misfit::Missing) {
    if (isUnfinished(emit_, site.node)) return Value::unknown();
    Reported reported = emit_.error(Id::MissingArgument, site.node, name, bound.missing);
    // Python's range takes the end alone; arange does not.
    if (builtin.id == BuiltinId::gl_arange && call && call->args.size() == 1) {
      text::Offset begin = call->args.front()->range.begin;
      std::string both = "0, " + emit_.sourceText(call->args.front()).str();
      reported.fix(diagnostics::FixId::TryText, {{{begin, begin}, "0, "}}, both);
    }
    offerMissing(emit_, reported, site.node, bound.missing);
    // buffer_load(p + offsets): the pointer and its offsets are two arguments.
    const auto* sum = call && bound.missing == "offsets" && call->args.size() == 1
                          ? llvm::dyn_cast<BinOp>(call->args.front())
                          : nullptr;
    while (sum && sum->op == BinaryOp::Add && llvm::isa<BinOp>(sum->left))
      sum = llvm::cast<BinOp>(sum->left);
    if (sum && sum->op == BinaryOp::Add) {
      text::Range between{sum->left->range.end, sum->right->range.begin};
      reported.fix(diagnostics::FixId::TryText, {{between, ", "}},
                   emit_.sourceText(sum->left).str() + ", " + emit_.sourceText(sum->right).str());
    }
    auto lacks = llvm::find_if(builtin.parameters, [&](const auto& parameter) {
      return llvm::StringRef(parameter.name) == bound.missing;
    });
    auto position = static_cast<size_t>(lacks - builtin.parameters.begin());
    if (call) offerNamesake(emit_, reported, *call, bound.missing, position - site.isBound);
    return reported;
  }
  auto index = static_cast<size_t>(bound.keyword);
  if (index >= site.keywords.size()) return Value::unknown();
  Name keyword = site.keywords[index].first;
  const Node* at = index < site.keywordNodes.size() && site.keywordNodes[index]
                       ? site.keywordNodes[index]
                       : site.node;
  if (bound.misfit == Misfit::Duplicate)
    return emit_.error(Id::DuplicateArgument, at, name, text(keyword));
  // All that a call may have are reported, because each is as easy to fix as the others.
  llvm::ArrayRef<std::pair<Name, Value>> keywords = llvm::ArrayRef(site.keywords).drop_front(index);
  for (auto [i, each] : llvm::enumerate(keywords.take_front(mostKeywordsTold))) {
    Nearest nearest(text(each.first));
    bool isKnown = false;
    for (const auto& parameter : builtin.parameters) {
      nearest.offer(parameter.name);
      isKnown |= text(each.first) == llvm::StringRef(parameter.name);
    }
    if (isKnown) continue;
    const Node* place =
        index + i < site.keywordNodes.size() ? site.keywordNodes[index + i] : nullptr;
    Reported reported =
        emit_.error(Id::UnexpectedKeyword, place ? place : site.node, name, text(each.first));
    if (offerRenamedKeyword(emit_, reported, builtin.name, site.node, each.first)) continue;
    // It concerns all arguments of the call.
    if (offersOtherForm(reported)) break;
    llvm::StringRef meant;
    if (!nearest.isClear()) { // warpsPerCTA is a spelling of warps_per_cta
      meant = keywordFor(text(each.first), [&](llvm::StringRef name) {
        return llvm::any_of(builtin.parameters, [&](const auto& parameter) {
          return llvm::StringRef(parameter.name) == name;
        });
      });
      if (meant.empty()) meant = onlyLacking(builtin, site);
      Value given = each.second.unwrapped();
      if (meant == "layout" && !given.isUnknown() && !given.is(ValueKind::Layout)) meant = {};
    }
    offerKeyword(emit_, reported, site.node, each.first, nearest, meant);
  }
  return Value::unknown();
}

} // namespace gluond::codegen
