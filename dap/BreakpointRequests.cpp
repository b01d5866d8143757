// Breakpoints of all kinds.
#include "dap/Requests.h"
#include "driver/settings/Configuration.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace gluond::dap {

using debug::Breakpoint;

static std::string realPath(const std::string& path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path : real.str().str();
}

// The file as the program names it: links may give it several names.
std::string Requests::knownPath(const std::string& path) const {
  if (!debugger_) return path;
  std::vector<std::string> files = debugger_->files();
  for (const std::string& file : files)
    if (file == path) return file;
  std::string real = realPath(path);
  for (const std::string& file : files)
    if (realPath(file) == real) return file;
  return path;
}

static constexpr size_t mostBreakpoints = 10'000;

Json Requests::jsonOf(const Breakpoint& breakpoint) const {
  std::string why = debug::mistakeIn(breakpoint);
  if (!why.empty()) {
  } else if (!debugger_) {
    why = "The program has not begun.";
  } else if (breakpoint.line == 0) {
    why = breakpoint.whyNone;
  }
  Json json = {{"id", breakpoint.id}, {"verified", why.empty()}};
  if (why.empty())
    json["line"] = breakpoint.line - 1 + firstLine_;
  else
    json["message"] = why;
  return json;
}

void Requests::placeKnownBreakpoints(bool isSameProgram) {
  auto tell = [&](Json json) {
    client_.event("breakpoint", {{"reason", "changed"}, {"breakpoint", std::move(json)}});
  };
  auto place = [&](std::vector<Breakpoint>& breakpoints, auto set) {
    std::vector<Json> before;
    for (const Breakpoint& each : breakpoints)
      before.push_back(jsonOf(each));
    set();
    for (size_t i = 0; i < breakpoints.size(); ++i)
      if (Json now = jsonOf(breakpoints[i]); now != before[i]) tell(std::move(now));
  };
  for (auto& [path, breakpoints] : breakpoints_)
    place(breakpoints, [&] { debugger_->setBreakpoints(knownPath(path), breakpoints); });
  place(functionBreakpoints_, [&] { debugger_->setFunctionBreakpoints(functionBreakpoints_); });
  if (isSameProgram) return debugger_->setWatches(dataBreakpoints_);
  for (const debug::Watch& watch : std::exchange(dataBreakpoints_, {}))
    tell({{"id", watch.id},
          {"verified", false},
          {"message", "The kernel or its arguments have changed: set this breakpoint once more."}});
  offered_.clear();
}

void Requests::setBreakpoints(const Json& request, const Json& arguments) {
  std::string path = text(member(arguments, "source"), "path");
  std::vector<Breakpoint> breakpoints;
  for (const Json& each : list(arguments, "breakpoints")) {
    if (breakpoints.size() == mostBreakpoints) break;
    Breakpoint& breakpoint = breakpoints.emplace_back();
    breakpoint.id = ++nextBreakpoint_;
    breakpoint.wanted = std::max(line(each, "line", firstLine_), 1u);
    breakpoint.condition = text(each, "condition");
    breakpoint.hits = text(each, "hitCondition");
    breakpoint.log = text(each, "logMessage");
  }
  if (debugger_) debugger_->setBreakpoints(knownPath(path), breakpoints);
  Json replies = Json::array();
  for (const Breakpoint& each : breakpoints)
    replies.push_back(jsonOf(each));
  breakpoints_[path] = std::move(breakpoints);
  client_.reply(request, {{"breakpoints", replies}});
}

void Requests::setFunctionBreakpoints(const Json& request, const Json& arguments) {
  functionBreakpoints_.clear();
  for (const Json& each : list(arguments, "breakpoints")) {
    if (functionBreakpoints_.size() == mostBreakpoints) break;
    Breakpoint& breakpoint = functionBreakpoints_.emplace_back();
    breakpoint.id = ++nextBreakpoint_;
    breakpoint.function = text(each, "name");
    breakpoint.condition = text(each, "condition");
    breakpoint.hits = text(each, "hitCondition");
  }
  if (debugger_) debugger_->setFunctionBreakpoints(functionBreakpoints_);
  Json replies = Json::array();
  for (const Breakpoint& each : functionBreakpoints_)
    replies.push_back(jsonOf(each));
  client_.reply(request, {{"breakpoints", replies}});
}

void Requests::setExceptionBreakpoints(const Json& request, const Json& arguments) {
  filter_ = {{}, {}, {}};
  Json replies = Json::array();
  auto add = [&](const std::string& name, const std::string& condition) {
    Json reply = {{"verified", true}};
    auto* wanted = name == "error"         ? &filter_.errors
                   : name == "warning"     ? &filter_.warnings
                   : name == "information" ? &filter_.others
                                           : nullptr;
    llvm::SmallVector<llvm::StringRef, 4> codes;
    llvm::SplitString(condition, codes, ", ");
    for (llvm::StringRef code : codes)
      if (auto why = driver::whyNoCode(code)) reply = {{"verified", false}, {"message", *why}};
    if (wanted) {
      wanted->isOn = true;
      for (llvm::StringRef code : codes)
        wanted->codes.push_back(code.str());
    }
    replies.push_back(std::move(reply));
  };
  for (const std::string& name : texts(arguments, "filters"))
    add(name, "");
  for (const Json& each : list(arguments, "filterOptions"))
    add(text(each, "filterId"), text(each, "condition"));
  if (debugger_) debugger_->setFindingFilter(filter_);
  client_.reply(request, {{"breakpoints", replies}});
}

void Requests::dataBreakpointInfo(const Json& request, const Json& arguments) {
  auto refuse = [&](const std::string& why) {
    client_.reply(request, {{"dataId", nullptr}, {"description", why}});
  };
  std::string expression = text(arguments, "name");
  std::optional<debug::Spot> spot;
  // A part of something that was shown.
  if (auto reference = number(arguments, "variablesReference").value_or(0);
      reference > 0 && static_cast<size_t>(reference) <= items_.size()) {
    const debug::Item whole = items_[static_cast<size_t>(reference) - 1].item;
    auto find = [&](const std::vector<debug::Item>& parts) {
      for (const debug::Item& part : parts)
        if (part.name == expression) {
          spot = part.spot;
          if (!part.expression.empty()) expression = part.expression;
          return true;
        }
      return false;
    };
    size_t number;
    bool isIndex = !llvm::StringRef(expression).trim("[]").getAsInteger(10, number);
    if (isIndex && number < whole.indexed)
      find(whole.parts(true, number, 1));
    else
      find(whole.parts(false, 0, SIZE_MAX));
  }
  debug::Watch watch;
  if (spot) {
    watch.name = expression;
    watch.spots = {*spot};
  } else {
    auto frame = frameOf(arguments);
    if (!frame) {
      std::vector<debug::Row> stack = debugger_->stackOf(last_.thread);
      if (stack.empty()) return refuse("this variable does not exist here");
      frame = FrameOf{last_.thread, stack.front()};
    }
    auto made = debugger_->watch(frame->thread, frame->row, expression);
    if (!made) return refuse("'" + expression + "': " + made.error());
    watch = std::move(*made);
  }
  constexpr size_t most = size_t{1} << 20; // they are compared after each step
  if (watch.bytes() > most)
    return refuse("'" + expression + "' has more than 1 MiB: choose a part of it");
  std::string id = std::to_string(offered_.size() + 1) + ":" + expression;
  offered_[id] = watch;
  client_.reply(request, {{"dataId", id},
                          {"description", expression},
                          {"accessTypes", {"write"}},
                          {"canPersist", false}});
}

void Requests::setDataBreakpoints(const Json& request, const Json& arguments) {
  dataBreakpoints_.clear();
  Json replies = Json::array();
  for (const Json& each : list(arguments, "breakpoints")) {
    auto offered = offered_.find(text(each, "dataId"));
    if (offered == offered_.end() || dataBreakpoints_.size() == mostBreakpoints) {
      replies.push_back({{"verified", false}, {"message", "This value does not exist any more."}});
      continue;
    }
    debug::Watch watch = offered->second;
    watch.id = ++nextBreakpoint_;
    watch.condition = text(each, "condition");
    std::string why = debug::mistakeIn(watch.condition);
    Json reply = {{"id", watch.id}, {"verified", why.empty()}};
    if (why.empty())
      dataBreakpoints_.push_back(std::move(watch));
    else
      reply["message"] = why;
    replies.push_back(std::move(reply));
  }
  if (debugger_) debugger_->setWatches(dataBreakpoints_);
  client_.reply(request, {{"breakpoints", replies}});
}

void Requests::breakpointLocations(const Json& request, const Json& arguments) {
  std::string path = knownPath(text(member(arguments, "source"), "path"));
  unsigned first = line(arguments, "line", firstLine_);
  unsigned last = number(arguments, "endLine") ? line(arguments, "endLine", firstLine_) : first;
  Json places = Json::array();
  for (const debug::Place& place : debugger_->breakableLines(path, first, last))
    places.push_back({{"line", place.line - 1 + firstLine_}});
  client_.reply(request, {{"breakpoints", places}});
}

} // namespace gluond::dap
