// The module operator.
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

template <syntax::BinaryOp op> Value binary(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "an operator takes 2 arguments");
  return in.binary(op, arguments.positional[0], arguments.positional[1]);
}
template <syntax::CompareOp op> Value compare(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "an operator takes 2 arguments");
  return in.compare(op, arguments.positional[0], arguments.positional[1]);
}
template <syntax::UnaryOperator op> Value unary(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 1)
    return in.raise("TypeError", "an operator takes 1 argument");
  return in.unary(op, arguments.positional[0]);
}
Value getItem(Interpreter& in, const CallArguments& arguments) {
  return arguments.positional.size() == 2
             ? in.getItem(arguments.positional[0], arguments.positional[1])
             : Value::unknown();
}
Value itemGetter(Interpreter& in, const CallArguments& arguments) {
  return in.function(
      "itemgetter",
      [](Interpreter& i, const CallArguments& given) -> Value {
        auto keys = given.positional[0].as<TupleObject>()->items;
        if (given.positional.size() != 2)
          return i.raise("TypeError", "itemgetter expected 1 argument");
        llvm::SmallVector<Value> items;
        if (!i.charge(keys.size(), sizeof(Value))) return Value::absent();
        for (Value key : keys) {
          Value item = i.getItem(given.positional[1], key);
          if (item.isAbsent() || !i.spend(1)) return Value::absent();
          items.push_back(item);
        }
        return items.size() == 1 ? items[0] : i.tupleOf(items);
      },
      in.tupleOf(arguments.positional));
}
Value attrGetter(Interpreter& in, const CallArguments& arguments) {
  return in.function(
      "attrgetter",
      [](Interpreter& i, const CallArguments& given) -> Value {
        auto names = given.positional[0].as<TupleObject>()->items;
        if (given.positional.size() != 2)
          return i.raise("TypeError", "attrgetter expected 1 argument");
        llvm::SmallVector<Value> items;
        for (Value name : names) {
          auto* text = name.as<StrObject>();
          Value item = given.positional[1];
          if (!text) return Value::unknown();
          for (llvm::StringRef rest = text->text; !rest.empty() && !item.isAbsent();) {
            auto [head, tail] = rest.split('.');
            if (!i.spend(1)) return Value::absent();
            item = i.getAttribute(item, i.name(head));
            rest = tail;
          }
          if (item.isAbsent()) return item;
          items.push_back(item);
        }
        return items.size() == 1 ? items[0] : i.tupleOf(items);
      },
      in.tupleOf(arguments.positional));
}

using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOperator;
constexpr NativeRow operatorRows[] = {
    {"add", binary<BinaryOp::Add>},
    {"and_", binary<BinaryOp::BitAnd>},
    {"attrgetter", attrGetter},
    {"eq", compare<CompareOp::Eq>},
    {"floordiv", binary<BinaryOp::FloorDiv>},
    {"ge", compare<CompareOp::GtE>},
    {"getitem", getItem},
    {"gt", compare<CompareOp::Gt>},
    {"invert", unary<UnaryOperator::Invert>},
    {"is_", compare<CompareOp::Is>},
    {"itemgetter", itemGetter},
    {"le", compare<CompareOp::LtE>},
    {"lshift", binary<BinaryOp::LShift>},
    {"lt", compare<CompareOp::Lt>},
    {"matmul", binary<BinaryOp::MatMult>},
    {"mod", binary<BinaryOp::Mod>},
    {"mul", binary<BinaryOp::Mult>},
    {"ne", compare<CompareOp::NotEq>},
    {"neg", unary<UnaryOperator::USub>},
    {"not_", unary<UnaryOperator::Not>},
    {"or_", binary<BinaryOp::BitOr>},
    {"pos", unary<UnaryOperator::UAdd>},
    {"pow", binary<BinaryOp::Pow>},
    {"rshift", binary<BinaryOp::RShift>},
    {"sub", binary<BinaryOp::Sub>},
    {"truediv", binary<BinaryOp::Div>},
    {"xor", binary<BinaryOp::BitXor>},
};

} // namespace

llvm::ArrayRef<NativeRow> operatorFunctions() {
  return operatorRows;
}

} // namespace gluond::evaluate
