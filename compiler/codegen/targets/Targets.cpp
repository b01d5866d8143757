#include "codegen/targets/Targets.h"

#include "codegen/suggestions/Suggest.h"
#include "codegen/targets/Target.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::codegen {

llvm::ArrayRef<KnownTarget> knownTargets() {
  static constexpr KnownTarget rows[] = {
      {"cuda:70", "Volta V100"},
      {"cuda:75", "Turing T4"},
      {"cuda:80", "Ampere A100"},
      {"cuda:86", "Ampere A10 A40"},
      {"cuda:87", "Ampere Orin"},
      {"cuda:89", "Ada L4 L40"},
      {"cuda:90", "Hopper H100 H200 GH200"},
      {"cuda:100", "Blackwell B100 B200 GB200"},
      {"cuda:101", "Blackwell Thor"},
      {"cuda:103", "Blackwell B300 GB300"},
      {"cuda:107", "Rubin"},
      {"cuda:110", "Blackwell Thor"},
      {"cuda:120", "Blackwell RTX"},
      {"cuda:121", "Blackwell Spark"},
      {"hip:gfx908", "CDNA1 MI100"},
      {"hip:gfx90a", "CDNA2 MI200 MI250"},
      {"hip:gfx942", "CDNA3 MI300 MI300X MI325"},
      {"hip:gfx942-strict", "CDNA3"},
      {"hip:gfx950", "CDNA4 MI350 MI355"},
      {"hip:gfx1100", "RDNA3"},
      {"hip:gfx1101", "RDNA3"},
      {"hip:gfx1102", "RDNA3"},
      {"hip:gfx1150", "RDNA3"},
      {"hip:gfx1151", "RDNA3"},
      {"hip:gfx1200", "RDNA4"},
      {"hip:gfx1201", "RDNA4"},
      {"hip:gfx1250", "CDNA5 MI400 MI450"},
  };
  return rows;
}

// A chip's or an architecture's name, sm_90, 90, gfx942, or a misspelt target.
static llvm::StringRef targetMeantBy(llvm::StringRef written) {
  llvm::StringRef bare = written.contains(':') ? written.split(':').second : written;
  bare.consume_front("sm_") || bare.consume_front("sm");
  bare.consume_back("a");
  for (const KnownTarget& row : knownTargets()) {
    llvm::SmallVector<llvm::StringRef, 4> chips;
    row.chips.split(chips, ' ');
    bool isChip =
        llvm::any_of(chips, [&](llvm::StringRef chip) { return chip.equals_insensitive(written); });
    if (isChip || row.name.split(':').second == bare) return row.name;
  }
  Nearest nearest(written);
  for (const KnownTarget& row : knownTargets())
    nearest.offer(row.name);
  return nearest.name();
}

std::optional<std::string> whyNoTarget(llvm::StringRef name) {
  if (llvm::any_of(knownTargets(), [&](const KnownTarget& row) { return row.name == name; }))
    return std::nullopt;
  std::string why = "there is no target '" + name.str() + "'";
  llvm::StringRef meant = targetMeantBy(name);
  if (!meant.empty()) why += "; did you mean '" + meant.str() + "'?";
  why += " The targets are";
  for (const KnownTarget& row : knownTargets())
    why += (&row == knownTargets().begin() ? " " : ", ") + row.name.str();
  return why;
}

} // namespace gluond::codegen
