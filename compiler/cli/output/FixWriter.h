// Writes what `check --fix` makes of files. `check` gives up writing before it reads anybody's
// program (Sandbox.h); a process that was started before that, and reads none, writes for it, and
// only the files that the command line named or found.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <sys/types.h>
#include <vector>

namespace gluond::cli {

class FixWriter {
public:
  // `paths`: absolute; the files that may be written.
  explicit FixWriter(const std::vector<std::string>& paths);
  ~FixWriter();
  FixWriter(const FixWriter&) = delete;
  FixWriter& operator=(const FixWriter&) = delete;

  // Replaces the text of paths[index]. What cannot be written is said on standard error.
  void write(size_t index, llvm::StringRef text);
  // False: something could not be written.
  bool finish();

private:
  pid_t process_ = -1;
  int pipe_ = -1;
  bool isFine_ = true;
};

} // namespace gluond::cli
