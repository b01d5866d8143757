#include "debug/Debugger.h"

#include "debug/Variables.h"
#include "ir/gluon/Dialect.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <set>

namespace gluond::debug {

using namespace simulate;

// The goal of a motion.
struct Debugger::Goal {
  enum class Kind : uint8_t { Nothing, Statement, Line } kind = Kind::Nothing;
  uint32_t thread = 0;
  size_t deepest = SIZE_MAX; // calls on the stack of the statement
  bool entersPartitions = false;
  std::string path;
  unsigned line = 0;
  bool isBackwards = false;
};

Debugger::Debugger(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
                   Schedule& schedule, ProgramId id, HistoryLimits limits)
    : code_(code), history_(code, setting, memory, schedule, id, limits), places_(code) {}

// ---------------------------------------------------------------- breakpoints

// A breakpoint stays within its function: at the first statement at or after its line. Elsewhere it
// would stop where nobody asked for it.
void Debugger::placeLine(Breakpoint& breakpoint) const {
  breakpoint.line = 0;
  breakpoint.whyNone.clear();
  llvm::ArrayRef<Places::Statement> all = places_.statements();
  const Places::Statement* around = nullptr; // the innermost function that runs
  for (const Places::Statement& each : all)
    if (!each.name.empty() && each.place.path == breakpoint.path &&
        each.place.line <= breakpoint.wanted && breakpoint.wanted <= each.place.endLine &&
        (!around || around->place.line < each.place.line))
      around = &each;
  if (!around) {
    breakpoint.whyNone = "'" + (all.empty() ? "" : all.front().name) + "' does not run this line.";
    return;
  }
  for (const Places::Statement& each : all)
    if (each.name.empty() && each.place.path == breakpoint.path &&
        each.place.line >= breakpoint.wanted && each.place.line <= around->place.endLine &&
        (breakpoint.line == 0 || each.place.line < breakpoint.line))
      breakpoint.line = each.place.line;
  if (breakpoint.line == 0)
    breakpoint.whyNone =
        "The debugged launch runs no statement of '" + around->name + "' at this line or after it.";
}

void Debugger::setBreakpoints(const std::string& path, std::vector<Breakpoint>& breakpoints) {
  llvm::erase_if(lines_, [&](const Breakpoint& each) { return each.path == path; });
  for (Breakpoint& each : breakpoints) {
    each.path = path;
    placeLine(each);
    if (mistakeIn(each).empty()) lines_.push_back(each);
  }
  placeBreakpoints();
}

void Debugger::setFunctionBreakpoints(std::vector<Breakpoint>& breakpoints) {
  functions_.clear();
  for (Breakpoint& each : breakpoints) {
    each.line = 0;
    each.whyNone = "The debugged launch does not call a function '" + each.function + "'.";
    for (const Places::Statement& statement : places_.statements())
      if (statement.name == each.function) {
        each.path = statement.place.path;
        each.line = statement.place.line;
      }
    if (mistakeIn(each).empty()) functions_.push_back(each);
  }
  placeBreakpoints();
}

void Debugger::placeBreakpoints() {
  at_.clear();
  for (const Breakpoint& each : lines_)
    for (const Places::Statement& statement : places_.statements())
      if (statement.name.empty() && statement.place.line == each.line &&
          statement.place.path == each.path)
        at_[&code_.functions[statement.function].instructions[statement.index]].push_back(each.id);
  // The first statement of the function stands for it: its parameters have values there.
  llvm::ArrayRef<Places::Statement> all = places_.statements();
  for (const Breakpoint& each : functions_)
    for (size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].name == each.function && all[i + 1].function == all[i].function)
        at_[&code_.functions[all[i + 1].function].instructions[all[i + 1].index]].push_back(
            each.id);
}

std::vector<Place> Debugger::breakableLines(const std::string& path, unsigned first,
                                            unsigned last) const {
  std::vector<Place> places;
  std::set<unsigned> seen;
  for (const Places::Statement& statement : places_.statements())
    if (statement.name.empty() && statement.place.path == path && statement.place.line >= first &&
        statement.place.line <= last && seen.insert(statement.place.line).second)
      places.push_back(statement.place);
  llvm::sort(places, [](const Place& a, const Place& b) { return a.line < b.line; });
  return places;
}

std::vector<std::string> Debugger::files() const {
  std::set<std::string> all;
  for (const Places::Statement& statement : places_.statements())
    all.insert(statement.place.path);
  return {all.begin(), all.end()};
}

// ---------------------------------------------------------------- stopping

bool Debugger::isWanted(const Finding& finding) const {
  using diagnostics::Severity;
  const FindingFilter::Wanted& wanted = finding.severity == Severity::Error     ? filter_.errors
                                        : finding.severity == Severity::Warning ? filter_.warnings
                                                                                : filter_.others;
  return wanted.isOn && (wanted.codes.empty() ||
                         llvm::is_contained(wanted.codes, diagnostics::row(finding.id).slug.str()));
}

std::string Debugger::logText(const std::string& text, uint32_t thread, const Row& row) const {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    // As in an f-string, a brace that is meant as such is doubled.
    llvm::StringRef rest = llvm::StringRef(text).drop_front(i);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      result += text[i];
      i += 2;
      continue;
    }
    size_t close = text.find('}', i);
    if (text[i] != '{' || close == std::string::npos) {
      result += text[i++];
      continue;
    }
    auto value = evaluate(thread, row, text.substr(i + 1, close - i - 1));
    result += value ? look().textOf(*value) : "<" + value.error() + ">";
    i = close + 1;
  }
  return result;
}

std::optional<Stop> Debugger::checkArrival(const Goal& goal, uint32_t thread,
                                           const Instruction& at) {
  const Thread& running = state().threads[thread];
  if (auto found = at_.find(&at); found != at_.end()) {
    std::optional<Stop> stop;
    std::vector<Row> stack = places_.stackOf(state(), running);
    for (int id : found->second)
      for (auto* list : {&lines_, &functions_})
        for (Breakpoint& breakpoint : *list) {
          if (breakpoint.id != id || stack.empty()) continue;
          const Row& row = stack.front();
          std::string mistake;
          if (!breakpoint.condition.empty()) {
            auto isMet = debug::holds(breakpoint.condition, look(), [&](const std::string& name) {
              return variable(thread, row, name);
            });
            if (isMet && !*isMet) continue;
            if (!isMet) mistake = conditionFails(isMet.error());
          }
          // Counted on the way forwards only.
          if (!goal.isBackwards && mistake.empty() &&
              !isHit(breakpoint.hits, ++breakpoint.count).value_or(true))
            continue;
          if (!breakpoint.log.empty()) {
            if (!goal.isBackwards && onLog) onLog(logText(breakpoint.log, thread, row), row);
            continue;
          }
          bool isFunction = list == &functions_;
          if (!stop)
            stop = Stop{isFunction ? Stop::Why::FunctionBreakpoint : Stop::Why::Breakpoint,
                        thread,
                        {},
                        {},
                        std::nullopt,
                        mistake};
          stop->breakpoints.push_back(id);
        }
    if (stop) return stop;
  }
  if (goal.kind == Goal::Kind::Line) {
    auto place = placeOf(at.op->getLoc());
    if (place && place->line == goal.line && place->path == goal.path)
      return Stop{Stop::Why::Step, thread, {}, {}};
  }
  if (goal.kind != Goal::Kind::Statement) return std::nullopt;
  bool isGone = goal.thread >= state().threads.size() || state().threads[goal.thread].isFinished;
  bool isOwn = thread == goal.thread && places_.depthOf(state(), running) <= goal.deepest;
  bool isEntered = goal.entersPartitions && running.parent == goal.thread && thread != goal.thread;
  if (isOwn || isEntered || (isGone && !goal.isBackwards))
    return Stop{Stop::Why::Step, thread, {}, {}};
  return std::nullopt;
}

void Debugger::rememberFindings() {
  findings_.clear();
  for (const Finding& finding : state().findings)
    findings_.push_back(keyOf(finding));
}

void Debugger::rememberWatched() {
  rememberFindings();
  watched_.clear();
  for (const Watch& watch : watches_)
    watched_.push_back(watchedBytes(watch, history_.machine(), state()));
}

std::optional<Stop> Debugger::check(const Goal& goal) {
  std::optional<Stop> stop;
  const History::Done& done = history_.done();
  // New ones come last; one may take the place of an earlier one that it explains.
  const std::vector<Finding>& now = state().findings;
  if (now.size() != findings_.size() || (!now.empty() && keyOf(now.back()) != findings_.back())) {
    for (const Finding& finding : now)
      if (!stop && isWanted(finding) && !llvm::is_contained(findings_, keyOf(finding)) &&
          llvm::none_of(explained_,
                        [&](const Explained& each) { return each.key == keyOf(finding); }))
        stop = Stop{Stop::Why::Finding, state().current, {}, finding.message, finding};
    rememberFindings();
  }
  for (size_t i = 0; i < watches_.size(); ++i) {
    std::string now = watchedBytes(watches_[i], history_.machine(), state());
    if (now == watched_[i]) continue;
    bool wasThere = !watched_[i].empty();
    watched_[i] = std::move(now);
    uint32_t thread = done.instruction ? done.thread : state().current;
    std::string mistake;
    if (!watches_[i].condition.empty() && thread < state().threads.size()) {
      std::vector<Row> stack = stackOf(thread);
      if (!stack.empty()) {
        auto isMet = debug::holds(watches_[i].condition, look(), [&](const std::string& name) {
          return variable(thread, stack.front(), name);
        });
        if (isMet && !*isMet) continue;
        if (!isMet) mistake = conditionFails(isMet.error());
      }
    }
    if (!stop)
      stop = Stop{Stop::Why::DataBreakpoint,
                  thread,
                  {},
                  watches_[i].name + (wasThere ? " has changed" : " has got a value"),
                  std::nullopt,
                  mistake};
    if (stop->why == Stop::Why::DataBreakpoint) stop->breakpoints.push_back(watches_[i].id);
  }
  isAmidst_ = stop.has_value();
  return stop ? stop : checkNext(goal);
}

std::optional<Stop> Debugger::checkNext(const Goal& goal) {
  const History::Done& done = history_.done();
  if (!done.instruction || done.thread >= state().threads.size()) return std::nullopt;
  const Thread& thread = state().threads[done.thread];
  if (thread.isFinished || thread.frames.empty()) return std::nullopt;
  const Frame& frame = thread.frames.back();
  const Instruction& next = code_.functions[frame.function].instructions[frame.next];
  return places_.isStatement(next) ? checkArrival(goal, done.thread, next) : std::nullopt;
}

Stop Debugger::forwards(const Goal& goal, const CancellationToken& token) {
  if (history_.isFinished()) return {Stop::Why::End, state().current, {}, {}};
  // The statement that begins here was not looked at.
  if (std::exchange(isAmidst_, false))
    if (auto stop = checkNext(goal)) return *stop;
  rememberWatched();
  uint64_t start = history_.now();
  llvm::erase_if(explained_, [&](const Explained& each) { return each.moment > start; });
  for (uint64_t i = 1;; ++i) {
    history_.forward();
    if (auto stop = check(goal)) return toOrigin(std::move(*stop), start, token);
    if (history_.isFinished()) return {Stop::Why::End, 0, {}, {}};
    if ((i & 0x3f) == 0 && token.isCancelled()) return {Stop::Why::Pause, state().current, {}, {}};
  }
}

// From the store of a NaN back to the operation that made it, if it was made on this way.
Stop Debugger::toOrigin(Stop stop, uint64_t earliest, const CancellationToken& token) {
  if (!stop.finding) return stop;
  bool isNan = stop.finding->id == simulate::Id::FirstNan;
  if (!isNan && stop.finding->id != simulate::Id::FirstInfinity) return stop;
  auto origin = llvm::find_if(state().origins, [&](const NumberOrigin& each) {
    return each.isNan == isNan && each.finding.at == stop.finding->at;
  });
  if (origin == state().origins.end()) return stop;
  const Instruction* maker = origin->instruction;
  uint64_t step = origin->step, found = history_.now();
  auto isThere = [&] { return history_.done().instruction == maker && state().steps == step; };
  if (!history_.seekBack([] {}, isThere, token)) return stop;
  if (history_.now() <= earliest) {
    history_.seek(found, token);
    return stop;
  }
  stop.thread = history_.done().thread;
  // The variable that gets the value is shown with it.
  auto setsVariable = [&] {
    const Thread& thread = state().threads[stop.thread];
    const Frame& frame = thread.frames.back();
    return code_.functions[frame.function].instructions[frame.next].role == Role::Variable &&
           history_.done().instruction && history_.done().thread == stop.thread;
  };
  while (history_.now() + 1 < found && setsVariable())
    history_.forward();
  explained_.push_back({keyOf(*stop.finding), history_.now()});
  isAmidst_ = true;
  return stop;
}

Stop Debugger::backwards(const Goal& goal, const CancellationToken& token) {
  std::optional<Stop> stop;
  bool isAmidst = false; // at that stop
  auto isStop = [&] {
    auto found = check(goal);
    if (!found) return false;
    stop = std::move(found);
    isAmidst = isAmidst_;
    return true;
  };
  bool wasAmidst = std::exchange(isAmidst_, false);
  if (history_.seekBack([&] { rememberWatched(); }, isStop, token)) {
    isAmidst_ = isAmidst;
    return *stop;
  }
  isAmidst_ = wasAmidst;
  if (token.isCancelled()) return {Stop::Why::Pause, state().current, {}, {}};
  Stop first = begin();
  first.why = Stop::Why::Beginning;
  return first;
}

Stop Debugger::begin() {
  isAmidst_ = false;
  history_.seek(0);
  while (!history_.isFinished()) {
    history_.forward();
    const History::Done& done = history_.done();
    if (!done.instruction) continue;
    const Thread& thread = state().threads[0];
    const Frame& frame = thread.frames.back();
    if (places_.isStatement(code_.functions[frame.function].instructions[frame.next])) break;
  }
  return {history_.isFinished() ? Stop::Why::End : Stop::Why::Entry, 0, {}, {}};
}

Stop Debugger::move(Motion motion, uint32_t thread, const CancellationToken& token) {
  Goal goal;
  goal.thread = thread;
  bool isThere = thread < state().threads.size();
  size_t depth = isThere ? places_.depthOf(state(), state().threads[thread]) : 1;
  // The first statement of a partition is next, whichever way to step is chosen.
  if (isThere && !places_.hasBegun(state(), state().threads[thread]) &&
      (motion == Motion::Next || motion == Motion::StepOut))
    motion = Motion::StepIn;
  switch (motion) {
  case Motion::Continue:
    break;
  case Motion::ReverseContinue:
    goal.isBackwards = true;
    break;
  case Motion::Next:
    goal.kind = Goal::Kind::Statement;
    goal.deepest = depth;
    break;
  case Motion::StepIn:
    goal.kind = Goal::Kind::Statement;
    goal.entersPartitions = true;
    break;
  case Motion::StepOut:
    goal.kind = Goal::Kind::Statement;
    goal.deepest = depth > 0 ? depth - 1 : 0;
    break;
  case Motion::StepBack:
    goal.kind = Goal::Kind::Statement;
    goal.deepest = depth;
    goal.isBackwards = true;
    break;
  }
  return goal.isBackwards ? backwards(goal, token) : forwards(goal, token);
}

Stop Debugger::runTo(const std::string& path, unsigned line, uint32_t thread,
                     const CancellationToken& token) {
  Goal goal;
  goal.kind = Goal::Kind::Line;
  goal.thread = thread;
  goal.path = path;
  goal.line = line;
  uint64_t start = history_.now();
  Stop stop = forwards(goal, token);
  if (stop.why != Stop::Why::End) return stop;
  history_.seek(start, token);
  goal.isBackwards = true;
  Stop back = backwards(goal, token);
  if (back.why != Stop::Why::Beginning) return back;
  history_.seek(start, token);
  return {Stop::Why::Pause, thread, {}, "Line " + std::to_string(line) + " is never reached."};
}

Stop Debugger::seek(uint64_t moment, const CancellationToken& token) {
  isAmidst_ = false;
  history_.seek(moment, token);
  const History::Done& done = history_.done();
  return {history_.isFinished() ? Stop::Why::End : Stop::Why::Step,
          done.instruction ? done.thread : state().current,
          {},
          {}};
}

// ---------------------------------------------------------------- variables

std::vector<Row> Debugger::stackOf(uint32_t thread) const {
  if (thread >= state().threads.size()) return {};
  const History::Done& done = history_.done();
  bool isShown = isAmidst_ && done.instruction && done.thread == thread;
  return places_.stackOf(state(), state().threads[thread], isShown ? done.instruction : nullptr);
}

std::optional<Datum> Debugger::variable(uint32_t thread, const Row& row,
                                        const std::string& name) const {
  size_t end = std::min(name.find_first_of(".["), name.size());
  auto found = findWhole(code_, state(), thread, row, llvm::StringRef(name).take_front(end));
  if (!found) return std::nullopt;
  Datum whole = wholeOf(*found, state());
  return end == name.size() ? whole : partOf(whole, llvm::StringRef(name).drop_front(end));
}

std::optional<Debugger::Register> Debugger::registerOf(uint32_t thread, const Row& row,
                                                       const std::string& name) const {
  auto found = findVariable(code_, state(), thread, row, name);
  auto reg = found ? debug::registerOf(*found) : std::nullopt;
  return reg ? std::optional(Register{found->thread, found->frame, *reg}) : std::nullopt;
}

std::vector<Item> Debugger::locals(uint32_t thread, const Row& row) const {
  std::vector<Item> items;
  std::set<std::string> seen;
  Look look = this->look();
  forEachVariable(code_, state(), thread, row, [&](const VariablePart& first) {
    const std::string& name = first.variable->name;
    if (seen.insert(name).second) items.push_back(look.show(name, name, wholeOf(first, state())));
    return false;
  });
  return items;
}

tl::expected<Datum, std::string> Debugger::evaluate(uint32_t thread, const Row& row,
                                                    const std::string& text) const {
  return debug::evaluate(text, look(),
                         [&](const std::string& name) { return variable(thread, row, name); });
}

tl::expected<Watch, std::string> Debugger::watch(uint32_t thread, const Row& row,
                                                 const std::string& text) const {
  Watch watch;
  watch.name = text;
  // NAME, or NAME[i, j] and NAME[i, :] of a tensor or a buffer.
  std::string base = text, picked;
  size_t open = text.rfind('[');
  if (!variable(thread, row, text) && open != std::string::npos && text.back() == ']') {
    base = text.substr(0, open);
    picked = text.substr(open);
  }
  auto whole = evaluate(thread, row, base);
  if (!whole) return tl::unexpected(whole.error());
  // The numbers of the elements that are picked.
  auto numbersOf = [&](const Datum& tensor) -> tl::expected<std::vector<size_t>, std::string> {
    const auto* given = std::get_if<TensorRef>(&tensor.value);
    if (!given) return tl::unexpected<std::string>("only tensors and buffers have elements");
    auto all = std::make_shared<Tensor>(Element::I64, (*given)->shape());
    for (size_t i = 0; i < all->count(); ++i)
      all->as<int64_t>()[i] = static_cast<int64_t>(i);
    const std::string elements = "__elements__"; // no variable has this name
    auto chosen = debug::evaluate(elements + picked, look(),
                                  [&](const std::string& name) -> std::optional<Datum> {
                                    if (name == elements) return Datum{TensorRef(all), {}, {}, {}};
                                    return variable(thread, row, name);
                                  });
    if (!chosen) return tl::unexpected(chosen.error());
    if (const auto* number = std::get_if<Scalar>(&chosen->value))
      return std::vector<size_t>{number->bits};
    const auto& tensorOfNumbers = *std::get<TensorRef>(chosen->value);
    const auto* first = tensorOfNumbers.as<int64_t>();
    return std::vector<size_t>(first, first + tensorOfNumbers.count());
  };
  constexpr size_t mostParts = 1 << 14; // they are compared after each step
  auto isTooMuch = [&](size_t parts) { return parts == 0 || parts > mostParts; };
  const char* tooMuch = "there are no such elements, or too many that do not lie side by side";
  if (std::holds_alternative<View>(whole->value)) {
    std::vector<std::optional<Spot>> spots;
    if (picked.empty()) {
      spots.push_back(look().spotOf(*whole, std::nullopt));
    } else {
      auto contents = look().load(*whole);
      if (!contents) return tl::unexpected(contents.error());
      auto numbers = numbersOf(*contents);
      if (!numbers) return tl::unexpected(numbers.error());
      if (isTooMuch(numbers->size())) return tl::unexpected<std::string>(tooMuch);
      for (size_t number : *numbers)
        spots.push_back(look().spotOf(*whole, number));
    }
    for (const std::optional<Spot>& spot : spots) {
      if (!spot) return tl::unexpected<std::string>("this memory cannot be watched");
      Spot* last = watch.spots.empty() ? nullptr : &watch.spots.back();
      if (last && last->kind == spot->kind && last->address + last->bytes == spot->address)
        last->bytes += spot->bytes;
      else
        watch.spots.push_back(*spot);
    }
    return watch;
  }
  if (whole->parts) return tl::unexpected<std::string>("choose one of its parts");
  auto place = registerOf(thread, row, base);
  if (!place) return tl::unexpected<std::string>("only variables and buffers can be watched");
  watch.thread = place->thread;
  watch.function = state().threads[place->thread].frames[place->frame].function;
  watch.reg = place->reg;
  if (!picked.empty()) {
    auto numbers = numbersOf(*whole);
    if (!numbers) return tl::unexpected(numbers.error());
    size_t bytes = bytesOf(std::get<TensorRef>(whole->value)->element());
    for (size_t number : *numbers)
      if (!watch.parts.empty() &&
          watch.parts.back().offset + watch.parts.back().bytes == number * bytes)
        watch.parts.back().bytes += bytes;
      else
        watch.parts.push_back({number * bytes, bytes});
    if (isTooMuch(watch.parts.size())) return tl::unexpected<std::string>(tooMuch);
  } else if (const auto* tensor = std::get_if<TensorRef>(&whole->value)) {
    watch.parts = {{0, (*tensor)->bytes()}};
  }
  return watch;
}

} // namespace gluond::debug
