#include "codegen/targets/Refusal.h"

namespace gluond::codegen {

std::optional<std::string> tooManyWarps(const Target& target, int64_t warps) {
  unsigned most = chips::mostThreadsPerProgram / target.warpSize;
  if (warps <= most) return std::nullopt;
  return "a CTA of " + target.name() + " has at most " + std::to_string(most) + " warps, " +
         std::to_string(chips::mostThreadsPerProgram) + " threads";
}

std::optional<std::string> refusal(const Target& target, const Options& options) {
  constexpr unsigned mostStages = 1 << 20;
  auto isPower = [](unsigned n) { return n != 0 && (n & (n - 1)) == 0; };
  if (!isPower(options.numWarps))
    return "has num_warps=" + std::to_string(options.numWarps) + ", which is not a power of two";
  if (auto why = tooManyWarps(target, options.numWarps))
    return "has num_warps=" + std::to_string(options.numWarps) + ": " + *why;
  if (!isPower(options.numCtas))
    return "has num_ctas=" + std::to_string(options.numCtas) + ", which is not a power of two";
  if (options.numCtas > chips::mostCtasPerCluster)
    return "has num_ctas=" + std::to_string(options.numCtas) + ": a cluster has at most " +
           std::to_string(chips::mostCtasPerCluster) + " CTAs";
  if (options.numStages > mostStages)
    return "has num_stages=" + std::to_string(options.numStages) + ", but at most " +
           std::to_string(mostStages) + " is allowed";
  return std::nullopt;
}

} // namespace gluond::codegen
