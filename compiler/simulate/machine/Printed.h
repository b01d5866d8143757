// What a program has printed: text that only grows, up to a limit. Copies share it, so that a
// checkpoint of a program that prints much is small.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gluond::simulate {

class Printed {
public:
  static constexpr size_t most = size_t(1) << 20; // characters

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  bool isFull() const { return isFull_; }
  // What is beyond the limit is not kept; a line says so.
  void add(std::string_view text);
  // The text from a place on.
  std::string from(size_t at) const;

private:
  void append(std::string_view text);

  // A copy may have gone on with the last piece: each knows how much of it is its own.
  struct Piece {
    std::string text;
    size_t begin = 0; // the number of characters before it
    std::shared_ptr<const Piece> before;
  };
  std::shared_ptr<Piece> last_;
  size_t size_ = 0;
  bool isFull_ = false;
};

} // namespace gluond::simulate
