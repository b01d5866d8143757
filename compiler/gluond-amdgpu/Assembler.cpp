#include "gluond-amdgpu/Assembler.h"

#include "gluond-amdgpu/Linker.h"
#include "gluond-amdgpu/LlvmTarget.h"

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

#include <cinttypes>
#include <map>

namespace gluond::amdgpu {

namespace {

// The descriptions of a chip that the assembler and the disassembler need.
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

} // namespace

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

} // namespace gluond::amdgpu
