#include "runner/data/Npy.h"

#include <charconv>
#include <cstring>

namespace gluond::runner {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

tl::unexpected<std::string> malformed(const std::string& what) {
  return tl::unexpected<std::string>("this is not a readable .npy file: " + what);
}

// Returns the text after 'key': in the header's dictionary.
std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size() + 2);
  size_t start = header.find_first_not_of(" :");
  return start == std::string_view::npos ? std::string_view() : header.substr(start);
}

const Dtype* dtypeOf(char kind, unsigned bytes) {
  std::string name = kind == 'f'   ? "fp" + std::to_string(8 * bytes)
                     : kind == 'b' ? std::string("u1")
                                   : std::string(1, kind) + std::to_string(8 * bytes);
  if (kind == 'f' && bytes == 1) return nullptr;
  return findDtype(name);
}

} // namespace

tl::expected<NpyFile, std::string> readNpy(std::string_view text) {
  if (!text.starts_with(magic) || text.size() < 10) return malformed("it does not start like one");
  auto major = static_cast<unsigned char>(text[6]);
  size_t lengthBytes = major == 1 ? 2 : 4, length = 0;
  if (major < 1 || major > 3 || text.size() < 8 + lengthBytes)
    return malformed("its version is unknown");
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(text[8 + i])) << (8 * i);
  if (length > text.size() - 8 - lengthBytes) return malformed("it ends within its header");
  std::string_view header = text.substr(8 + lengthBytes, length);
  NpyFile file;
  file.data = text.substr(8 + lengthBytes + length);

  std::string_view descr = valueOf(header, "descr");
  if (descr.size() < 4 || descr[0] != '\'') return malformed("its elements are records");
  descr = descr.substr(1, descr.find('\'', 1) - 1);
  if (descr.starts_with('>')) return malformed("its elements are big-endian");
  if (descr.starts_with('<') || descr.starts_with('|') || descr.starts_with('='))
    descr.remove_prefix(1);
  if (descr.size() < 2) return malformed("its element type is unknown");
  auto [end, error] = std::from_chars(descr.data() + 1, descr.data() + descr.size(), file.bytes);
  if (error != std::errc() || file.bytes == 0 || file.bytes > 16)
    return malformed("its element type is unknown");
  if (descr[0] != 'V') {
    file.dtype = dtypeOf(descr[0], file.bytes);
    if (!file.dtype)
      return malformed("elements of type '" + std::string(descr) + "' cannot be read");
  }
  file.isFortran = valueOf(header, "fortran_order").starts_with("True");

  std::string_view shape = valueOf(header, "shape");
  if (!shape.starts_with('(')) return malformed("it has no shape");
  shape = shape.substr(1, shape.find(')') - 1);
  uint64_t elements = 1;
  while (!shape.empty()) {
    size_t start = shape.find_first_not_of(" ,");
    if (start == std::string_view::npos) break;
    shape.remove_prefix(start);
    int64_t extent = 0;
    auto [rest, wrong] = std::from_chars(shape.data(), shape.data() + shape.size(), extent);
    if (wrong != std::errc() || extent < 0) return malformed("its shape is not a list of numbers");
    shape.remove_prefix(static_cast<size_t>(rest - shape.data()));
    file.shape.push_back(extent);
    if (__builtin_mul_overflow(elements, static_cast<uint64_t>(extent), &elements))
      return malformed("it is too large");
  }
  uint64_t size;
  if (__builtin_mul_overflow(elements, uint64_t{file.bytes}, &size) || size > file.data.size())
    return malformed("it is truncated");
  file.data = file.data.substr(0, size);
  return file;
}

static std::string textOf(const std::vector<int64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

tl::expected<std::string, std::string> elementsOf(const NpyFile& file, const Dtype& dtype,
                                                  const std::vector<int64_t>* shape) {
  if (shape && *shape != file.shape)
    return tl::unexpected<std::string>("the file's shape is " + textOf(file.shape) +
                                       ", but the argument has " + textOf(*shape));
  size_t count = file.data.size() / file.bytes;
  // The number of the element in the file, by its number in row-major order.
  std::vector<size_t> place;
  if (file.isFortran && file.shape.size() > 1) {
    place.resize(count);
    std::vector<int64_t> index(file.shape.size(), 0);
    for (size_t i = 0; i < count; ++i) {
      size_t at = 0, step = 1;
      for (size_t d = 0; d < index.size(); ++d) {
        at += static_cast<size_t>(index[d]) * step;
        step *= static_cast<size_t>(file.shape[d]);
      }
      place[i] = at;
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < file.shape[d]) break;
        index[d] = 0;
      }
    }
  }
  // Raw bits are taken as they are, and so are unsigned integers for a small float of their size.
  bool isSmallFloat = dtype.kind == Dtype::Kind::Float &&
                      (dtype.bytes == 1 || (dtype.bytes == 2 && dtype.exponentBits == 8));
  bool isBits =
      !file.dtype || file.dtype == &dtype ||
      (isSmallFloat && file.bytes == dtype.bytes && file.dtype->kind == Dtype::Kind::Unsigned);
  if (!file.dtype && file.bytes != dtype.bytes)
    return tl::unexpected<std::string>("the file's elements have " + std::to_string(file.bytes) +
                                       " bytes, but the argument has " +
                                       std::to_string(dtype.bytes));
  std::string elements(count * dtype.bytes, '\0');
  for (size_t i = 0; i < count; ++i) {
    const char* from = file.data.data() + (place.empty() ? i : place[i]) * file.bytes;
    char* to = elements.data() + i * dtype.bytes;
    if (isBits)
      std::memcpy(to, from, dtype.bytes);
    else if (file.dtype->kind != Dtype::Kind::Float && dtype.kind != Dtype::Kind::Float)
      writeInteger(dtype, readInteger(*file.dtype, from), to);
    else
      writeElement(dtype, readElement(*file.dtype, from), to);
  }
  return elements;
}

std::string writeNpy(const Dtype& dtype, const std::vector<int64_t>& shape, std::string_view data) {
  bool isPlain = dtype.kind != Dtype::Kind::Float ||
                 (dtype.bytes > 1 && std::string_view(dtype.name) != "bf16");
  const Dtype& written = isPlain ? dtype : *findDtype("fp32");
  using Kind = Dtype::Kind;
  char kind = written.kind == Kind::Float    ? 'f'
              : written.kind == Kind::Bool   ? 'b'
              : written.kind == Kind::Signed ? 'i'
                                             : 'u';
  std::string header = std::string("{'descr': '") + (written.bytes == 1 ? '|' : '<') + kind +
                       std::to_string(written.bytes) +
                       "', 'fortran_order': False, 'shape': " + textOf(shape) + ", }";
  // The data begins at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file(magic);
  file += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  file += header;
  if (isPlain) return file + std::string(data);
  size_t count = data.size() / dtype.bytes, start = file.size();
  file.resize(start + count * written.bytes);
  for (size_t i = 0; i < count; ++i)
    writeElement(written, readElement(dtype, data.data() + i * dtype.bytes),
                 file.data() + start + i * written.bytes);
  return file;
}

} // namespace gluond::runner
