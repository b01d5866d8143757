#include "cli/kernels/EmitRecords.h"

#include "cli/input/Inputs.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/kernels/WarmUp.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "cli/output/Timings.h"
#include "codegen/context/CodegenContext.h"
#include "diagnostics/Traits.h"
#include "driver/analysis/Analysis.h"
#include "driver/launches/RecordVariant.h"
#include "driver/program/FileWork.h"
#include "driver/program/ImportProblems.h"
#include "driver/records/RecordFiles.h"
#include "driver/stages/Stages.h"
#include "support/Parallel.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace gluond::cli {

namespace {

bool hasErrors(const std::vector<diagnostics::Diagnostic>& diagnostics) {
  return llvm::any_of(diagnostics,
                      [](const auto& d) { return d.severity == diagnostics::Severity::Error; });
}

// A record that matches no kernel does not count as rejected by Triton.
bool isAboutRecord(const diagnostics::Diagnostic& diagnostic) {
  return diagnostics::has(diagnostic.id, diagnostics::Trait::AboutRecord);
}

// Works in steps, each over many records, because switching is expensive: a system call or the
// printer between two kernels evicts the frontend's data from the caches, and the next kernel takes
// five times as long. Records are compiled in groups, which bounds the memory for modules; files
// are written when enough text has accumulated.
//
// Stages after ttgir cost a hundred times as much: for them each thread of the machine
// compiles records of its own, with its own context. Files and messages are the same, in the
// same order. With --timings there is one thread, so that the times are those of a single
// record.
class RecordEmitter {
public:
  explicit RecordEmitter(const EmitOptions& options) : options_(options) {
    driver::Settings settings;
    settings.overrides = settingsOf(options.settings);
    path_ = absolutePath(options.input);
    settings.recordFiles = {path_};
    settings.roots.push_back(absolutePath("."));
    if (options.timings) // of work that is done
      settings.overrides.push_back({"cache.directory", std::string("off")});
    driver::Workspace workspace(std::move(settings));
    if (options.timings) openWarmUp(workspace);
    snapshot_ = workspace.snapshot();
  }

  int run() {
    if (options_.directory.empty()) {
      complain("emit needs -o DIR for a file of records");
      return wrongUse;
    }
    Stopwatch reading;
    snapshot_->file(path_); // the user's word
    set_ = driver::readRecordFile(*snapshot_, path_);
    if (!set_) return unreadable(*snapshot_, path_);
    double records = 0;
    for (const driver::LaunchRecord& record : set_->content.records)
      records += record.readMilliseconds; // counted with the record
    timings_.other("records", reading.milliseconds() - records);
    for (const driver::RecordProblem& problem : set_->content.problems)
      failed(options_.input + ", line " + std::to_string(problem.line) + ": " + problem.message);
    if (std::string why = makeFolder(options_.directory); !why.empty()) {
      complain(why);
      return wrongUse;
    }
    std::vector<driver::Variant> variants = prepare();
    if (options_.timings && !variants.empty()) {
      Stopwatch context;
      worker(0).codegen(snapshot_->names());
      timings_.other("context", context.milliseconds());
      Stopwatch warming;
      warmUp(*snapshot_, worker(0), options_.stage);
      timings_.other("warm_up", warming.milliseconds() - preludeMilliseconds(*worker(0).share()));
    }
    for (llvm::ArrayRef<driver::Variant> rest = variants; !rest.empty();) {
      auto group = rest.take_front(groupSize);
      rest = rest.drop_front(group.size());
      compile(group);
    }
    write();
    if (options_.timings) Output() << timings_.json() << "\n";
    leave(code_);
  }

private:
  static constexpr size_t groupSize = 64, textBytes = size_t{64} << 20;
  static constexpr size_t mostIds = 1000; // bytes of those that a message names

  void failed(const std::string& message) {
    complain(message);
    code_ = findings;
  }

  // Returns the variants of the records; their programs are evaluated here, each once.
  std::vector<driver::Variant> prepare() {
    std::vector<driver::Variant> variants;
    bool found = false;
    std::string ids;
    for (const driver::LaunchRecord& record : set_->content.records) {
      if (ids.size() < mostIds) ids += (ids.empty() ? "" : ", ") + record.id;
      if (!options_.id.empty() && record.id != options_.id) continue;
      found = true;
      if (!driver::findStage(record.target, options_.stage)) {
        code_ = findings;
        if (!std::exchange(saidStage_, true))
          complain(driver::whyNoStage(record.target, options_.stage));
        continue;
      }
      auto file = snapshot_->found(record.path);
      if (!file) {
        failed(record.id + ": " + whyUnreadable(*snapshot_, record.path, false));
        continue;
      }
      driver::Variant variant = driver::variantOf(
          {set_, &record, record.hash},
          driver::EvaluatedFile::of(*snapshot_, file, record.target.name(), record.module, {}));
      if (programs_.insert(variant.program).second)
        timings_.file(record.file, variant.program->parseMilliseconds(),
                      variant.program->evaluateMilliseconds());
      // Python parses all of a file or nothing: for Triton a file with errors has no kernels.
      // The same holds for a file whose imports fail.
      std::vector<diagnostics::Diagnostic> unread(variant.program->tree().errors());
      if (!hasErrors(unread)) unread = driver::importErrors(*variant.program, snapshot_->names());
      if (hasErrors(unread))
        keepErrors(variant, unread);
      else
        variants.push_back(std::move(variant));
    }
    if (variants.empty() && saidStage_) code_ = wrongUse; // no record's target has the stage
    if (!options_.id.empty() && !found) {
      complain("no record has the id '" + options_.id + "'; choose one of " + ids);
      code_ = wrongUse;
    }
    return variants;
  }

  void compile(llvm::ArrayRef<driver::Variant> variants) {
    std::vector<driver::StageModule> made(variants.size());
    unsigned threads = 1;
    auto compileOne = [&](size_t i, unsigned number) {
      const driver::Variant& variant = variants[i];
      limitCompilation(threads); // anew with each, of which some are under way at a time
      Allowance allowance(driver::onDemandLimits);
      Spending spending(&allowance);
      made[i] = *driver::Analyzer(*snapshot_, worker(number), {}).compile(variant, options_.stage);
      if (options_.timings)
        timings_.record(variant.id,
                        variant.record.record->readMilliseconds -
                            preludeMilliseconds(*made[i].context),
                        made[i].result.stages);
    };
    bool isLong = llvm::any_of(variants, [&](const driver::Variant& variant) {
      return driver::findStage(variant.record.record->target, options_.stage)->isCompiled();
    });
    if (isLong && !options_.timings)
      threads = options_.threads ? std::min(options_.threads, 256u) : machineThreads();
    for (unsigned number = 0; number < threads; ++number)
      worker(number); // made here: the list must not grow under the threads
    forEachInParallel(variants.size(), threads, compileOne);
    for (auto [variant, module] : llvm::zip(variants, made)) {
      Stopwatch printing;
      module.print(false);
      timings_.other("print", printing.milliseconds());
      keep(variant, module.result);
    }
    if (kept_ > textBytes || isLong) write(); // what is complete is kept if a later one fails
  }

  // The time to read files of Triton's own library is not charged to the record, although it was
  // the first to call into them.
  double preludeMilliseconds(codegen::CodegenContext& context) {
    double sum = 0;
    auto loads = context.prelude().loads();
    for (const auto& load : loads.drop_front(std::min(preludeLoads_, loads.size()))) {
      timings_.file(load.path, load.parse, load.evaluate);
      sum += load.parse + load.evaluate;
    }
    preludeLoads_ = loads.size();
    return sum;
  }

  void keep(const driver::Variant& variant, driver::StageResult& result) {
    if (!result.text.empty()) {
      kept_ += result.text.size();
      texts_.emplace_back(variant.id + "." + options_.stage, std::move(result.text));
      return;
    }
    if (hasErrors(result.diagnostics) && llvm::none_of(result.diagnostics, isAboutRecord)) {
      keepErrors(variant, result.diagnostics);
      return;
    }
    std::string why = result.unsupported;
    for (const diagnostics::Diagnostic& diagnostic : result.diagnostics)
      why += (why.empty() ? "" : "; ") + diagnostic.message;
    failed(nameOf(variant) + ": " + (why.empty() ? "no IR" : why));
  }

  void keepErrors(const driver::Variant& variant,
                  const std::vector<diagnostics::Diagnostic>& diagnostics) {
    const driver::LaunchRecord& record = *variant.record.record;
    Report report(snapshot_);
    report.name(record.path, record.file);
    report.add(asFindings(diagnostics, variant));
    texts_.emplace_back(variant.id + ".error", renderJson(report));
    code_ = findings;
  }

  driver::Worker& worker(unsigned number) {
    while (workers_.size() <= number)
      workers_.push_back(std::make_unique<driver::Worker>());
    return *workers_[number];
  }

  void write() {
    Stopwatch writing;
    for (const auto& [name, text] : texts_)
      if (std::string why = writeInto(options_.directory, name, text); !why.empty()) failed(why);
    texts_.clear();
    kept_ = 0;
    timings_.other("write", writing.milliseconds());
  }

  const EmitOptions& options_;
  Timings timings_;
  std::string path_;
  std::shared_ptr<const driver::Snapshot> snapshot_;
  std::shared_ptr<const driver::RecordSet> set_;
  std::vector<std::unique_ptr<driver::Worker>> workers_; // one for each thread
  std::set<std::shared_ptr<const driver::EvaluatedFile>> programs_;
  std::vector<std::pair<std::string, std::string>> texts_; // file name and content, to be written
  size_t kept_ = 0;                                        // bytes in texts_
  size_t preludeLoads_ = 0;                                // of the context, accounted for
  bool saidStage_ = false;
  int code_ = fine;
};

} // namespace

int emitRecords(const EmitOptions& options) {
  return RecordEmitter(options).run();
}

} // namespace gluond::cli
