#include "cli/input/Arguments.h"

#include "codegen/suggestions/Suggest.h"
#include "codegen/targets/TargetNames.h"
#include "driver/settings/Configuration.h"
#include "driver/stages/Stages.h"
#include "files/GitIgnore.h"
#include "releases/Release.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace gluond::cli {

namespace {

std::string didYouMean(llvm::StringRef written, llvm::ArrayRef<std::string> choices) {
  codegen::Nearest nearest(written);
  for (const std::string& each : choices)
    nearest.offer(each);
  return nearest.name().empty() ? "" : "; did you mean '" + nearest.name().str() + "'?";
}

std::string listed(llvm::ArrayRef<std::string> choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i)
    text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  return text;
}

// The subcommands, or the options, that the help shows.
std::vector<std::string> commandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}
std::vector<std::string> optionsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

} // namespace

CLI::Validator between(double least, double most) {
  auto check = [least, most](std::string& text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= least && number <= most) return {};
    return "takes a number from " + CLI::detail::to_string(least) + " to " +
           CLI::detail::to_string(most) + ", not '" + text + "'";
  };
  return CLI::Validator(check, "NUMBER");
}

CLI::Validator whole(int64_t least, int64_t most) {
  auto check = [least, most](std::string& text) -> std::string {
    int64_t number = 0;
    if (!llvm::StringRef(text).getAsInteger(10, number) && number >= least && number <= most)
      return {};
    return "takes a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not '" + text + "'";
  };
  return CLI::Validator(check, "NUMBER");
}

CLI::Validator oneOf(std::vector<std::string> choices) {
  std::string shown = listed(choices);
  auto check = [choices = std::move(choices), shown](std::string& text) -> std::string {
    if (llvm::is_contained(choices, text)) return {};
    return "takes " + shown + ", not '" + text + "'" + didYouMean(text, choices);
  };
  return CLI::Validator(check, shown);
}

CLI::Validator aTarget() {
  auto check = [](std::string& text) { return codegen::whyNoTarget(text).value_or(""); };
  return CLI::Validator(check, "TARGET");
}

CLI::Validator aRelease(bool orSeveral) {
  auto check = [orSeveral](std::string& text) -> std::string {
    llvm::SmallVector<llvm::StringRef, 4> names;
    llvm::StringRef(text).split(names, ',');
    std::vector<std::string> known;
    for (releases::Release each : releases::all())
      known.push_back(releases::name(each).str());
    for (llvm::StringRef name : names)
      if (!releases::parse(name) || (names.size() > 1 && !orSeveral))
        return "takes " + listed(known) + ", not '" + text + "'";
    return {};
  };
  return CLI::Validator(check, "RELEASE");
}

CLI::Validator aStage() {
  auto check = [](std::string& text) -> std::string {
    std::vector<std::string> stages = driver::stageNames();
    if (llvm::is_contained(stages, text)) return {};
    return "takes " + listed(stages) + ", not '" + text + "'" + didYouMean(text, stages);
  };
  return CLI::Validator(check, "STAGE");
}

CLI::Validator codes() {
  auto check = [](std::string& text) -> std::string {
    if (llvm::StringRef(text).trim(" ,").empty())
      return "no code is given ('gluond explain' lists all codes)";
    for (llvm::StringRef rest = text; !rest.empty();) {
      auto [code, after] = rest.split(',');
      rest = after;
      if (auto why = driver::whyNoCode(code.trim()))
        return *why + " ('gluond explain' lists all codes)";
    }
    return "";
  };
  return CLI::Validator(check, "CODES");
}

CLI::Validator patterns() {
  auto check = [](std::string& text) -> std::string {
    if (llvm::StringRef(text).trim(" ,").empty()) return "no pattern is given";
    for (llvm::StringRef rest = text; !rest.empty();) {
      auto [pattern, after] = rest.split(',');
      rest = after;
      if (auto why = files::whyNoGlob(pattern.trim()); why && !pattern.trim().empty()) return *why;
    }
    return "";
  };
  return CLI::Validator(check, "PATTERNS");
}

CLI::Validator anExistingFile() {
  auto check = [](std::string& text) -> std::string {
    llvm::sys::fs::file_status status;
    if (std::error_code error = llvm::sys::fs::status(text, status))
      return "cannot read '" + text + "': " + error.message();
    return llvm::sys::fs::is_directory(status) ? "'" + text + "' is a folder, not a file" : "";
  };
  return CLI::Validator(check, "FILE");
}

std::string whatIsWrong(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments) {
  std::vector<std::string> commands = commandsOf(app);
  std::string first = arguments.empty() ? "" : arguments.front();
  bool isCommand = llvm::is_contained(commands, first);
  if (first.empty()) return "give a command: " + listed(commands);
  if (!isCommand && !first.starts_with("-")) {
    std::string meant = didYouMean(first, commands);
    return "there is no command '" + first + "'" + (meant.empty() ? "." : meant) +
           " The commands are " + listed(commands);
  }
  const CLI::App& command = isCommand ? *app.get_subcommand(first) : app;
  if (!isCommand && !llvm::is_contained(optionsOf(app), first))
    return "'gluond' has no option '" + first + "'" + didYouMean(first, optionsOf(app)) +
           " ('gluond --help' lists what it takes)";
  std::string name = isCommand ? "gluond " + first : std::string("gluond");
  std::string more = " ('" + name + " --help' lists what it takes)";
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    // "--format: 1 required TEXT:text, json or sarif missing": an option without its value.
    llvm::StringRef what = error.what();
    auto [option, lacks] = what.split(": 1 required ");
    if (lacks.consume_back(" missing")) {
      llvm::StringRef values = lacks.split(':').second;
      return (option + " needs a value" + (values.empty() ? "" : ": " + values)).str() + more;
    }
    // "... ('gluond explain' lists all codes)" says where they are listed already.
    return what.ends_with(")") ? what.str() : what.str() + more;
  }
  // Arguments that were not consumed: a misspelt option, or one argument too many.
  std::vector<std::string> known = optionsOf(command), rest = app.remaining(true);
  for (const std::string& each : rest) {
    if (!each.starts_with("-") || each == "-") continue;
    std::string option = each.substr(0, each.find('='));
    return "'" + name + "' has no option '" + option + "'" + didYouMean(option, known) + more;
  }
  return "'" + name + "' takes no argument '" + (rest.empty() ? "" : rest.front()) + "'" + more;
}

} // namespace gluond::cli
