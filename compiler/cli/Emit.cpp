#include "cli/Commands.h"
#include "cli/Inputs.h"
#include "cli/Output.h"
#include "cli/Render.h"
#include "codegen/Target.h"
#include "driver/Analysis.h"
#include "driver/Compile.h"
#include "driver/ReadFile.h"
#include "driver/Stages.h"
#include "ir/Context.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Diagnostics.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <map>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool hasErrors(const std::vector<diagnostics::Diagnostic>& diagnostics) {
  return llvm::any_of(diagnostics,
                      [](const auto& d) { return d.severity == diagnostics::Severity::Error; });
}

// A record that fits no kernel is no rejection of Triton's.
bool isAboutRecord(const diagnostics::Diagnostic& diagnostic) {
  return diagnostic.id == diagnostics::Id::MalformedRecord ||
         diagnostic.id == diagnostics::Id::UnknownKernel ||
         diagnostic.id == diagnostics::Id::LaunchArgument;
}

class Emitter {
public:
  Emitter(const EmitOptions& options, Clock::time_point start) : options_(options), start_(start) {}

  int records() {
    driver::Settings settings;
    std::string path = absolutePath(options_.input);
    settings.recordFiles = {path};
    settings.roots.push_back(absolutePath("."));
    driver::Workspace workspace(std::move(settings));
    snapshot_ = workspace.snapshot();
    Clock::time_point reading = Clock::now();
    auto set = driver::readRecordFile(*snapshot_, path);
    if (!set) return unreadable(path);
    double readEach =
        since(reading) / static_cast<double>(std::max<size_t>(set->content.records.size(), 1));
    for (const driver::RecordProblem& problem : set->content.problems)
      failed(options_.input + ", line " + std::to_string(problem.line) + ": " + problem.message);
    if (options_.directory.empty()) {
      complain("emit needs -o DIR for a file of records");
      return wrongUse;
    }
    if (std::error_code error = llvm::sys::fs::create_directories(options_.directory)) {
      complain("cannot create '" + options_.directory + "': " + error.message());
      return wrongUse;
    }
    bool found = false;
    for (const driver::LaunchRecord& record : set->content.records) {
      if (!options_.id.empty() && record.id != options_.id) continue;
      found = true;
      one(record, set, readEach);
    }
    if (!options_.id.empty() && !found) failed("no record has the id '" + options_.id + "'");
    if (options_.timings) printTimings();
    return code_;
  }

  // IR text at stage ttgir, of gluond's or Triton's: what comes of it, and beside a file the facts
  // that a launch needs.
  int ir() {
    auto text = driver::readFile(absolutePath(options_.input), driver::Settings().maxFileBytes);
    if (!text) {
      complain(text.error());
      return wrongUse;
    }
    auto context = gluond::ir::createContext();
    std::string problem;
    mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic& diagnostic) {
      if (problem.empty())
        llvm::raw_string_ostream(problem) << diagnostic.getLocation() << ": " << diagnostic;
    });
    auto module = gluond::ir::parseModule(*text, *context);
    if (!module) {
      complain("'" + options_.input + "' is no IR: " + problem);
      return findings;
    }
    auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
    auto compiled = driver::compile(*module, target ? target.getValue() : "", options_.stage);
    if (!compiled) {
      complain(compiled.error().message);
      return findings;
    }
    if (options_.directory.empty()) {
      Output out;
      out << compiled->text;
      out.flush();
      return out.ok() ? fine : findings;
    }
    if (std::error_code error = llvm::sys::fs::create_directories(options_.directory)) {
      complain("cannot create '" + options_.directory + "': " + error.message());
      return wrongUse;
    }
    llvm::SmallString<256> base(options_.directory);
    llvm::sys::path::append(base, llvm::sys::path::stem(options_.input));
    const lowering::KernelFacts& facts = compiled->facts;
    Json json = {{"name", facts.name},
                 {"num_warps", facts.warps},
                 {"num_ctas", facts.ctas},
                 {"shared", facts.sharedBytes},
                 {"global_scratch_size", facts.globalScratchBytes},
                 {"global_scratch_align", facts.globalScratchAlignment},
                 {"maxnreg", facts.maxRegisters}};
    if (compiled->assembled)
      json.update({{"registers", compiled->assembled->registers},
                   {"spill_bytes", compiled->assembled->spillBytes}});
    write((base + "." + options_.stage).str(), compiled->text);
    write((base + ".json").str(), json.dump() + "\n");
    return code_;
  }

  int kernel() {
    driver::Settings settings;
    settings.target = "";
    if (!options_.target.empty()) settings.overrides.push_back({"target", options_.target});
    settings.roots.push_back(absolutePath("."));
    driver::Workspace workspace(std::move(settings));
    snapshot_ = workspace.snapshot();
    std::string path = absolutePath(options_.input);
    auto file = snapshot_->file(path);
    if (!file) return unreadable(path);
    auto kernels = driver::kernelsOf(*snapshot_, file, {});
    const driver::Kernel* kernel = kernels->find(options_.kernel);
    if (!kernel) {
      std::string names;
      for (const driver::Kernel& each : kernels->kernels)
        names += (names.empty() ? "" : ", ") + each.qualname;
      complain("'" + options_.input + "' has no kernel '" + options_.kernel + "'" +
               (names.empty() ? "" : "; it has " + names));
      return wrongUse;
    }
    const driver::Variant* variant = &kernel->variants[kernel->selected];
    if (!options_.id.empty()) {
      auto it = llvm::find_if(kernel->variants,
                              [&](const driver::Variant& v) { return v.id == options_.id; });
      if (it == kernel->variants.end()) {
        complain("'" + options_.kernel + "' has no launch '" + options_.id +
                 "'; see gluond launches " + options_.input);
        return wrongUse;
      }
      variant = &*it;
    }
    driver::Analyzer analyzer(*snapshot_, worker_, {});
    auto result = analyzer.stage(*variant, options_.stage, false);
    if (result->text.empty()) {
      Report report(snapshot_);
      report.name(path, options_.input);
      report.add(asFindings(result->diagnostics, *variant));
      Output(2) << renderText(report, false);
      if (!result->unsupported.empty()) failed(result->unsupported);
      return findings;
    }
    Output out;
    out << result->text;
    out.flush();
    return out.ok() ? fine : findings;
  }

private:
  int unreadable(const std::string& path) {
    auto why = driver::readFile(path, snapshot_->settings().maxFileBytes);
    complain(why ? "cannot read '" + path + "'" : why.error());
    return wrongUse;
  }
  void failed(const std::string& message) {
    complain(message);
    code_ = findings;
  }
  static std::vector<driver::Finding>
  asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
             const driver::Variant& variant) {
    std::vector<driver::Finding> result;
    for (const diagnostics::Diagnostic& diagnostic : diagnostics)
      result.push_back({diagnostic, variant.kernel, variant.id});
    return result;
  }

  void one(const driver::LaunchRecord& record, const std::shared_ptr<const driver::RecordSet>& set,
           double readMs) {
    auto file = snapshot_->file(record.path);
    if (!file) return failed(record.id + ": cannot read '" + record.file + "'");
    auto program = driver::Program::of(*snapshot_, file, record.target.name(), record.module, {});
    if (programs_.insert({program.get(), program}).second)
      files_.push_back({{"file", record.file},
                        {"ms",
                         {{"parse", program->parseMilliseconds()},
                          {"evaluate", program->evaluateMilliseconds()}}}});
    if (!driver::findStage(record.target, options_.stage)) {
      code_ = findings;
      if (!std::exchange(saidStage_, true))
        complain("there is no stage '" + options_.stage + "' for " + record.target.name());
      return;
    }
    driver::Variant variant;
    variant.id = record.id;
    variant.kernel = record.kernel;
    variant.origin = driver::Origin::Record;
    variant.target = record.target.name();
    variant.program = program;
    variant.record = {set, &record, record.hash};
    // Python reads all of a file or nothing: for Triton no kernel of it exists.
    auto tree = file->tree(snapshot_->names(), {});
    std::vector<diagnostics::Diagnostic> unread(tree->errors());
    if (hasErrors(unread)) {
      writeErrors(record, variant, unread);
      return;
    }
    if (!std::exchange(warm_, true)) {
      Clock::time_point begin = Clock::now();
      worker_.codegen(snapshot_->names());
      contextMs_ = since(begin);
    }
    driver::Analyzer analyzer(*snapshot_, worker_, {});
    auto result = analyzer.stage(variant, options_.stage, false);
    Json ms = Json::object();
    for (auto [stage, milliseconds] : result->stages)
      ms[stage.str()] = milliseconds + (ms.empty() ? readMs : 0);
    cases_.push_back({{"id", record.id}, {"ms", std::move(ms)}});

    Clock::time_point writing = Clock::now();
    printMs_ += result->printMilliseconds;
    if (!result->text.empty()) {
      write(outputPath(record, options_.stage), result->text);
    } else if (hasErrors(result->diagnostics) &&
               llvm::none_of(result->diagnostics, isAboutRecord)) {
      writeErrors(record, variant, result->diagnostics);
    } else {
      std::string why = result->unsupported;
      for (const diagnostics::Diagnostic& diagnostic : result->diagnostics)
        why += (why.empty() ? "" : "; ") + diagnostic.message;
      failed(record.id + ": " + (why.empty() ? "no IR" : why));
    }
    writeMs_ += since(writing);
  }

  std::string outputPath(const driver::LaunchRecord& record, llvm::StringRef extension) {
    llvm::SmallString<256> path(options_.directory);
    llvm::sys::path::append(path, record.id + "." + extension);
    return path.str().str();
  }
  void writeErrors(const driver::LaunchRecord& record, const driver::Variant& variant,
                   const std::vector<diagnostics::Diagnostic>& diagnostics) {
    Report report(snapshot_);
    report.name(record.path, record.file);
    report.add(asFindings(diagnostics, variant));
    write(outputPath(record, "error"), renderJson(report));
    code_ = findings;
  }

  void write(const std::string& path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (!error) {
      out << text;
      out.close();
      error = out.error();
    }
    if (error) {
      out.clear_error();
      failed("cannot write '" + path + "': " + error.message());
    }
  }

  void printTimings() {
    Json json = Json::object();
    json["files"] = files_;
    json["cases"] = cases_;
    json["other_ms"] = {{"context", contextMs_}, {"print", printMs_}, {"write", writeMs_}};
    json["total_ms"] = since(start_);
    Output() << json.dump() << "\n";
  }

  const EmitOptions& options_;
  Clock::time_point start_;
  std::shared_ptr<const driver::Snapshot> snapshot_;
  driver::Worker worker_;
  std::map<const driver::Program*, std::shared_ptr<const driver::Program>> programs_;
  Json files_ = Json::array(), cases_ = Json::array();
  double contextMs_ = 0, printMs_ = 0, writeMs_ = 0;
  bool warm_ = false, saidStage_ = false;
  int code_ = fine;
};

} // namespace

int emit(const EmitOptions& options) {
  Emitter emitter(options, Clock::now());
  if (llvm::StringRef(options.input).ends_with(".ttgir")) return emitter.ir();
  if (options.kernel.empty()) {
    if (!llvm::StringRef(options.input).ends_with(".jsonl")) {
      complain(
          "emit takes a file of records (*.jsonl), IR (*.ttgir), or a program with --kernel NAME");
      return wrongUse;
    }
    return emitter.records();
  }
  return emitter.kernel();
}

} // namespace gluond::cli
