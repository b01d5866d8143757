#include "lints/access/LayoutSearch.h"

#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "support/Allowance.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <limits>
#include <numeric>
#include <tuple>

namespace gluond::lints {

using layout::Blocked;
using layout::Layout;

namespace {

std::optional<layout::LinearLayout> linear(const Layout& layout, mlir::ArrayRef<int64_t> shape) {
  auto result = layout::toLinearLayout(layout, shape);
  return result ? std::optional(*result) : std::nullopt;
}

// A matrix's layout with its dimensions swapped.
Layout transposed(const Layout& layout) {
  layout::SwizzledShared fields = *layout.as<layout::SwizzledShared>();
  for (unsigned& dim : fields.order)
    dim = 1 - dim;
  auto result = Layout::make(fields);
  return result ? *result : layout;
}

// Whether an access with this layout touches at most this percentage of the sectors that it needs.
bool touches(const Layout& layout, const GlobalAccess& access, const Strides& strides,
             int64_t percent) {
  auto registers = linear(layout, access.type.getShape());
  if (!registers) return false;
  auto cost = costUnder(*registers, access, strides, chips::widestAccessBytes);
  return cost && cost->sectors * 100 <= cost->leastSectors * percent;
}

} // namespace

bool isCoalesced(const Layout& layout, const GlobalAccess& access, const Strides& strides) {
  return touches(layout, access, strides, 120);
}

std::optional<Layout> coalescedLayout(const Layout& now, const GlobalAccess& access,
                                      const Strides& strides) {
  auto* blocked = now.as<Blocked>();
  if (!blocked) return std::nullopt;
  auto shape = access.type.getShape();
  size_t rank = shape.size();
  // The dimensions by stride.
  layout::Order order(rank);
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    if (distance(strides[a]) != distance(strides[b]))
      return distance(strides[a]) < distance(strides[b]);
    return a > b;
  });
  auto make = [&](Blocked fields, int64_t percent = 120) -> std::optional<Layout> {
    auto layout = Layout::make(std::move(fields));
    if (!layout || !touches(*layout, access, strides, percent)) return std::nullopt;
    return *layout;
  };
  auto product = [](const layout::Ints& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
  };
  int64_t threads = product(blocked->threadsPerWarp), warps = product(blocked->warpsPerCTA);
  int64_t elements = access.type.getNumElements(), bytes = std::max(1u, access.elementBits / 8);
  // The numbers of elements that a thread can hold along the contiguous dimension.
  int64_t own = std::clamp<int64_t>(elements / (threads * warps), 1, shape[order[0]]);
  auto isNarrow = [&](const Blocked& fields) {
    return fields.sizePerThread[order[0]] * bytes < std::min(narrowBytes, own * bytes);
  };
  // The same tile with its fastest dimension changed to the contiguous one or, if its order is
  // right, with other sizes exchanged. The block must be large enough: lanes that hold copies touch
  // few sectors, too.
  Blocked turned = *blocked;
  turned.order = order;
  std::optional<Blocked> turnedFirst;
  layout::Order by = blocked->order;
  llvm::SmallVector<unsigned, 4> exchange(rank);
  std::iota(exchange.begin(), exchange.end(), 0u);
  do {
    for (size_t i = 0; i < rank; ++i) {
      unsigned from = by[exchange[i]];
      turned.sizePerThread[order[i]] = blocked->sizePerThread[from];
      turned.threadsPerWarp[order[i]] = blocked->threadsPerWarp[from];
      turned.warpsPerCTA[order[i]] = blocked->warpsPerCTA[from];
    }
    if (!turnedFirst) turnedFirst = turned;
    bool fits = llvm::all_of(llvm::seq<size_t>(0, rank), [&](size_t dim) {
      return int64_t(turned.sizePerThread[dim]) * turned.threadsPerWarp[dim] *
                 turned.warpsPerCTA[dim] <=
             shape[dim];
    });
    if (!fits || isNarrow(turned)) continue;
    if (auto layout = make(turned)) return layout;
  } while (rank <= 4 && std::next_permutation(exchange.begin(), exchange.end()));
  // Lanes first along the contiguous dimension, then along the next ones.
  Blocked built = *blocked;
  built.order = order;
  std::optional<Blocked> widest;
  for (int64_t wide = std::clamp<int64_t>(elements / (threads * warps), 1,
                                          std::max<int64_t>(1, chips::widestAccessBytes / bytes));
       wide >= 1; wide /= 2) {
    int64_t lanesLeft = threads, warpsLeft = warps;
    for (size_t i = 0; i < rank; ++i) {
      unsigned dim = order[i];
      int64_t size = shape[dim], own = i == 0 ? std::min(wide, size) : 1;
      bool isLast = i + 1 == rank;
      int64_t lanes = isLast ? lanesLeft : std::min(lanesLeft, std::max<int64_t>(1, size / own));
      int64_t groups =
          isLast ? warpsLeft : std::min(warpsLeft, std::max<int64_t>(1, size / (own * lanes)));
      built.sizePerThread[dim] = static_cast<int32_t>(own);
      built.threadsPerWarp[dim] = static_cast<int32_t>(lanes);
      built.warpsPerCTA[dim] = static_cast<int32_t>(groups);
      lanesLeft /= lanes;
      warpsLeft /= groups;
    }
    if (isNarrow(built)) continue;
    if (auto layout = make(built)) return layout;
    if (!widest) widest = built;
  }
  // Short rows that begin in the middle of a sector cost less than narrow accesses do.
  if (widest)
    if (auto layout = make(*widest, 200)) return layout;
  return make(*turnedFirst); // with lanes that hold copies
}

std::optional<Layout> fittedLayout(const Layout& now, llvm::ArrayRef<int64_t> shape) {
  auto* blocked = now.as<Blocked>();
  if (!blocked) return std::nullopt;
  Blocked fitted = *blocked;
  size_t rank = shape.size();
  auto extent = [&](size_t dim) {
    return int64_t(fitted.sizePerThread[dim]) * fitted.threadsPerWarp[dim] *
           fitted.warpsPerCTA[dim];
  };
  for (size_t dim = 0; dim < rank; ++dim)
    for (auto* sizes : {&fitted.warpsPerCTA, &fitted.threadsPerWarp})
      while (extent(dim) > shape[dim] && (*sizes)[dim] > 1) {
        size_t other = 0;
        while (other < rank && (other == dim || extent(other) * 2 > shape[other]))
          ++other;
        if (other == rank) return std::nullopt;
        (*sizes)[dim] /= 2;
        (*sizes)[other] *= 2;
      }
  for (size_t dim = 0; dim < rank; ++dim)
    if (extent(dim) > shape[dim]) return std::nullopt;
  auto layout = Layout::make(fitted);
  return layout ? std::optional(*layout) : std::nullopt;
}

std::optional<Layout> conflictFreeLayout(const Layout& now,
                                         llvm::ArrayRef<SharedMemoryAccess> accesses,
                                         llvm::StringRef target) {
  auto* swizzled = now.as<layout::SwizzledShared>();
  if (!swizzled) return std::nullopt;
  // Accesses of the same kind cost the same.
  struct Kind {
    const SharedMemoryAccess* access;
    int64_t count;
  };
  llvm::SmallVector<Kind, 8> kinds;
  llvm::DenseMap<std::tuple<mlir::Type, mlir::Type, unsigned>, size_t> known;
  for (const SharedMemoryAccess& access : accesses) {
    unsigned direction = access.isStore * 2 + access.isTransposed;
    auto [at, isNew] =
        known.try_emplace({access.registers, access.memory, direction}, kinds.size());
    if (isNew)
      kinds.push_back({&access, 1});
    else
      ++kinds[at->second].count;
  }
  // Wavefronts of all accesses together, each weighed by how many instructions its width takes; of
  // equal ones those with fewer instructions.
  using Cost = std::pair<int64_t, int64_t>;
  Cost best{std::numeric_limits<int64_t>::max(), 0};
  // Returns nullopt as soon as the layout is no better than the best one.
  auto cost = [&](const Layout& layout) -> std::optional<Cost> {
    Cost sum{0, 0};
    for (auto [access, count] : kinds) {
      auto bank = bankCost(*access, access->isTransposed ? transposed(layout) : layout, target);
      if (!bank) continue;
      int64_t instructions = chips::widestAccessBytes / std::max<int64_t>(1, bank->bytes);
      sum.first += (bank->conflicts + 1) * instructions * count *
                   std::max<int64_t>(1, bank->bytes / chips::bankBytes);
      sum.second += instructions * count;
      if (sum >= best) return std::nullopt;
    }
    return sum;
  };
  if (auto own = cost(now)) best = *own;
  std::optional<Layout> found;
  for (unsigned vec = 1; vec <= 16; vec *= 2)
    for (unsigned perPhase = 1; perPhase <= 8; perPhase *= 2)
      for (unsigned maxPhase = 2; maxPhase <= 32; maxPhase *= 2) {
        layout::SwizzledShared candidate = *swizzled;
        candidate.vec = vec;
        candidate.perPhase = perPhase;
        candidate.maxPhase = maxPhase;
        auto layout = Layout::make(candidate);
        if (!layout || Spending::isSpent()) continue;
        if (auto better = cost(*layout)) {
          best = *better;
          found = *layout;
        }
      }
  return found;
}

} // namespace gluond::lints
