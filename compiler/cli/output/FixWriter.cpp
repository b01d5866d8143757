#include "cli/output/FixWriter.h"

#include "cli/output/Output.h"
#include "files/WriteFile.h"

#include <llvm/Support/FileSystem.h>

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gluond::cli {

namespace {

struct Header {
  uint64_t index, size;
};

bool writeAll(int to, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size) {
    ssize_t written = ::write(to, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool readAll(int from, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size) {
    ssize_t got = ::read(from, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool replace(const std::string& path, llvm::StringRef text) {
  namespace fs = llvm::sys::fs;
  if (fs::is_symlink_file(path)) {
    complain("cannot write '" + path + "': it is a link; name the file that it leads to");
    return false;
  }
  files::NamedPath named = files::namedPath(path);
  auto done = files::replaceFile(named.folder, named.name, text);
  if (!done) complain(done.error());
  return done.has_value();
}

[[noreturn]] void serve(int from, const std::vector<std::string>& paths) {
  constexpr uint64_t mostBytes = uint64_t{64} << 20;
  bool isFine = true;
  for (Header header{}; readAll(from, &header, sizeof header);) {
    if (header.index >= paths.size() || header.size > mostBytes) ::_exit(1);
    std::string text(header.size, '\0');
    if (!readAll(from, text.data(), text.size())) ::_exit(1);
    isFine &= replace(paths[header.index], text);
  }
  ::_exit(isFine ? 0 : 1);
}

} // namespace

FixWriter::FixWriter(const std::vector<std::string>& paths) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[1]);
    serve(ends[0], paths);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
}

FixWriter::~FixWriter() {
  finish();
}

void FixWriter::write(size_t index, llvm::StringRef text) {
  Header header{index, text.size()};
  isFine_ = isFine_ && process_ > 0 && writeAll(pipe_, &header, sizeof header) &&
            writeAll(pipe_, text.data(), text.size());
}

bool FixWriter::finish() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  int status = 0;
  if (process_ > 0 && ::waitpid(process_, &status, 0) == process_)
    isFine_ = isFine_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  process_ = -1;
  return isFine_;
}

} // namespace gluond::cli
