#include "driver/users/NameFlow.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>

namespace gluond::driver {

namespace {

// A mention is "name", or ".member" and "'text" for what may be a member.
bool isOfMember(llvm::StringRef mention) {
  return mention.front() == '.' || mention.front() == '"' || mention.front() == '\'';
}

uint32_t hashOf(llvm::StringRef name, bool isMember) {
  return static_cast<uint32_t>(llvm::xxh3_64bits(name)) ^ (isMember ? 0x9E3779B9u : 0);
}

} // namespace

bool Interest::covers(llvm::StringRef mention, const NamePool& pool) const {
  bool isMember = isOfMember(mention);
  std::optional<uint32_t> name = pool.find(isMember ? mention.drop_front() : mention);
  return name && (isMember ? members : names).contains(*name);
}

MentionIndex::MentionIndex(const NameScan& scan) {
  for (const auto& [i, piece] : llvm::enumerate(scan.pieces())) {
    if (piece->statement.isImport) continue;
    for (llvm::StringRef mention : piece->statement.mentions) {
      bool isMember = isOfMember(mention);
      statements_.emplace_back(hashOf(isMember ? mention.drop_front() : mention, isMember),
                               static_cast<uint32_t>(i));
    }
  }
  llvm::sort(statements_);
  statements_.erase(std::unique(statements_.begin(), statements_.end()), statements_.end());
  statements_.shrink_to_fit();
}

void MentionIndex::forEachOf(llvm::StringRef name, bool isMember,
                             llvm::function_ref<void(uint32_t)> visit) const {
  uint32_t hash = hashOf(name, isMember);
  for (auto it = llvm::lower_bound(statements_, std::pair(hash, uint32_t{0}));
       it != statements_.end() && it->first == hash; ++it)
    visit(it->second);
}

void NameFlow::leaveOut(llvm::StringRef name) {
  for (const auto& [i, piece] : llvm::enumerate(scan_->pieces()))
    if (llvm::is_contained(piece->statement.binds, name)) isUsing_.set(static_cast<unsigned>(i));
}

bool NameFlow::add(const Interest& names) {
  std::vector<std::pair<uint32_t, bool>> todo; // names of all_, and whether members
  auto include = [&](uint32_t name, bool isMember) {
    if (!(isMember ? all_.members : all_.names).insert(name)) return;
    (isMember ? new_.members : new_.names).insert(name);
    todo.emplace_back(name, isMember);
  };
  names.names.forEachBeside(all_.names, [&](uint32_t name) { include(name, false); });
  names.members.forEachBeside(all_.members, [&](uint32_t name) { include(name, true); });
  bool isGrowing = !todo.empty();
  while (!todo.empty()) {
    auto [name, isMember] = todo.back();
    todo.pop_back();
    index_->forEachOf(pool_->text(name), isMember, [&](uint32_t i) {
      const ScannedStatement& statement = scan_->pieces()[i]->statement;
      if (isUsing_.test(i) || llvm::none_of(statement.mentions, [&](llvm::StringRef mention) {
            return all_.covers(mention, *pool_);
          }))
        return;
      isUsing_.set(i);
      isRun_ |= statement.isRun;
      for (llvm::StringRef bound : statement.binds)
        include(pool_->number(bound), false);
    });
  }
  return isGrowing;
}

} // namespace gluond::driver
