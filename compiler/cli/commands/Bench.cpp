#include "cli/input/Inputs.h"
#include "cli/kernels/BenchComparison.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/kernels/Execution.h"
#include "cli/output/Output.h"
#include "driver/benchmark/BenchmarkHistory.h"
#include "driver/benchmark/Sweep.h"
#include "driver/benchmark/SweepJournal.h"
#include "text/Printable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>

#include <set>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;
using driver::BenchmarkRow;
using State = BenchmarkRow::State;

// Sorts by the share of the chip's peak, then by throughput, then by time; failures come last.
void rank(std::vector<BenchmarkRow>& rows) {
  auto key = [](const BenchmarkRow& row) {
    return std::tuple(row.state != State::Done, -row.percentOfPeak, -row.teraflops,
                      -row.gigabytesPerSecond, row.times.median, llvm::StringRef(row.id));
  };
  llvm::sort(rows, [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

template <typename... Values> std::string formatted(const char* pattern, Values... values) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(pattern, values...);
  return text;
}

// Columns as wide as their widest cell; the first is text, the others numbers.
void printTable(Output& out, const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths;
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], text::printable(line[i]).size());
    }
  for (const auto& line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
      std::string space(widths[i] - text::printable(line[i]).size(), ' ');
      text += i == 0 ? "  " + line[i] + space : "  " + space + line[i];
    }
    out << llvm::StringRef(text).rtrim().str() << "\n";
  }
}

void printText(Output& out, const Execution& execution, const std::vector<BenchmarkRow>& rows) {
  out << execution.choice.variants.front().kernel << " on " << execution.device.name << " ("
      << execution.device.target << ")\n";
  std::vector<std::vector<std::string>> lines = {{"launch", "median", "spread", "GB/s", "TFLOP/s",
                                                  "of peak", "bound", "registers", "local",
                                                  "shared", "occupancy", "runs"}};
  std::set<std::string> notes;
  for (const BenchmarkRow& row : rows) {
    if (row.state != State::Done) continue;
    auto known = [](const char* pattern, std::optional<double> value) {
      return value ? formatted(pattern, *value) : std::string("-");
    };
    lines.push_back(
        {row.id, timeText(row.times.median), formatted("%.1f%%", 100 * row.times.spread),
         known("%.1f", row.knownGigabytesPerSecond()), known("%.1f", row.knownTeraflops()),
         known("%.1f%%", row.knownPercentOfPeak()), row.bound.empty() ? "-" : row.bound,
         std::to_string(row.load.registers), std::to_string(row.load.localBytes),
         std::to_string(row.allSharedBytes()), formatted("%.0f%%", 100 * row.load.occupancy),
         std::to_string(row.times.runs)});
    notes.insert(row.notes.begin(), row.notes.end());
  }
  if (lines.size() > 1) {
    printTable(out, lines);
    for (const BenchmarkRow& row : rows)
      if (row.state == State::Done && rows.size() > 1)
        out << "  " << row.id << ": " << row.label << "\n";
    const BenchmarkRow& best = rows.front();
    if (best.bytes > 0)
      out << "  bytes: each tensor that is read or written counts once; the L2 cache is flushed "
             "before each run\n";
    for (const std::string& note : notes)
      out << "  " << note << " (change it with --arg and --grid)\n";
  }
  // Failures with the same reason are reported once.
  std::vector<std::pair<std::string, std::vector<std::string>>> failures;
  bool lacksGpu = false;
  for (const BenchmarkRow& row : rows) {
    if (row.state == State::Done) continue;
    std::string why = row.problem ? describe(*row.problem) : "";
    auto known = llvm::find_if(failures, [&](const auto& each) { return each.first == why; });
    if (known == failures.end()) known = failures.insert(failures.end(), {why, {}});
    known->second.push_back(row.id);
    lacksGpu |= row.problem && (row.problem->kind == runner::ProblemKind::NoDriver ||
                                row.problem->kind == runner::ProblemKind::NoDevice ||
                                row.problem->kind == runner::ProblemKind::Start);
  }
  for (const auto& [why, ids] : failures)
    out << "  " << (ids.size() == 1 ? ids.front() : std::to_string(ids.size()) + " launches")
        << "  failed: " << why << "\n";
  if (lacksGpu)
    out << "  --runner, or the setting runner.command, names a GPU of another machine: 'ssh box "
           "gluond-runner'\n";
}

Json jsonOf(const BenchmarkRow& row) {
  Json json = {{"launch", row.id},
               {"label", row.label},
               {"target", row.target},
               {"state", driver::stateName(row.state).str()}};
  if (row.problem) {
    json["problem"] = {{"kind", runner::kindName(row.problem->kind)},
                       {"message", row.problem->message}};
    if (!row.problem->error.empty()) json["problem"]["error"] = row.problem->error;
    if (!row.problem->log.empty()) json["problem"]["log"] = row.problem->log;
    return json;
  }
  auto known = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  auto positive = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
  json.update({{"grid", row.grid},
               {"warps", row.warps},
               {"ctas", row.ctas},
               {"microseconds", json::encode(row.times)},
               {"compileMs", row.compileMs},
               {"bytes", positive(row.bytes)},
               {"flops", positive(row.operations)},
               {"gigabytesPerSecond", known(row.knownGigabytesPerSecond())},
               {"teraflops", known(row.knownTeraflops())},
               {"percentOfPeak", known(row.knownPercentOfPeak())},
               {"bound", row.bound.empty() ? Json(nullptr) : Json(row.bound)},
               {"registers", row.load.registers},
               {"localBytes", row.load.localBytes},
               {"sharedBytes", row.allSharedBytes()},
               {"occupancy", row.load.occupancy},
               {"limitedBy", row.load.limitedBy},
               {"notes", row.notes}});
  addRegisters(json, row.load);
  return json;
}

Json jsonOf(const BenchComparison& comparison) {
  if (comparison.verdict == Verdict::NotCompared)
    return {{"verdict", verdictName(comparison.verdict)}, {"reason", comparison.why}};
  return {{"verdict", verdictName(comparison.verdict)},
          {"median", comparison.before},
          {"change", comparison.change}};
}

std::string textOf(const BenchComparison& comparison, const BenchmarkRow& row) {
  if (comparison.verdict == Verdict::NotCompared) return "not compared: " + comparison.why;
  return std::string(verdictName(comparison.verdict)) + ", " + timeText(row.times.median) +
         " against " + timeText(comparison.before) +
         formatted(" (%+.1f%%)", 100 * comparison.change);
}

// Splits "num_warps=4,8"; commas inside brackets and parentheses belong to a value.
std::optional<driver::SweepValues> axisOf(llvm::StringRef text) {
  auto [name, rest] = text.split('=');
  driver::SweepValues axis{name.trim().str(), {}};
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= rest.size(); ++i) {
    char c = i < rest.size() ? rest[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth) --depth;
    if (c != ',' || (depth && i < rest.size())) continue;
    axis.values.push_back(rest.slice(begin, i).trim().str());
    begin = i + 1;
  }
  if (axis.name.empty() || rest.empty()) return std::nullopt;
  return axis;
}

// The variations of the launch that --vary asks for. The error is a sentence.
tl::expected<std::vector<driver::SweptVariant>, std::string>
variations(const KernelChoice& choice, const std::vector<std::string>& varied) {
  std::vector<driver::SweepValues> axes;
  for (const std::string& text : varied) {
    auto axis = axisOf(text);
    if (!axis) return tl::unexpected("--vary takes NAME=VALUE,VALUE, not '" + text + "'");
    axes.push_back(std::move(*axis));
  }
  constexpr size_t most = 100'000;
  auto swept = driver::sweep(choice.variants.front(), axes, choice.snapshot->names(), most);
  if (!swept) return tl::unexpected("--vary: " + swept.error());
  return swept;
}

// Replaces the launch by its variations. Returns false after saying why that is impossible.
bool vary(Execution& execution, const std::vector<std::string>& varied,
          std::vector<std::vector<std::string>>& notes) {
  auto swept = variations(execution.choice, varied);
  if (!swept) {
    complain(swept.error());
    return false;
  }
  execution.choice.variants.clear();
  for (driver::SweptVariant& each : *swept) {
    execution.choice.variants.push_back(std::move(each.variant));
    notes.push_back(std::move(each.notes));
  }
  return true;
}

// Times the launches that the journal does not have, and keeps each result in it at once.
std::vector<BenchmarkRow> timeAll(Execution& execution, const driver::BenchmarkOptions& benchmark,
                                  driver::SweepJournal* journal,
                                  std::vector<runner::Problem>& lost) {
  std::vector<driver::Variant> open;
  std::vector<size_t> places; // of `open` among all
  std::vector<BenchmarkRow> rows;
  for (const driver::Variant& variant : execution.choice.variants) {
    if (const BenchmarkRow* known = journal ? journal->find(variant.id) : nullptr) {
      rows.push_back(*known);
      continue;
    }
    places.push_back(rows.size());
    rows.push_back(driver::rowOf(variant));
    open.push_back(variant);
  }
  bool isTold = false;
  auto keep = [&](size_t, const BenchmarkRow& row) {
    if (!journal || !driver::SweepJournal::isFinal(row)) return;
    if (std::string why = journal->append(row); !why.empty() && !std::exchange(isTold, true))
      complain(why);
  };
  auto timed = driver::benchmark(*execution.choice.snapshot, open, benchmark, execution.pointers(),
                                 keep, {}, &lost);
  for (size_t i = 0; i < timed.size(); ++i)
    rows[places[i]] = std::move(timed[i]);
  return rows;
}

} // namespace

int bench(const BenchOptions& options) {
  std::optional<Json> earlier;
  if (!options.earlier.empty()) {
    auto read = readBenchmark(options.earlier);
    if (!read) {
      complain(read.error());
      return wrongUse;
    }
    earlier = std::move(*read);
  }
  auto whyNot = [&](const KernelChoice& choice) -> std::string {
    if (options.varied.empty()) return {};
    auto swept = variations(choice, options.varied);
    return swept ? "" : swept.error();
  };
  auto begun = beginExecution(options.execution, options.each, options.startSeconds, whyNot);
  if (!begun) return tell(begun.error(), options.execution.format == "json");
  Execution& execution = *begun;
  std::optional<driver::SweepJournal> journal;
  if (!options.journal.empty()) {
    driver::Worker worker;
    driver::SweepIdentity identity{
        execution.choice.variants.front().id,
        driver::sourceOf(*execution.choice.snapshot, execution.choice.variants.front(), worker),
        options.execution.arguments,
        options.execution.grid,
        options.budgetMs,
        options.flushL2};
    auto opened = driver::SweepJournal::open(absolutePath(options.journal), identity);
    if (!opened) {
      complain(opened.error());
      return wrongUse;
    }
    journal.emplace(std::move(*opened));
  }
  std::vector<std::vector<std::string>> notes;
  if (!options.varied.empty() && !vary(execution, options.varied, notes)) return wrongUse;
  driver::BenchmarkOptions benchmark;
  benchmark.launch = execution.launch;
  benchmark.budgetMs = options.budgetMs;
  benchmark.flushL2 = options.flushL2;
  benchmark.bytes = options.bytes;
  benchmark.operations = options.operations;
  std::vector<runner::Problem> lost;
  std::vector<BenchmarkRow> rows =
      timeAll(execution, benchmark, journal ? &*journal : nullptr, lost);
  for (size_t i = 0; i < notes.size(); ++i)
    rows[i].notes.insert(rows[i].notes.begin(), notes[i].begin(), notes[i].end());
  for (const runner::Problem& problem : lost)
    complain("the other runners do without one: " + describe(problem));
  rank(rows);
  std::vector<BenchComparison> comparisons; // of the rows that are done
  for (const BenchmarkRow& row : rows)
    if (earlier && row.state == State::Done)
      comparisons.push_back(compareWith(*earlier, row, options.tolerance / 100));

  Json json = {{"kernel", execution.choice.variants.front().kernel},
               {"device", json::encode(execution.device)},
               {"driver", execution.device.driver},
               {"host", execution.greeting.host},
               {"rows", Json::array()}};
  for (const BenchmarkRow& row : rows)
    json["rows"].push_back(jsonOf(row));
  std::string whyUnsaved =
      options.saved.empty() ? "" : writeFile(options.saved, jsonText(json, 2) + "\n");
  if (!whyUnsaved.empty()) complain(whyUnsaved);

  Output out(options.execution.format == "json" ? Content::Data : Content::Text);
  if (options.execution.format == "json") {
    for (auto [i, next] = std::pair<size_t, size_t>(0, 0); i < rows.size(); ++i)
      if (earlier && rows[i].state == State::Done)
        json["rows"][i]["against"] = jsonOf(comparisons[next++]);
    out << jsonText(json, 2) << "\n";
  } else {
    printText(out, execution, rows);
    size_t next = 0;
    for (const BenchmarkRow& row : rows)
      if (earlier && row.state == State::Done)
        out << "  " << row.id << ": " << textOf(comparisons[next++], row) << "\n";
  }
  out.flush();
  bool failed =
      llvm::any_of(rows, [](const BenchmarkRow& row) { return row.state != State::Done; }) ||
      llvm::any_of(comparisons, [](const BenchComparison& comparison) {
        return comparison.verdict == Verdict::Slower;
      });
  return failed || !out.ok() || !whyUnsaved.empty() ? findings : fine;
}

} // namespace gluond::cli
