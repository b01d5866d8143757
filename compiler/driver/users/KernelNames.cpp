#include "driver/users/KernelNames.h"

#include "driver/users/Importers.h"
#include "driver/workspace/Imports.h"
#include "support/Allowance.h"

namespace gluond::driver {

std::shared_ptr<const NameScan> scanOf(const Snapshot& snapshot, const File& file) {
  ImportIndex& index = snapshot.cache<ImportIndex>();
  return file.derived<NameScan>([&] {
    std::shared_ptr<const NameScan> before;
    {
      std::lock_guard lock(index.scanMutex);
      before = index.scans.lookup(file.path());
    }
    auto scan = NameScan::of(file.text().text(), before.get());
    if (scan && snapshot.isOpen(file.path())) { // the others do not change with each key
      std::lock_guard lock(index.scanMutex);
      index.scans[file.path()] = scan;
    }
    return scan;
  });
}

std::optional<NameFlow> flowOf(const Snapshot& snapshot, const File& file, NamePool& pool) {
  auto scan = scanOf(snapshot, file);
  if (!scan) return std::nullopt;
  auto index = file.derived<MentionIndex>([&]() -> std::shared_ptr<const MentionIndex> {
    auto made = std::make_shared<const MentionIndex>(*scan);
    return Spending::isSpent() ? nullptr : made;
  });
  if (!index) return std::nullopt;
  return NameFlow(scan, index, pool);
}

// The names by which a file may reach jit functions of the files that it imports.
static Interest importedKernels(const Snapshot& snapshot, const File& file, NamePool& pool) {
  constexpr size_t mostFiles = 64;
  Interest found;
  size_t looked = 0;
  auto isOfKernels = [&](const std::string& module, unsigned level) {
    if (looked == mostFiles || Spending::isSpent()) return false;
    auto imported = findImport(snapshot, file.path(), module, level);
    looked += imported != nullptr;
    return imported && reachesGluon(snapshot, *imported);
  };
  for (const ScannedImport& import : scanOf(snapshot, file)->imports()->imports) {
    bool isWhole = isOfKernels(import.module, import.level);
    if (!import.isFrom && isWhole)
      found.names.insert(pool.number(import.alias.empty()
                                         ? llvm::StringRef(import.module).split('.').first
                                         : llvm::StringRef(import.alias)));
    for (const auto& [name, bound] : import.names)
      if (isWhole ||
          isOfKernels(import.module.empty() ? name : import.module + "." + name, import.level))
        found.names.insert(pool.number(bound));
  }
  return found;
}

std::optional<NameFlow> kernelNames(const Snapshot& snapshot, const File& file, NamePool& pool) {
  std::optional<NameFlow> flow = flowOf(snapshot, file, pool);
  if (!flow) return std::nullopt;
  Interest kernels;
  for (const auto& piece : scanOf(snapshot, file)->pieces()) {
    const ScannedStatement& statement = piece->statement;
    static constexpr llvm::StringLiteral decorators[] = {"jit", ".jit", "constexpr_function",
                                                         ".constexpr_function"};
    if (!statement.isImport &&
        llvm::any_of(decorators, [&](llvm::StringRef each) { return statement.hasMention(each); }))
      for (llvm::StringRef name : statement.binds)
        kernels.names.insert(pool.number(name));
  }
  // The names of a file that only launches kernels follow from those that it imports.
  if (kernels.empty()) kernels = importedKernels(snapshot, file, pool);
  flow->add(kernels);
  return flow;
}

} // namespace gluond::driver
