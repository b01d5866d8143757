// What the checks of our own in .clang-tidy refuse: exactly the lines marked so
// (scripts/check-tidy.py).
#include <string>
#include <vector>

namespace llvm {
template <typename T> struct ArrayRef {
  ArrayRef(const std::vector<T>& of) : first(of.data()), size(of.size()) {}
  ArrayRef drop_front() const;
  const T* begin() const { return first; }
  const T* end() const { return first + size; }
  const T& front() const { return *first; }
  const T* first;
  size_t size;
};
template <typename C> struct Reversed {
  C* of;
  auto begin() { return of->rbegin(); }
  auto end() { return of->rend(); }
};
template <typename C> auto reverse(C&& of) {
  return Reversed<std::remove_reference_t<C>>{&of};
}
} // namespace llvm

using Numbers = std::vector<int>;
struct Owner {
  Numbers all;
  const Numbers& items() const { return all; }
  llvm::ArrayRef<int> view() const { return all; }
  Numbers copy() const { return all; }
};
Numbers numbers();
Numbers numbersOf(const std::string& key);
const Numbers& keptOf(const std::string& key);
const Numbers& sameAs(const Numbers& of);
Owner owner();
Owner& theOwner();
std::string key();

int loops() {
  int sum = 0;
  for (int x : llvm::reverse(numbers())) // refused
    sum += x;
  for (int x : owner().items()) // refused
    sum += x;
  for (int x : owner().view()) // refused
    sum += x;
  for (int x : llvm::ArrayRef<int>(numbers())) // refused
    sum += x;
  for (int x : sameAs(numbers())) // refused
    sum += x;
  for (int x : numbers())
    sum += x;
  for (int x : owner().all)
    sum += x;
  for (int x : owner().copy())
    sum += x;
  for (int x : theOwner().view())
    sum += x;
  for (int x : numbersOf(key()))
    sum += x;
  for (int x : keptOf(key()))
    sum += x;
  return sum;
}

int variables() {
  llvm::ArrayRef<int> first = owner().view(); // refused
  auto second = owner().view().drop_front();  // refused
  auto third = theOwner().view();
  Numbers fourth = owner().items();
  int fifth = owner().view().front();
  return first.front() + second.front() + third.front() + fourth.front() + fifth;
}
