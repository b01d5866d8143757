#include "layout/access/SharedAccess.h"

#include "chips/MemorySizes.h"
#include "layout/access/Phases.h"
#include "layout/access/TransposedAccess.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <numeric>

namespace gluond::layout {

BankModel banksOf(llvm::StringRef target) {
  using chips::Feature;
  const chips::Chip* chip = chips::findChip(target);
  chips::Features features = chips::featuresOf(target);
  return {chip ? chip->banks : chips::Banks(), features.has(Feature::LoadMatrix),
          features.has(Feature::StoreMatrix), chips::capabilityOf(target) != 0, chip};
}

// A slice of a buffer has fewer elements than the layout of the buffer.
static LinearLayout grownTo(const LinearLayout& shared, LinearLayout registers) {
  for (DimBits out : shared.outs())
    if (registers.hasOut(out.dim) && registers.outSize(out.dim) < out.size())
      registers = registers.growOut(out.dim, out.size());
  return registers;
}

std::optional<LinearLayout> threadOffsets(const LinearLayout& registers,
                                          const LinearLayout& shared) {
  auto offsets = grownTo(shared, registers.removeZeroBases(Dim::Register)).invertAndCompose(shared);
  if (!offsets || !offsets->hasOut(Dim::Offset)) return std::nullopt;
  return offsets->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
}

VectorAccess widestSharedAccess(const LinearLayout& toOffsets, unsigned elementBits,
                                std::optional<int64_t> most, const Padding& padding) {
  int64_t limit =
      most.value_or(std::max<int64_t>(1, 8 * chips::widestAccessBytes / std::max(elementBits, 1u)));
  f2::Columns registers = toOffsets.columns(Dim::Register);
  VectorAccess best{1, {}};
  best.registerBits.resize(registers.size());
  std::iota(best.registerBits.begin(), best.registerBits.end(), 0u);
  if (!toOffsets.hasOut(Dim::Offset)) return best;
  unsigned shift = toOffsets.outShift(Dim::Offset);
  for (int64_t elements = llvm::bit_floor(static_cast<uint64_t>(limit)); elements > 1;
       elements /= 2) {
    // Some register bit must step to each of the next offsets 1, 2, 4, .. and nothing else may
    // touch those bits.
    llvm::SmallVector<unsigned, 8> bits;
    uint64_t used = 0;
    for (int64_t step = 1; step < elements; step *= 2)
      for (unsigned i = 0; i < registers.size(); ++i)
        if (!(used >> i & 1) && registers[i] == static_cast<uint64_t>(step) << shift) {
          bits.push_back(i);
          used |= uint64_t(1) << i;
          break;
        }
    if (int64_t(1) << bits.size() != elements || !padding.keeps(elements)) continue;
    if (most && used != (uint64_t(1) << bits.size()) - 1) continue;
    uint64_t others = 0;
    for (DimBits in : toOffsets.ins())
      for (auto [i, column] : llvm::enumerate(toOffsets.columns(in.dim)))
        if (in.dim != Dim::Register || !(used >> i & 1)) others |= column;
    if (others >> shift & static_cast<uint64_t>(elements - 1)) continue;
    for (unsigned i = 0; i < registers.size(); ++i)
      if (!(used >> i & 1)) bits.push_back(i);
    return {elements, bits};
  }
  return best;
}

llvm::SmallVector<unsigned, 64> Phase::ofLanes(unsigned laneBits) const {
  constexpr unsigned none = ~0u;
  llvm::SmallVector<unsigned, 64> numbers(size_t{1} << laneBits, none);
  unsigned next = 0;
  for (unsigned first = 0; first < numbers.size(); ++first) {
    if (numbers[first] != none) continue;
    llvm::SmallVector<unsigned, 64> together{first};
    for (unsigned difference : lanes)
      for (size_t i = together.size(); i-- > 0;)
        together.push_back(together[i] ^ difference);
    for (unsigned lane : together)
      numbers[lane] = next;
    ++next;
  }
  return numbers;
}

Phase phaseOf(const BankModel& model, unsigned laneBits, int64_t bytes, bool isStore) {
  const chips::LoadPhases* own = llvm::find_if(
      model.banks.loads, [&](const chips::LoadPhases& each) { return each.bytes == bytes; });
  bool hasOwn = !isStore && own != model.banks.loads.end();
  Phase phase{hasOwn ? own->banks : model.banks.count, {}};
  if (hasOwn && llvm::all_of(own->lanes, [&](unsigned lane) { return lane >> laneBits == 0; }))
    phase.lanes.assign(own->lanes.begin(), own->lanes.end());
  auto words = static_cast<unsigned>(std::max<int64_t>(1, bytes / 4));
  if (phase.lanes.empty())
    for (unsigned bit = 0; bit < laneBits && words << bit < phase.banks; ++bit)
      phase.lanes.push_back(1u << bit);
  return phase;
}

OrError<SharedAccessCost> sharedAccessCost(const LinearLayout& registers,
                                           const LinearLayout& shared, unsigned elementBits,
                                           const BankModel& model, bool isStore) {
  if (!registers.valid() || !shared.valid() || !registers.hasIn(Dim::Register) ||
      !registers.hasIn(Dim::Lane) || !shared.hasIn(Dim::Offset) || elementBits == 0)
    return misfit("layout", "must be a distributed and a shared layout");
  LinearLayout unique = grownTo(shared, registers.removeZeroBases(Dim::Register));
  std::optional<LinearLayout> toOffsets = unique.invertAndCompose(shared);
  if (!toOffsets) return misfit("shape", "the two layouts are not of the same tensor");
  SharedAccessCost cost;
  cost.elements = widestSharedAccess(*toOffsets, elementBits).elements;
  // Offsets are elements of one access, then banks, then rows of banks ("segments"). Two lanes of a
  // phase collide when their offsets differ by rows only: the conflict is the space that the
  // phase's lanes and the rows have in common.
  unsigned inAccess = llvm::Log2_64(static_cast<uint64_t>(cost.elements));
  uint64_t accessBits = static_cast<uint64_t>(cost.elements) * elementBits;
  Phase phase =
      phaseOf(model, registers.inBits(Dim::Lane), static_cast<int64_t>(accessBits / 8), isStore);
  uint64_t bitsPerRow = static_cast<uint64_t>(phase.banks) * 8 * chips::bankBytes;
  unsigned banks = accessBits < bitsPerRow ? llvm::Log2_64(bitsPerRow / accessBits) : 0;
  f2::Columns offsets = shared.columns();
  if (inAccess + banks >= offsets.size()) return cost;
  f2::Columns rows = offsets.drop_front(inAccess + banks);
  f2::ColumnVector lanes;
  bool same = unique.outs() == shared.outs();
  LinearLayout ordered = same ? unique : unique.transposeOuts(shared.outDims());
  if (!ordered.valid()) return misfit("shape", "the two layouts are not of the same tensor");
  for (unsigned lane : phase.lanes)
    lanes.push_back(f2::multiply(ordered.columns(Dim::Lane), lane));
  unsigned common =
      static_cast<unsigned>(f2::intersection(rows, lanes, shared.totalOutBits()).size());
  cost.conflicts = (int64_t(1) << common) - 1;
  return cost;
}

namespace {
// The instructions of one warp between registers and a buffer, one by one.
struct SharedPlan {
  LinearLayout toOffsets; // its registers in the order of the instructions
  const PaddedShared* padding = nullptr;
  std::string instruction;
  int64_t elements = 1, instructions = 1; // of one lane's address
  int64_t registers = 1;                  // inputs of `toOffsets` from an instruction to the next
  int64_t moved = 1;                      // elements of one lane in one instruction
  unsigned laneBits = 0;
  Phase phase;
  int64_t elementBytes = 1;

  int64_t wordsPerAccess() const { return std::max<int64_t>(1, elements * elementBytes / 4); }
  int64_t byteOf(int64_t instruction, uint64_t lane, unsigned warp) const {
    Coordinates place =
        toOffsets.apply({{Dim::Register, static_cast<uint64_t>(instruction * registers)},
                         {Dim::Lane, lane},
                         {Dim::Warp, warp}});
    int64_t offset = place.front();
    return (padding ? paddedOffset(*padding, offset) : offset) * elementBytes;
  }
};

// The offsets within a CTA's own memory; nullopt if elements are in other CTAs' memory.
std::optional<LinearLayout> offsetsInCta(const LinearLayout& toOffsets) {
  if (toOffsets.hasOut(Dim::Block) && toOffsets.outBits(Dim::Block) &&
      !toOffsets.isTrivialOver({Dim::Block}))
    return std::nullopt;
  return toOffsets.sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
}

// Where a lane names the address of a row or run, and gets elements of several: fills in the plan,
// or returns false if each lane moves its own elements.
bool planRows(SharedPlan& plan, const LinearLayout& toOffsets, unsigned elementBits,
              const Padding& padding, bool isStore, const BankModel& model) {
  auto offsets = offsetsInCta(toOffsets);
  if (!offsets) return false;
  std::optional<MatrixAccess> rows;
  if (model.hasMatrices(isStore) && (rows = matrixAccess(*offsets, elementBits, padding))) {
    constexpr int64_t rowBytes = 16, wordBytes = 4;
    plan.instruction = rows->name(isStore);
    plan.elements = rowBytes / plan.elementBytes;
    plan.moved = wordBytes * rows->matrices() / plan.elementBytes;
    plan.laneBits = 3 + rows->matrixBits;
    plan.phase.lanes = {1, 2, 4}; // the rows of a matrix
  } else if (const TransposedLoad* load =
                 model.chip && !isStore ? transposedLoadOf(*model.chip, elementBits) : nullptr;
             load && (rows = transposedAccess(*offsets, *load, padding))) {
    plan.instruction = load->name.str();
    plan.elements = int64_t(1) << load->runBits;
    plan.moved = int64_t(1) << load->resultBits;
    plan.laneBits = rows->rows.inBits(Dim::Lane);
    plan.phase = phaseOf(model, plan.laneBits, plan.elements * plan.elementBytes, isStore);
  } else {
    return false;
  }
  plan.toOffsets = rows->rows;
  plan.instructions = plan.toOffsets.inSize(Dim::Register);
  return true;
}

OrError<SharedPlan> planShared(const Layout& registers, const Layout& shared,
                               const MemoryView& view, bool isStore, const BankModel& model) {
  unsigned elementBits = view.elementBits;
  OrError<LinearLayout> from = toLinearLayout(registers, view.shape);
  if (!from) return tl::make_unexpected(from.error());
  OrError<LinearLayout> to = viewToLinearLayout(shared, view);
  if (!to) return tl::make_unexpected(to.error());
  if (!registers.isDistributed() || !shared.isShared() || elementBits < 8)
    return misfit("layout", "must be a distributed and a shared layout");
  LinearLayout unique = grownTo(*to, from->removeZeroBases(Dim::Register));
  std::optional<LinearLayout> toOffsets = unique.invertAndCompose(*to);
  if (!toOffsets) return misfit("shape", "the two layouts are not of the same tensor");
  if (unique.inBits(Dim::Register) + unique.inBits(Dim::Lane) > 20)
    return misfit("shape", "the layout is too large to count its accesses");

  SharedPlan plan;
  plan.padding = shared.as<PaddedShared>();
  plan.elementBytes = std::max<int64_t>(1, elementBits / 8);
  if (planRows(plan, *toOffsets, elementBits, paddingOf(shared), isStore, model)) return plan;
  VectorAccess access = widestSharedAccess(*toOffsets, elementBits, {}, paddingOf(shared));
  plan.elements = plan.registers = plan.moved = access.elements;
  plan.toOffsets = toOffsets->selectBits(Dim::Register, access.registerBits);
  plan.instructions = plan.toOffsets.inSize(Dim::Register) / plan.elements;
  plan.laneBits = plan.toOffsets.inBits(Dim::Lane);
  plan.phase = phaseOf(model, plan.laneBits, plan.elements * plan.elementBytes, isStore);
  if (model.isNvidia) plan.instruction = isStore ? "st.shared" : "ld.shared";
  return plan;
}
} // namespace

OrError<SharedTraffic> countSharedTraffic(const Layout& registers, const Layout& shared,
                                          const MemoryView& view, bool isStore, unsigned warp,
                                          const BankModel& model) {
  OrError<SharedPlan> plan = planShared(registers, shared, view, isStore, model);
  if (!plan) return tl::make_unexpected(plan.error());
  SharedTraffic traffic;
  traffic.elements = plan->moved;
  traffic.instruction = plan->instruction;
  traffic.instructions = plan->instructions;
  using WordsOfBanks = llvm::SmallDenseMap<int64_t, llvm::SmallVector<int64_t, 4>, 32>;
  llvm::SmallVector<unsigned, 64> phases = plan->phase.ofLanes(plan->laneBits);
  for (int64_t instruction = 0; instruction < plan->instructions; ++instruction) {
    llvm::SmallVector<WordsOfBanks, 8> ofPhases(phases.size() >> plan->phase.lanes.size());
    for (auto [lane, phase] : llvm::enumerate(phases)) {
      int64_t first = plan->byteOf(instruction, lane, warp) / 4;
      for (int64_t word = first; word < first + plan->wordsPerAccess(); ++word) {
        auto& words = ofPhases[phase][word % plan->phase.banks];
        if (!llvm::is_contained(words, word)) words.push_back(word);
      }
    }
    for (const WordsOfBanks& wordsOfBank : ofPhases) {
      size_t most = 0;
      for (const auto& [bank, words] : wordsOfBank)
        most = std::max(most, words.size());
      traffic.wavefronts += static_cast<int64_t>(most);
      ++traffic.least;
    }
  }
  return traffic;
}

OrError<SharedInstruction> sharedInstruction(const Layout& registers, const Layout& shared,
                                             const MemoryView& view, bool isStore, unsigned warp,
                                             int64_t instruction, const BankModel& model) {
  OrError<SharedPlan> plan = planShared(registers, shared, view, isStore, model);
  if (!plan) return tl::make_unexpected(plan.error());
  if (instruction < 0 || instruction >= plan->instructions)
    return misfit("instruction", "is not below ", plan->instructions);
  OrError<LinearLayout> to = viewToLinearLayout(shared, view);
  // Rows of matrices lie in the memory of one CTA.
  if (!plan->toOffsets.hasOut(Dim::Block)) *to = to->sublayout({Dim::Offset}, to->outDims());
  LinearLayout elements = plan->toOffsets.compose(*to);
  SharedInstruction result;
  result.bytes = plan->elements * plan->elementBytes;
  result.banks = plan->phase.banks;
  result.phases = plan->phase.ofLanes(plan->laneBits);
  for (uint64_t lane = 0; lane < result.phases.size(); ++lane) {
    result.addresses.push_back(plan->byteOf(instruction, lane, warp));
    result.elements.push_back(
        elements.apply({{Dim::Register, static_cast<uint64_t>(instruction * plan->registers)},
                        {Dim::Lane, lane},
                        {Dim::Warp, warp}}));
  }
  return result;
}

} // namespace gluond::layout
