// Parts of LLVM that gluond links and never reaches, 2 MB of code.
//
// LLVM's code generator refers to all of these, and chooses among them at run time. gluond has one
// back end, NVPTX, which writes text: it never runs passes for other machines, reads profiles,
// compresses sections or parses inline assembly. In a static gluond these definitions come before
// those of LLVM's archives (compiler/cli/CMakeLists.txt), and the linker drops what they replace.
// Should LLVM reach one after all, the process ends and says which.

#include <llvm/CodeGen/MIRSampleProfile.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/InitializePasses.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace {

[[noreturn]] void reached(const char* part) {
  llvm::report_fatal_error(llvm::Twine("gluond is built without LLVM's ") + part);
}

// Passes are identified by an address.
char pipeliner, profileLoader;

} // namespace

namespace llvm {

char& MachinePipelinerID = pipeliner;
void initializeMachinePipelinerPass(PassRegistry&) {}

char& MIRProfileLoaderPassID = profileLoader;
void initializeMIRProfileLoaderPassPass(PassRegistry&) {}
FunctionPass* createMIRProfileLoaderPass(std::string, std::string, sampleprof::FSDiscriminatorPass,
                                         IntrusiveRefCntPtr<vfs::FileSystem>) {
  reached("loader of profiles");
}

void initializeMachineOutlinerPass(PassRegistry&) {}
ModulePass* createMachineOutlinerPass(RunOutliner) {
  reached("outliner");
}

// The way to follow variables that x86 and Arm take; declared in no header that LLVM installs.
class LDVImpl;
LDVImpl* makeInstrRefBasedLiveDebugValues() {
  return nullptr;
}

MCAsmParser* createMCAsmParser(SourceMgr&, MCContext&, MCStreamer&, const MCAsmInfo&, unsigned) {
  reached("reader of assembly");
}

namespace compression {

const char* getReasonIfUnsupported(Format) {
  return "gluond is built without compression";
}
void compress(Params, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&) {
  reached("compression");
}
Error decompress(DebugCompressionType, ArrayRef<uint8_t>, uint8_t*, size_t) {
  reached("compression");
}
Error decompress(Format, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, size_t) {
  reached("compression");
}
Error decompress(DebugCompressionType, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, size_t) {
  reached("compression");
}

namespace zlib {
bool isAvailable() {
  return false;
}
void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, int) {
  reached("compression");
}
Error decompress(ArrayRef<uint8_t>, uint8_t*, size_t&) {
  reached("compression");
}
Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, size_t) {
  reached("compression");
}
} // namespace zlib

namespace zstd {
bool isAvailable() {
  return false;
}
void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, int, bool) {
  reached("compression");
}
Error decompress(ArrayRef<uint8_t>, uint8_t*, size_t&) {
  reached("compression");
}
Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, size_t) {
  reached("compression");
}
} // namespace zstd

} // namespace compression

} // namespace llvm
