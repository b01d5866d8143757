#include "driver/inspect/ElementOwner.h"

#include "codegen/context/Source.h"
#include "driver/analysis/Analysis.h"
#include "driver/program/OpPlaces.h"
#include "driver/program/PointerProvenance.h"
#include "driver/workspace/FileLine.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "layout/named/Spelling.h"
#include "passes/analysis/ElementValues.h"
#include "runner/protocol/Dtype.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {
using namespace mlir;

namespace {

constexpr uint64_t mostElements = uint64_t{1} << 24; // evaluated in all
constexpr uint64_t elementsOfProgram = 64; // what beginning with a program costs, in these

// Shape and strides follow a descriptor as parameters of their own.
size_t rankOf(const HostArgument& argument) {
  return argument.isDescriptor() ? argument.tensor->shape.size() : 0;
}

class Search {
public:
  Search(const HostLaunch& launch, size_t argument, int64_t address, CancellationToken token)
      : launch_(launch), address_(address), token_(std::move(token)) {
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const HostArgument& each = launch.arguments[i];
      if (i == argument) parameter_ = static_cast<unsigned>(names_.size());
      names_.push_back(each.name);
      if (each.integer) given_[each.name] = *each.integer;
      for (size_t k = 0; k < 2 * rankOf(each); ++k) {
        std::string name = each.name + "." + std::to_string(k);
        const auto& extents = k < rankOf(each) ? each.tensor->shape : each.tensor->strides;
        given_[name] = extents[k % rankOf(each)];
        names_.push_back(std::move(name));
      }
    }
  }

  // The last store that writes the address wins, as it does on the GPU within one program.
  std::optional<ElementOwner> run(ModuleOp module, const Variant& variant) {
    FunctionOpInterface kernel = kernelOf(module);
    if (!kernel || kernel.getNumArguments() != names_.size()) return std::nullopt;
    PointerProvenance provenance(kernel);
    llvm::SmallVector<tt::StoreOp> stores;
    kernel->walk([&](tt::StoreOp store) {
      if (provenance.sourcesOf(store.getPtr()).test(parameter_)) stores.push_back(store);
    });
    if (stores.empty()) return std::nullopt;
    const auto& grid = *launch_.grid;
    for (int64_t z = 0; z < grid[2]; ++z)
      for (int64_t y = 0; y < grid[1]; ++y)
        for (int64_t x = 0; x < grid[0]; ++x) {
          given_["program_id(0)"] = x;
          given_["program_id(1)"] = y;
          given_["program_id(2)"] = z;
          for (unsigned axis = 0; axis < 3; ++axis)
            given_["num_programs(" + std::to_string(axis) + ")"] = grid[axis];
          evaluated_ += elementsOfProgram;
          if (evaluated_ > mostElements || token_.isCancelled()) return std::nullopt;
          passes::ElementValues values([&](unsigned i) { return names_[i]; }, given_);
          for (tt::StoreOp store : llvm::reverse(stores)) {
            auto element = elementOf(store, values);
            if (!element) continue;
            auto owner = place(store.getPtr().getType(), *element);
            if (!owner) continue;
            owner->program = {x, y, z};
            OpPlace source = PlaceReader(*variant.program).read(store.getLoc());
            if (source.place && source.place->file == variant.file().id())
              owner->store = lineInWords(variant.file(), source.place->range.begin);
            return owner;
          }
        }
    return std::nullopt;
  }

private:
  // The number of the element, in row-major order, that the store writes to the address.
  std::optional<size_t> elementOf(tt::StoreOp store, passes::ElementValues& values) {
    auto tensor = dyn_cast<RankedTensorType>(store.getPtr().getType());
    size_t count = tensor ? static_cast<size_t>(tensor.getNumElements()) : 1;
    evaluated_ += count;
    auto addresses = values.of(store.getPtr());
    if (!addresses) return std::nullopt;
    auto mask = store.getMask() ? values.of(store.getMask()) : nullptr;
    for (size_t i = 0; i < count; ++i)
      if ((*addresses)[i] == address_ && (!mask || (*mask)[i])) return i;
    return std::nullopt;
  }

  std::optional<ElementOwner> place(Type pointers, size_t element) {
    using layout::Dim;
    auto type = dyn_cast<RankedTensorType>(pointers);
    if (!type) return ElementOwner();
    const layout::LinearLayout& linear = ir::toLinearLayout(type);
    if (!linear.valid()) return std::nullopt;
    layout::Coordinates wanted(type.getRank());
    for (size_t d = wanted.size(); d-- > 0; element /= static_cast<size_t>(type.getShape()[d]))
      wanted[d] = static_cast<int32_t>(element % static_cast<size_t>(type.getShape()[d]));
    // The first of the places that hold it.
    layout::f2::Basis columns;
    for (layout::f2::Vector column : linear.columns())
      columns.insert(column);
    std::optional<layout::f2::Vector> input = columns.express(linear.pack(wanted));
    if (!input) return std::nullopt;
    auto part = [&](Dim dim) {
      return linear.hasIn(dim)
                 ? static_cast<unsigned>(*input >> linear.inShift(dim) & (linear.inSize(dim) - 1))
                 : 0u;
    };
    ElementOwner owner;
    owner.layout = layout::spelling(ir::toLayout(type.getEncoding()));
    owner.registerIndex = part(Dim::Register);
    owner.lane = part(Dim::Lane);
    owner.warp = part(Dim::Warp);
    owner.block = part(Dim::Block);
    return owner;
  }

  const HostLaunch& launch_;
  int64_t address_;
  CancellationToken token_;
  unsigned parameter_ = 0;
  std::vector<std::string> names_; // of the kernel's parameters
  llvm::StringMap<int64_t> given_;
  uint64_t evaluated_ = 0;
};

} // namespace

std::string describe(const ElementOwner& owner) {
  std::string text = "program (" + std::to_string(owner.program[0]) + ", " +
                     std::to_string(owner.program[1]) + ", " + std::to_string(owner.program[2]) +
                     ")";
  if (owner.block) text += ", CTA " + std::to_string(owner.block);
  if (!owner.layout.empty())
    text += ", warp " + std::to_string(owner.warp) + ", lane " + std::to_string(owner.lane) +
            ", register " + std::to_string(owner.registerIndex) + " of " + owner.layout;
  if (!owner.store.empty()) text += ", " + owner.store;
  return text;
}

std::optional<ElementOwner> ownerOf(const Snapshot& snapshot, const Variant& variant,
                                    const HostLaunch& launch, llvm::StringRef argument,
                                    llvm::ArrayRef<int64_t> index, Worker& worker,
                                    CancellationToken token) {
  auto it = llvm::find_if(launch.arguments,
                          [&](const HostArgument& each) { return each.name == argument; });
  if (it == launch.arguments.end() || !it->tensor || !it->isPointer() || !launch.grid ||
      it->tensor->strides.size() != index.size())
    return std::nullopt;
  const runner::Dtype* dtype = runner::findDtype(it->tensor->dtype);
  int64_t bytes = dtype ? dtype->bytes : 1;
  uint64_t address = 0; // strides are the program's own: the sum may wrap around
  for (auto [at, stride] : llvm::zip(index, it->tensor->strides))
    address +=
        static_cast<uint64_t>(at) * static_cast<uint64_t>(stride) * static_cast<uint64_t>(bytes);
  auto made = Analyzer(snapshot, worker, token).compile(variant, "ttgir");
  if (!made || !made->module) return std::nullopt;
  return Search(launch, static_cast<size_t>(it - launch.arguments.begin()),
                static_cast<int64_t>(address), token)
      .run(*made->module, variant);
}

} // namespace gluond::driver
