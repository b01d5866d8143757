#include "driver/simulation/SimulateRun.h"

#include "diagnostics/Traits.h"
#include "ir/tt/Types.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/STLExtras.h>

#include <chrono>
#include <cmath>
#include <cstring>

namespace gluond::driver {

using simulate::Outcome;

simulate::Value simulatedNumber(const runner::Json& value, simulate::Element element) {
  simulate::Scalar number{0, element};
  if (simulate::isFloat(element)) {
    double real = value.is_number()    ? value.get<double>()
                  : value == "inf"     ? HUGE_VAL
                  : value == "-inf"    ? -HUGE_VAL
                  : value.is_boolean() ? double(value.get<bool>())
                                       : std::nan("");
    simulate::storeNumber(element, real, &number.bits);
    return number;
  }
  uint64_t bits = value.is_number_unsigned() ? value.get<uint64_t>()
                  : value.is_boolean()       ? value.get<bool>()
                  : value.is_number()        ? static_cast<uint64_t>(value.get<int64_t>())
                                             : 0;
  std::memcpy(&number.bits, &bits, simulate::bytesOf(element));
  return number;
}

std::optional<simulate::Value> simulatedDescriptor(const runner::Descriptor& given,
                                                   llvm::ArrayRef<int64_t> shape,
                                                   llvm::ArrayRef<int64_t> strides,
                                                   uint64_t address, mlir::Type parameter) {
  auto type = mlir::dyn_cast<tt::TensorDescInterface>(parameter);
  auto element = type ? simulate::elementOf(tt::signless(type.getElementType())) : std::nullopt;
  if (!element) return std::nullopt;
  auto descriptor = std::make_shared<simulate::TensorDescriptor>();
  descriptor->base = address;
  descriptor->element = *element;
  descriptor->nanPadding = given.nanPadding;
  constexpr unsigned tf32 = 11; // of CUtensorMapDataType
  descriptor->roundsToTf32 = given.elementType == tf32;
  descriptor->isIm2Col = given.isIm2Col;
  descriptor->shape.assign(shape.begin(), shape.end());
  for (int64_t stride : strides)
    descriptor->strides.push_back(stride * simulate::bytesOf(*element));
  descriptor->lowerCorner.assign(given.lowerCorner.begin(), given.lowerCorner.end());
  descriptor->upperCorner.assign(given.upperCorner.begin(), given.upperCorner.end());
  descriptor->elementStrides.assign(given.elementStrides.begin(), given.elementStrides.end());
  return simulate::DescriptorRef(std::move(descriptor));
}

namespace {

// Keeps the results of a launch while it runs again.
class Rewound {
public:
  explicit Rewound(llvm::ArrayRef<RestorableMemory> memories) : memories_(memories) {
    for (const RestorableMemory& each : memories)
      results_.emplace_back(reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size());
  }
  ~Rewound() {
    for (auto [each, result] : llvm::zip(memories_, results_))
      std::memcpy(each.bytes.data(), result.data(), result.size());
  }
  Rewound(const Rewound&) = delete;
  Rewound& operator=(const Rewound&) = delete;
  // The inputs are as they were before the first run.
  void begin() {
    for (const RestorableMemory& each : memories_)
      std::memcpy(each.bytes.data(), each.before.data(), each.before.size());
  }

private:
  llvm::ArrayRef<RestorableMemory> memories_;
  std::vector<std::string> results_;
};

// Returns the finding that says best where NaN or infinity comes from, or null if there is none:
// the first of the best guesses. Where there is a NaN, infinity is a part of its story.
simulate::Finding* firstUnusual(std::vector<simulate::Finding>& findings) {
  auto key = [](const simulate::Finding& finding) {
    return std::pair(finding.rank, finding.id != simulate::Id::FirstNan);
  };
  simulate::Finding* best = nullptr;
  for (simulate::Finding& finding : findings)
    if (diagnostics::has(finding.id, diagnostics::Trait::UnusualNumber))
      if (!best || key(finding) < key(*best)) best = &finding;
  return best;
}

} // namespace

SimulatedRun runAndExplain(const simulate::KernelCode& code, const simulate::Setting& setting,
                           const simulate::GlobalMemory& memory, simulate::Options options,
                           const simulate::ScheduleChoice& choice,
                           llvm::ArrayRef<RestorableMemory> restorable,
                           llvm::function_ref<bool()> hasNewNumbers) {
  using Clock = std::chrono::steady_clock;
  SimulatedRun made;
  Outcome& outcome = made.outcome;
  bool isExploring = choice.explored > 0;
  auto name = [&](Outcome& each, const simulate::ScheduleName& schedule) {
    if (!isExploring && schedule.kind == simulate::ScheduleName::Kind::Latest) return;
    for (simulate::Finding& finding : each.findings)
      finding.schedule = schedule.text();
  };
  Clock::time_point start = Clock::now();
  options.schedule = isExploring ? simulate::exploredSchedule(0) : choice.name;
  outcome = simulate::run(code, setting, memory, options);
  made.microseconds = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  name(outcome, options.schedule);
  options.observer = nullptr;
  bool isUnusual = outcome.end == Outcome::End::Finished && hasNewNumbers();
  bool explores = isExploring && outcome.isOpen;
  if (!isUnusual && !explores) return made;

  Rewound rewound(restorable);
  if (isUnusual) { // the same inputs give the same run
    rewound.begin();
    simulate::Options watching = options;
    watching.watchNumbers = true;
    Outcome watched = simulate::run(code, setting, memory, watching);
    if (simulate::Finding* best = firstUnusual(watched.findings))
      outcome.findings.push_back(std::move(*best));
  }
  for (unsigned i = 1; explores && i < choice.explored; ++i) {
    auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    if (spent >= options.time || outcome.end == Outcome::End::Cancelled) break;
    simulate::Options next = options;
    next.time -= spent;
    next.schedule = simulate::exploredSchedule(i);
    rewound.begin();
    Outcome other = simulate::run(code, setting, memory, next);
    name(other, next.schedule);
    ++made.schedules;
    if (outcome.end == Outcome::End::Finished) outcome.end = other.end;
    for (simulate::Finding& finding : other.findings)
      if (llvm::none_of(outcome.findings, [&](const simulate::Finding& known) {
            return known.id == finding.id && known.at == finding.at;
          }))
        outcome.findings.push_back(std::move(finding));
  }
  return made;
}

} // namespace gluond::driver
