#include "target/amd/Hsaco.h"

#include "target/CodeGeneration.h"
#include "target/NarrowChoices.h"
#include "target/amd/BytePermutation.h"
#include "target/amd/DeviceLibrary.h"
#include "target/amd/Linker.h"

#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include <cinttypes>
#include <map>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUDisassembler();
}

namespace gluond::target::amd {

namespace {

const llvm::Triple& triple() {
  static const llvm::Triple known("amdgcn-amd-amdhsa");
  return known;
}

// Null if this LLVM has no AMDGPU target.
const llvm::Target* target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple(), error);
}

constexpr llvm::StringLiteral noTarget = "this LLVM has no AMDGPU target";

// What the assembler and the disassembler know of a chip.
struct MachineCode {
  explicit MachineCode(const llvm::Target& target, const chips::Chip& chip)
      : registers(target.createMCRegInfo(triple())),
        syntax(target.createMCAsmInfo(*registers, triple(), options)),
        subtarget(target.createMCSubtargetInfo(triple(), chip.processor, chip.processorFeatures)),
        instructions(target.createMCInstrInfo()) {}

  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> syntax;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
};

class AmdCompiler : public Compiler {
public:
  AmdCompiler(std::unique_ptr<llvm::TargetMachine> machine, const chips::Chip& chip,
              CompilerOptions options)
      : Compiler(std::move(machine), chip, std::move(options)) {}
  tl::expected<void, std::string> optimize(llvm::Module& module) override;
  tl::expected<std::string, std::string> toAssembly(llvm::Module& module) override {
    return emitAssembly(module, *machine_, options_.cancellation);
  }
};

// Masks of a loop's last step follow from its number where that is known, and pairs of floats have
// instructions of their own.
void addLastPasses(llvm::FunctionPassManager& passes) {
  passes.addPass(BytePermutationPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::IndVarSimplifyPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::EarlyCSEPass());
}

tl::expected<void, std::string> AmdCompiler::optimize(llvm::Module& module) {
  constexpr unsigned codeObjectVersion = 500;
  aim(module);
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", codeObjectVersion);
  if (auto linked = linkDeviceLibraries(module, chip_, options_.untrusted); !linked) return linked;
  narrowChoices(module, /*alsoBf16=*/false);
  // The last pass finds out which of the launch's facts a kernel never asks for: it gets no hidden
  // arguments for them.
  if (auto done = target::optimize(module, *machine_, options_.cancellation, addLastPasses,
                                   "amdgpu-attributor");
      !done)
    return done;
  // From gfx12 on, two numbers of a CTA share a register: the grid may have them even if the kernel
  // reads but one.
  if (chip_.wmmaVersion >= 2)
    for (llvm::Function& function : module)
      for (llvm::StringRef axis : {"x", "y", "z"})
        function.removeFnAttr(("amdgpu-no-workgroup-id-" + axis).str());
  return {};
}

} // namespace

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options) {
  const llvm::Target* found = target();
  auto machine =
      found ? machineFor(*found, triple(), chip, {}, llvm::CodeGenOptLevel::Aggressive) : nullptr;
  if (!machine) return tl::make_unexpected(noTarget.str());
  return std::make_unique<AmdCompiler>(std::move(machine), chip, std::move(options));
}

// The metadata of code objects is YAML at the end of the text; other facts are symbols and
// comments.
Resources resourcesOf(llvm::StringRef assembly) {
  auto number = [&](llvm::StringRef words) {
    unsigned value = 0;
    size_t at = assembly.rfind(words);
    if (at == llvm::StringRef::npos) return value;
    (void)assembly.drop_front(at + words.size())
        .ltrim(": ")
        .take_while(llvm::isDigit)
        .getAsInteger(10, value);
    return value;
  };
  return {.vectorRegisters = number(".vgpr_count:"),
          .accumulatorRegisters = number(".agpr_count:"),
          .scalarRegisters = number(".sgpr_count:"),
          .vectorSpills = number(".vgpr_spill_count:"),
          .scalarSpills = number(".sgpr_spill_count:"),
          .scratchBytes = number(".private_segment_fixed_size:"),
          .wavesPerUnit = number("; Occupancy:")};
}

tl::expected<std::string, std::string> assemble(llvm::StringRef assembly, const chips::Chip& chip) {
  const llvm::Target* found = target();
  if (!found) return tl::make_unexpected(noTarget.str());
  MachineCode code(*found, chip);
  llvm::SourceMgr sources;
  std::string log;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic& diagnostic, void* text) {
        llvm::raw_string_ostream out(*static_cast<std::string*>(text));
        diagnostic.print(nullptr, out, /*ShowColors=*/false);
      },
      &log);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(assembly, "kernel"), llvm::SMLoc());
  llvm::MCContext context(triple(), code.syntax.get(), code.registers.get(), code.subtarget.get(),
                          &sources, &code.options);
  std::unique_ptr<llvm::MCObjectFileInfo> sections(
      found->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(sections.get());

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      found->createMCAsmBackend(*code.subtarget, *code.registers, code.options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      found->createMCCodeEmitter(*code.instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(
      found->createMCObjectStreamer(triple(), context, std::move(backend), std::move(writer),
                                    std::move(emitter), *code.subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *code.syntax));
  std::unique_ptr<llvm::MCTargetAsmParser> ofTarget(
      found->createMCAsmParser(*code.subtarget, *parser, *code.instructions, code.options));
  parser->setTargetParser(*ofTarget);
  if (parser->Run(/*NoInitialTextSection=*/false))
    return tl::make_unexpected("the assembler failed: " + log);
  return link(object);
}

tl::expected<std::string, std::string> disassemble(llvm::StringRef hsaco, const chips::Chip& chip) {
  const llvm::Target* found = target();
  if (!found) return tl::make_unexpected(noTarget.str());
  auto object =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(hsaco, "hsaco"));
  if (!object) return tl::make_unexpected(llvm::toString(object.takeError()));
  MachineCode code(*found, chip);
  llvm::MCContext context(triple(), code.syntax.get(), code.registers.get(), code.subtarget.get(),
                          nullptr, &code.options);
  std::unique_ptr<llvm::MCDisassembler> reader(
      found->createMCDisassembler(*code.subtarget, context));
  std::unique_ptr<llvm::MCInstPrinter> printer(
      found->createMCInstPrinter(triple(), code.syntax->getAssemblerDialect(), *code.syntax,
                                 *code.instructions, *code.registers));
  if (!reader || !printer) return tl::make_unexpected(noTarget.str());

  std::string text;
  llvm::raw_string_ostream out(text);
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    if (!section.isText()) continue;
    llvm::Expected<llvm::StringRef> contents = section.getContents();
    if (!contents) return tl::make_unexpected(llvm::toString(contents.takeError()));
    std::multimap<uint64_t, std::string> names;
    for (const llvm::object::SymbolRef& symbol : (*object)->symbols()) {
      llvm::Expected<uint64_t> address = symbol.getAddress();
      llvm::Expected<llvm::StringRef> name = symbol.getName();
      if (!address || !name) {
        if (!address) llvm::consumeError(address.takeError());
        if (!name) llvm::consumeError(name.takeError());
        continue;
      }
      names.emplace(*address, name->str());
    }
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t*>(contents->data()),
                                  contents->size());
    uint64_t size = 0;
    for (uint64_t at = 0; at < bytes.size(); at += std::max<uint64_t>(size, 4)) {
      uint64_t address = section.getAddress() + at;
      for (auto [begin, end] = names.equal_range(address); begin != end; ++begin)
        out << begin->second << ":\n";
      llvm::MCInst instruction;
      size = 0;
      bool known = reader->getInstruction(instruction, size, bytes.drop_front(at), address,
                                          llvm::nulls()) != llvm::MCDisassembler::Fail;
      out << llvm::format("  %06" PRIx64 ":", address);
      if (known)
        printer->printInst(&instruction, address, "", *code.subtarget, out);
      else
        out << "\t.long " << llvm::format_hex(llvm::support::endian::read32le(&bytes[at]), 10);
      out << "\n";
    }
  }
  return text;
}

} // namespace gluond::target::amd
