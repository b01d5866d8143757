// Writes the files that `check --fix` changes. `check` gives up the right to write before it reads
// a user's program (Sandbox.h); a process started before that, which reads no program, writes for
// it, and only the files that the command line named or found.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <sys/types.h>
#include <vector>

namespace gluond::cli {

class FixWriter {
public:
  // `paths` are absolute: the files that may be written.
  explicit FixWriter(const std::vector<std::string>& paths);
  ~FixWriter();
  FixWriter(const FixWriter&) = delete;
  FixWriter& operator=(const FixWriter&) = delete;

  // Replaces the text of paths[index]. Failures are reported on standard error.
  void write(size_t index, llvm::StringRef text);
  // Returns false if something could not be written.
  bool finish();

private:
  pid_t process_ = -1;
  int pipe_ = -1;
  bool isFine_ = true;
};

} // namespace gluond::cli
