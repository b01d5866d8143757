#include "evaluate/stdlib/DataFiles.h"

#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

namespace gluond::evaluate {

namespace {

using syntax::ConstantKind;
using syntax::Expr;

extern const HostClass fileClass, textClass;

struct DataObject : HostObject {
  llvm::StringRef path;
};

// The importer gives the file at `importingPath` itself for no module at level 0: JSON is nearly an
// expression of Python, so that its tree can be read.
std::optional<ModuleSource> sourceOf(Interpreter& in, llvm::StringRef path) {
  constexpr uint64_t stepsPerLookup = 100; // they access the file system
  if (!in.options().importer || !path.starts_with("/") || !path.ends_with(".json") ||
      !in.spend(stepsPerLookup))
    return std::nullopt;
  llvm::SmallString<256> normal(path);
  llvm::sys::path::remove_dots(normal, /*remove_dot_dot=*/true);
  return in.options().importer(normal, "", 0);
}

Value dataObject(Interpreter& in, const HostClass& cls, llvm::StringRef path) {
  if (!isDataFile(in, path)) return Value::unknown();
  auto* object = in.heap().make<DataObject>();
  object->cls = &cls;
  object->path = in.heap().copy(path);
  return Value::object(ValueKind::Host, object);
}

class Reader {
public:
  explicit Reader(Interpreter& in) : in_(in) {}

  // Returns Unknown for what is not JSON, Absent if it raised.
  Value read(const Expr* expr) { // NOLINT(misc-no-recursion)
    Nesting nesting(in_);
    if (!nesting || !in_.spend(1)) return Value::absent();
    switch (expr->kind) {
    case syntax::NodeKind::Constant:
      return constant(static_cast<const syntax::Constant*>(expr));
    case syntax::NodeKind::NameExpr:
      return named(in_.text(static_cast<const syntax::NameExpr*>(expr)->name));
    case syntax::NodeKind::UnaryOp:
      return negative(static_cast<const syntax::UnaryOp*>(expr));
    case syntax::NodeKind::List:
      return list(static_cast<const syntax::List*>(expr));
    case syntax::NodeKind::Dict:
      return dict(static_cast<const syntax::Dict*>(expr));
    default:
      return Value::unknown();
    }
  }

private:
  Value constant(const syntax::Constant* literal) {
    switch (literal->constant) {
    case ConstantKind::Int:
      return Value::integer(literal->integer);
    case ConstantKind::Float:
      return Value::real(literal->real);
    case ConstantKind::Str: {
      // Escapes that JSON and Python read differently: \/ and halves of a surrogate pair.
      bool differs = literal->string.contains('\\') || literal->string.contains('\xed');
      return differs ? Value::unknown() : in_.string(literal->string);
    }
    default:
      return Value::unknown();
    }
  }

  Value named(llvm::StringRef name) {
    if (name == "null") return Value::none();
    if (name == "true" || name == "false") return Value::boolean(name == "true");
    return Value::unknown();
  }

  Value negative(const syntax::UnaryOp* expr) {
    Value operand =
        expr->op == syntax::UnaryOperator::USub ? read(expr->operand) : Value::unknown();
    if (operand.is(ValueKind::Int)) return Value::integer(-operand.asInt());
    if (operand.is(ValueKind::Float)) return Value::real(-operand.asFloat());
    return operand.isAbsent() ? operand : Value::unknown();
  }

  Value list(const syntax::List* expr) {
    llvm::SmallVector<Value> items;
    for (const Expr* element : expr->elements)
      if (items.push_back(read(element)); items.back().isAbsent()) return items.back();
    return in_.heap().list(items);
  }

  Value dict(const syntax::Dict* expr) {
    Value result = in_.heap().dict();
    for (const syntax::DictItem& item : expr->items) {
      Value key = item.key ? read(item.key) : Value::unknown();
      Value value = read(item.value);
      if (key.isAbsent() || value.isAbsent()) return Value::absent();
      if (!key.is(ValueKind::Str)) return Value::unknown();
      if (!in_.dictSet(result.as<DictObject>(), key, value)) return Value::absent();
    }
    return result;
  }

  Interpreter& in_;
};

Value itself(Interpreter&, const CallArguments& arguments) {
  return at(arguments, 0);
}

Value readText(Interpreter& in, const CallArguments& arguments) {
  auto* file = hostAs<DataObject>(at(arguments, 0), fileClass);
  return file && arguments.positional.size() == 1 ? dataText(in, file->path) : Value::unknown();
}

constexpr NativeRow fileMethods[] = {
    {"__enter__", itself}, {"__exit__", none}, {"close", none}, {"read", readText}};

Value fileAttribute(Interpreter& in, Value self, Name name) {
  for (const NativeRow& row : fileMethods)
    if (row.name == in.text(name)) return in.function(row.name, row.function, self);
  return Value::unknown();
}

Value textAttribute(Interpreter&, Value, Name) {
  return Value::unknown();
}

Value unknownResult(Interpreter&, int, bool, Value, Value) {
  return Value::unknown();
}

const HostClass fileClass = {
    .name = "TextIOWrapper", .attribute = fileAttribute, .rebinding = &sharedHost};
const HostClass textClass = {
    .name = "str", .attribute = textAttribute, .binary = unknownResult, .rebinding = &sharedHost};

} // namespace

bool isDataFile(Interpreter& in, llvm::StringRef path) {
  return sourceOf(in, path).has_value();
}

Value dataFile(Interpreter& in, llvm::StringRef path) {
  return dataObject(in, fileClass, path);
}

Value dataText(Interpreter& in, llvm::StringRef path) {
  return dataObject(in, textClass, path);
}

Value valueOfData(Interpreter& in, Value value) {
  auto* object = hostAs<DataObject>(value, fileClass);
  if (!object) object = hostAs<DataObject>(value, textClass);
  auto source = object ? sourceOf(in, object->path) : std::nullopt;
  if (!source || source->body.size() != 1) return Value::unknown();
  auto* statement = llvm::dyn_cast<syntax::ExprStmt>(source->body.front());
  return statement ? Reader(in).read(statement->value) : Value::unknown();
}

} // namespace gluond::evaluate
