// argparse: programs read what to launch from their command line, which is assumed to be empty, or
// from texts that they give themselves.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate {

namespace {

struct OptionObject : HostObject {
  Values names; // "--size", "-s"; or the one name of a positional argument
  llvm::StringRef destination;
  bool isPositional = false;
  bool isNeeded = false;                             // the program ends where it is not given
  Value action, count, type, constant, defaultValue; // Absent if not given
};
extern const HostClass optionClass;

struct ParserObject : HostObject {
  Value options; // a List; uncertain if there may be others, or members of another origin
};
extern const HostClass parserClass;

// A text that a type makes a value of; Unknown if that may fail.
Value converted(Interpreter& in, const OptionObject& option, Value text) {
  if (option.type.isAbsent()) return text;
  Value value = in.call(option.type, CallArguments{text, {}});
  if (!value.isAbsent() || in.isExhausted()) return value;
  in.dropError();
  return Value::unknown();
}

bool isText(Value value, llvm::StringRef text) {
  auto* shown = value.as<StrObject>();
  return shown && shown->text == text;
}

// The option's value if the command line does not mention it.
Value withoutArgument(Interpreter& in, OptionObject& option, Value required) {
  Value value = option.defaultValue;
  // The type is applied to defaults that are text.
  if (!value.isAbsent()) return value.is(ValueKind::Str) ? converted(in, option, value) : value;
  if (isText(option.action, "store_true")) return Value::boolean(false);
  if (isText(option.action, "store_false")) return Value::boolean(true);
  if (option.isPositional && isText(option.count, "*")) return in.heap().list({});
  if (option.isPositional && isText(option.count, "?")) return Value::none();
  option.isNeeded =
      option.isPositional || (!required.isAbsent() && in.truth(required).value_or(true));
  return option.isNeeded ? Value::unknown() : Value::none();
}

Value addArgument(Interpreter& in, const CallArguments& arguments) {
  auto* parser = hostAs<ParserObject>(at(arguments, 0), parserClass);
  auto* options = parser ? in.writable(parser->options.as<ListObject>()) : nullptr;
  if (!options) return unknownOrRaised(in);
  auto* option = in.heap().make<OptionObject>();
  option->cls = &optionClass;
  llvm::SmallVector<Value> names;
  llvm::StringRef name;
  // An action of the program may set what it likes.
  Value action = keyword(in, arguments, "action");
  if (!action.isAbsent() && !action.is(ValueKind::Str)) options->uncertain = true;
  for (Value value : arguments.positional.drop_front())
    if (auto* text = value.as<StrObject>()) {
      names.push_back(value);
      option->isPositional = !text->text.starts_with("-");
      if (name.empty() || (text->text.starts_with("--") && name.size() == 1))
        name = text->text.ltrim('-');
    }
  Value destination = keyword(in, arguments, "dest");
  if (auto* chosen = destination.as<StrObject>()) name = chosen->text;
  if (name.empty() || (!destination.isAbsent() && !destination.is(ValueKind::Str)))
    options->uncertain = true;
  std::string clean = name.str();
  std::replace(clean.begin(), clean.end(), '-', '_');
  option->names = in.heap().copy(names);
  option->destination = in.heap().copy(clean);
  option->action = action;
  option->count = keyword(in, arguments, "nargs");
  option->type = keyword(in, arguments, "type");
  option->constant = keyword(in, arguments, "const");
  option->defaultValue = keyword(in, arguments, "default");
  if (option->defaultValue.isAbsent()) // set_defaults came before
    for (Value each : options->items)
      if (auto* set = hostAs<OptionObject>(each, optionClass);
          set && set->names.empty() && set->destination == option->destination)
        option->defaultValue = set->defaultValue;
  option->defaultValue = withoutArgument(in, *option, keyword(in, arguments, "required"));
  if (option->defaultValue.isAbsent() || !in.charge(sizeof(OptionObject))) return Value::absent();
  options->items.push_back(Value::object(ValueKind::Host, option));
  return Value::unknown();
}

// parser.set_defaults(block=128): members without an argument, or other defaults.
Value setDefaults(Interpreter& in, const CallArguments& arguments) {
  auto* parser = hostAs<ParserObject>(at(arguments, 0), parserClass);
  auto* options = parser ? in.writable(parser->options.as<ListObject>()) : nullptr;
  if (!options || !in.charge(arguments.keywords.size(), sizeof(OptionObject)))
    return unknownOrRaised(in);
  for (const KeywordArgument& each : arguments.keywords) {
    auto* option = in.heap().make<OptionObject>();
    option->cls = &optionClass;
    option->destination = in.text(each.name);
    option->defaultValue = each.value;
    options->items.push_back(Value::object(ValueKind::Host, option));
  }
  return Value::none();
}

// The values that the texts of a command line give to options.
class CommandLine {
public:
  CommandLine(Interpreter& in, llvm::ArrayRef<const OptionObject*> options,
              llvm::ArrayRef<Value> texts)
      : in_(in), options_(options), texts_(texts) {}

  // Returns false if the texts are not understood, or an error was raised.
  bool read() {
    while (next_ < texts_.size()) {
      if (!in_.spend(options_.size())) return false;
      auto* text = texts_[next_].as<StrObject>();
      if (!text) return false;
      const OptionObject* option = isFlag(text->text) ? flagged(text->text) : positional();
      if (!option || !take(*option)) return false;
    }
    return true;
  }
  Value valueOf(const OptionObject* option) const {
    for (auto& [given, value] : llvm::reverse(values_)) // the last one counts
      if (given->destination == option->destination) return value;
    return option->defaultValue;
  }

private:
  static bool isFlag(llvm::StringRef text) {
    double number;
    return text.size() > 1 && text.starts_with("-") && text.getAsDouble(number);
  }
  const OptionObject* flagged(llvm::StringRef text) {
    for (const OptionObject* option : options_)
      if (llvm::any_of(option->names, [&](Value name) { return isText(name, text); })) {
        ++next_;
        return option;
      }
    return nullptr; // an abbreviation, or --name=value
  }
  const OptionObject* positional() {
    for (const OptionObject* option : options_)
      if (option->isPositional && llvm::none_of(values_, [&](const auto& each) {
            return each.first->destination == option->destination;
          }))
        return option;
    return nullptr;
  }
  bool hasText() const {
    auto* text = next_ < texts_.size() ? texts_[next_].as<StrObject>() : nullptr;
    return text && !isFlag(text->text);
  }
  bool take(const OptionObject& option) {
    if (!option.action.isAbsent() && !isText(option.action, "store")) {
      Value value = isText(option.action, "store_true")    ? Value::boolean(true)
                    : isText(option.action, "store_false") ? Value::boolean(false)
                    : isText(option.action, "store_const") ? option.constant
                                                           : Value::absent();
      return !value.isAbsent() && give(option, value);
    }
    bool isMaybe = isText(option.count, "?");
    if (isMaybe && !hasText())
      return give(option, option.constant.isAbsent() ? Value::none() : option.constant);
    if (option.count.isAbsent() || option.count.isNone() || isMaybe) {
      if (!hasText()) return false;
      Value value = converted(in_, option, texts_[next_++]);
      return !value.isAbsent() && give(option, value);
    }
    bool isExact = option.count.isIntegral();
    if (!isExact && !isText(option.count, "+") && !isText(option.count, "*")) return false;
    llvm::SmallVector<Value> all;
    while (hasText() && !(isExact && static_cast<int64_t>(all.size()) == option.count.asInt())) {
      Value value = converted(in_, option, texts_[next_++]);
      if (value.isAbsent()) return false;
      all.push_back(value);
    }
    return give(option, in_.heap().list(all));
  }
  bool give(const OptionObject& option, Value value) {
    values_.push_back({&option, value});
    return true;
  }

  Interpreter& in_;
  llvm::ArrayRef<const OptionObject*> options_;
  llvm::ArrayRef<Value> texts_;
  llvm::SmallVector<std::pair<const OptionObject*, Value>, 8> values_;
  size_t next_ = 0;
};

Value parse(Interpreter& in, const CallArguments& arguments) {
  auto* parser = hostAs<ParserObject>(at(arguments, 0), parserClass);
  auto* options = parser ? parser->options.as<ListObject>() : nullptr;
  if (!options) return Value::unknown();
  Value line = given(in, arguments, 1, "args");
  llvm::SmallVector<Value> texts;
  llvm::SmallVector<const OptionObject*> all;
  for (Value option : options->items)
    if (auto* known = hostAs<OptionObject>(option, optionClass)) all.push_back(known);
  // Some options may have been added under a condition that is not known: what texts mean then
  // depends on it, and the namespace may have members that are not listed here.
  bool isComplete = !options->uncertain && all.size() == options->items.size();
  bool isGiven = !line.isAbsent() && !line.isNone();
  bool isKnown = !isGiven || (isComplete && in.unpack(line, texts));
  if (in.isExhausted()) return Value::absent();
  if (!isKnown) in.dropError();
  // That there are no arguments, though some may be needed.
  if (!isGiven && isComplete && llvm::none_of(all, [](auto* option) { return option->isNeeded; }))
    in.assumeDefaults();
  else if (!isGiven)
    in.assume();
  CommandLine read(in, all, texts);
  isKnown = isKnown && read.read();
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members;
  if (in.failed() || !in.spend(all.size()) ||
      !in.charge(all.size(), sizeof(language::Scope::Element)))
    return Value::absent();
  for (const OptionObject* option : all)
    members.push_back({option->destination, isKnown ? read.valueOf(option) : Value::unknown()});
  Value made = in.namespaceOf("argparse.Namespace", members);
  Value filled = given(in, arguments, 2, "namespace"); // an object that has members of its own
  if (!isComplete || !(filled.isAbsent() || filled.isNone())) markOpen(in, made);
  return in.failed() ? Value::absent() : made;
}

Value parseKnown(Interpreter& in, const CallArguments& arguments) {
  Value parsed = parse(in, arguments), line = given(in, arguments, 1, "args");
  if (parsed.isAbsent()) return parsed;
  bool isGiven = !line.isAbsent() && !line.isNone();
  return in.tupleOf({parsed, isGiven ? Value::unknown() : in.heap().list({})});
}

// A group adds its arguments to the parser.
Value itself(Interpreter&, const CallArguments& arguments) {
  return at(arguments, 0);
}

constexpr NativeRow parserMethods[] = {{"add_argument", addArgument},
                                       {"add_argument_group", itself},
                                       {"add_mutually_exclusive_group", itself},
                                       {"parse_args", parse},
                                       {"parse_known_args", parseKnown},
                                       {"set_defaults", setDefaults}};

// What does not change the members of the namespace. Others, such as add_subparsers, may.
constexpr llvm::StringLiteral harmlessMembers[] = {
    "description", "epilog",      "error",        "exit", "format_help", "format_usage",
    "print_help",  "print_usage", "prefix_chars", "prog", "usage"};

const HostClass optionClass = {
    .name = "_StoreAction",
    .rebinding =
        &copiedHost<OptionObject, &OptionObject::names, &OptionObject::action, &OptionObject::count,
                    &OptionObject::type, &OptionObject::constant, &OptionObject::defaultValue>};

// The attribute of no name says that something unknown may have added options. Others are ignored.
bool setParserAttribute(Interpreter& in, Value self, Name name, Value) {
  auto* known = hostAs<ParserObject>(self, parserClass)->options.as<ListObject>();
  if (name || !known || !in.heap().owns(known)) return true;
  ListObject* options = in.writable(known);
  if (options) options->uncertain = true;
  return options != nullptr;
}

const HostClass parserClass = {.name = "ArgumentParser",
                               .attribute = [](Interpreter& in, Value self, Name name) -> Value {
                                 for (const NativeRow& row : parserMethods)
                                   if (row.name == in.text(name))
                                     return in.function(row.name, row.function, self);
                                 if (!llvm::is_contained(harmlessMembers, in.text(name)))
                                   markOpen(in, self);
                                 return in.failed() ? Value::absent() : Value::unknown();
                               },
                               .setAttribute = setParserAttribute,
                               .rebinding = &copiedHost<ParserObject, &ParserObject::options>};

Value argumentParser(Interpreter& in, const CallArguments& arguments) {
  auto* parser = in.heap().make<ParserObject>();
  parser->cls = &parserClass;
  parser->options = in.heap().list({});
  // Those of its parents; a default that leaves members out.
  for (llvm::StringRef open : {"parents", "argument_default"})
    if (!keyword(in, arguments, open).isAbsent())
      markOpen(in, Value::object(ValueKind::Host, parser));
  return Value::object(ValueKind::Host, parser);
}
constexpr NativeRow argparseRows[] = {{"ArgumentParser", argumentParser}};

} // namespace

llvm::ArrayRef<NativeRow> argparseFunctions() {
  return argparseRows;
}

} // namespace gluond::evaluate
