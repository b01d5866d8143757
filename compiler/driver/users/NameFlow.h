// How names depend on each other within one file: a name that a statement binds depends on all that
// the statement mentions.
#pragma once

#include "driver/users/NameScan.h"
#include "driver/users/NameSet.h"

#include <llvm/ADT/BitVector.h>

#include <memory>
#include <utility>
#include <vector>

namespace gluond::driver {

// Names that a file binds, and names that it can only reach as members of an imported module.
struct Interest {
  NameSet names, members;

  bool empty() const { return names.empty() && members.empty(); }
  // Returns whether a mention of ScannedStatement is one of these names.
  bool covers(llvm::StringRef mention, const NamePool& pool) const;
};

// The statements of a file by what they mention. It is small: most files of a project have one.
class MentionIndex {
public:
  explicit MentionIndex(const NameScan& scan);

  // Visits the statements, but for imports, that may mention the name, as one of the file or as a
  // member; rarely also another one.
  void forEachOf(llvm::StringRef name, bool isMember,
                 llvm::function_ref<void(uint32_t statement)> visit) const;

private:
  std::vector<std::pair<uint32_t, uint32_t>> statements_; // by the hash of the mention
};

// The names of interest of one file, which grow: each statement is looked at once for each new name
// that it mentions, however often names are added.
class NameFlow {
public:
  // `pool` has the names of all flows that give each other names, and outlives them.
  NameFlow(std::shared_ptr<const NameScan> scan, std::shared_ptr<const MentionIndex> index,
           NamePool& pool)
      : scan_(std::move(scan)), index_(std::move(index)), pool_(&pool),
        isUsing_(scan_->pieces().size()) {}

  // Adds names, and all that depend on them. Returns whether there was a new one.
  bool add(const Interest& names);
  // The statements that bind the name pass nothing on.
  void leaveOut(llvm::StringRef name);
  const Interest& all() const { return all_; }
  // Whether the file has a name of interest of this text.
  bool hasName(llvm::StringRef name) const {
    std::optional<uint32_t> number = pool_->find(name);
    return number && all_.names.contains(*number);
  }
  // Returns the names that were added since the last call.
  Interest takeNew() { return std::exchange(new_, {}); }
  // Whether a statement besides imports mentions one of the names.
  bool isUsed() const { return isUsing_.any(); }
  bool uses(unsigned statement) const { return isUsing_.test(statement); }
  // Whether one of these statements is run (ScannedStatement::isRun).
  bool isRun() const { return isRun_; }

private:
  std::shared_ptr<const NameScan> scan_;
  std::shared_ptr<const MentionIndex> index_;
  NamePool* pool_;
  Interest all_, new_;
  bool isRun_ = false;
  llvm::BitVector isUsing_; // the statements that mention a name of interest
};

} // namespace gluond::driver
