// Gpu::time.
#include "runner/device/Events.h"
#include "runner/process/Launching.h"
#include "runner/process/Statistics.h"

#include <algorithm>
#include <chrono>

namespace gluond::runner {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

Expected<TimeResult> Gpu::time(const TimeParams& params, std::string_view binary,
                               const CancellationToken& token,
                               const std::function<void(const Times&)>& progress) {
  Prepared prepared;
  if (auto made = prepare(params.launch, binary, false, prepared); !made)
    return tl::unexpected(made.error());
  DeviceState& device = *prepared.device;
  const device::Driver& driver = *device.driver;
  auto isCancelled = [&] { return token.isCancelled(); };
  Problem stopped{ProblemKind::Cancelled, "cancelled", prepared.module->kernel, {}, {}, false};

  uint64_t flushBytes = driver.flushBytes(device.info);
  if (params.flushL2 && !device.flush.address()) {
    auto flush = Allocation::make(driver, flushBytes);
    if (!flush)
      return tl::unexpected(problem(driver, flush.error(), ProblemKind::Memory,
                                    prepared.module->kernel,
                                    "no memory to flush the L2 cache with"));
    device.flush = std::move(*flush);
  }
  constexpr size_t mostInBatch = 128;
  Events events(driver, 2 * mostInBatch);
  if (events.size() < 2)
    return tl::unexpected(Problem{
        ProblemKind::Driver, "the driver makes no events", prepared.module->kernel, {}, {}, false});
  capture_.take();

  // Looks at the GPU while it works, but seldom: the driver takes a millisecond to tell.
  std::optional<Conditions> conditions;
  Clock::time_point looked{};
  auto look = [&] {
    if (millisecondsSince(looked) < 100) return;
    looked = Clock::now();
    auto seen = driver.conditions(device.ordinal);
    if (!seen) return;
    if (!conditions) conditions.emplace();
    merge(*conditions, *seen);
  };

  // Enqueues `count` runs, waits, and appends their times. `expectedMs` is expected for one.
  bool isMeasuring = false;
  auto batch = [&](size_t count, double expectedMs, std::vector<double>& out) -> Expected<bool> {
    count = std::clamp<size_t>(count, 1, events.size() / 2);
    for (size_t i = 0; i < count; ++i) {
      if (params.flushL2) driver.fillBytes(device.flush.address(), 0, flushBytes, device.stream);
      driver.eventRecord(events[2 * i], device.stream);
      if (auto launched = launch(prepared); !launched) return launched;
      driver.eventRecord(events[2 * i + 1], device.stream);
    }
    if (isMeasuring) look();
    double limit =
        static_cast<double>(params.limitMs) + 4 * expectedMs * static_cast<double>(count);
    if (auto finished = finish(prepared, static_cast<uint64_t>(limit)); !finished) return finished;
    for (size_t i = 0; i < count; ++i) {
      float milliseconds = 0;
      device::Result result = driver.eventElapsed(&milliseconds, events[2 * i], events[2 * i + 1]);
      if (result != device::success)
        return tl::unexpected(problem(driver, result, ProblemKind::Driver, prepared.module->kernel,
                                      "the driver cannot say how long it took"));
      out.push_back(static_cast<double>(milliseconds) * 1e3);
    }
    return true;
  };

  std::vector<double> warm;
  if (auto done = batch(1, 0, warm); !done) return tl::unexpected(done.error());
  if (isCancelled()) return tl::unexpected(stopped);
  // The first run also loads the code; the second gives the expected time.
  if (auto done = batch(1, warm[0] / 1e3, warm); !done) return tl::unexpected(done.error());
  double expectedMs = std::max(warm[1] / 1e3, 1e-3);
  for (Clock::time_point start = Clock::now();
       millisecondsSince(start) < params.warmupMs && !isCancelled();)
    if (auto done = batch(static_cast<size_t>(std::min(params.warmupMs / expectedMs, 32.0)),
                          expectedMs, warm);
        !done)
      return tl::unexpected(done.error());

  std::vector<double> times;
  isMeasuring = true;
  TimeResult result;
  // Batches of a tenth of the budget, so that progress and cancellation are timely.
  auto inBatch = static_cast<size_t>(
      std::clamp(std::min(params.budgetMs / 10, 100.0) / (expectedMs + 0.05), 1.0, 128.0));
  Clock::time_point start = Clock::now();
  while (true) {
    if (isCancelled()) return tl::unexpected(stopped);
    if (auto done = batch(inBatch, expectedMs, times); !done) return tl::unexpected(done.error());
    result.times = statisticsOf(times);
    bool isEnough = times.size() >= params.leastRuns;
    bool isPrecise =
        result.times.precision <= params.precision && times.size() >= 3 * params.leastRuns;
    if (times.size() >= params.mostRuns ||
        (isEnough && (isPrecise || millisecondsSince(start) >= params.budgetMs)))
      break;
    if (progress) progress(result.times);
  }
  result.printed = capture_.take();
  result.conditions = std::move(conditions);
  return result;
}

} // namespace gluond::runner
