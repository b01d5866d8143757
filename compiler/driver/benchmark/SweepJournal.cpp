#include "driver/benchmark/SweepJournal.h"

#include "support/JsonCodec.h"

#include <llvm/ADT/StringExtras.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace gluond::driver {

using json::field;
using json::Json;

namespace {

constexpr unsigned version = 1;
constexpr size_t mostBytes = size_t{1} << 30;

struct Header {
  unsigned gluondSweep = version;
  std::string kernel, source;
  std::vector<std::string> arguments;
  std::string grid;
  double budgetMs = 0;
  bool flushesL2 = true;
  GLUOND_FIELDS(field("gluondSweep", &Header::gluondSweep), field("kernel", &Header::kernel),
                field("source", &Header::source), field("arguments", &Header::arguments),
                field("grid", &Header::grid), field("budgetMs", &Header::budgetMs),
                field("flushesL2", &Header::flushesL2))
};
Header headerOf(const SweepIdentity& identity) {
  return {version,
          identity.kernel,
          llvm::utohexstr(identity.source),
          identity.arguments,
          identity.grid,
          identity.budgetMs,
          identity.flushesL2};
}

struct Line {
  std::string id, label, target, device, bound, operandType;
  runner::LoadResult load;
  runner::Times times;
  uint64_t sharedBytes = 0;
  unsigned warps = 0, ctas = 1;
  std::vector<int64_t> grid;
  double compileMs = 0, bytes = 0, operations = 0, gigabytesPerSecond = 0, teraflops = 0,
         percentOfPeak = 0;
  std::vector<std::string> notes;
  std::optional<Json> problem;
  GLUOND_FIELDS(field("id", &Line::id), field("label", &Line::label),
                field("target", &Line::target), field("device", &Line::device),
                field("bound", &Line::bound), field("operandType", &Line::operandType),
                field("load", &Line::load), field("times", &Line::times),
                field("sharedBytes", &Line::sharedBytes), field("warps", &Line::warps),
                field("ctas", &Line::ctas), field("grid", &Line::grid),
                field("compileMs", &Line::compileMs), field("bytes", &Line::bytes),
                field("operations", &Line::operations),
                field("gigabytesPerSecond", &Line::gigabytesPerSecond),
                field("teraflops", &Line::teraflops), field("percentOfPeak", &Line::percentOfPeak),
                field("notes", &Line::notes), field("problem", &Line::problem))
};

Line lineOf(const BenchmarkRow& row) {
  Line line{row.id,          row.label,         row.target,     row.device,
            row.bound,       row.operandType,   row.load,       row.times,
            row.sharedBytes, row.warps,         row.ctas,       {row.grid.begin(), row.grid.end()},
            row.compileMs,   row.bytes,         row.operations, row.gigabytesPerSecond,
            row.teraflops,   row.percentOfPeak, row.notes,      std::nullopt};
  if (row.problem) line.problem = runner::encodeProblem(*row.problem);
  return line;
}

BenchmarkRow rowOf(Line&& line) {
  BenchmarkRow row;
  row.state = line.problem ? BenchmarkRow::State::Failed : BenchmarkRow::State::Done;
  if (line.problem) row.problem = runner::decodeProblem(*line.problem);
  row.id = std::move(line.id);
  row.label = std::move(line.label);
  row.target = std::move(line.target);
  row.device = std::move(line.device);
  row.bound = std::move(line.bound);
  row.operandType = std::move(line.operandType);
  row.load = std::move(line.load);
  row.times = line.times;
  row.sharedBytes = line.sharedBytes;
  row.warps = line.warps;
  row.ctas = line.ctas;
  for (size_t i = 0; i < row.grid.size() && i < line.grid.size(); ++i)
    row.grid[i] = line.grid[i];
  row.compileMs = line.compileMs;
  row.bytes = line.bytes;
  row.operations = line.operations;
  row.gigabytesPerSecond = line.gigabytesPerSecond;
  row.teraflops = line.teraflops;
  row.percentOfPeak = line.percentOfPeak;
  row.notes = std::move(line.notes);
  return row;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string failure(const std::string& path, const char* what) {
  return std::string("cannot ") + what + " '" + path + "': " + std::strerror(errno);
}

} // namespace

bool SweepJournal::isFinal(const BenchmarkRow& row) {
  using runner::ProblemKind;
  if (row.state == BenchmarkRow::State::Done) return true;
  if (row.state != BenchmarkRow::State::Failed || !row.problem) return false;
  switch (row.problem->kind) {
  case ProblemKind::NoDriver:
  case ProblemKind::NoDevice:
  case ProblemKind::Cancelled:
  case ProblemKind::Start:
    return false;
  default:
    return true;
  }
}

tl::expected<SweepJournal, std::string> SweepJournal::open(const std::string& path,
                                                           const SweepIdentity& identity) {
  auto fail = [](std::string why) { return tl::unexpected(std::move(why)); };
  files::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!file) return fail(failure(path, "open"));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail("'" + path + "' is not a file");
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return fail("another sweep is writing '" + path + "'");
  std::string text;
  if (static_cast<size_t>(status.st_size) > mostBytes) return fail("'" + path + "' is too large");
  text.resize(static_cast<size_t>(status.st_size));
  for (size_t at = 0; at < text.size();) {
    ssize_t got = ::read(file.get(), text.data() + at, text.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(failure(path, "read"));
    at += static_cast<size_t>(got);
  }
  // A crash may have cut off the last line.
  size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole == 0 && !text.empty() && text.find("{\"gluondSweep\"") != 0)
    return fail("'" + path + "' is no journal of a sweep");
  text.resize(whole);
  if (::ftruncate(file.get(), static_cast<off_t>(whole)) != 0 ||
      ::lseek(file.get(), 0, SEEK_END) < 0)
    return fail(failure(path, "write"));

  SweepJournal journal(path, std::move(file));
  std::string header = dump(json::encode(headerOf(identity)));
  if (text.empty()) {
    if (std::string why = journal.write(header); !why.empty()) return fail(why);
    return journal;
  }
  auto [first, rest] = llvm::StringRef(text).split('\n');
  Json given = Json::parse(first.begin(), first.end(), nullptr, false);
  if (!json::decode<Header>(given)) return fail("'" + path + "' is no journal of a sweep");
  if (first.str() + "\n" != header)
    return fail("'" + path +
                "' is the journal of another sweep: the kernel, its text, its arguments or the "
                "budget differ; name another file");
  while (!rest.empty()) {
    auto [line, behind] = rest.split('\n');
    rest = behind;
    auto decoded = json::decode<Line>(Json::parse(line.begin(), line.end(), nullptr, false));
    if (!decoded) continue;
    BenchmarkRow row = rowOf(std::move(*decoded));
    std::string id = row.id;
    journal.done_.insert_or_assign(std::move(id), std::move(row));
  }
  return journal;
}

std::string SweepJournal::write(const std::string& line) {
  for (size_t at = 0; at < line.size();) {
    ssize_t wrote = ::write(file_.get(), line.data() + at, line.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return failure(path_, "write");
    at += static_cast<size_t>(wrote);
  }
  return ::fdatasync(file_.get()) == 0 ? "" : failure(path_, "write");
}

std::string SweepJournal::append(const BenchmarkRow& row) {
  return write(dump(json::encode(lineOf(row))));
}

} // namespace gluond::driver
