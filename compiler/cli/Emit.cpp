#include "cli/Commands.h"
#include "cli/EmitRecords.h"
#include "cli/Inputs.h"
#include "cli/KernelChoice.h"
#include "cli/Output.h"
#include "cli/Render.h"
#include "driver/Analysis.h"
#include "driver/Compile.h"
#include "driver/ReadFile.h"
#include "ir/Context.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Diagnostics.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

namespace {

int emitKernel(const EmitOptions& options) {
  auto choice =
      chooseKernel({options.input, options.kernel, options.id, false, options.target, {}});
  if (!choice) return wrongUse;
  const auto& snapshot = choice->snapshot;
  const driver::Variant* variant = &choice->variants.front();
  driver::Worker worker;
  auto result = driver::Analyzer(*snapshot, worker, {}).stage(*variant, options.stage, false);
  if (result->text.empty()) {
    Report report(snapshot);
    report.name(choice->path, options.input);
    report.add(asFindings(result->diagnostics, *variant));
    Output(2) << renderText(report, false);
    if (!result->unsupported.empty()) complain(result->unsupported);
    return findings;
  }
  Output out;
  out << result->text;
  out.flush();
  return out.ok() ? fine : findings;
}

// IR text at stage ttgir, of gluond's or Triton's: what comes of it, and beside a file the facts
// that a launch needs.
int emitIr(const EmitOptions& options) {
  auto text = driver::readFile(absolutePath(options.input), driver::Settings().maxFileBytes);
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
    complain("'" + options.input + "' is no IR: " + problem);
    return findings;
  }
  auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
  auto compiled = driver::compile(
      *module, target ? target.getValue() : "", options.stage,
      {.alsoLlir = !options.directory.empty(), .cache = driver::cacheOf(driver::Settings())});
  if (!compiled) {
    complain(compiled.error().message);
    return findings;
  }
  if (options.directory.empty()) {
    Output out;
    out << compiled->text;
    out.flush();
    return out.ok() ? fine : findings;
  }
  if (std::error_code error = llvm::sys::fs::create_directories(options.directory)) {
    complain("cannot create '" + options.directory + "': " + error.message());
    return wrongUse;
  }
  llvm::SmallString<256> base(options.directory);
  llvm::sys::path::append(base, llvm::sys::path::stem(options.input));
  const lowering::KernelFacts& facts = compiled->facts;
  nlohmann::ordered_json json = {{"name", facts.name},
                                 {"num_warps", facts.warps},
                                 {"num_ctas", facts.ctas},
                                 {"shared", facts.sharedBytes},
                                 {"global_scratch_size", facts.globalScratchBytes},
                                 {"global_scratch_align", facts.globalScratchAlignment},
                                 {"maxnreg", facts.maxRegisters}};
  if (compiled->assembled)
    json.update({{"registers", compiled->assembled->registers},
                 {"spill_bytes", compiled->assembled->spillBytes}});
  std::vector<std::pair<std::string, std::string>> files = {{"." + options.stage, compiled->text},
                                                            {".json", json.dump() + "\n"}};
  if (!compiled->llir.empty()) files.push_back({".llir", compiled->llir});
  for (const auto& [suffix, content] : files)
    if (std::string why = writeFile((base + suffix).str(), content); !why.empty()) {
      complain(why);
      return findings;
    }
  return fine;
}

} // namespace

int unreadable(const driver::Snapshot& snapshot, const std::string& path) {
  auto why = driver::readFile(path, snapshot.settings().maxFileBytes);
  complain(why ? "cannot read '" + path + "'" : why.error());
  return wrongUse;
}

std::string writeFile(const std::string& path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << text;
    out.close();
    error = out.error();
  }
  if (!error) return {};
  out.clear_error();
  return "cannot write '" + path + "': " + error.message();
}

std::vector<driver::Finding> asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
                                        const driver::Variant& variant) {
  std::vector<driver::Finding> result;
  for (const diagnostics::Diagnostic& diagnostic : diagnostics)
    result.push_back({diagnostic, variant.kernel, variant.id});
  return result;
}

int emit(const EmitOptions& options) {
  if (llvm::StringRef(options.input).ends_with(".ttgir")) return emitIr(options);
  if (!options.kernel.empty()) return emitKernel(options);
  if (!llvm::StringRef(options.input).ends_with(".jsonl")) {
    complain(
        "emit takes a file of records (*.jsonl), IR (*.ttgir), or a program with --kernel NAME");
    return wrongUse;
  }
  return emitRecords(options);
}

} // namespace gluond::cli
