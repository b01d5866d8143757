#include "driver/program/FileWork.h"

#include "driver/program/EvaluatedFileCache.h"

#include <algorithm>

namespace gluond::driver {

Allowance::Limits limitsOf(const Settings& settings) {
  constexpr uint64_t mostSeconds = 86'400, mostMegabytes = uint64_t{1} << 20;
  // Work stops where it next looks, which is a while after a limit: an eighth is kept for that.
  auto withoutReserve = [](uint64_t limit) { return limit - limit / 8; };
  std::chrono::seconds cpu(std::min(settings.analysisSeconds, mostSeconds));
  uint64_t bytes = std::min(settings.analysisMegabytes, mostMegabytes) << 20;
  return {std::chrono::milliseconds(
              withoutReserve(static_cast<uint64_t>(cpu / std::chrono::milliseconds(1)))),
          static_cast<size_t>(withoutReserve(bytes))};
}

Allowance::Limits limitsOf(const Snapshot& snapshot, const File& file) {
  Allowance::Limits limits = limitsOf(*snapshot.settingsOf(file.path()));
  // Before any work on it, the text of an open document was read as JSON, in the supervisor too,
  // and copied; afterwards, whatever was found, each request of the editor walks through it. That
  // is paid for with the same time.
  constexpr std::chrono::milliseconds perQuarterMebibyte{110};
  if (file.version()) {
    auto quarters = static_cast<int64_t>(file.text().size() >> 18);
    limits.cpu -= std::min(limits.cpu / 2, perQuarterMebibyte * quarters);
  }
  limits.bytes -= std::min(limits.bytes / 4 * 3, file.heldBefore());
  return limits;
}

FileWork::FileWork(const Snapshot& snapshot, std::shared_ptr<const File> file)
    : file_(std::move(file)) {
  if (Spending::current()) return;
  Allowance::Limits limits = limitsOf(snapshot, *file_);
  allowance_ = file_->allowance(limits);
  if (allowance_->isSpent() && snapshot.cache<EvaluatedFileCache>().isOvertaken(snapshot, *file_)) {
    file_->renewAllowance();
    allowance_ = file_->allowance(limits);
  }
  spending_.emplace(allowance_.get());
}

FileWork::~FileWork() {
  if (!allowance_) return;
  spending_.reset();
  file_->forgive(allowance_);
}

std::string FileWork::spentText() {
  const Allowance* allowance = Spending::spent();
  if (!allowance) return "";
  if (allowance->spent() == Allowance::Spent::Memory)
    return std::to_string(allowance->limits().bytes >> 20) + " MB of memory";
  auto milliseconds = allowance->limits().cpu.count();
  return (milliseconds % 1000 ? std::to_string(milliseconds) + " ms"
                              : std::to_string(milliseconds / 1000) + " s") +
         " of CPU time";
}

} // namespace gluond::driver
