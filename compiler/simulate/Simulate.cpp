#include "simulate/Simulate.h"

#include "support/Allowance.h"
#include "support/Parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace gluond::simulate {

namespace {

// Steps that a program takes before another one has its turn.
constexpr uint64_t quantum = uint64_t(1) << 16;

// Where the threads of a program are that has not ended.
std::optional<Finding> unfinished(const KernelCode& code, const State& state) {
  std::optional<Finding> finding;
  for (const Thread& thread : state.threads) {
    if (thread.isFinished || thread.frames.empty()) continue;
    const Frame& frame = thread.frames.back();
    const auto& instructions = code.functions[frame.function].instructions;
    if (frame.next >= instructions.size() || !instructions[frame.next].op) continue;
    mlir::Location at = instructions[frame.next].op->getLoc();
    std::string who = state.threads.size() == 1 ? "the program" : thread.who();
    if (finding)
      finding->event(NoteId::WasHere, at, who);
    else
      finding = makeFinding(Id::SimulatedUnfinished, at, who, state.steps);
  }
  if (finding) finding->program = state.program;
  return finding;
}

class Launch {
public:
  Launch(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
         const Options& options)
      : code_(code), setting_(setting), memory_(memory), options_(options),
        until_(std::chrono::steady_clock::now() + options.time) {
    total_ = setting.programs();
    if (options.only) total_ = std::min<uint64_t>(total_, 1);
    firstFailed_ = begun_ = total_;
    // As on a chip with room for a few programs at a time: the rest is taken over, or begins when
    // one of these ends.
    constexpr uint64_t room = 4;
    if (code.takesOverWork && !options.only) begun_ = setting_.claimStride = std::min(total_, room);
  }

  Outcome all() {
    unsigned threads = options_.threads ? options_.threads : machineThreads();
    if (code_.usesAtomics) threads = 1;
    threads = static_cast<unsigned>(std::min<uint64_t>(threads, std::max<uint64_t>(total_, 1)));
    forEachInParallel(threads, threads, [&](size_t, unsigned) { work(); });
    return finish();
  }

private:
  // A program that was begun.
  struct Running {
    uint64_t number = 0;
    State state;
    std::unique_ptr<Schedule> schedule;
    AccessLog log;
  };
  struct Output {
    uint64_t program;
    std::string text;
  };
  struct Found {
    uint64_t program;
    size_t order; // among those of the program
    Finding finding;
  };

  ProgramId idOf(uint64_t number) const {
    return options_.only ? *options_.only : setting_.idOf(number);
  }

  Running beginNext(uint64_t number) const {
    auto schedule = options_.schedule.make(idOf(number));
    State state = Machine(code_, setting_, memory_, *schedule).begin(idOf(number));
    return Running{number, std::move(state), std::move(schedule), {}};
  }

  void work() {
    // Steps after which it is asked whether the launch has to end.
    constexpr uint64_t turn = 64;
    std::deque<Running> waiting;
    auto mayGoOn = [&] { return !isStopped_.load(std::memory_order_relaxed); };
    while (mayGoOn()) {
      Running running;
      uint64_t number = total_;
      if (waiting.size() < options_.atOnce)
        number = next_.load(std::memory_order_relaxed) < begun_ ? next_++ : total_;
      if (number < begun_) {
        if (number > firstFailed_.load()) break;
        running = beginNext(number);
      } else {
        if (waiting.empty()) break;
        running = std::move(waiting.front());
        waiting.pop_front();
      }
      Machine machine(code_, setting_, memory_, *running.schedule,
                      running.number == 0 ? options_.observer : nullptr);
      if (options_.watchNumbers) machine.watchNumbers();
      machine.checkRaces();
      if (total_ > 1) machine.keep(&running.log);
      auto progress = Machine::Progress::Running;
      for (uint64_t done = 0; done < quantum && progress == Machine::Progress::Running;
           done += turn) {
        uint64_t before = running.state.steps;
        progress = machine.run(running.state, turn);
        check(running.state.steps - before);
        if (!mayGoOn()) break;
      }
      if (progress == Machine::Progress::Running) {
        waiting.push_back(std::move(running));
        continue;
      }
      uint64_t after = running.number + (running.state.claims + uint64_t(1)) * setting_.claimStride;
      keep(running, progress == Machine::Progress::Failed);
      if (setting_.claimStride && after < std::min(total_, firstFailed_.load()))
        waiting.push_front(beginNext(after));
    }
    if (mayGoOn()) return; // an earlier program failed
    for (Running& running : waiting)
      keepUnfinished(running);
  }

  // Counts steps, and looks whether the launch has to end.
  void check(uint64_t steps) {
    if ((steps_ += steps) > options_.steps) stop(Outcome::End::OutOfSteps);
    if (options_.token.isCancelled() || Spending::isSpent()) stop(Outcome::End::Cancelled);
    if (std::chrono::steady_clock::now() > until_) stop(Outcome::End::OutOfTime);
  }
  void stop(Outcome::End why) {
    std::lock_guard lock(mutex_);
    if (!isStopped_.exchange(true)) end_ = why;
  }

  // Keeps what a program found and printed that the end of the run stopped, and where it was if it
  // ran for long.
  void keepUnfinished(Running& running) {
    // Programs on all threads share the steps of the launch.
    if (running.state.steps >= std::min(quantum, options_.steps / 64))
      if (auto finding = unfinished(code_, running.state))
        running.state.findings.push_back(std::move(*finding));
    std::lock_guard lock(mutex_);
    keepWords(running);
  }

  void keep(Running& running, bool hasFailed) {
    programs_ += 1 + running.state.claims;
    running.log.close();
    std::lock_guard lock(mutex_);
    // Of a large launch the first programs are compared.
    constexpr size_t mostBytes = size_t(1) << 30;
    if (size_t bytes = running.log.bytes(); bytes && logBytes_ < mostBytes) {
      logBytes_ += bytes + sizeof(ClosedAccessLog);
      logs_.push_back({running.number, running.state.program, std::move(running.log)});
    }
    isOpen_ |= running.state.operations > 0 || code_.hasPartitions;
    if (hasFailed && running.number < firstFailed_) firstFailed_ = running.number;
    keepWords(running);
  }

  // The program's findings and its output. The caller holds the mutex.
  void keepWords(Running& running) {
    size_t order = 0;
    for (Finding& finding : running.state.findings) {
      ++order;
      auto isSame = [&](const Found& other) {
        // Of the programs that were stopped one is told.
        return other.finding.id == finding.id &&
               (other.finding.at == finding.at || finding.id == Id::SimulatedUnfinished);
      };
      auto other = std::find_if(found_.begin(), found_.end(), isSame);
      if (other == found_.end())
        found_.push_back({running.number, order, std::move(finding)});
      else if (running.number < other->program)
        *other = {running.number, order, std::move(finding)};
    }
    constexpr size_t mostPrinted = size_t(16) << 20;
    if (!running.state.printed.empty() && printedBytes_ < mostPrinted) {
      printedBytes_ += running.state.printed.size();
      printed_.push_back({running.number, running.state.printed.from(0)});
    }
  }

  Outcome finish() {
    Outcome outcome;
    outcome.steps = steps_;
    outcome.programs = programs_;
    outcome.isOpen = isOpen_;
    outcome.end = isStopped_              ? end_
                  : firstFailed_ < total_ ? Outcome::End::Failed
                                          : Outcome::End::Finished;
    // The findings of later programs, made while an earlier one failed, depend on how far they
    // came.
    std::erase_if(found_, [&](const Found& found) { return found.program > firstFailed_; });
    llvm::sort(found_, [](const Found& a, const Found& b) {
      return std::pair(a.program, a.order) < std::pair(b.program, b.order);
    });
    llvm::sort(printed_, [](const Output& a, const Output& b) { return a.program < b.program; });
    for (Found& found : found_)
      outcome.findings.push_back(std::move(found.finding));
    auto schedule = options_.schedule.make({});
    // After a failure it depends on the threads which programs came how far.
    if (outcome.end == Outcome::End::Finished)
      for (Finding& finding : findProgramRaces(logs_, [&](uint64_t from, uint64_t to) {
             return Machine(code_, setting_, memory_, *schedule)
                 .describe(Machine::allocOf(from), {from, to});
           }))
        outcome.findings.push_back(std::move(finding));
    for (const Output& printed : printed_)
      outcome.printed += printed.text;
    return outcome;
  }

  const KernelCode& code_;
  Setting setting_;
  const GlobalMemory& memory_;
  const Options& options_;
  const std::chrono::steady_clock::time_point until_;
  uint64_t total_ = 0, begun_ = 0; // programs; those that begin by themselves
  std::atomic<uint64_t> next_{0}, firstFailed_{0}, steps_{0}, programs_{0};
  std::atomic<bool> isStopped_{false};
  std::mutex mutex_; // of all below
  Outcome::End end_ = Outcome::End::Finished;
  std::vector<Found> found_;
  std::vector<Output> printed_;
  std::vector<ClosedAccessLog> logs_;
  size_t logBytes_ = 0;
  size_t printedBytes_ = 0;
  bool isOpen_ = false;
};

} // namespace

Outcome run(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
            const Options& options) {
  return Launch(code, setting, memory, options).all();
}

} // namespace gluond::simulate
