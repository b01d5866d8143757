// concurrent.futures: what is submitted to an executor runs at once.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/StandardModules.h"

namespace gluond::evaluate {

namespace {

Value resultOf(Interpreter&, const CallArguments& arguments) { // future.result(timeout)
  return at(arguments, 0);
}

Value future(Interpreter& in, Value result) {
  return in.namespaceOf("Future",
                        {{"result", in.function("result", resultOf, result)},
                         {"done", in.function("done", unknown)},
                         {"exception", in.function("exception", unknown)},
                         {"cancel", in.function("cancel", unknown)},
                         {"add_done_callback", in.function("add_done_callback", unknown)}});
}

Value submit(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::unknown();
  Value result =
      in.call(arguments.positional[0], {arguments.positional.drop_front(), arguments.keywords});
  if (result.isAbsent()) { // result() raises it
    if (in.isExhausted()) return result;
    in.dropError();
    result = Value::unknown();
  }
  return future(in, result);
}

// executor.map(function, *iterables): unlike map(), all calls are made.
Value mapAll(Interpreter& in, const CallArguments& arguments) {
  for (const NativeRow& row : builtinFunctions()) {
    if (row.name != "map") continue;
    Value lazy = row.function(in, {arguments.positional, {}});
    llvm::SmallVector<Value> results;
    bool uncertain = false;
    if (lazy.isAbsent() || !in.unpack(lazy, results, uncertain)) return unknownOrRaised(in);
    return in.iterator(results, uncertain);
  }
  return Value::unknown();
}

Value executor(Interpreter& in, const CallArguments&) {
  Value made = in.namespaceOf("Executor", {{"map", in.function("map", mapAll)},
                                           {"submit", in.function("submit", submit)},
                                           {"shutdown", in.function("shutdown", none)}});
  return made;
}

Value asCompleted(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> futures;
  bool uncertain = false;
  if (at(arguments, 0).isAbsent() || !in.unpack(at(arguments, 0), futures, uncertain))
    return unknownOrRaised(in);
  return in.iterator(futures, uncertain);
}

constexpr NativeRow rows[] = {{"ProcessPoolExecutor", executor},
                              {"ThreadPoolExecutor", executor},
                              {"as_completed", asCompleted}};

} // namespace

llvm::ArrayRef<NativeRow> futuresFunctions() {
  return rows;
}

} // namespace gluond::evaluate
