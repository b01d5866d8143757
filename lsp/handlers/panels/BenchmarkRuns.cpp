#include "lsp/handlers/panels/BenchmarkRuns.h"

#include "driver/analysis/Worker.h"
#include "driver/benchmark/BenchmarkHistory.h"
#include "driver/benchmark/DeviceChoice.h"

#include <llvm/ADT/STLExtras.h>

#include <map>

namespace gluond::lsp {

using driver::BenchmarkRow;
using State = BenchmarkRow::State;

BenchmarkRuns::~BenchmarkRuns() {
  if (current_) current_->cancellation.cancel();
  if (thread_.joinable()) thread_.join();
}

std::string BenchmarkRuns::start(Job job) {
  std::lock_guard lock(mutex_);
  if (current_) current_->cancellation.cancel();
  auto run = std::make_shared<Run>();
  run->id = "benchmark-" + std::to_string(++count_);
  for (auto [i, variant] : llvm::enumerate(job.variants)) {
    Row& row = run->rows.emplace_back();
    row.row = driver::rowOf(variant);
    if (i < job.notes.size()) row.row.notes = job.notes[i];
    row.sequence = ++run->sequence;
  }
  current_ = run;
  // The one before may take a moment to end.
  thread_ = std::thread([this, run, before = std::move(thread_), job = std::move(job)]() mutable {
    if (before.joinable()) before.join();
    work(std::move(job), run);
  });
  return run->id;
}

void BenchmarkRuns::work(Job job, const std::shared_ptr<Run>& run) {
  if (!llvm::equal(job.commands, runners_, [](const std::string& command, const auto& runner) {
        return runner->command() == command;
      })) {
    runners_.clear();
    for (const std::string& command : job.commands)
      runners_.push_back(
          std::make_unique<remote::Runner>(remote::RunnerOptions{.command = command}));
  }
  driver::Worker worker;
  // The latest result of each launch, by launch and GPU.
  std::map<std::pair<std::string, std::string>, driver::PastResult> past;
  if (!job.history.isNone() && !job.variants.empty())
    for (driver::PastResult& each : driver::readHistory(job.history, job.variants.front().kernel)) {
      std::pair key(each.specialization, each.device);
      past[key] = std::move(each);
    }
  std::vector<uint64_t> sources;
  for (const driver::Variant& variant : job.variants)
    sources.push_back(driver::sourceOf(*job.snapshot, variant, worker));

  if (job.runsOnce) {
    runOnce(job, run, *runners_.front(), worker);
  } else {
    std::vector<remote::Runner*> runners;
    for (auto& runner : runners_)
      runners.push_back(runner.get());
    driver::benchmark(
        *job.snapshot, job.variants, job.options, runners,
        [&](size_t index, const BenchmarkRow& now) {
          run->change(index, [&](Row& row) {
            row.row = now;
            if (index < job.notes.size())
              row.row.notes.insert(row.row.notes.begin(), job.notes[index].begin(),
                                   job.notes[index].end());
            if (now.device.empty() || row.before) return;
            if (auto it = past.find({now.id, now.device}); it != past.end()) {
              row.before = it->second;
              row.isEdited = it->second.source != sources[index];
            }
          });
          if (now.state == State::Done && !job.history.isNone())
            if (std::string why = driver::appendHistory(
                    job.history, driver::pastResult(now, job.variants[index], sources[index]));
                !why.empty())
              run->change(index, [&](Row& row) { row.row.notes.push_back("not kept: " + why); });
        },
        run->cancellation.token());
  }
  std::lock_guard lock(run->mutex);
  run->isDone = true;
  ++run->sequence;
}

// Runs once, with guards around every tensor, to show what it writes and whether it stays inside.
void BenchmarkRuns::runOnce(const Job& job, const std::shared_ptr<Run>& run, remote::Runner& runner,
                            driver::Worker& worker) {
  auto token = run->cancellation.token();
  for (auto [index, variant] : llvm::enumerate(job.variants)) {
    auto fail = [&, index = index](runner::Problem problem) {
      run->change(index, [&](Row& row) {
        row.row.state = State::Failed;
        row.row.problem = std::move(problem);
      });
    };
    auto ofKind = [&, &variant = variant](runner::ProblemKind kind, std::string message) {
      return runner::Problem{kind, std::move(message), variant.kernel, {}, {}, false};
    };
    auto greeting = runner.connect(token);
    if (!greeting) {
      fail(std::move(greeting.error()));
      continue;
    }
    auto chosen = driver::chooseDevice(*greeting, job.options.launch.device, variant.target,
                                       job.snapshot->folders());
    if (!chosen) {
      fail(std::move(chosen.error()));
      continue;
    }
    const runner::DeviceInfo& device = greeting->devices[*chosen];
    run->change(index, [&](Row& row) {
      row.row.state = State::Compiling;
      row.row.device = device.name;
    });
    auto prepared =
        driver::prepareLaunch(*job.snapshot, variant, job.options.launch, device, worker, token);
    if (!prepared) {
      fail(ofKind(runner::ProblemKind::Code, prepared.error()));
      continue;
    }
    run->change(index, [&](Row& row) { driver::begin(row.row, *prepared); });
    auto loaded = runner.load(prepared->load, prepared->code, token);
    if (!loaded) {
      fail(std::move(loaded.error()));
      continue;
    }
    runner::RunParams params;
    params.launch = prepared->launch;
    params.launch.module = loaded->module;
    params.limitMs = job.options.launch.limitMs;
    auto ran = runner.run(params, prepared->binary, token);
    if (!ran) {
      fail(std::move(ran.error()));
      continue;
    }
    runner.unload(loaded->module);
    run->change(index, [&](Row& row) {
      row.row.state = State::Done;
      row.row.load = *loaded;
      row.ran = std::move(ran->result);
    });
  }
}

std::optional<BenchmarkRuns::News> BenchmarkRuns::news(const std::string& id, uint64_t after) {
  std::shared_ptr<Run> run;
  {
    std::lock_guard lock(mutex_);
    if (!current_ || current_->id != id) return std::nullopt;
    run = current_;
  }
  std::lock_guard lock(run->mutex);
  News news{run->sequence, run->isDone, {}};
  for (auto [i, row] : llvm::enumerate(run->rows))
    if (row.sequence > after) news.rows.emplace_back(i, row);
  return news;
}

bool BenchmarkRuns::stop(const std::string& id) {
  std::lock_guard lock(mutex_);
  if (!current_ || current_->id != id) return false;
  std::lock_guard inner(current_->mutex);
  if (current_->isDone) return false;
  current_->cancellation.cancel();
  return true;
}

} // namespace gluond::lsp
