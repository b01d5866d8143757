#include "codegen/builder/Verify.h"

#include "chips/ChipsWithFeature.h"
#include "codegen/builder/Assignments.h"
#include "codegen/builder/Unit.h"
#include "codegen/context/BufferRoots.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/VerifierMessages.h"
#include "codegen/context/VerifierRows.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "language/types/LayoutClass.h"
#include "layout/linear/LinearLayout.h"
#include "layout/named/FieldNames.h"
#include "syntax/tree/Children.h"

#include <mlir/IR/SymbolTable.h>

namespace gluond::codegen {

using diagnostics::FixId;
using diagnostics::Id;
using diagnostics::Location;
using diagnostics::NoteId;
using language::LayoutObject;
using namespace syntax;

VerifierMessages::VerifierMessages(mlir::MLIRContext& context)
    : handler_(&context, [this](mlir::Diagnostic& diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && messages_.size() < 16)
          messages_.push_back({diagnostic.getLocation(), diagnostic.str()});
        return mlir::success();
      }) {}

std::string VerifierMessages::takeLast() {
  if (messages_.empty()) return {};
  std::string text = std::move(messages_.back().text);
  messages_.clear();
  return text;
}

namespace {

// Messages about instructions that the target lacks, and what the chips have that have them.
struct TargetRow {
  llvm::StringLiteral words;
  chips::Feature needed;
};
constexpr TargetRow targetRows[] = {{"requires tcgen05 support", chips::Feature::TensorMemory}};

constexpr llvm::StringLiteral invalidLayout = "has an invalid layout: ";

// "'tt.load' op expected ...": the user does not know the op's name.
llvm::StringRef withoutOp(llvm::StringRef text) {
  if (!text.starts_with("'")) return text;
  llvm::StringRef rest = text.split("' op ").second;
  return rest.empty() ? text : rest;
}

class VerifierReports {
public:
  explicit VerifierReports(Unit& unit) : unit_(unit) {}

  // Reports about an operation of the function that is being generated. Returns whether it has a
  // place to report about.
  bool reportAtOnce(mlir::Operation& op, llvm::StringRef message) {
    isAtOnce_ = true;
    if (!findPlace(op)) return false;
    report(op, message);
    return true;
  }

  void report(mlir::Operation& op, llvm::StringRef message) {
    op_ = &op;
    if (!findPlace(op)) return;
    if (reportLayout(message)) return;
    message = withoutOp(message);
    if (isRepeated()) return;
    // A function that was refused left its block without code.
    if (message == "expects a non-empty block" && unit_.hadErrors) return;
    Location at = place_;
    auto* call = llvm::dyn_cast_if_present<Call>(node_);
    for (const TargetRow& row : targetRows)
      if (message.contains(row.words))
        return add(Id::TargetTooOld, call ? Location{place_.file, call->func->range} : place_,
                   {call ? textOf(call->func) : "this", chips::chipsWith(row.needed),
                    unit_.specialization.target.name()});
    if (message == "mismatching kWidth between A and B operands" && reportWidths(op, at)) return;
    for (const VerifierRow& row : verifierRows()) {
      if (!call || row.op != op.getName().getStringRef() || !message.contains(row.words)) continue;
      if (const Expr* argument = argumentOf(*call, row)) {
        at.range = argument->range;
        if (row.words == "arrier" || row.keyword == "mbarrier")
          return add(Id::InvalidOperation, at, {verifierWords(message)},
                     barrierFixes(*call, argument));
        if (row.keyword == "acc")
          return add(Id::InvalidOperation, at, {verifierWords(message)},
                     accumulatorFixes(argument));
        if (op.getName().getStringRef() == "ttng.tmem_load" && message == "result")
          return add(Id::InvalidOperation, at,
                     {"a load from tensor memory cannot have this layout: use the layout that "
                      "get_reg_layout() of the buffer returns, or give none"},
                     {textFix(argument->range, "", textOf(call->func) + "()")});
        if (message == "source" && row.keyword == "value")
          return add(Id::InvalidOperation, at,
                     {"this value has a layout that tensor memory cannot take: convert it to the "
                      "layout that get_reg_layout() of the buffer returns"},
                     registerFixes(*call, argument));
        if (message.contains("element types must match"))
          return add(Id::InvalidOperation, at, {verifierWords(message)},
                     elementFixes(*call, argument));
      }
      break;
    }
    add(Id::InvalidOperation, at, {verifierWords(message)});
  }

  // Reports the message unchanged, at the operation's place in the user's files.
  void reportWhole(mlir::Operation& op, llvm::StringRef message) {
    op_ = &op;
    isWhole_ = true;
    if (findPlace(op) && reportLayout(message)) return;
    if (findPlace(op))
      add(Id::InvalidOperation, place_, {verifierWords(withoutOp(message))});
    else
      reportPlain(op.getLoc(), message);
  }

  // A layout that other partitions may use rightly: at the operation, not where the layout is made.
  void reportInPartition(mlir::Operation& op, llvm::StringRef message) {
    isInPartition_ = true;
    reportWhole(op, message);
  }

  // A message without an operation; at the kernel's name where it has no place.
  void reportPlain(mlir::Location location, llvm::StringRef message) {
    Location at{};
    const FileLocations* file = nullptr;
    if (!find(location, at, file) || Prelude::isPrelude(at.file)) {
      const language::FunctionObject& kernel = *unit_.specialization.kernel;
      if (const FileLocations* own = unit_.locationsOf(kernel.module))
        at = {own->file().id, kernel.def->name.range};
    }
    place_ = at;
    callers_.clear();
    add(Id::InvalidOperation, at, {verifierWords(withoutOp(message))});
  }

private:
  bool find(mlir::Location location, Location& at, const FileLocations*& file) const {
    mlir::FileLineColRange range;
    location->walk([&](mlir::Location part) {
      if (auto one = llvm::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(part))) range = one;
      return range ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    file = range ? unit_.fileNamed(range.getFilename()) : nullptr;
    if (!file) return false;
    at = {file->file().id, file->range(range)};
    return true;
  }

  // The place of an operation in the user's files (inside the library: of the call that leads
  // there), the syntax there, and the calls on the way from the kernel.
  bool findPlace(mlir::Operation& op) {
    node_ = nullptr;
    callers_.clear();
    mlir::Operation* at = &op;
    bool found = false;
    auto pass = [&](Location location, const FileLocations* file) {
      if (Prelude::isPrelude(location.file)) return;
      if (found) return callers_.push_back(location);
      found = true;
      place_ = location;
      file_ = file;
      for (const Node* node : syntax::pathTo(file->file().statements, location.range.begin))
        if (node->range.begin == location.range.begin && node->range.end == location.range.end)
          node_ = node;
    };
    for (unsigned depth = 0; at && depth < 32; ++depth) {
      Location location{};
      const FileLocations* file = nullptr;
      if (!find(at->getLoc(), location, file)) break;
      pass(location, file);
      if (isAtOnce_) break;
      auto function = at->getParentOfType<tt::FuncOp>();
      at = function ? callOf(function) : nullptr;
    }
    // The calls of a function are made after it.
    for (size_t i = unit_.frames.size(); isAtOnce_ && i-- > 1;)
      if (const CallFrame &frame = unit_.frames[i], &caller = unit_.frames[i - 1];
          caller.locations && frame.callSite)
        pass({caller.locations->file().id, frame.callSite->range}, caller.locations);
    return found;
  }
  // Returns one of the calls of a function, if the function is not the kernel.
  mlir::Operation* callOf(tt::FuncOp function) {
    if (function.isPublic()) return nullptr;
    auto [it, isNew] = calls_.try_emplace(function, nullptr);
    if (isNew)
      (*unit_.result.module)->walk([&](tt::CallOp call) {
        if (call.getCallee() != function.getSymName()) return mlir::WalkResult::advance();
        it->second = call;
        return mlir::WalkResult::interrupt();
      });
    return it->second;
  }

  // A buffer that is made wrongly is wrong in each operation that uses it or a part of it, perhaps
  // for another reason: the first one is reported.
  bool isRepeated() {
    auto callOfFunction = [&](mlir::Operation* function) {
      return callOf(llvm::cast<tt::FuncOp>(function));
    };
    llvm::SmallVector<mlir::Value, 4> roots;
    for (mlir::Value operand : op_->getOperands())
      if (llvm::isa<ttg::MemDescType>(operand.getType()))
        roots.push_back(rootOfBuffer(operand, callOfFunction));
    if (llvm::any_of(roots, [&](mlir::Value root) { return wrongBuffers_.contains(root); }))
      return true;
    // What codegen has found to be wrong, except in the operation that showed it.
    bool isFirst = true;
    for (mlir::Value root : roots)
      if (unit_.wrongBuffers.contains(root)) isFirst &= wrongRoots_.insert(root).second;
    if (!isFirst) return true;
    // A copy has a barrier beside its buffer.
    if (roots.size() > 1)
      llvm::erase_if(roots, [](mlir::Value root) {
        auto type = llvm::dyn_cast<ttg::MemDescType>(root.getType());
        return type && type.getElementType().isInteger(64);
      });
    if (roots.size() == 1) wrongBuffers_.insert(roots.front());
    return false;
  }

  std::string textOf(const Node* node) const {
    return file_->file().text->slice(node->range).str();
  }

  const Expr* argumentOf(const Call& call, const VerifierRow& row) const {
    for (const Keyword& keyword : call.keywords)
      if (!row.keyword.empty() && unit_.context.names().text(keyword.name.name) == row.keyword)
        return keyword.value;
    if (row.position < 0) {
      auto* attribute = llvm::dyn_cast<Attribute>(call.func);
      return attribute ? attribute->value : nullptr;
    }
    auto position = static_cast<size_t>(row.position);
    return position < call.args.size() ? call.args[position] : nullptr;
  }

  // The value given as a barrier is none: the next argument is meant, or it was not allocated as
  // int64.
  std::vector<diagnostics::Fix> barrierFixes(const Call& call, const Expr* barrier) const {
    std::vector<diagnostics::Fix> fixes;
    auto offer = [&](std::vector<text::Edit> edits, const std::string& text) {
      fixes.push_back({diagnostics::fixTitle(FixId::TryText, text), std::move(edits)});
    };
    for (size_t i = 0; i + 1 < call.args.size(); ++i)
      if (call.args[i] == barrier) {
        std::string first = textOf(barrier), second = textOf(call.args[i + 1]);
        offer({{barrier->range, second}, {call.args[i + 1]->range, first}}, second + ", " + first);
      }
    const NameExpr* name = syntax::ownerOf(barrier);
    const FunctionDef* def = nullptr;
    for (const Node* node : syntax::pathTo(file_->file().statements, barrier->range.begin))
      if (auto* each = llvm::dyn_cast<FunctionDef>(node)) def = each;
    if (!name || !def) return fixes;
    auto* made = llvm::dyn_cast_if_present<Call>(
        lastAssignment(def->body, name->name, barrier->range.begin).value);
    if (!made || made->args.size() < 2) return fixes;
    if (auto* dtype = llvm::dyn_cast<Attribute>(made->args[0]);
        dtype && unit_.context.names().text(dtype->attribute.name) != "int64")
      offer({{dtype->attribute.range, "int64"}}, textOf(dtype->value) + ".int64");
    else if (barrier == name && textOf(made->args[1]) != "[1]")
      offer({{made->args[1]->range, "[1]"}}, "[1]");
    return fixes;
  }

  static diagnostics::Fix textFix(text::Range range, const std::string& text,
                                  const std::string& shown = {}) {
    return {diagnostics::fixTitle(FixId::TryText, shown.empty() ? text : shown), {{range, text}}};
  }

  // An accumulator of a type that the products do not have: the types that products have, where it
  // is made.
  std::vector<diagnostics::Fix> accumulatorFixes(const Expr* accumulator) const {
    std::vector<diagnostics::Fix> fixes;
    const Call* made = creationOf(accumulator, file_->file().statements);
    const Attribute* dtype = made ? dtypeIn(*made, unit_.context.names()) : nullptr;
    if (!dtype) return fixes;
    for (llvm::StringRef meant : {"float32", "int32"})
      if (unit_.context.names().text(dtype->attribute.name) != meant)
        fixes.push_back(textFix(dtype->range, textOf(dtype->value) + "." + meant.str()));
    return fixes;
  }

  // A buffer whose elements differ from the descriptor's: the descriptor's, where it is allocated.
  std::vector<diagnostics::Fix> elementFixes(const Call& call, const Expr* buffer) const {
    const Call* made = creationOf(buffer, file_->file().statements);
    const Attribute* dtype = made ? dtypeIn(*made, unit_.context.names()) : nullptr;
    if (!dtype || call.args.empty() || !llvm::isa<NameExpr>(call.args.front())) return {};
    return {textFix(dtype->range, textOf(call.args.front()) + ".dtype")};
  }

  // A value that is stored to tensor memory: converted to the layout of the buffer's registers. An
  // allocation has no buffer yet.
  std::vector<diagnostics::Fix> registerFixes(const Call& call, const Expr* value) const {
    auto* store = llvm::dyn_cast<Attribute>(call.func);
    std::string language = unit_.builder.languageName();
    if (language.empty() || !store || unit_.context.names().text(store->attribute.name) != "store")
      return {};
    return {textFix(value->range, language + ".convert_layout(" + textOf(value) + ", " +
                                      textOf(store->value) + ".get_reg_layout())")};
  }

  // Operands of a product with different k_width: either may have that of the other.
  bool reportWidths(mlir::Operation& op, Location at) {
    auto layoutOf = [&](unsigned i) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(op.getOperand(i).getType());
      return llvm::dyn_cast_if_present<ttg::DotOperandEncodingAttr>(tensor ? tensor.getEncoding()
                                                                           : mlir::Attribute());
    };
    if (op.getNumOperands() < 2) return false;
    ttg::DotOperandEncodingAttr operands[] = {layoutOf(0), layoutOf(1)};
    if (!operands[0] || !operands[1]) return false;
    std::vector<diagnostics::Fix> fixes;
    for (unsigned i : {0, 1}) {
      const LayoutObject* layout = unit_.builder.layoutOf(operands[i]);
      auto place = layout ? unit_.layoutPlaces.find(*layout, layout::fields::kWidth) : std::nullopt;
      if (!place || !place->argument || place->location().file != at.file) continue;
      std::string other = std::to_string(operands[1 - i].getKWidth());
      fixes.push_back({diagnostics::fixTitle(FixId::UseLayoutEntry, textOf(place->argument), other),
                       {{place->argument->range, other}}});
    }
    std::string words = "the operands have layouts of different k_width: " +
                        std::to_string(operands[0].getKWidth()) + " and " +
                        std::to_string(operands[1].getKWidth());
    add(Id::InvalidOperation, at, {words}, std::move(fixes));
    return true;
  }

  // "Operand 1 (...) has an invalid layout: ...", "Result has an invalid layout: ...": reports the
  // layout and its problem.
  bool reportLayout(llvm::StringRef message) {
    if (!message.contains(invalidLayout)) return false;
    mlir::Type type;
    unsigned index = 0;
    if (message.consume_front("Operand ")) {
      if (!message.consumeInteger(10, index) && index < op_->getNumOperands())
        type = op_->getOperand(index).getType();
    } else if (message.consume_front("Result ")) {
      (void)message.consumeInteger(10, index);
      if (index < op_->getNumResults()) type = op_->getResult(index).getType();
    }
    llvm::StringRef problem = message.split(invalidLayout).second;
    auto tensor = llvm::dyn_cast_if_present<mlir::RankedTensorType>(type);
    mlir::Attribute encoding = tensor ? tensor.getEncoding() : mlir::Attribute();
    if (auto memory = llvm::dyn_cast_if_present<ttg::MemDescType>(type))
      encoding = memory.getEncoding();
    const LayoutObject* layout = encoding ? unit_.builder.layoutOf(encoding) : nullptr;
    if (!layout) return false;
    // One wrong layout makes every operation that uses it invalid, so it is reported once.
    if (!reported_.insert(layout).second) return true;

    using layout::Dim;
    const layout::LinearLayout* linear = tensor ? &ir::toLinearLayout(tensor) : nullptr;
    unsigned lanes = ttg::lookupThreadsPerWarp(op_);
    auto warps = ttg::lookupNumWarps(op_);
    std::string spelled = unit_.builder.text(layout);
    if (linear && linear->valid() && linear->inSize(Dim::Lane) != lanes) {
      auto has = static_cast<unsigned>(linear->inSize(Dim::Lane));
      reportAt(Id::LayoutThreads, *layout, layout::fields::threadsPerWarp, {has, lanes, spelled},
               has, lanes);
    } else if (linear && linear->valid() && warps && linear->inSize(Dim::Warp) != *warps) {
      auto has = static_cast<unsigned>(linear->inSize(Dim::Warp));
      if (isInPartition_) {
        bool isKernel = *warps == unit_.specialization.options.numWarps;
        std::string why = "the layout has " + std::to_string(has) + " warps, but the " +
                          (isKernel ? "kernel" : "partition") + " has " + std::to_string(*warps);
        add(Id::InvalidLayout, place_, {spelled, why});
        return true;
      }
      reportAt(Id::LayoutWarps, *layout, layout::fields::warpsPerCTA, {has, *warps, spelled}, has,
               *warps);
    } else {
      // The message starts with the encoding, which the user's spelling replaces.
      if (size_t end = problem.rfind(".\n"); end != llvm::StringRef::npos)
        problem = problem.drop_front(end + 2);
      if (problem.starts_with("Layout does not fit a tensor of type"))
        problem = "the layout does not fit the tensor";
      bool ctas = problem.contains("CTAs per CGA");
      reportAt(Id::InvalidLayout, *layout, ctas ? llvm::StringRef(layout::fields::CGALayout) : "",
               {spelled, problem.rtrim(".")}, 0, 0);
    }
    return true;
  }

  // At the constructor's argument; a list with one entry that matters can be corrected by itself.
  void reportAt(Id id, const LayoutObject& layout, llvm::StringRef field,
                llvm::ArrayRef<diagnostics::Argument> arguments, unsigned has, unsigned wanted) {
    const LayoutObject* inner = innermost(layout, field);
    if (field == layout::fields::warpsPerCTA)
      if (const LayoutObject* bases = innermost(layout, layout::fields::warpBases);
          language::field(*bases, layout::fields::warpBases))
        inner = bases, field = layout::fields::warpBases;
    auto place = unit_.layoutPlaces.find(*inner, field);
    if (!place) place = unit_.layoutPlaces.find(layout, field);
    if (!place) return add(id, place_, arguments);
    std::vector<diagnostics::Fix> fixes;
    auto entries = place->argument && has && llvm::isa<List, syntax::Tuple>(place->argument)
                       ? elements(place->argument)
                       : Exprs();
    auto scalable = entriesToScale(entries, *place, has, wanted);
    for (const Expr* entry : scalable) {
      const text::SourceText& source = *place->layout.locations->file().text;
      llvm::StringRef text = source.slice(entry->range);
      unsigned written = 0;
      if (text.getAsInteger(10, written)) continue;
      std::string scaled = std::to_string(uint64_t{written} * wanted / has);
      text::Edit edit{entry->range, scaled};
      // Of several entries the whole list shows which one is meant.
      text::Range list = place->argument->range;
      auto title = scalable.size() == 1
                       ? diagnostics::fixTitle(FixId::UseLayoutEntry, text, scaled)
                       : diagnostics::fixTitle(FixId::UseLayoutEntry, source.slice(list),
                                               (source.slice({list.begin, entry->range.begin}) +
                                                scaled + source.slice({entry->range.end, list.end}))
                                                   .str());
      fixes.push_back({std::move(title), {std::move(edit)}});
    }
    std::string language = unit_.builder.languageName();
    if (id == Id::LayoutWarps && fixes.size() == 1 && !language.empty())
      fixes.push_back({diagnostics::fixTitle(FixId::UseLayoutEntry, std::to_string(has),
                                             language + ".num_warps()"),
                       {{fixes.front().edits.front().range, language + ".num_warps()"}}});
    // The only instruction of version 2.
    if (auto shape = unit_.layoutPlaces.find(layout, layout::fields::instrShape);
        shape && shape->argument && id == Id::InvalidLayout &&
        shape->location().file == place->location().file)
      fixes.push_back(textFix(shape->argument->range, "[16, 8]"));
    if (auto version = unit_.layoutPlaces.find(layout, layout::fields::version);
        version && version->argument && id == Id::InvalidLayout)
      for (llvm::StringRef other : {"[3, 0]", "[2, 0]"})
        if (version->location().file == place->location().file)
          fixes.push_back(textFix(version->argument->range, other.str()));
    add(id, place->location(), arguments, std::move(fixes));
  }
  // The numbers of a list whose product is `has` that can make it `wanted`: one that is alone
  // beside ones, or each of several.
  static llvm::SmallVector<const Expr*> entriesToScale(Exprs entries, const LayoutPlace& place,
                                                       unsigned has, unsigned wanted) {
    llvm::SmallVector<const Expr*> found;
    for (const Expr* entry : entries) {
      unsigned number = 0;
      bool isNumber =
          llvm::isa<Constant>(entry) &&
          !place.layout.locations->file().text->slice(entry->range).getAsInteger(10, number);
      if (!isNumber) return {};
      bool fits = (number > 1 || has == 1) && uint64_t{number} * wanted % has == 0;
      if (fits && uint64_t{number} * wanted / has > 0) found.push_back(entry);
    }
    return found;
  }
  static Exprs elements(const Expr* list) {
    if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(list)) return tuple->elements;
    return llvm::cast<List>(list)->elements;
  }
  // The layout with the field: a slice or an operand has its parent's warps.
  static const LayoutObject* innermost(const LayoutObject& layout, llvm::StringRef field) {
    const LayoutObject* at = &layout;
    while (!field.empty() && !language::field(*at, field)) {
      const language::Value* parent = language::field(*at, "parent");
      auto* next = parent ? parent->as<LayoutObject>() : nullptr;
      if (!next) return &layout;
      at = next;
    }
    return at;
  }

  // Where Triton stops, if that is not where the layout is used first.
  void noteUse(Id id, Location at) {
    if (!isWhole_) return;
    for (diagnostics::Diagnostic& each : unit_.result.diagnostics)
      if (each.id == id && each.location.file == at.file && each.location.range == at.range)
        each.related.push_back({place_, diagnostics::note(NoteId::UsedHere)});
  }

  void add(Id id, Location at, llvm::ArrayRef<diagnostics::Argument> arguments,
           std::vector<diagnostics::Fix> fixes = {}) {
    unit_.hadErrors = true;
    if (!unit_.isNew(id, at)) return noteUse(id, at);
    diagnostics::Diagnostic diagnostic =
        diagnostics::describe(id, diagnostics::row(id).severity, at, arguments);
    diagnostic.fixes = std::move(fixes);
    bool inside = at.file == place_.file && place_.range.begin <= at.range.begin &&
                  at.range.end <= place_.range.end;
    if (!inside) diagnostic.related.push_back({place_, diagnostics::note(NoteId::UsedHere)});
    for (const Location& caller : callers_)
      diagnostic.related.push_back({caller, diagnostics::note(NoteId::CalledFrom)});
    unit_.result.diagnostics.push_back(std::move(diagnostic));
  }

  Unit& unit_;
  bool isInPartition_ = false;
  bool isAtOnce_ = false;
  bool isWhole_ = false; // Triton's frontend itself verifies the operation
  mlir::Operation* op_ = nullptr;
  Location place_{};
  const FileLocations* file_ = nullptr;
  const Node* node_ = nullptr;
  llvm::SmallVector<Location, 4> callers_;
  llvm::DenseMap<tt::FuncOp, mlir::Operation*> calls_;
  llvm::DenseSet<const LayoutObject*> reported_;
  llvm::SmallDenseSet<mlir::Value, 4> wrongBuffers_, wrongRoots_;
};

} // namespace

bool isRefusedAtEnd(Unit& unit, mlir::Operation& op) {
  bool isRefused = mlir::failed(op.getName().verifyInvariants(&op));
  unit.messages.clear();
  return isRefused;
}

bool refusesAtOnce(Unit& unit, mlir::Operation& op) {
  unit.messages.clear();
  if (mlir::succeeded(op.getName().verifyInvariants(&op))) return false;
  bool isTold = false;
  for (const VerifierMessages::Message& message : unit.messages.messages().take_front(1))
    isTold = VerifierReports(unit).reportAtOnce(op, std::string(message.text));
  unit.messages.clear();
  return isTold;
}

bool verifyOperations(Unit& unit, mlir::ModuleOp module) {
  VerifierReports reporter(unit);
  static constexpr llvm::StringLiteral dialects[] = {"tt", "ttg", "ttng", "amdg", "gluon"};
  bool good = true;
  module->walk([&](mlir::Operation* op) {
    mlir::OperationName name = op->getName();
    // codegen makes functions and the calls between them, incomplete after an error.
    if (!llvm::is_contained(dialects, name.getDialectNamespace()) ||
        llvm::isa<tt::FuncOp, tt::CallOp, tt::ReturnOp>(op) ||
        unit.uncertainOperations.operations.contains(op))
      return;
    unit.messages.clear();
    if (mlir::succeeded(name.verifyInvariants(op))) return;
    good = false;
    for (const VerifierMessages::Message& message : unit.messages.messages().take_front(1))
      reporter.report(*op, message.text);
  });
  unit.messages.clear();
  return good;
}

// The operation whose operand or result has a layout that a message calls invalid; null for any
// other message.
static mlir::Operation* withInvalidLayout(mlir::ModuleOp module,
                                          const VerifierMessages::Message& message) {
  llvm::StringRef text = message.text;
  if (!text.contains(invalidLayout)) return nullptr;
  unsigned operand = 0;
  bool isOperand = text.consume_front("Operand ") && !text.consumeInteger(10, operand);
  auto hasLayout = [](mlir::Type type) {
    return llvm::isa<mlir::RankedTensorType, ttg::MemDescType>(type);
  };
  mlir::Operation* found = nullptr;
  module->walk([&](mlir::Operation* op) {
    bool fits =
        op->getLoc() == message.location &&
        (isOperand ? operand < op->getNumOperands() && hasLayout(op->getOperand(operand).getType())
                   : llvm::any_of(op->getResultTypes(), hasLayout));
    if (!fits) return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

void reportMessages(Unit& unit, llvm::ArrayRef<VerifierMessages::Message> messages) {
  VerifierReports reporter(unit);
  for (const auto& message : messages)
    if (mlir::Operation* op = withInvalidLayout(*unit.result.module, message))
      reporter.reportInPartition(*op, message.text);
    else
      reporter.reportPlain(message.location, message.text);
}

void reportMessage(Unit& unit, mlir::Operation& op, llvm::StringRef text) {
  VerifierReports(unit).reportWhole(op, text);
}

} // namespace gluond::codegen
