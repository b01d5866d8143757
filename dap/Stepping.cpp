// Going forwards and backwards.
#include "dap/Requests.h"

namespace gluond::dap {

using debug::Motion;
using debug::Stop;

// Threads of the protocol count from 1.
static uint32_t threadOf(const Json& arguments) {
  auto id = number(arguments, "threadId");
  return id && *id > 0 && *id < INT32_MAX ? static_cast<uint32_t>(*id - 1) : 0;
}

void Requests::forgetLook() {
  frames_.clear();
  items_.clear();
}

// Reports the output and the findings of the program that the client does not know yet.
void Requests::printNews() {
  const simulate::State& state = debugger_->state();
  if (state.printed.size() > printed_) {
    client_.print(state.printed.from(printed_), "stdout");
    printed_ = state.printed.size();
  }
  for (const simulate::Finding& finding : state.findings)
    tell(finding);
}

// Once.
void Requests::tell(const simulate::Finding& finding) {
  if (llvm::is_contained(told_, debug::keyOf(finding))) return;
  told_.push_back(debug::keyOf(finding));
  Json body = {{"category", "stderr"},
               {"output", diagnostics::row(finding.id).slug.str() + ": " + finding.message + "\n"}};
  if (auto place = debug::placeOf(finding.at)) {
    body["source"] = sourceOf(place->path);
    body["line"] = place->line - 1 + firstLine_;
  }
  client_.event("output", std::move(body));
}

// For a client that shows the run elsewhere too: its timeline goes to the same moment.
void Requests::tellMoment() {
  const debug::History& history = debugger_->history();
  client_.event("gluond/moment", {{"moment", history.now()}, {"reached", history.reached()}});
}

void Requests::report(Stop stop, bool tellsMoment) {
  printNews();
  if (stop.finding) tell(*stop.finding);
  if (!stop.mistake.empty()) client_.print(stop.mistake + "\n", "stderr");
  if (tellsMoment) tellMoment();
  using Why = Stop::Why;
  bool isEnd = stop.why == Why::End;
  if (isEnd && (!stopsAtEnd_ || hasEnded_)) {
    client_.event("exited", {{"exitCode", debugger_->state().findings.empty() ? 0 : 1}});
    client_.event("terminated");
    return;
  }
  hasEnded_ = isEnd;
  last_ = stop;
  struct Row {
    Why why;
    const char *reason, *description;
  };
  static constexpr Row rows[] = {
      {Why::Entry, "entry", "Paused on entry"},
      {Why::Step, "step", "Paused on step"},
      {Why::Breakpoint, "breakpoint", "Paused on breakpoint"},
      {Why::FunctionBreakpoint, "function breakpoint", "Paused on function breakpoint"},
      {Why::DataBreakpoint, "data breakpoint", "Paused on data breakpoint"},
      {Why::Finding, "exception", "Paused on a finding"},
      {Why::Pause, "pause", "Paused"},
      {Why::Beginning, "entry", "Paused at the beginning of the program"},
      {Why::End, "pause", "Paused at the end of the program"},
  };
  for (const Row& row : rows) {
    if (row.why != stop.why) continue;
    Json body = {{"reason", row.reason},
                 {"description", row.description},
                 {"threadId", stop.thread + 1},
                 {"allThreadsStopped", true}};
    if (!stop.text.empty() || !stop.mistake.empty())
      body["text"] = stop.text.empty() ? stop.mistake : stop.text;
    if (!stop.breakpoints.empty()) body["hitBreakpointIds"] = stop.breakpoints;
    return client_.event("stopped", std::move(body));
  }
}

void Requests::move(Motion motion, uint32_t thread) {
  // Breakpoints may be set while the program runs: it then stands still for a moment.
  bool mayResume = motion == Motion::Continue;
  while (true) {
    forgetLook();
    Stop stop = debugger_->move(motion, thread, inbox_.interrupt(mayResume));
    if (stop.why != Stop::Why::Pause) return report(stop);
    bool isAsked = false;
    for (const char* each : {"pause", "terminate", "disconnect", "restart"})
      isAsked |= inbox_.has(each);
    if (inbox_.isClosed()) return;
    if (isAsked || !mayResume) {
      if (inbox_.has("pause")) report(stop);
      return;
    }
    auto request = inbox_.next();
    if (!request) return;
    handle(*request);
    if (isOver_ || !debugger_) return;
  }
}

void Requests::goOn(const Json& request, const Json& arguments) {
  client_.reply(request, {{"allThreadsContinued", true}});
  move(Motion::Continue, threadOf(arguments));
}
void Requests::next(const Json& request, const Json& arguments) {
  client_.reply(request);
  move(Motion::Next, threadOf(arguments));
}
void Requests::stepIn(const Json& request, const Json& arguments) {
  client_.reply(request);
  move(Motion::StepIn, threadOf(arguments));
}
void Requests::stepOut(const Json& request, const Json& arguments) {
  client_.reply(request);
  move(Motion::StepOut, threadOf(arguments));
}
void Requests::stepBack(const Json& request, const Json& arguments) {
  client_.reply(request);
  hasEnded_ = false;
  move(Motion::StepBack, threadOf(arguments));
}
void Requests::reverseContinue(const Json& request, const Json& arguments) {
  client_.reply(request);
  hasEnded_ = false;
  move(Motion::ReverseContinue, threadOf(arguments));
}

// It is not running when this is handled: what ran was interrupted, and has told so.
void Requests::pause(const Json& request, const Json&) {
  client_.reply(request);
}

void Requests::gotoTargets(const Json& request, const Json& arguments) {
  std::string path = knownPath(text(member(arguments, "source"), "path"));
  Json targets = Json::array();
  for (const debug::Place& place :
       debugger_->breakableLines(path, line(arguments, "line", firstLine_), UINT32_MAX)) {
    gotoPlaces_.push_back(place);
    targets.push_back({{"id", gotoPlaces_.size()},
                       {"label", "line " + std::to_string(place.line)},
                       {"line", place.line - 1 + firstLine_}});
    break;
  }
  client_.reply(request, {{"targets", targets}});
}

void Requests::goTo(const Json& request, const Json& arguments) {
  auto id = number(arguments, "targetId").value_or(0);
  if (id < 1 || static_cast<size_t>(id) > gotoPlaces_.size())
    return client_.fail(request, "there is no such target");
  debug::Place place = gotoPlaces_[static_cast<size_t>(id) - 1];
  client_.reply(request);
  forgetLook();
  Stop stop =
      debugger_->runTo(place.path, place.line, threadOf(arguments), inbox_.interrupt(false));
  if (stop.why == Stop::Why::Step) {
    printNews();
    tellMoment();
    last_ = stop;
    hasEnded_ = false;
    return client_.event(
        "stopped",
        {{"reason", "goto"}, {"threadId", stop.thread + 1}, {"allThreadsStopped", true}});
  }
  report(stop);
}

// To a moment: {"moment": N}. The reply says which one it is, and how many are known.
void Requests::seek(const Json& request, const Json& arguments) {
  auto moment = number(arguments, "moment");
  if (!moment || *moment < 0) return client_.fail(request, "'moment' is a number from 0 on");
  forgetLook();
  Stop stop = debugger_->seek(static_cast<uint64_t>(*moment), inbox_.interrupt(false));
  client_.reply(request, {{"moment", debugger_->history().now()},
                          {"reached", debugger_->history().reached()}});
  hasEnded_ = false;
  report(stop, false);
}

} // namespace gluond::dap
