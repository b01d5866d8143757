#include "ir/ttg/ops/BlockedReshape.h"

#include <llvm/ADT/SmallVector.h>

#include <numeric>

using namespace mlir;

namespace gluond::ttg {

namespace {

// Runs of source and result dimensions of equal size: a reshape merges and splits within each.
struct Chunk {
  SmallVector<unsigned> from, to;
};

// Ones join the chunk before them; nothing if the shapes do not fit together.
SmallVector<Chunk> chunksOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<Chunk> chunks(1);
  size_t i = 0, j = 0;
  int64_t sizeFrom = 1, sizeTo = 1;
  while (i < from.size() || j < to.size()) {
    if (sizeFrom < sizeTo || (i < from.size() && (sizeFrom == 1 || from[i] == 1))) {
      if (i == from.size()) return {};
      sizeFrom *= from[i];
      chunks.back().from.push_back(static_cast<unsigned>(i++));
    } else if (sizeTo < sizeFrom || (j < to.size() && to[j] == 1)) {
      if (j == to.size()) return {};
      sizeTo *= to[j];
      chunks.back().to.push_back(static_cast<unsigned>(j++));
    } else {
      chunks.emplace_back();
      sizeFrom = sizeTo = 1;
    }
  }
  return chunks;
}

SmallVector<unsigned> inverse(ArrayRef<unsigned> order) {
  SmallVector<unsigned> result(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    result[dim] = static_cast<unsigned>(i);
  return result;
}

// The tile sizes of a level (registers, lanes, warps) must use up the minor dimensions of a chunk
// before the major ones; only the most major one may be larger than the rest of it.
bool fillsFromMinor(const Chunk& chunk, ArrayRef<unsigned> tile,
                    SmallVectorImpl<int64_t>& remaining) {
  for (size_t i = chunk.from.size(); i-- > 0;) {
    int64_t size = tile[chunk.from[i]];
    if (size == 1) continue;
    if (!llvm::all_of(ArrayRef(remaining).drop_front(i + 1),
                      [](int64_t left) { return left == 1; }))
      return false;
    remaining[i] = remaining[i] >= size ? remaining[i] / size : 0;
    if (remaining[i] == 0 && i != 0) return false;
  }
  return true;
}

} // namespace

BlockedEncodingAttr inferBlockedReshape(BlockedEncodingAttr source, ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to) {
  if (from == to) return source;
  if (from.empty() || to.empty() || source.getRank() != from.size()) return {};
  MLIRContext* context = source.getContext();
  auto product = [](ArrayRef<unsigned> values) {
    return std::accumulate(values.begin(), values.end(), 1u, std::multiplies<>());
  };
  unsigned warps = product(source.getWarpsPerCTA()), lanes = product(source.getThreadsPerWarp());
  unsigned ctas = source.getCGALayout().getNumCTAs();
  if (source == getDefaultBlockedEncoding(context, from, warps, lanes, ctas))
    return getDefaultBlockedEncoding(context, to, warps, lanes, ctas);
  if (ctas != 1) return {};

  const ArrayRef<unsigned> levels[] = {source.getSizePerThread(), source.getThreadsPerWarp(),
                                       source.getWarpsPerCTA()};
  for (ArrayRef<unsigned> tile : levels)
    for (auto [size, part] : llvm::zip(from, tile))
      if (size >= part && size % part != 0) return {};

  SmallVector<Chunk> chunks = chunksOf(from, to);
  if (chunks.empty()) return {};
  SmallVector<unsigned> position = inverse(source.getOrder()); // per dimension, 0 for the minor
  for (const Chunk& chunk : chunks) {
    // The last chunk may be empty on one side only if trailing dimensions are 1: nothing to place
    // them by.
    if (chunk.from.empty() || chunk.to.empty()) return {};
    for (size_t i = 1; i < chunk.from.size(); ++i)
      if (position[chunk.from[i - 1]] != position[chunk.from[i]] + 1) return {};
    SmallVector<int64_t> remaining;
    for (unsigned dim : chunk.from)
      remaining.push_back(from[dim]);
    for (ArrayRef<unsigned> tile : levels)
      if (!fillsFromMinor(chunk, tile, remaining)) return {};
  }

  // The tiles of the result are filled greedily from the minor dimensions; the rest goes to the
  // most major one.
  SmallVector<int64_t> remaining(to);
  SmallVector<unsigned> tiles[3];
  for (auto [tile, result] : llvm::zip(levels, tiles)) {
    result.assign(to.size(), 1);
    for (const Chunk& chunk : chunks) {
      int64_t left = 1;
      for (unsigned dim : chunk.from)
        left *= tile[dim];
      for (unsigned dim : llvm::reverse(chunk.to)) {
        int64_t size = std::min(left, remaining[dim]);
        if (size <= 0 || remaining[dim] % size != 0) return {};
        result[dim] = static_cast<unsigned>(size);
        left /= size;
        remaining[dim] /= size;
      }
      result[chunk.to.front()] *= static_cast<unsigned>(left);
    }
  }

  llvm::sort(chunks, [&](const Chunk& a, const Chunk& b) {
    return position[a.from.front()] < position[b.from.front()];
  });
  SmallVector<unsigned> order;
  for (const Chunk& chunk : chunks)
    order.append(chunk.to.rbegin(), chunk.to.rend());
  return BlockedEncodingAttr::get(
      context, tiles[0], tiles[1], tiles[2], order,
      CGAEncodingAttr::get1CTALayout(context, static_cast<unsigned>(to.size())));
}

} // namespace gluond::ttg
