// gluond-amdgpu
//
// Does jobs of gluond's stages for AMD's GPUs, one after the other, which come over a connection
// (backend/amd/GluondAmdgpuJobs.h).
#include "backend/Bitcode.h"
#include "backend/amd/GluondAmdgpuJobs.h"
#include "backend/amd/Messages.h"
#include "chips/Chip.h"
#include "gluond-amdgpu/Assembler.h"
#include "gluond-amdgpu/Compile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <chrono>
#include <malloc.h>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace gluond::amdgpu {

namespace {

struct Request {
  const chips::Chip* chip = nullptr;
  std::vector<std::string> libraries{};
  bool fusesMultiplyAdd = true;
  llvm::StringRef input{};
};
using Result = tl::expected<std::string, std::string>;

Result withModule(const Request& request, llvm::function_ref<Result(llvm::Module&)> work) {
  llvm::LLVMContext context;
  auto module = backend::fromBitcode(request.input, context);
  if (!module) return tl::make_unexpected(module.error());
  return work(**module);
}

Result optimizeJob(const Request& request) {
  return withModule(request, [&](llvm::Module& module) -> Result {
    if (auto done = optimize(module, *request.chip, request.libraries, request.fusesMultiplyAdd);
        !done)
      return tl::make_unexpected(done.error());
    return backend::toBitcode(module);
  });
}

Result assemblyJob(const Request& request) {
  return withModule(request, [&](llvm::Module& module) {
    return toAssembly(module, *request.chip, request.fusesMultiplyAdd);
  });
}

Result compileJob(const Request& request) {
  return withModule(request, [&](llvm::Module& module) -> Result {
    if (auto done = optimize(module, *request.chip, request.libraries, request.fusesMultiplyAdd);
        !done)
      return tl::make_unexpected(done.error());
    return toAssembly(module, *request.chip, request.fusesMultiplyAdd);
  });
}

struct Job {
  llvm::StringLiteral name;
  Result (*run)(const Request& request);
};
constexpr Job jobs[] = {
    {backend::amd::jobs::optimize, optimizeJob},
    {backend::amd::jobs::assembly, assemblyJob},
    {backend::amd::jobs::compile, compileJob},
    {backend::amd::jobs::object,
     [](const Request& request) { return assemble(request.input, *request.chip); }},
    {backend::amd::jobs::disassembly,
     [](const Request& request) { return disassemble(request.input, *request.chip); }},
};

// The error says which word is wrong.
tl::expected<const Job*, std::string> read(llvm::ArrayRef<llvm::StringRef> words,
                                           Request& request) {
  const Job* job = words.empty()
                       ? nullptr
                       : llvm::find_if(jobs, [&](const Job& j) { return j.name == words[0]; });
  if (!job || job == std::end(jobs))
    return tl::make_unexpected(std::string("gluond-amdgpu does not know this job"));
  for (size_t i = 1; i + 1 < words.size(); i += 2) {
    if (words[i] == backend::amd::jobs::chipFlag)
      request.chip = chips::findChip(words[i + 1]);
    else if (words[i] == backend::amd::jobs::libraryFlag)
      request.libraries.push_back(words[i + 1].str());
    else if (words[i] == backend::amd::jobs::fusionFlag)
      request.fusesMultiplyAdd = words[i + 1] == "true";
    else
      return tl::make_unexpected("gluond-amdgpu does not know the option '" + words[i].str() + "'");
  }
  if (!request.chip || request.chip->vendor() != chips::Vendor::Amd ||
      request.chip->processor.empty())
    return tl::make_unexpected("gluond-amdgpu needs " + backend::amd::jobs::chipFlag.str() +
                               " with one of AMD's chips");
  return job;
}

Result answer(llvm::StringRef words, llvm::StringRef input) {
  llvm::SmallVector<llvm::StringRef> list;
  words.split(list, backend::amd::jobs::endOfWord);
  list.pop_back(); // after the last end
  Request request;
  auto job = read(list, request);
  if (!job) return tl::make_unexpected(job.error());
  request.input = input;
  return (*job)->run(request);
}

// Returns false after the time without a job that ends the program.
bool waitForJob(int socket) {
  pollfd job{socket, POLLIN, 0};
  constexpr std::chrono::milliseconds time = backend::amd::jobs::idleTime;
  int ready = 0;
  while ((ready = ::poll(&job, 1, static_cast<int>(time.count()))) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

// A kernel's memory stays for the next one, which takes less time than the system's pages would.
void keepMemory() {
#ifdef __GLIBC__
  constexpr int largest = 1 << 25, always = 1 << 30, step = 1 << 22;
  ::mallopt(M_MMAP_THRESHOLD, largest);
  ::mallopt(M_TRIM_THRESHOLD, always);
  ::mallopt(M_TOP_PAD, step);
#endif
}
// But not that of a very large one.
bool hasMuchMemory() {
  rusage used{};
  constexpr long mostKilobytes = 400'000;
  return ::getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss > mostKilobytes;
}

int serve(int socket) {
  keepMemory();
  while (waitForJob(socket)) {
    std::optional<std::string> words = backend::amd::receiveMessage(socket),
                               input = words ? backend::amd::receiveMessage(socket) : std::nullopt;
    if (!input) break;
    Result result = answer(*words, *input);
    std::string message(1, result ? backend::amd::jobs::made : backend::amd::jobs::failed);
    message += result ? *result : result.error();
    if (!backend::amd::sendMessage(socket, message) || hasMuchMemory()) break;
  }
  return 0;
}

bool isSocket(int file) {
  struct stat status{};
  return ::fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

} // namespace

} // namespace gluond::amdgpu

int main(int count, char** values) {
  using namespace gluond;
  if (count == 2 && llvm::StringRef(values[1]) == "--version") {
    llvm::outs() << "gluond-amdgpu " << GLUOND_VERSION << "\n";
    return 0;
  }
  if (count > 1 || !amdgpu::isSocket(backend::amd::jobs::connection)) {
    llvm::errs() << "gluond-amdgpu is run by gluond, which compiles for AMD's GPUs with it; "
                    "gluond-amdgpu --version prints its version\n";
    return 1;
  }
  return amdgpu::serve(backend::amd::jobs::connection);
}
