// Products of matrices in registers: mma.sync, and wgmma, which reads shared memory as well.
#include "Decoder.h"
#include "Matrices.h"

#include <algorithm>
#include <cstdio>

namespace ptx {

namespace {

struct Shape {
  unsigned m = 0, n = 0, k = 0;
};
Shape shapeOf(Decoder& d) {
  Shape shape;
  std::string text = d.takeStarting("m");
  if (sscanf(text.c_str(), "m%un%uk%u", &shape.m, &shape.n, &shape.k) != 3) d.unknown("its shape");
  return shape;
}

// The fragments of one warp. A: rows of 8 by turns, then columns; B likewise without rows.
void loadFragment(Warp& warp, const std::vector<Source>& sources, Format format, unsigned depth,
                  bool isA, Numbers& numbers, unsigned firstRow) {
  unsigned bits = bitsOf(format), each = bits >= 32 ? 1 : 32 / bits;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (size_t i = 0; i < sources.size(); ++i) {
      uint64_t word = sources[i](warp, lane);
      unsigned row = lane / 4 + (isA ? 8 * (i & 1) : 0), group = unsigned(isA ? i >> 1 : i);
      for (unsigned j = 0; j < each; ++j) {
        unsigned k = group * 4 * each + lane % 4 * each + j;
        numbers[size_t(firstRow + row) * depth + k] =
            numberOf(format, bits == 64 ? word : word >> j * bits & maskOf(bits));
      }
    }
}

// Numbers of the result: two of a row, then two of the row 8 below, for each 8 columns.
struct Place {
  unsigned row, column;
};
Place placeOf(unsigned lane, size_t index, unsigned rows) {
  size_t each = rows == 8 ? 2 : 4;
  return {lane / 4 + (index % each >= 2 ? 8u : 0u),
          unsigned(index / each * 8) + 2 * (lane % 4) + unsigned(index & 1)};
}

uint64_t resultBits(Format format, double number) {
  if (format == Format::S32) return uint32_t(int64_t(number));
  return bitsFor(format, number);
}

std::string plainOpcode(const Instruction& in) {
  return in.opcode;
}

Step synchronous(Decoder& d) { // mma.sync
  d.take("sync"), d.take("aligned");
  Shape shape = shapeOf(d);
  if (!d.take("row") || !d.take("col")) d.unknown();
  std::string kind = d.takeStarting("kind::");
  bool scaled = d.take("block_scale");
  std::string vector = d.takeStarting("scale_vec::");
  d.take("satfinite"); // of integers: no sum of tests is that large
  Type dType = d.type(), aType = d.type(), bType = d.type(), cType = d.type();
  auto scaleType = scaled ? d.maybeType() : std::nullopt;
  d.done();
  d.needsWhole = true;
  auto formatNamed = [](const Type& type) {
    return formatOf(type.kind == 'f' ? type.format : type.name);
  };
  Format a = formatNamed(aType), b = formatNamed(bType), result = formatNamed(dType),
         given = formatNamed(cType);
  // Narrower numbers than a byte have one each where the kind is mixed.
  bool bytes = kind == "kind::mxf8f6f4" || kind == "kind::f8f6f4";
  if (bytes && (bitsOf(a) < 8 || bitsOf(b) < 8)) d.unknown("numbers of less than 8 bits");
  std::vector<int> targets = d.targets(0);
  std::vector<Source> as = d.sources(1), bs = d.sources(2), cs = d.sources(3);
  unsigned pairs = bitsOf(result) == 16 ? 2 : 1;
  unsigned scales = vector == "scale_vec::4X" ? 4 : vector == "scale_vec::2X" ? 2 : 1;
  Source aScale, bScale;
  std::vector<Source> aChoice, bChoice;
  if (scaled)
    aScale = d.source(4), aChoice = d.sources(5), bScale = d.source(6), bChoice = d.sources(7);
  Format scaleFormat = scaled ? formatOf(scaleType->format) : Format::UE8M0;
  return [=, opcode = plainOpcode(d.in)](Warp& warp, uint32_t) {
    Numbers left(size_t(shape.m) * shape.k), right(size_t(shape.n) * shape.k),
        sum(size_t(shape.m) * shape.n);
    loadFragment(warp, as, a, shape.k, true, left, 0);
    loadFragment(warp, bs, b, shape.k, false, right, 0);
    if (scaled) {
      unsigned block = shape.k / scales;
      auto scale = [&](Numbers& numbers, unsigned rows, const Source& source,
                       const std::vector<Source>& choice, bool isA) {
        for (unsigned row = 0; row < rows; ++row) {
          unsigned byte = unsigned(choice[0](warp, 0)), thread = unsigned(choice[1](warp, 0));
          unsigned lane = isA ? row % 8 * 4 + thread * 2 + row / 8 : row * 4 + thread;
          uint64_t word = source(warp, lane);
          for (unsigned k = 0; k < shape.k; ++k)
            numbers[size_t(row) * shape.k + k] *=
                numberOf(scaleFormat, word >> 8 * (byte + k / block) & 0xff);
        }
      };
      scale(left, shape.m, aScale, aChoice, true);
      scale(right, shape.n, bScale, bChoice, false);
    }
    for (unsigned lane = 0; lane < 32; ++lane)
      for (size_t i = 0; i < cs.size() * pairs; ++i) {
        uint64_t word = cs[i / pairs](warp, lane) >> (i % pairs * 16);
        Place place = placeOf(lane, i, shape.m);
        sum[place.row * shape.n + place.column] =
            numberOf(given, pairs == 2 ? word & 0xffff : word);
      }
    multiply(sum.data(), left.data(), right.data(), shape.m, shape.n, shape.k);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (size_t i = 0; i < targets.size(); ++i) {
        uint64_t word = 0;
        for (unsigned j = 0; j < pairs; ++j) {
          Place place = placeOf(lane, i * pairs + j, shape.m);
          word |= resultBits(result, sum[place.row * shape.n + place.column]) << 16 * j;
        }
        warp.at(targets[i], lane) = word;
      }
    return Outcome::Next;
  };
}

void finish(std::deque<std::vector<std::function<void()>>>& groups, size_t keep) {
  while (groups.size() > keep + 1) {
    for (auto& operation : groups.front())
      operation();
    groups.pop_front();
  }
}

Step groupProduct(Decoder& d) { // wgmma
  d.needsWhole = true;
  d.take("sync"), d.take("aligned");
  if (d.take("fence")) return [](Warp&, uint32_t) { return Outcome::Next; };
  if (d.take("commit_group"))
    return [](Warp& warp, uint32_t) {
      warp.products.emplace_back();
      return Outcome::Next;
    };
  if (d.take("wait_group"))
    return [count = d.source(0)](Warp& warp, uint32_t) {
      finish(warp.products, size_t(count(warp, 0)));
      return Outcome::Next;
    };
  if (!d.take("mma_async")) d.unknown();
  Shape shape = shapeOf(d);
  d.take("satfinite"); // likewise
  Type dType = d.type(), aType = d.type(), bType = d.type();
  d.done();
  auto formatNamed = [](const Type& type) {
    return formatOf(type.kind == 'f' ? type.format : type.name);
  };
  Format a = formatNamed(aType), b = formatNamed(bType), result = formatNamed(dType);
  std::vector<int> targets = d.targets(0);
  bool inRegisters = d.operand(1).kind == Operand::Vector;
  std::vector<Source> as = d.sources(1);
  Source bSource = d.source(2), adds = d.source(3);
  size_t next = 4;
  bool isReal = aType.kind == 'f';
  Source negatesA = isReal && d.count() > next ? d.source(next++) : Source(),
         negatesB = isReal && d.count() > next ? d.source(next++) : Source();
  Source transposesA = d.count() > next + (inRegisters ? 0 : 1) ? d.source(next++) : Source();
  if (inRegisters) transposesA = Source();
  Source transposesB = d.count() > next ? d.source(next++) : Source();
  if (inRegisters && d.count() == 7) transposesB = d.source(6);
  unsigned pairs = bitsOf(result) == 16 ? 2 : 1;
  return [=, opcode = plainOpcode(d.in)](Warp& warp, uint32_t) {
    // What the instruction was given is of now, accumulators and A's registers are of when it is
    // done.
    uint64_t aWords = inRegisters ? 0 : as[0](warp, 0), bWords = bSource(warp, 0);
    bool accumulates = adds(warp, 0) & 1;
    auto product = [=, &warp] {
      Machine& machine = warp.machine();
      // A warp's 16 rows.
      Numbers left(size_t(16) * shape.k), sum(size_t(16) * shape.n);
      SharedMatrix aMatrix{}, bMatrix = SharedMatrix::ofWgmma(bWords);
      if (inRegisters) {
        loadFragment(warp, as, a, shape.k, true, left, 0);
      } else {
        aMatrix = SharedMatrix::ofWgmma(aWords);
        Numbers all =
            loadMatrix(machine, *warp.cta, aMatrix, 64, shape.k, a, transposesA(warp, 0) & 1);
        std::copy_n(all.begin() + long(warp.number % 4 * 16 * shape.k), left.size(), left.begin());
      }
      Numbers right =
          loadMatrix(machine, *warp.cta, bMatrix, shape.n, shape.k, b, transposesB(warp, 0) & 1);
      for (unsigned lane = 0; accumulates && lane < 32; ++lane)
        for (size_t i = 0; i < targets.size() * pairs; ++i) {
          uint64_t word = warp.at(targets[i / pairs], lane) >> (i % pairs * 16);
          Place place = placeOf(lane, i, 16);
          sum[place.row * shape.n + place.column] =
              numberOf(result, pairs == 2 ? word & 0xffff : word);
        }
      double sign = (isReal && int32_t(negatesA(warp, 0)) == -1 ? -1 : 1) *
                    (isReal && int32_t(negatesB(warp, 0)) == -1 ? -1 : 1);
      if (sign < 0)
        for (double& number : left)
          number = -number;
      multiply(sum.data(), left.data(), right.data(), 16, shape.n, shape.k);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (size_t i = 0; i < targets.size(); ++i) {
          uint64_t word = 0;
          for (unsigned j = 0; j < pairs; ++j) {
            Place place = placeOf(lane, i * pairs + j, 16);
            word |= resultBits(result, sum[place.row * shape.n + place.column]) << 16 * j;
          }
          warp.at(targets[i], lane) = word;
        }
      warp.cta->products.push_back(
          {opcode, aMatrix.words + " " + bMatrix.words + (accumulates ? " adds" : ""),
           hashOf(right, hashOf(left, 1)), warp.number});
    };
    if (warp.machine().launch.late)
      warp.products.back().push_back(product);
    else
      product();
    return Outcome::Next;
  };
}

} // namespace

void addProducts(Table& table) {
  table["mma"] = synchronous;
  table["wgmma"] = groupProduct;
}

} // namespace ptx
