// Marks in the IR for a debugger: where a statement begins, and which value a variable gets there.
#include "codegen/functions/FunctionVisitor.h"
#include "ir/gluon/Dialect.h"
#include "language/types/Structure.h"

namespace gluond::codegen {

using namespace syntax;

namespace {

// The parts of a variable's value, as gluon.variable has them.
class Parts {
public:
  explicit Parts(IrBuilder& emit) : emit_(emit) {}

  void add(Value value, const std::string& path) {
    using enum language::ValueKind;
    constexpr size_t most = 256;
    if (paths.size() >= most || value.isUnknown() || value.isAbsent()) return;
    // The parts of a constexpr are constexprs, too.
    auto addPart = [&](Value part, const std::string& step) {
      add(value.isConstexpr() ? part.wrapped() : part, path + step);
    };
    if (language::isSequence(value)) {
      auto* tuple = value.as<language::TupleObject>();
      language::Items items = language::itemsOf(value);
      for (size_t i = 0; i < items.size(); ++i) {
        bool isNamed = tuple && i < tuple->fields.size();
        addPart(items[i], isNamed ? "." + emit_.names().text(tuple->fields[i]).str()
                                  : "[" + std::to_string(i) + "]");
      }
      return;
    }
    if (isAggregate(value)) {
      auto* instance = value.as<language::InstanceObject>();
      for (const auto& field : instance->cls->fields)
        if (Value member = instance->attributes->get(field.name); !member.isAbsent())
          addPart(member, "." + emit_.names().text(field.name).str());
      return;
    }
    size_t before = handles.size();
    emit_.flatten(value, handles);
    counts.push_back(static_cast<int32_t>(handles.size() - before));
    paths.push_back(path);
    texts.push_back(limited(IrBuilder::isIr(value) && !value.isConstexpr()
                                ? emit_.text(emit_.typeOf(value))
                                : emit_.text(value.unwrapped())));
  }

  static std::string limited(std::string text) {
    constexpr size_t longest = 1024;
    if (text.size() > longest) text.resize(longest);
    return text;
  }

  std::vector<std::string> paths, texts;
  llvm::SmallVector<int32_t, 4> counts;
  llvm::SmallVector<mlir::Value, 8> handles;

private:
  IrBuilder& emit_;
};

} // namespace

bool FunctionVisitor::isMarked() const {
  return unit_.options.marksStatements && emit_.source() && emit_.opBuilder().getInsertionBlock();
}

void FunctionVisitor::markFunction() {
  if (!isMarked()) [[likely]]
    return;
  // Its place is all of the function: a debugger moves no breakpoint out of it.
  const Node* last = std::exchange(emit_.node_, &def_);
  emit_.create<gluon::StatementOp>(emit_.opBuilder().getStringAttr(text(def_.name.name)));
  emit_.node_ = last;
  for (const Parameter& parameter : def_.parameters)
    if (scope_.contains(parameter.name.name)) markVariable(parameter.name.name);
}

void FunctionVisitor::markStatement(const Stmt* stmt) {
  if (!isMarked()) [[likely]]
    return;
  bool isDocstring = stmt->kind == NodeKind::ExprStmt &&
                     llvm::cast<ExprStmt>(stmt)->value->kind == NodeKind::Constant;
  if (isDocstring) return;
  const Node* last = std::exchange(emit_.node_, stmt);
  emit_.create<gluon::StatementOp>(mlir::StringAttr());
  emit_.node_ = last;
}

// A constexpr, or a tuple that has nothing else.
static bool isOfCompileTime(Value value) {
  return value.isConstexpr() ||
         (isTuple(value) && llvm::all_of(language::itemsOf(value), isOfCompileTime));
}

void FunctionVisitor::markVariable(Name name) {
  if (!isMarked()) [[likely]]
    return;
  const Value* value = scope_.find(name);
  if (!value) return;
  Parts parts(emit_);
  parts.add(*value, "");
  mlir::Builder& builder = emit_.opBuilder();
  auto strings = [&](const std::vector<std::string>& from) {
    llvm::SmallVector<llvm::StringRef, 4> all(from.begin(), from.end());
    return builder.getStrArrayAttr(all);
  };
  bool hasParts = language::isSequence(*value) || isAggregate(*value);
  std::string type = isOfCompileTime(*value) ? "constexpr" : Parts::limited(emit_.text(*value));
  emit_.create<gluon::VariableOp>(builder.getStringAttr(text(name)),
                                  hasParts ? builder.getStringAttr(type) : mlir::StringAttr(),
                                  strings(parts.paths), strings(parts.texts),
                                  builder.getDenseI32ArrayAttr(parts.counts), parts.handles);
}

} // namespace gluond::codegen
