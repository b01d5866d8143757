#include "evaluate/triton/Benchmarks.h"

#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "syntax/tree/Visitor.h"

namespace gluond::evaluate {

namespace {

// The pending exception says that a function has no parameter of a name: if its own decorators give
// the name, that is the place.
void blameDecorator(Interpreter& in, const FunctionObject* function) {
  if (!function || !function->def || !function->module) return;
  auto pending = in.suspendError();
  ErrorCause& cause = pending->cause;
  if (cause.kind == ErrorKind::ParameterKeyword && cause.owner == function->qualname)
    if (auto place = nameInDecorators(*function->def, cause.subject)) {
      cause.kind = ErrorKind::DecoratorName;
      pending->frames.push_back({function->module, *place, {}});
    }
  in.resumeError(std::move(pending));
}

// A benchmark's table, and the function that it is of.
class Table {
public:
  Table(Interpreter& in, const NamespaceObject& made, Value function,
        llvm::ArrayRef<KeywordArgument> more)
      : in_(in), made_(made), function_(function), more_(more) {}

  // Calls the function for every row. What the first call raises is pending afterwards; the others
  // are made all the same, for their launches. Returns false if it may not go on.
  bool run() {
    llvm::SmallVector<Value> rows, lines;
    if (!in_.unpack(member("x_names"), names_) || !in_.unpack(member("x_vals"), rows) ||
        !in_.unpack(member("line_vals"), lines)) {
      if (in_.isExhausted()) return false;
      in_.dropError();
      return true;
    }
    std::unique_ptr<PendingError> first;
    for (Value row : rows) {
      auto values = valuesOf(row);
      if (!values && !in_.failed()) continue;
      for (Value line : lines) {
        if (values && !call(*values, line) && in_.isExhausted()) return false;
        if (!in_.failed()) continue;
        auto raised = in_.suspendError();
        if (!first) first = std::move(raised);
        if (!values) break;
      }
    }
    if (first) in_.resumeError(std::move(first));
    return true;
  }

private:
  Value member(llvm::StringRef name) const { return made_.attributes->get(in_.name(name)); }

  // The values of the x axis; nullopt if they are not known, or after raising.
  std::optional<llvm::SmallVector<Value>> valuesOf(Value row) {
    if (!in_.spend(names_.size())) return std::nullopt;
    if (!row.is(ValueKind::Tuple) && !row.is(ValueKind::List))
      return llvm::SmallVector<Value>(names_.size(), row);
    llvm::SmallVector<Value> values;
    bool isUncertain = false;
    if (!in_.unpack(row, values, isUncertain) || isUncertain) return std::nullopt;
    if (values.size() == names_.size()) return values;
    std::string shown = in_.repr(row);
    if (!in_.failed())
      in_.raise("ValueError", "Expected " + llvm::Twine(names_.size()) + " values, got " + shown);
    return std::nullopt;
  }

  bool call(llvm::ArrayRef<Value> values, Value lineValue) {
    llvm::SmallVector<KeywordArgument> keywords;
    for (auto [name, value] : llvm::zip(names_, values))
      if (auto* text = name.as<StrObject>()) keywords.push_back({in_.name(text->text), value});
    if (auto* line = member("line_arg").as<StrObject>())
      keywords.push_back({in_.name(line->text), lineValue});
    if (auto* fixed = member("args").as<DictObject>())
      for (auto [key, value] : fixed->items)
        if (auto* text = key.as<StrObject>()) keywords.push_back({in_.name(text->text), value});
    keywords.append(more_.begin(), more_.end());
    if (!in_.call(function_, CallArguments{{}, keywords}).isAbsent()) return true;
    if (!in_.isExhausted()) blameDecorator(in_, function_.as<FunctionObject>());
    return false;
  }

  Interpreter& in_;
  const NamespaceObject& made_;
  Value function_;
  llvm::ArrayRef<KeywordArgument> more_; // what run() passes on
  llvm::SmallVector<Value> names_;
};

// mark.run(show_plots, print_data, save_path, return_df, **more)
Value runMark(Interpreter& in, const CallArguments& arguments) {
  constexpr llvm::StringLiteral own[] = {"show_plots", "print_data", "save_path",
                                         "return_df",  "diff_col",   "save_precision"};
  auto* space = hostAs<NamespaceObject>(at(arguments, 0), namespaceClass);
  Value function = space->attributes->get(in.name("fn")),
        marks = space->attributes->get(in.name("benchmarks"));
  if (function.isAbsent() || marks.isAbsent()) return Value::unknown();
  llvm::SmallVector<KeywordArgument> more;
  for (const KeywordArgument& keyword : arguments.keywords)
    if (!llvm::is_contained(own, in.text(keyword.name))) more.push_back(keyword);
  llvm::SmallVector<Value> benchmarks;
  if (marks.is(ValueKind::List) || marks.is(ValueKind::Tuple))
    in.unpack(marks, benchmarks);
  else
    benchmarks.push_back(marks);
  std::unique_ptr<PendingError> first;
  for (Value one : benchmarks) {
    auto* made = hostAs<NamespaceObject>(one, namespaceClass);
    if (!made) continue;
    if (!Table(in, *made, function, more).run()) return Value::absent();
    if (!in.failed()) continue;
    auto raised = in.suspendError();
    if (!first) first = std::move(raised);
  }
  if (!first) return Value::unknown();
  in.resumeError(std::move(first));
  return Value::absent();
}

} // namespace

Value makeBenchmark(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  constexpr llvm::StringLiteral names[] = {"x_names",    "x_vals",    "line_arg", "line_vals",
                                           "line_names", "plot_name", "args"};
  for (size_t i = 0; i < std::size(names); ++i)
    if (Value value = given(in, arguments, i, names[i]); !value.isAbsent())
      members.push_back({names[i], value});
  return in.namespaceOf("triton.testing.Benchmark", members);
}

Value perfReport(Interpreter& in, const CallArguments& arguments) {
  return in.function(
      "perf_report",
      [](Interpreter& i, const CallArguments& later) {
        Value mark = i.namespaceOf("triton.testing.Mark",
                                   {{"benchmarks", later.positional[0]}, {"fn", at(later, 1)}});
        if (Scope* names = i.writable(hostAs<NamespaceObject>(mark, namespaceClass)->attributes))
          names->set(i.name("run"), i.function("run", runMark, mark));
        return mark;
      },
      at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0));
}

std::optional<text::Range> nameInDecorators(const syntax::FunctionDef& def, llvm::StringRef name) {
  std::optional<text::Range> found;
  for (const syntax::Expr* decorator : def.decorators)
    syntax::walk(decorator, [&](const syntax::Node* node) {
      auto* constant = llvm::dyn_cast<syntax::Constant>(node);
      if (found || !constant || constant->constant != syntax::ConstantKind::Str) return !found;
      llvm::StringRef text = constant->string;
      for (size_t begin = 0; begin <= text.size() && !found;) {
        size_t end = std::min(text.find(',', begin), text.size());
        llvm::StringRef word = text.slice(begin, end);
        begin = end + 1;
        if (word.trim() != name) continue;
        text::Range range = constant->range;
        bool isPlain = range.end - range.begin == text.size() + 2; // no prefix, no escapes
        auto at = range.begin + 1 + static_cast<text::Offset>(word.ltrim().data() - text.data());
        found = isPlain ? text::Range{at, at + static_cast<text::Offset>(name.size())} : range;
      }
      return !found;
    });
  return found;
}

} // namespace gluond::evaluate
