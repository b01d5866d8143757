// What may be meant by a member that a value does not have, and what is said of its variable then.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/suggestions/Suggest.h"
#include "syntax/tree/Children.h"

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;

// acc = tcgen05_mma(a, b, acc): the call returns None, and works on its argument.
void FunctionVisitor::offerPlainCall(Reported& reported, const Attribute* read) {
  auto* variable = read ? llvm::dyn_cast<syntax::NameExpr>(read->value) : nullptr;
  if (!variable) return;
  Assignment assigned = lastAssignment(def_.body, variable->name, read->range.begin);
  auto* statement = llvm::dyn_cast_if_present<syntax::Assign>(assigned.stmt);
  if (!statement || statement->targets.size() != 1 || !llvm::isa<Call>(statement->value)) return;
  reported.related(diagnostics::NoteId::AssignedHere, statement, text(variable->name));
  text::Range target{statement->range.begin, statement->value->range.begin};
  reported.fix(diagnostics::FixId::RemoveCharacter, {{target, ""}},
               (emit_.sourceText(statement->targets.front()) + " =").str());
}

void FunctionVisitor::offerAdvised(Reported& reported, const Node* node, llvm::StringRef advice) {
  std::string language = emit_.languageName();
  llvm::StringRef rest = advice;
  if (!rest.consume_front("use gl.") || language.empty() || !rest.ends_with(")")) return;
  auto [function, argument] = rest.drop_back().split('(');
  if (!llvm::all_of(argument, llvm::isDigit) || !emit_.locations_) return;
  // blockIdx.y: the member is the axis.
  const Node* whole = node;
  std::string axis = argument.str();
  for (const Node* each : syntax::pathTo(emit_.locations_->file().statements, node->range.begin)) {
    auto* member = llvm::dyn_cast<Attribute>(each);
    auto* call = llvm::dyn_cast<Call>(each);
    if (member && member->value == node && !argument.empty()) {
      static constexpr llvm::StringLiteral axes[] = {"x", "y", "z"};
      auto* found = llvm::find(axes, text(member->attribute.name));
      if (found == std::end(axes)) return;
      axis = std::to_string(found - std::begin(axes));
      whole = member;
    }
    if (call && call->func == node && call->args.empty() && call->keywords.empty()) whole = call;
  }
  if (argument.empty() && whole == node) return; // its arguments are another function's
  std::string meant = language + "." + function.str() + "(" + axis + ")";
  reported.fixWritten(diagnostics::FixId::TryText, {{whole->range, meant}}, meant);
}

// Offers the attributes that the type has, of those that kernels read.
void FunctionVisitor::offerTypeAttributes(Value type, Nearest& nearest) {
  for (llvm::StringRef each :
       {"element_ty", "scalar", "shape", "layout", "rank", "numel", "nbytes", "block_type", "dtype",
        "primitive_bitwidth", "itemsize", "name", "is_ptr", "is_floating", "is_int"}) {
    if (!unit_.interpreter.getAttribute(type, unit_.context.names().intern(each)).isAbsent())
      nearest.offer(each);
    unit_.interpreter.dropError();
  }
}

// Offers the closest name as a fix for a misspelt one. Only names that the program does not define
// itself are corrected blindly: one of its own may be about to be written.
Reported FunctionVisitor::misspelt(Reported reported, const Node* node, llvm::StringRef written,
                                   const Nearest& nearest, bool isVocabulary) {
  if (nearest.name().empty()) return reported;
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  text::Edit edit{attribute ? attribute->attribute.range : node->range, nearest.name().str()};
  return isVocabulary && nearest.isClear()
             ? reported.fix(diagnostics::FixId::CorrectSpelling, {edit}, written, nearest.name())
             : reported.fix(diagnostics::FixId::DidYouMean, {edit}, written, nearest.name());
}

// Offers a member of a member: the element type of a pointer is that of its dtype, the bytes of a
// descriptor those of its block_type.
bool FunctionVisitor::offerInner(Reported& reported, const Attribute* written, Value value) {
  for (llvm::StringRef each : {"dtype", "block_type", "type"}) {
    Value inner = irAttribute(value, unit_.context.names().intern(each), written);
    if (!inner.is(ValueKind::Type)) continue;
    Value member = unit_.interpreter.getAttribute(inner, written->attribute.name);
    unit_.interpreter.dropError();
    if (member.isAbsent() || member.isUnknown()) continue;
    std::string text = emit_.sourceText(written->value).str() + "." + each.str() + "." +
                       this->text(written->attribute.name).str();
    reported.fix(diagnostics::FixId::TryText, {{written->range, text}}, text);
    return true;
  }
  return false;
}

// Offers x.shape[0] for x.size(0).
void FunctionVisitor::offerShape(Reported& reported, const Attribute* read) {
  for (const Node* each : syntax::pathFrom(def_.body, read->range.begin)) {
    auto* call = llvm::dyn_cast<Call>(each);
    if (!call || call->func != read || call->args.size() > 1 || !call->keywords.empty()) continue;
    std::string shape = emit_.sourceText(read->value).str() + ".shape";
    if (!call->args.empty()) shape += "[" + emit_.sourceText(call->args.front()).str() + "]";
    reported.fix(diagnostics::FixId::TryText, {{call->range, shape}}, shape);
    return;
  }
}

// Reports that the size of a tensor of the host is asked of its pointer. `size` is p.shape or
// p.numel.
Value FunctionVisitor::noSize(const Attribute* size, const Node* at) {
  return emit_.error(Id::BadArgument, at,
                     "'" + emit_.sourceText(size->value).str() +
                         "' is a pointer or a number in the kernel and has no " +
                         text(size->attribute.name).str() +
                         ": pass the size as an argument of the kernel");
}

// After a mistake about the type of a variable: its further uses would be the same mistake.
void FunctionVisitor::forgetName(const Node* attribute) {
  auto* written = llvm::dyn_cast<Attribute>(attribute);
  auto* variable = written ? llvm::dyn_cast<syntax::NameExpr>(written->value) : nullptr;
  if (variable) setValue(variable->name, Value::unknown());
}

// The result of an asynchronous warpgroup_mma is not a tensor before it was waited for.
Value FunctionVisitor::notWaitedFor(Value accumulator, const Node* node) {
  return codegen::notWaitedFor(emit_, accumulator, node);
}

} // namespace gluond::codegen
