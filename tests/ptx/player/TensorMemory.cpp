// tcgen05: tensor memory, copies into it, and the products of Blackwell's tensor core.
#include "Barriers.h"
#include "Decoder.h"
#include "Matrices.h"

#include <cmath>
#include <cstring>

namespace ptx {

namespace {

constexpr uint32_t rowOf(uint64_t address) {
  return address >> 16 & 0xffff;
}
constexpr uint32_t columnOf(uint64_t address) {
  return address & 0xffff;
}

bool takePair(Decoder& d) {
  bool pair = d.take("cta_group::2");
  if (!pair && !d.take("cta_group::1")) d.unknown("no cta_group");
  return pair;
}

Step allocate(Decoder& d) {
  takePair(d);
  for (const char* part : {"sync", "aligned", "shared::cta", "b32"})
    d.take(part);
  d.done();
  d.needsWhole = true;
  return [to = d.address(0), number = d.source(1)](Warp& warp, uint32_t lanes) {
    unsigned lane = unsigned(std::countr_zero(lanes));
    uint32_t columns = uint32_t(number(warp, lane));
    if (columns < 32 || columns > tensorColumns || !std::has_single_bit(columns))
      refuse("tcgen05.alloc of " + std::to_string(columns) + " columns");
    Cta& cta = *warp.cta;
    if (!cta.mayAllocate) refuse("tcgen05.alloc after relinquish_alloc_permit");
    for (uint32_t first = 0; first + columns <= tensorColumns; first += columns) {
      bool free = true;
      for (uint32_t i = 0; i < columns; ++i)
        free &= !cta.taken[first + i];
      if (!free) continue;
      for (uint32_t i = 0; i < columns; ++i)
        cta.taken[first + i] = true;
      std::memcpy(warp.machine().shared(cta, to(warp, lane) & 0xffffffff, 4, "tcgen05.alloc"),
                  &first, 4);
      return Outcome::Next;
    }
    return Outcome::Wait;
  };
}

Step deallocate(Decoder& d) {
  takePair(d);
  for (const char* part : {"sync", "aligned", "b32"})
    d.take(part);
  d.done();
  d.needsWhole = true;
  return [from = d.source(0), number = d.source(1)](Warp& warp, uint32_t lanes) {
    unsigned lane = unsigned(std::countr_zero(lanes));
    uint32_t first = columnOf(from(warp, lane)), columns = uint32_t(number(warp, lane));
    for (uint32_t i = 0; i < columns; ++i) {
      warp.cta->cell(0, first + i, "tcgen05.dealloc");
      warp.cta->taken[first + i] = false;
    }
    return Outcome::Next;
  };
}

// Where a lane's register lies, from the address of the instruction.
struct Shape {
  enum { R32x32, R16x32x2, R16x64, R16x128, R16x256 } kind;
  uint64_t split = 0;
  std::pair<uint32_t, uint32_t> at(unsigned lane, unsigned index) const {
    switch (kind) {
    case R32x32:
      return {lane, index};
    case R16x32x2:
      return {lane % 16, index + (lane >= 16 ? uint32_t(split) : 0)};
    case R16x64:
      return {lane / 4 + lane % 2 * 8, index * 2 + (lane >> 1 & 1)};
    case R16x128:
      return {lane / 4 + index % 2 * 8, index / 2 * 4 + lane % 4};
    case R16x256:
      return {lane / 4 + (index >> 1 & 1) * 8, index / 4 * 8 + lane % 4 * 2 + index % 2};
    }
    return {};
  }
};

Step access(Decoder& d, bool loads) {
  bool reduces = loads && d.take("red");
  d.take("sync"), d.take("aligned");
  static const std::map<std::string, decltype(Shape::kind)> shapes = {{"32x32b", Shape::R32x32},
                                                                      {"16x32bx2", Shape::R16x32x2},
                                                                      {"16x64b", Shape::R16x64},
                                                                      {"16x128b", Shape::R16x128},
                                                                      {"16x256b", Shape::R16x256}};
  std::string name = d.takeOneOf({"32x32b", "16x32bx2", "16x64b", "16x128b", "16x256b"});
  if (name.empty() || d.takeStarting("x").empty()) d.unknown();
  Shape shape{shapes.at(name), 0};
  bool halves = d.take("pack::16b") || d.take("unpack::16b");
  bool least = d.take("min"), most = d.take("max"), absolute = d.take("abs"),
       keepsNan = d.take("NaN");
  Type type = d.type();
  d.done();
  if (reduces != (least || most)) d.unknown();
  d.needsWhole = true;
  size_t at = loads ? reduces ? 2 : 1 : 0, split = at + 1,
         values = loads                           ? 0
                  : shape.kind == Shape::R16x32x2 ? 2
                                                  : 1;
  if (shape.kind == Shape::R16x32x2) shape.split = d.operand(split).value;
  Source address = d.address(at);
  std::vector<int> targets = loads ? d.targets(0) : std::vector<int>();
  std::vector<Source> sources = loads ? std::vector<Source>() : d.sources(values);
  int reduced = reduces ? d.target(1) : -1;
  const char* what = loads ? "tcgen05.ld" : "tcgen05.st";
  return [=](Warp& warp, uint32_t) {
    uint64_t first = address(warp, 0);
    if (first != address(warp, 31))
      refuse(std::string(what) + ": lanes have different addresses: " + where(warp, warp.pc[0]));
    Cta* cta = warp.cta;
    unsigned quarter = warp.number % 4;
    auto place = [=](unsigned lane, unsigned index) {
      auto [row, column] = shape.at(lane, index);
      row += rowOf(first);
      if (row / 32 != quarter)
        refuse(std::string(what) + ": row " + std::to_string(row) + " is not of warp " +
               std::to_string(quarter));
      return std::pair<uint32_t, uint32_t>{row, columnOf(first) + (halves ? 2 : 1) * column};
    };
    std::function<void()> operation;
    if (loads)
      operation = [=, &warp] {
        for (unsigned lane = 0; lane < 32; ++lane) {
          double best = NAN;
          for (unsigned i = 0; i < targets.size(); ++i) {
            auto [row, column] = place(lane, i);
            uint32_t word = cta->cell(row, column, what);
            if (halves) word = (word & 0xffff) | cta->cell(row, column + 1, what) << 16;
            warp.at(targets[i], lane) = word;
            double number = type.kind == 'f'   ? numberOf(Format::F32, word)
                            : type.kind == 's' ? double(int32_t(word))
                                               : double(word);
            if (absolute) number = std::fabs(number);
            if (i == 0 || (keepsNan && std::isnan(number)))
              best = number;
            else if (!(keepsNan && std::isnan(best)))
              best = most ? std::fmax(best, number) : std::fmin(best, number);
          }
          if (reduced >= 0)
            warp.at(reduced, lane) =
                type.kind == 'f' ? bitsFor(Format::F32, best) : uint32_t(int64_t(best));
        }
      };
    else {
      std::vector<std::array<uint32_t, 32>> words(sources.size());
      for (size_t i = 0; i < sources.size(); ++i)
        for (unsigned lane = 0; lane < 32; ++lane)
          words[i][lane] = uint32_t(sources[i](warp, lane));
      operation = [=, words = std::move(words)] {
        for (unsigned i = 0; i < words.size(); ++i)
          for (unsigned lane = 0; lane < 32; ++lane) {
            auto [row, column] = place(lane, i);
            if (halves) {
              cta->cell(row, column, what) = words[i][lane] & 0xffff;
              cta->cell(row, column + 1, what) = words[i][lane] >> 16;
            } else
              cta->cell(row, column, what) = words[i][lane];
          }
      };
    }
    // Triton uses what a load brings before it waits, and ptxas keeps that order by the registers:
    // only stores are late.
    if (warp.machine().launch.late && !loads)
      warp.tensorStores.push_back(std::move(operation));
    else
      operation();
    return Outcome::Next;
  };
}

Step wait(Decoder& d, bool loads) {
  d.take("sync"), d.take("aligned");
  d.done();
  d.needsWhole = true;
  return [=](Warp& warp, uint32_t) {
    if (loads) return Outcome::Next;
    for (auto& operation : warp.tensorStores)
      operation();
    warp.tensorStores.clear();
    return Outcome::Next;
  };
}

Step copy(Decoder& d) { // tcgen05.cp
  bool pair = takePair(d);
  std::string shape = d.takeOneOf({"128x256b", "4x256b", "128x128b", "64x128b", "32x128b"});
  std::string spread = d.takeOneOf({"warpx4", "warpx2::02_13", "warpx2::01_23"});
  d.done(); // formats of 4 and 6 bits are not known
  if (shape.empty()) d.unknown();
  unsigned rows = unsigned(atoi(shape.c_str())), columns = shape.ends_with("256b") ? 8 : 4;
  Source to = d.address(0), from = d.source(1);
  return [=](Warp& warp, uint32_t lanes) {
    unsigned lane = unsigned(std::countr_zero(lanes));
    uint64_t first = to(warp, lane), descriptor = from(warp, lane);
    Cta* cta = warp.cta;
    warp.machine().later([=, &machine = warp.machine()] {
      SharedMatrix matrix = SharedMatrix::ofTensorCore(descriptor);
      uint64_t hash = 0;
      for (unsigned member = 0; member < (pair ? 2u : 1u); ++member) {
        Cta& one = pair ? *cta->cluster[(cta->rank & ~1u) + member] : *cta;
        for (unsigned row = 0; row < rows; ++row)
          for (unsigned column = 0; column < columns; ++column) {
            uint32_t word;
            uint64_t at = matrix.atK(row, column * 4) & 0x3ffff;
            std::memcpy(&word,
                        machine.shared(one, uint64_t(one.rank) << ctaShift | at, 4, "tcgen05.cp"),
                        4);
            hash = mixed(hash, word);
            auto put = [&](unsigned at) {
              one.cell(rowOf(first) + at, columnOf(first) + column, "tcgen05.cp") = word;
            };
            if (spread == "warpx4")
              for (unsigned quarter = 0; quarter < 4; ++quarter)
                put(row % 32 + 32 * quarter);
            else if (spread == "warpx2::02_13")
              put(row), put(row + 64);
            else if (spread == "warpx2::01_23")
              put(row / 32 * 64 + row % 32), put(row / 32 * 64 + 32 + row % 32);
            else
              put(row);
          }
      }
      cta->products.push_back({"tcgen05.cp." + shape, matrix.words, hash, 0});
    });
    return Outcome::Next;
  };
}

Step commit(Decoder& d) {
  takePair(d);
  bool multicast = d.take("multicast::cluster");
  d.take("mbarrier::arrive::one"), d.take("shared::cluster"), d.take("b64");
  d.done();
  Source barrier = d.address(0), mask = multicast ? d.source(1) : Source();
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      uint64_t at = barrier(warp, lane) & 0xffffffff,
               ranks = multicast ? mask(warp, lane) & 0xffff : 1ull << (at >> ctaShift & 0xff);
      warp.machine().later([=, &machine = warp.machine(), cta = warp.cta] {
        for (uint64_t rank = 0; rank < 16; ++rank)
          if (ranks >> rank & 1) arrive(machine, *cta, rank << ctaShift | (at & 0xffffff), 1, 0);
      });
    });
    return Outcome::Next;
  };
}

enum class Kind : uint8_t { F16, TF32, F8F6F4, I8, MXF8F6F4, MXF4, MXF4NVF4 };

// A product as it was asked for.
struct Request {
  Kind kind;
  bool pair, aIsTensor, adds;
  unsigned scalesPerK = 0; // of a block-scaled one
  uint64_t d, a, b, aScale, bScale;
  uint32_t words; // the instruction descriptor
  std::string opcode;
};

// The instruction descriptor's fields.
struct Fields {
  unsigned m, n, k;
  Format a, b, d, scale = Format::UE8M0;
  bool aAlongRows, bAlongRows, negatesA, negatesB;
  unsigned aScaleId = 0, bScaleId = 0;
};
Fields fieldsOf(const Request& request) {
  uint32_t words = request.words;
  unsigned a = words >> 7 & 7, b = words >> 10 & 7;
  Fields fields{};
  fields.n = (words >> 17 & 0x3f) * 8;
  fields.aAlongRows = words >> 15 & 1, fields.bAlongRows = words >> 16 & 1;
  fields.negatesA = words >> 13 & 1, fields.negatesB = words >> 14 & 1;
  if (words & 4) refuse("a sparse product");
  constexpr Format small[] = {Format::E4M3, Format::E5M2, Format::E4M3,
                              Format::E2M3, Format::E3M2, Format::E2M1};
  if (request.scalesPerK) {
    fields.m = (words >> 27 & 3) * 128;
    fields.d = Format::F32;
    fields.scale = words >> 23 & 1 ? Format::UE8M0 : Format::UE4M3;
    fields.aScaleId = words >> 29 & 3, fields.bScaleId = words >> 4 & 3;
    if (request.kind == Kind::MXF8F6F4) {
      if (a > 5 || b > 5 || a == 2 || b == 2) refuse("a product of unknown formats");
      fields.k = 32, fields.a = small[a], fields.b = small[b];
    } else {
      if (a != 1 || (b & 3) != 1) refuse("a product of unknown formats of 4 bits");
      if (words >> 31) refuse("a product of 96 numbers of 4 bits");
      fields.k = 64, fields.a = fields.b = Format::E2M1;
    }
    return fields;
  }
  fields.m = (words >> 24 & 0x1f) * 16;
  unsigned d = words >> 4 & 3;
  fields.d = d == 0 ? Format::F16 : d == 1 ? Format::F32 : Format::S32;
  switch (request.kind) {
  case Kind::F16:
    if (a > 1 || b > 1) refuse("kind::f16 of unknown formats");
    fields.k = 16, fields.a = a ? Format::BF16 : Format::F16,
    fields.b = b ? Format::BF16 : Format::F16;
    break;
  case Kind::TF32:
    if (a != 2 || b != 2) refuse("kind::tf32 of unknown formats");
    fields.k = 8, fields.a = fields.b = Format::TF32;
    break;
  case Kind::F8F6F4:
    if (a > 5 || b > 5 || a == 2 || b == 2) refuse("kind::f8f6f4 of unknown formats");
    fields.k = 32, fields.a = small[a], fields.b = small[b];
    break;
  default:
    if (a > 1 || b > 1 || d != 2) refuse("kind::i8 of unknown formats");
    fields.k = 32, fields.a = a ? Format::S8 : Format::U8, fields.b = b ? Format::S8 : Format::U8;
  }
  return fields;
}

// A or B of one CTA, scaled.
void scaleRows(Cta& cta, Numbers& numbers, unsigned rows, const Fields& fields, uint64_t address,
               unsigned id, unsigned perK) {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned block = 0; block < perK; ++block) {
      uint32_t word = cta.cell(row % 32, columnOf(address) + row / 32, "scales");
      double scale = numberOf(fields.scale, word >> 8 * ((id + block) & 3) & 0xff);
      for (unsigned k = 0; k < fields.k / perK; ++k)
        numbers[size_t(row) * fields.k + block * (fields.k / perK) + k] *= scale;
    }
}

void perform(Machine& machine, Cta& issuer, const Request& request) {
  Fields fields = fieldsOf(request);
  unsigned members = request.pair ? 2 : 1, rows = fields.m / members;
  if (!fields.n || (rows != 64 && rows != 128))
    refuse("tcgen05.mma with M " + std::to_string(fields.m) + " and N " + std::to_string(fields.n));
  std::vector<Cta*> ctas;
  for (unsigned i = 0; i < members; ++i)
    ctas.push_back(request.pair ? issuer.cluster[(issuer.rank & ~1u) + i] : &issuer);
  bool padded = request.kind == Kind::MXF8F6F4 || request.kind == Kind::F8F6F4;
  // A row of a CTA's part lies in this row of its tensor memory.
  auto rowAt = [&](unsigned row) {
    return rows == 64 && !request.pair ? row / 16 * 32 + row % 16 : row;
  };
  SharedMatrix bMatrix = SharedMatrix::ofTensorCore(request.b), aMatrix{};
  Numbers b;
  for (Cta* cta : ctas) {
    Numbers part = loadMatrix(machine, *cta, bMatrix, fields.n / members, fields.k, fields.b,
                              fields.bAlongRows, padded);
    b.insert(b.end(), part.begin(), part.end());
  }
  uint64_t hash = hashOf(b, 1);
  for (Cta* cta : ctas) {
    Numbers a(size_t(rows) * fields.k), own = b, sum(size_t(rows) * fields.n);
    if (request.aIsTensor) {
      unsigned bits = bitsOf(fields.a) < 8 ? 8 : bitsOf(fields.a), each = 32 / bits;
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned k = 0; k < fields.k; ++k) {
          uint32_t word =
              cta->cell(rowOf(request.a) + rowAt(row), columnOf(request.a) + k / each, "A");
          a[size_t(row) * fields.k + k] =
              numberOf(fields.a, word >> k % each * bits & maskOf(bits));
        }
    } else {
      aMatrix = SharedMatrix::ofTensorCore(request.a);
      a = loadMatrix(machine, *cta, aMatrix, rows, fields.k, fields.a, fields.aAlongRows, padded);
    }
    hash = hashOf(a, hash);
    if (request.scalesPerK) {
      scaleRows(*cta, a, rows, fields, request.aScale, fields.aScaleId, request.scalesPerK);
      scaleRows(*cta, own, fields.n, fields, request.bScale, fields.bScaleId, request.scalesPerK);
      hash = hashOf(own, hashOf(a, hash));
    }
    if (fields.negatesA != fields.negatesB)
      for (double& number : a)
        number = -number;
    // Two CTAs with 64 rows each have the right half of the columns in rows 64 and up.
    bool folds = request.pair && rows == 64;
    auto cell = [&](unsigned row, unsigned column) -> uint32_t& {
      unsigned half = folds && column >= fields.n / 2 ? 1 : 0;
      return cta->cell(rowOf(request.d) + rowAt(row) + half * 64,
                       columnOf(request.d) + column - half * fields.n / 2, "D");
    };
    for (unsigned row = 0; request.adds && row < rows; ++row)
      for (unsigned column = 0; column < fields.n; ++column)
        sum[size_t(row) * fields.n + column] = numberOf(fields.d, cell(row, column));
    multiply(sum.data(), a.data(), own.data(), rows, fields.n, fields.k);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < fields.n; ++column) {
        double number = sum[size_t(row) * fields.n + column];
        cell(row, column) = fields.d == Format::S32 ? uint32_t(int64_t(number))
                                                    : uint32_t(bitsFor(fields.d, number));
      }
  }
  char text[32];
  snprintf(text, sizeof text, "%08x ", request.words);
  issuer.products.push_back({request.opcode,
                             text + (request.aIsTensor ? "tensor" : aMatrix.words) + " " +
                                 bMatrix.words + (request.adds ? " adds" : ""),
                             hash, 0});
}

Step product(Decoder& d) {
  Request request{};
  request.opcode = d.in.opcode;
  request.pair = takePair(d);
  static const std::map<std::string, Kind> kinds = {
      {"kind::f16", Kind::F16},           {"kind::tf32", Kind::TF32},
      {"kind::f8f6f4", Kind::F8F6F4},     {"kind::i8", Kind::I8},
      {"kind::mxf8f6f4", Kind::MXF8F6F4}, {"kind::mxf4", Kind::MXF4},
      {"kind::mxf4nvf4", Kind::MXF4NVF4}};
  auto kind = kinds.find(d.takeStarting("kind::"));
  if (kind == kinds.end()) d.unknown("its kind");
  request.kind = kind->second;
  bool scaled = d.take("block_scale");
  std::string vector =
      d.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"});
  while (!d.takeStarting("collector::").empty()) {
  }
  d.done();
  if (scaled != (request.kind >= Kind::MXF8F6F4)) d.unknown();
  if (scaled)
    request.scalesPerK = request.kind == Kind::MXF8F6F4                     ? 1
                         : vector == "block16" || vector == "scale_vec::4X" ? 4
                                                                            : 2;
  request.aIsTensor = d.operand(1).kind == Operand::Address;
  Source to = d.address(0), a = d.address(1), b = d.source(2), words = d.source(3);
  Source aScale = scaled ? d.address(4) : Source(), bScale = scaled ? d.address(5) : Source(),
         adds = d.source(scaled ? 6 : 4);
  if (d.count() != (scaled ? 7u : 5u)) d.unknown("operands");
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      Request one = request;
      one.d = to(warp, lane), one.a = a(warp, lane), one.b = b(warp, lane),
      one.words = uint32_t(words(warp, lane));
      one.aScale = aScale(warp, lane), one.bScale = bScale(warp, lane),
      one.adds = adds(warp, lane) & 1;
      warp.machine().later(
          [one, &machine = warp.machine(), cta = warp.cta] { perform(machine, *cta, one); });
    });
    return Outcome::Next;
  };
}

Step tensorCore(Decoder& d) {
  if (d.take("alloc")) return allocate(d);
  if (d.take("dealloc")) return deallocate(d);
  if (d.take("relinquish_alloc_permit"))
    return [](Warp& warp, uint32_t) {
      warp.cta->mayAllocate = false;
      return Outcome::Next;
    };
  if (d.take("ld")) return access(d, true);
  if (d.take("st")) return access(d, false);
  if (d.take("wait::ld")) return wait(d, true);
  if (d.take("wait::st")) return wait(d, false);
  if (d.take("cp")) return copy(d);
  if (d.take("commit")) return commit(d);
  if (d.take("mma")) return product(d);
  if (!d.takeStarting("fence::").empty()) return [](Warp&, uint32_t) { return Outcome::Next; };
  d.unknown();
}

} // namespace

void addTensorMemory(Table& table) {
  table["tcgen05"] = tensorCore;
}

} // namespace ptx
