#include "driver/Compile.h"

#include "codegen/Target.h"
#include "lints/Chips.h"
#include "passes/controlflow/AllocateWarpGroups.h"
#include "target/nvidia/Ptx.h"
#include "target/nvidia/Toolkit.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Regex.h>

#include <chrono>

namespace gluond::driver {

namespace {

using Clock = std::chrono::steady_clock;

// Calls `visit` with each line of a text and its number.
void forEachLine(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef, uint32_t)> visit) {
  for (uint32_t number = 0; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    visit(line, number);
    text = rest;
  }
}

unsigned numberIn(llvm::StringRef text) {
  unsigned number = 0;
  (void)text.take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

std::string quoted(llvm::StringRef text) {
  return text.split('"').second.split('"').first.str();
}

// `.file 1 "path"` names a file, `.loc 1 12 3` says where what follows comes from.
std::vector<CompiledLine> linesOfPtx(llvm::StringRef text) {
  std::vector<CompiledLine> lines;
  llvm::DenseMap<unsigned, std::string> files;
  forEachLine(text, [&](llvm::StringRef line, uint32_t) {
    llvm::StringRef trimmed = line.trim();
    if (trimmed.consume_front(".file")) files[numberIn(trimmed.trim())] = quoted(trimmed);
  });
  std::optional<std::pair<std::string, uint32_t>> here;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    llvm::StringRef trimmed = line.trim();
    if (trimmed.consume_front(".loc")) {
      llvm::SmallVector<llvm::StringRef> parts;
      trimmed.split(parts, ' ', -1, false);
      for (llvm::StringRef& part : parts)
        part = part.trim();
      if (parts.size() >= 2) here = {files.lookup(numberIn(parts[0])), numberIn(parts[1])};
      return;
    }
    if (trimmed.starts_with("//") || trimmed.empty()) return;
    if (trimmed == "}") here.reset();
    if (here && here->second) lines.push_back({number, here->first, here->second - 1});
  });
  return lines;
}

// `!dbg !7` refers to a location further down, that to a scope, that to a file.
std::vector<CompiledLine> linesOfLlvm(llvm::StringRef text) {
  llvm::DenseMap<unsigned, llvm::StringRef> nodes;
  forEachLine(text, [&](llvm::StringRef line, uint32_t) {
    if (line.starts_with("!") && line.size() > 1 && llvm::isDigit(line[1]))
      nodes[numberIn(line.drop_front())] = line.split(" = ").second;
  });
  auto field = [](llvm::StringRef node, llvm::StringRef name) {
    return node.split((name + ": ").str()).second;
  };
  std::vector<CompiledLine> lines;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    size_t at = line.find("!dbg !");
    if (at == llvm::StringRef::npos || line.starts_with("!")) return;
    llvm::StringRef location = nodes.lookup(numberIn(line.drop_front(at + 6)));
    if (!location.contains("DILocation")) return;
    llvm::StringRef scope = nodes.lookup(numberIn(field(location, "scope").ltrim('!')));
    llvm::StringRef file = nodes.lookup(numberIn(field(scope, "file").ltrim('!')));
    std::string name = quoted(field(file, "filename")), folder = quoted(field(file, "directory"));
    uint32_t source = numberIn(field(location, "line"));
    if (source)
      lines.push_back(
          {number, folder.empty() || folder == "." ? name : folder + "/" + name, source - 1});
  });
  return lines;
}

// `//## File "path", line 12` before what comes of it.
std::vector<CompiledLine> linesOfSass(llvm::StringRef text) {
  std::vector<CompiledLine> lines;
  std::optional<std::pair<std::string, uint32_t>> here;
  forEachLine(text, [&](llvm::StringRef line, uint32_t number) {
    size_t at = line.find("//## File \"");
    if (at != llvm::StringRef::npos) {
      here = {quoted(line.drop_front(at)), numberIn(line.split("line ").second)};
      return;
    }
    if (here && here->second && line.contains("/*"))
      lines.push_back({number, here->first, here->second - 1});
  });
  return lines;
}

} // namespace

tl::expected<Compiled, passes::Failure> compile(mlir::ModuleOp module, llvm::StringRef targetName,
                                                llvm::StringRef stage, bool alsoLlir) {
  auto unsupported = [&](std::string message) {
    return tl::make_unexpected(passes::Failure{
        passes::FailureKind::Unsupported, module.getLoc(), std::move(message), {}, {}, {}, stage});
  };
  auto target = codegen::Target::parse(targetName);
  const target::nvidia::Chip* chip =
      target && target->isCuda() ? target::nvidia::findChip(target->capability) : nullptr;
  if (!chip) return unsupported(("gluond cannot compile for " + targetName + " yet").str());
  Compiled result;
  Clock::time_point start = Clock::now();
  auto lap = [&](llvm::StringRef name) {
    Clock::time_point now = Clock::now();
    result.milliseconds.push_back(
        {name, std::chrono::duration<double, std::milli>(now - start).count()});
    start = now;
  };
  passes::allocateWarpGroups(module);
  llvm::LLVMContext context;
  auto lowered = lowering::lowerToLLVM(module, context);
  if (!lowered) return tl::make_unexpected(std::move(lowered.error()));
  result.facts = lowered->facts;
  if (const lints::Chip* limits = lints::chipOf(targetName);
      limits && result.facts.sharedBytes > limits->sharedPerProgram)
    return unsupported("the kernel needs " + std::to_string(result.facts.sharedBytes) +
                       " bytes of shared memory, and " + chip->name.str() + " has " +
                       std::to_string(limits->sharedPerProgram) + " for a CTA");
  auto compiler = target::nvidia::PtxCompiler::create(*chip, {});
  if (!compiler) return unsupported(compiler.error());
  if (auto done = compiler->optimize(*lowered->module); !done) return unsupported(done.error());
  lap("llir");
  if (stage == "llir") {
    llvm::raw_string_ostream(result.text) << *lowered->module;
    result.lines = linesOfLlvm(result.text);
    return result;
  }
  if (alsoLlir) llvm::raw_string_ostream(result.llir) << *lowered->module;
  auto ptx = compiler->toPtx(*lowered->module);
  if (!ptx) return unsupported(ptx.error());
  lap("ptx");
  if (stage == "ptx") {
    result.text = std::move(*ptx);
    result.lines = linesOfPtx(result.text);
    return result;
  }
  auto cubin = target::nvidia::assemble(*ptx, chip->name);
  if (!cubin) return unsupported(cubin.error());
  result.assembled = Assembled{cubin->registers, cubin->spillBytes, cubin->stackBytes};
  lap("cubin");
  if (stage == "cubin") {
    result.text.assign(cubin->bytes.begin(), cubin->bytes.end());
    return result;
  }
  auto sass = target::nvidia::disassemble(cubin->bytes);
  if (!sass) return unsupported(sass.error());
  lap("sass");
  result.text = std::move(*sass);
  result.lines = linesOfSass(result.text);
  return result;
}

} // namespace gluond::driver
