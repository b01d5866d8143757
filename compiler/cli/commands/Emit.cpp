#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "cli/process/ProcessLimits.h"
#include "driver/analysis/Analysis.h"
#include "driver/inspect/PassTrace.h"
#include "driver/notebooks/NotebookFile.h"
#include "driver/program/FileWork.h"
#include "driver/settings/Configuration.h"
#include "driver/stages/Compile.h"
#include "driver/stages/Stages.h"
#include "driver/workspace/ProjectFolder.h"
#include "files/OpenBeneath.h"
#include "files/ReadFile.h"
#include "files/WriteFile.h"
#include "ir/Context.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Diagnostics.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

namespace {

// Prints stage ttgir after one pass, or after each; a pass that changed nothing is named without
// printing the IR again.
int emitPasses(const EmitOptions& options, const KernelChoice& choice) {
  const driver::Variant& variant = choice.variants.front();
  std::vector<std::string> names = driver::passNames(variant);
  bool isAll = options.after == "all";
  if (!isAll && !llvm::is_contained(names, options.after)) {
    complain("unknown pass '" + options.after + "' for " + variant.target +
             "; choose 'all' or one of " + llvm::join(names, ", "));
    return wrongUse;
  }
  driver::Worker worker;
  Allowance allowance(driver::onDemandLimits);
  Spending spending(&allowance);
  driver::Analyzer analyzer(*choice.snapshot, worker, {});
  auto trace = driver::tracePasses(analyzer, worker, variant);
  if (trace->source.text.empty() || trace->failed) {
    // The stage's locations refer to the program.
    auto stage = analyzer.stage(variant, "ttgir", false);
    Report report(choice.snapshot);
    report.name(choice.path, options.input);
    report.add(asFindings(stage->diagnostics, variant));
    Output(Content::Painted, 2) << renderText(report, false);
    if (!stage->unsupported.empty()) complain(stage->unsupported);
  }
  auto wanted =
      llvm::find_if(trace->steps, [&](const auto& step) { return step.id == options.after; });
  if (!isAll && wanted == trace->steps.end()) return findings;
  Output out(Content::Data);
  if (!isAll) {
    out << wanted->text;
  } else {
    for (const driver::PassStep& step : trace->steps)
      out << "// after " << step.id << " (" << step.title.str() << ")"
          << (step.hasChanged ? "\n" + step.text + "\n" : std::string(": nothing changed\n"));
  }
  out.flush();
  return out.ok() && !trace->failed && !trace->steps.empty() ? fine : findings;
}

int emitKernel(const EmitOptions& options) {
  auto choice = chooseKernel(
      {options.input, options.kernel, options.id, false, options.target, {}, options.settings});
  if (!choice) return wrongUse;
  if (!options.after.empty()) return emitPasses(options, *choice);
  const auto& snapshot = choice->snapshot;
  const driver::Variant* variant = &choice->variants.front();
  if (auto target = chips::Target::parse(variant->target);
      target && !driver::findStage(*target, options.stage)) {
    complain(driver::whyNoStage(*target, options.stage));
    return wrongUse;
  }
  if (!options.directory.empty())
    if (std::string why = makeFolder(options.directory); !why.empty()) {
      complain(why);
      return wrongUse;
    }
  driver::Worker worker;
  limitCompilation(1);
  Allowance allowance(driver::onDemandLimits);
  Spending spending(&allowance);
  auto result = driver::Analyzer(*snapshot, worker, {}).stage(*variant, options.stage, false);
  if (result->text.empty()) {
    Report report(snapshot);
    report.name(choice->path, options.input);
    report.add(asFindings(result->diagnostics, *variant));
    Output(Content::Painted, 2) << renderText(report, false);
    if (!result->unsupported.empty()) complain(result->unsupported);
    if (!options.directory.empty() && result->unsupported.empty())
      if (std::string why =
              writeInto(options.directory, variant->id + ".error", renderJson(report));
          !why.empty())
        complain(why);
    return findings;
  }
  if (!options.directory.empty()) {
    std::string why = writeInto(options.directory, variant->id + "." + options.stage, result->text);
    if (!why.empty()) complain(why);
    return why.empty() ? fine : findings;
  }
  Output out(Content::Data);
  out << result->text;
  out.flush();
  return out.ok() ? fine : findings;
}

driver::DiskCache cacheFor(const EmitOptions& options) {
  driver::Settings settings;
  for (const driver::NamedSetting& each : settingsOf(options.settings))
    (void)driver::applySetting(settings, each.name, each.value); // checked before
  return driver::cacheOf(settings);
}

// The error says what is wrong with the launch options of a file of IR.
tl::expected<chips::CodeOptions, std::string> codeOptionsOf(const EmitOptions& options,
                                                            llvm::StringRef targetName) {
  chips::CodeOptions code;
  auto target = chips::Target::parse(targetName);
  for (llvm::StringRef option : options.codeOptions) {
    auto [name, value] = option.split('=');
    const chips::CodeOptionRow* row =
        target ? chips::findCodeOption(name, target->vendor) : nullptr;
    if (!row) {
      std::string names;
      for (const chips::CodeOptionRow& each : chips::codeOptionRows())
        if (target && chips::findCodeOption(each.name, target->vendor))
          names += (names.empty() ? "" : ", ") + each.name.str();
      return tl::make_unexpected("--launch-option '" + name.str() + "' is not one of " + names);
    }
    if (!row->set(code, value))
      return tl::make_unexpected("--launch-option " + name.str() + " takes " + row->values.str() +
                                 ", not '" + value.str() + "'");
  }
  return code;
}

// Compiles IR text at stage ttgir, gluond's or Triton's, and writes the facts that a launch needs
// to a file next to the result.
int emitIr(const EmitOptions& options) {
  auto text = files::readFile(absolutePath(options.input), driver::Settings().maxFileBytes);
  if (!text) {
    complain(text.error());
    return wrongUse;
  }
  limitCompilation(1);
  Allowance allowance(driver::onDemandLimits);
  Spending spending(&allowance);
  auto context = gluond::ir::createContext();
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic& diagnostic) {
    if (problem.empty())
      llvm::raw_string_ostream(problem) << diagnostic.getLocation() << ": " << diagnostic;
  });
  auto module = gluond::ir::parseModule(*text, *context);
  if (!module) {
    complain("'" + options.input + "' is not IR: " + problem);
    return findings;
  }
  auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
  auto code = codeOptionsOf(options, target ? target.getValue() : "");
  if (!code) {
    complain(code.error());
    return wrongUse;
  }
  auto compiled = driver::compile(
      *module, target ? target.getValue() : "", options.stage,
      {.alsoLlir = !options.directory.empty(),
       .cache = cacheFor(options),
       .workspace = {absolutePath("."), driver::projectFolderOf(absolutePath(options.input))},
       .code = *code});
  if (!compiled) {
    complain(compiled.error().message);
    return findings;
  }
  if (options.directory.empty()) {
    Output out(Content::Data);
    out << compiled->text;
    out.flush();
    return out.ok() ? fine : findings;
  }
  if (std::string why = makeFolder(options.directory); !why.empty()) {
    complain(why);
    return wrongUse;
  }
  std::string base = llvm::sys::path::stem(options.input).str();
  const lowering::KernelFacts& facts = compiled->facts;
  nlohmann::ordered_json json = {{"name", facts.name},
                                 {"num_warps", facts.warps},
                                 {"num_ctas", facts.ctas},
                                 {"shared", facts.sharedBytes},
                                 {"tmem_size", facts.tensorColumns},
                                 {"global_scratch_size", facts.globalScratchBytes},
                                 {"global_scratch_align", facts.globalScratchAlignment},
                                 {"maxnreg", facts.maxRegisters}};
  if (compiled->assembled)
    json.update({{"registers", compiled->assembled->registers},
                 {"spill_bytes", compiled->assembled->spillBytes}});
  if (compiled->assembled && compiled->assembled->scalarRegisters)
    json.update({{"accumulator_registers", compiled->assembled->accumulatorRegisters},
                 {"scalar_registers", compiled->assembled->scalarRegisters},
                 {"stack_bytes", compiled->assembled->stackBytes},
                 {"waves_per_simd", compiled->assembled->wavesPerUnit}});
  std::vector<std::pair<std::string, std::string>> files = {{"." + options.stage, compiled->text},
                                                            {".json", jsonText(json) + "\n"}};
  if (!compiled->llir.empty()) files.push_back({".llir", compiled->llir});
  for (const auto& [suffix, content] : files)
    if (std::string why = writeInto(options.directory, base + suffix, content); !why.empty()) {
      complain(why);
      return findings;
    }
  return fine;
}

} // namespace

void limitCompilation(unsigned threads) {
  // Twice and thrice what a kernel may cost before it is stopped with words.
  constexpr unsigned seconds = 60;
  constexpr size_t bytes = size_t{4} << 30;
  endAtProcessLimits(
      "gluond: compiling was stopped, because a step of it took more than 60 s of CPU time or 4 GB "
      "of memory and could not be interrupted\n");
  limitProcessTime(seconds * threads);
  limitProcessMemory(bytes * threads);
}

size_t mostBytesOf(const driver::Snapshot& snapshot, const std::string& path) {
  return driver::isNotebook(path) ? driver::mostNotebookBytes : snapshot.settings().maxFileBytes;
}

std::string whyUnreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed) {
  size_t most = mostBytesOf(snapshot, path);
  auto text = isNamed ? files::readFile(path, most)
                      : files::readFileBeneath(snapshot.folders(), path, most);
  if (!text) return text.error();
  if (driver::isNotebook(path)) {
    auto notebook = driver::NotebookFile::read(std::move(*text));
    return notebook ? "cannot read '" + path + "': its cells are larger than gluond reads"
                    : "'" + path + "' " + notebook.error();
  }
  return "cannot read '" + path + "'";
}

int unreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed) {
  complain(whyUnreadable(snapshot, path, isNamed));
  return wrongUse;
}

std::string makeFolder(const std::string& folder) {
  files::NamedPath named = files::namedPath(folder);
  auto made = files::makeFolder(named.folder, named.name);
  return made ? std::string() : made.error();
}

std::string writeInto(const std::string& folder, llvm::StringRef name, llvm::StringRef text) {
  files::NamedPath file = files::namedPath(folder).inside(asFileName(name));
  auto written = files::overwriteFile(file.folder, file.name, text);
  return written ? std::string() : written.error();
}

std::string asFileName(llvm::StringRef id) {
  constexpr size_t most = 200; // bytes; file systems take 255
  std::string name;
  for (char c : id) {
    bool isPlain = c != '/' && c != '\\' && c != '%' && static_cast<unsigned char>(c) >= 0x20 &&
                   c != 0x7F && !(c == '.' && name.empty());
    if (isPlain)
      name += c;
    else
      name += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, 2);
  }
  if (name.size() <= most) return name;
  // The end names the stage; the hash keeps truncated names distinct.
  std::string hash = "~" + llvm::utohexstr(llvm::xxh3_64bits(id), /*LowerCase=*/true, 16);
  llvm::StringRef end = llvm::StringRef(name).take_back(32);
  return name.substr(0, most - hash.size() - end.size()) + hash + end.str();
}

// The terminal, a pipe of the shell: /dev/stdout, /dev/fd/63.
static std::string writeToDevice(const std::string& path, llvm::StringRef text) {
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

std::string writeFile(const std::string& path, llvm::StringRef text) {
  if (files::isInside(path, "/dev")) return writeToDevice(path, text);
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
    return "cannot write '" + path + "': there is no folder '" + folder.str() + "'";
  files::NamedPath named = files::namedPath(path);
  auto written = files::overwriteFile(named.folder, named.name, text);
  return written ? std::string() : written.error();
}

std::vector<driver::Finding> asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
                                        const driver::Variant& variant) {
  std::vector<driver::Finding> result;
  for (const diagnostics::Diagnostic& diagnostic : diagnostics)
    result.push_back({diagnostic, variant.kernel, variant.id});
  return result;
}

int emit(const EmitOptions& options) {
  bool isOfKernel = !options.kernel.empty() || llvm::StringRef(options.input).ends_with(".py");
  if (!options.after.empty() &&
      (options.stage != "ttgir" || !isOfKernel || !options.directory.empty())) {
    complain(
        "--after takes --stage ttgir and a kernel of a program, and prints to standard output");
    return wrongUse;
  }
  if (llvm::StringRef(options.input).ends_with(".ttgir")) return emitIr(options);
  if (!options.codeOptions.empty()) {
    complain("--launch-option is for IR (*.ttgir): a launch of a program and a record have their "
             "own options");
    return wrongUse;
  }
  bool isRecords = llvm::StringRef(options.input).ends_with(".jsonl");
  // A program's only kernel need not be named; findKernel() tells the others.
  if (!options.kernel.empty() || !isRecords) return emitKernel(options);
  return emitRecords(options);
}

} // namespace gluond::cli
