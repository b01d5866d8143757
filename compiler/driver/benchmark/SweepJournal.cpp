#include "driver/benchmark/SweepJournal.h"

#include "files/WriteFile.h"
#include "support/json/Codec.h"
#include "support/json/Text.h"

#include <llvm/ADT/StringExtras.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
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

// A row, and what of it a line has in another form.
struct Line : BenchmarkRow {
  std::vector<int64_t> sizes;      // its grid
  std::optional<Json> whyItFailed; // its problem

  Line() = default;
  explicit Line(const BenchmarkRow& row)
      : BenchmarkRow(row), sizes(row.grid.begin(), row.grid.end()) {
    if (row.problem) whyItFailed = runner::encodeProblem(*row.problem);
  }
  BenchmarkRow row() && {
    state = whyItFailed ? State::Failed : State::Done;
    if (whyItFailed) problem = runner::decodeProblem(*whyItFailed);
    for (size_t i = 0; i < grid.size() && i < sizes.size(); ++i)
      grid[i] = sizes[i];
    return std::move(*this);
  }

  GLUOND_FIELDS(field("id", &Line::id), field("label", &Line::label),
                field("target", &Line::target), field("device", &Line::device),
                field("bound", &Line::bound), field("operandType", &Line::operandType),
                field("load", &Line::load), field("times", &Line::times),
                field("sharedBytes", &Line::sharedBytes), field("warps", &Line::warps),
                field("ctas", &Line::ctas), field("grid", &Line::sizes),
                field("compileMs", &Line::compileMs), field("bytes", &Line::bytes),
                field("operations", &Line::operations),
                field("gigabytesPerSecond", &Line::gigabytesPerSecond),
                field("teraflops", &Line::teraflops), field("percentOfPeak", &Line::percentOfPeak),
                field("notes", &Line::notes), field("problem", &Line::whyItFailed))
};

std::string dump(const Json& json) {
  return json::compact(json) + "\n";
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
  files::NamedPath named = files::namedPath(path);
  auto opened = files::openToWrite(named.folder, named.name, O_RDWR | O_CREAT);
  if (!opened) return fail(opened.error());
  auto& [file, status] = *opened;
  // A lock of the process: one that is killed leaves none to the processes that it was starting.
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(file.get(), F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN))
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
  size_t end = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (end == 0 && !text.empty() && text.find("{\"gluondSweep\"") != 0)
    return fail("'" + path + "' is no journal of a sweep");
  text.resize(end);
  std::string header = dump(json::encode(headerOf(identity)));
  auto [first, rest] = llvm::StringRef(text).split('\n');
  if (!text.empty() && !json::decode<Header>(json::parse(first).value_or(Json())))
    return fail("'" + path + "' is no journal of a sweep");
  if (!text.empty() && first.str() + "\n" != header)
    return fail("'" + path +
                "' is the journal of another sweep: the kernel, its text, its arguments or the "
                "budget differ; name another file");
  // Only a journal of this sweep is changed.
  if (::ftruncate(file.get(), static_cast<off_t>(end)) != 0 || ::lseek(file.get(), 0, SEEK_END) < 0)
    return fail(failure(path, "write"));
  SweepJournal journal(path, std::move(file));
  if (text.empty()) {
    if (std::string why = journal.write(header); !why.empty()) return fail(why);
    return journal;
  }
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    rest = after;
    auto decoded = json::decode<Line>(json::parse(line).value_or(Json()));
    if (!decoded) continue;
    BenchmarkRow row = std::move(*decoded).row();
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
  return write(dump(json::encode(Line(row))));
}

} // namespace gluond::driver
