#include "driver/benchmark/KernelWork.h"

#include "chips/Target.h"
#include "driver/program/PointerProvenance.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "passes/analysis/MemoryAccess.h"
#include "passes/analysis/ScalarValue.h"
#include "passes/nvidia/TmaLowering.h"
#include "runner/protocol/Dtype.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <map>

namespace gluond::driver {
using namespace mlir;

namespace {

// ---------------------------------------------------------------- matrix products

// M, N, K and the type of one product; nothing for other ops.
struct Product {
  double operations;
  std::string type;
};

std::string matrixType(Type element, bool isTf32) {
  if (element.isF32() && isTf32) return "tf32";
  if (element.isF64()) return "fp64";
  if (element.isF32()) return "fp32";
  if (element.isBF16()) return "bf16";
  if (element.isF16()) return "fp16";
  if (isa<FloatType>(element) && tt::bitWidth(element) == 8) return "fp8";
  return tt::bitWidth(element) == 8 ? "i8" : "int";
}

// By the wider of the operands: matrix units multiply mixed ones at its rate.
std::string scaledType(tt::ScaleDotElemType a, tt::ScaleDotElemType b) {
  static constexpr std::pair<tt::ScaleDotElemType, const char*> byWidth[] = {
      {tt::ScaleDotElemType::FP16, "fp16"}, {tt::ScaleDotElemType::BF16, "bf16"},
      {tt::ScaleDotElemType::E4M3, "fp8"},  {tt::ScaleDotElemType::E5M2, "fp8"},
      {tt::ScaleDotElemType::E3M2, "fp6"},  {tt::ScaleDotElemType::E2M3, "fp6"},
      {tt::ScaleDotElemType::E2M1, "fp4"}};
  for (auto [type, name] : byWidth)
    if (a == type || b == type) return name;
  return "int";
}

// 4-bit elements are packed two to a byte: along K if the operand says so, else along M.
std::optional<Product> scaledProductOf(tt::DotScaledOp dot) {
  auto a = cast<ShapedType>(dot.getA().getType()), d = cast<ShapedType>(dot.getD().getType());
  bool isPacked = dot.getAElemType() == tt::ScaleDotElemType::E2M1 && dot.getLhsKPack();
  double operations = isPacked ? 4 : 2;
  for (int64_t extent : d.getShape())
    operations *= static_cast<double>(extent);
  return Product{operations * static_cast<double>(a.getShape().back()),
                 scaledType(dot.getAElemType(), dot.getBElemType())};
}

std::optional<Product> productOf(Operation* op) {
  auto make = [](Value a, Value b, bool isTf32) -> std::optional<Product> {
    auto left = dyn_cast<ShapedType>(a.getType()), right = dyn_cast<ShapedType>(b.getType());
    if (!left || !right || left.getRank() < 2 || right.getRank() < 2) return std::nullopt;
    double operations = 2;
    for (int64_t extent : left.getShape())
      operations *= static_cast<double>(extent);
    return Product{operations * static_cast<double>(right.getShape().back()),
                   matrixType(left.getElementType(), isTf32)};
  };
  auto isTf32 = [](tt::InputPrecision precision) {
    return precision == tt::InputPrecision::TF32 || precision == tt::InputPrecision::TF32x3;
  };
  return llvm::TypeSwitch<Operation*, std::optional<Product>>(op)
      .Case([&](tt::DotOp dot) {
        return make(dot.getA(), dot.getB(), isTf32(dot.getInputPrecision()));
      })
      .Case([&](ttng::WarpGroupDotOp dot) { return make(dot.getA(), dot.getB(), true); })
      .Case([&](ttng::TCGen5MMAOp dot) { return make(dot.getA(), dot.getB(), true); })
      .Case([&](tt::DotScaledOp dot) { return scaledProductOf(dot); })
      .Case([&](ttng::TCGen5MMAScaledOp dot) -> std::optional<Product> {
        return Product{2.0 * static_cast<double>(dot.getBlockM()) *
                           static_cast<double>(dot.getBlockN()) *
                           static_cast<double>(dot.getBlockK()),
                       scaledType(dot.getAType(), dot.getBType())};
      })
      .Default([](Operation*) { return std::nullopt; });
}

// Runs the control flow of one program on the launch's numbers and adds up products.
class Counter {
public:
  using Work = std::map<std::string, double>; // operations by type

  Counter(FunctionOpInterface kernel, const HostLaunch& launch,
          const llvm::DenseMap<Value, int64_t>& arguments)
      : kernel_(kernel), launch_(launch), arguments_(arguments) {
    kernel->walk([&](Operation* op) {
      if (productOf(op))
        for (Operation* at = op; at != kernel_.getOperation(); at = at->getParentOp())
          relevant_.insert(at);
    });
  }

  bool isEmpty() const { return relevant_.empty(); }

  // All programs together.
  std::optional<Work> all() {
    const auto& grid = *launch_.grid;
    program_ = {0, 0, 0};
    readProgram_ = false;
    auto first = one();
    if (!first) return std::nullopt;
    double programs =
        static_cast<double>(grid[0]) * static_cast<double>(grid[1]) * static_cast<double>(grid[2]);
    if (!readProgram_) {
      scale(*first, programs);
      return first;
    }
    constexpr double mostPrograms = 1 << 16;
    if (programs > mostPrograms) return std::nullopt;
    Work sum;
    for (program_[2] = 0; program_[2] < grid[2]; ++program_[2])
      for (program_[1] = 0; program_[1] < grid[1]; ++program_[1])
        for (program_[0] = 0; program_[0] < grid[0]; ++program_[0]) {
          auto each = one();
          if (!each) return std::nullopt;
          add(sum, *each);
        }
    return sum;
  }

private:
  static void add(Work& sum, const Work& each) {
    for (const auto& [type, operations] : each)
      sum[type] += operations;
  }
  static void scale(Work& work, double factor) {
    for (auto& [type, operations] : work)
      operations *= factor;
  }

  std::optional<Work> one() {
    known_.clear();
    return count(kernel_.getFunctionBody());
  }

  std::optional<Work> count(Region& region) {
    Work sum;
    for (Block& block : region)
      for (Operation& op : block) {
        if (!relevant_.contains(&op)) continue;
        if (++steps_ > mostSteps) return std::nullopt;
        auto each = count(op);
        if (!each) return std::nullopt;
        add(sum, *each);
      }
    return sum;
  }

  std::optional<Work> countAll(MutableArrayRef<Region> regions) {
    Work sum;
    for (Region& region : regions) {
      auto each = count(region);
      if (!each) return std::nullopt;
      add(sum, *each);
    }
    return sum;
  }

  std::optional<Work> count(Operation& op) {
    if (auto product = productOf(&op)) return Work{{product->type, product->operations}};
    if (auto loop = dyn_cast<scf::ForOp>(op)) return countLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      auto condition = value(branch.getCondition());
      if (condition) return count(*condition ? branch.getThenRegion() : branch.getElseRegion());
      auto yes = count(branch.getThenRegion()), no = count(branch.getElseRegion());
      if (!yes || !no || *yes != *no) return std::nullopt;
      return yes;
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      op.walk([&](Operation* inside) {
        auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(inside);
        if (!partitions) return;
        for (Region& region : partitions->getRegions())
          for (auto [argument, operand] :
               llvm::zip(region.getArguments(), partitions->getOperands()))
            if (auto number = value(operand)) known_[argument] = *number;
      });
      return countAll(op.getRegions());
    }
    if (isa<ttg::WarpSpecializePartitionsOp>(op)) return countAll(op.getRegions());
    return std::nullopt; // a while loop, a call
  }

  std::optional<Work> countLoop(scf::ForOp loop) {
    auto lower = value(loop.getLowerBound()), upper = value(loop.getUpperBound()),
         step = value(loop.getStep());
    if (!lower || !upper || !step || *step <= 0) return std::nullopt;
    if (*lower >= *upper) return Work();
    int64_t iterations = (*upper - *lower + *step - 1) / *step;
    auto trips = static_cast<double>(iterations);
    // Computes the body once for all iterations if they do not differ, else for each.
    known_.erase(loop.getInductionVar());
    Saved saved(*this, loop);
    if (auto body = count(loop.getRegion())) {
      scale(*body, trips);
      return body;
    }
    if (trips > mostSteps) return std::nullopt;
    Work sum;
    for (int64_t i = *lower; i < *upper; i += *step) {
      Saved each(*this, loop);
      known_[loop.getInductionVar()] = i;
      auto body = count(loop.getRegion());
      if (!body) return std::nullopt;
      add(sum, *body);
    }
    known_.erase(loop.getInductionVar());
    return sum;
  }

  // Discards, on entry and exit, what was evaluated inside the loop.
  struct Saved {
    Saved(Counter& counter, scf::ForOp loop) : counter(counter), loop(loop) { forget(); }
    ~Saved() { forget(); }
    void forget() {
      llvm::SmallVector<Value> inside;
      for (auto& [value, number] : counter.known_) {
        Operation* owner = value.getParentRegion()->getParentOp();
        if (owner && loop->isAncestor(owner)) inside.push_back(value);
      }
      for (Value value : inside)
        counter.known_.erase(value);
    }
    Counter& counter;
    scf::ForOp loop;
  };

  std::optional<int64_t> value(Value asked) {
    if (auto it = known_.find(asked); it != known_.end()) return it->second;
    if (auto it = arguments_.find(asked); it != arguments_.end()) return it->second;
    Operation* op = asked.getDefiningOp();
    if (!op || ++steps_ > mostSteps || depth_ > 200) return std::nullopt;
    std::optional<int64_t> result;
    ++depth_;
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
      readProgram_ = true;
      result = program_[static_cast<size_t>(id.getAxis())];
    } else if (auto count = dyn_cast<tt::GetNumProgramsOp>(op)) {
      result = (*launch_.grid)[static_cast<size_t>(count.getAxis())];
    } else {
      result = passes::evaluateScalar(*op, [&](Value operand) { return value(operand); });
    }
    --depth_;
    if (result) known_[asked] = *result;
    return result;
  }

  static constexpr uint64_t mostSteps = 4'000'000;
  FunctionOpInterface kernel_;
  const HostLaunch& launch_;
  const llvm::DenseMap<Value, int64_t>& arguments_;
  llvm::DenseSet<Operation*> relevant_; // products and the ops around them
  llvm::DenseMap<Value, int64_t> known_;
  std::array<int64_t, 3> program_ = {};
  bool readProgram_ = false;
  uint64_t steps_ = 0;
  unsigned depth_ = 0;
};

tl::expected<TensorMapFacts, std::string> tensorMapFactsOf(tt::TensorDescInterface type,
                                                           const HostArgument& argument) {
  auto code = passes::descriptorCode(type);
  if (!code) return tl::unexpected(code.error());
  // The driver's numbers of element types are those of instructions, except for three.
  unsigned element = static_cast<unsigned>(code->elementType);
  element = element == 8 ? 10 : element == 9 ? 8 : element == 10 ? 9 : element;
  if (argument.descriptor && argument.descriptor->roundsToTf32) element = 11;
  TensorMapFacts facts;
  facts.elementType = element;
  facts.swizzle = static_cast<unsigned>(code->swizzle);
  facts.elementBytes = static_cast<unsigned>(code->elementBytes);
  facts.isFp4 = code->fp4Padded;
  facts.isIm2Col = isa<ttng::TensorDescIm2ColType>(type);
  facts.box.assign(code->block.begin(), code->block.end());
  return facts;
}

// As Triton's metadata tell its launcher: the block of the type, and the layout's padding.
tl::expected<TensorMapFacts, std::string> tdmFactsOf(tt::TensorDescInterface type) {
  TensorMapFacts facts;
  facts.elementBytes = tt::bitWidth(type.getElementType()) / 8;
  facts.box.assign(type.getShape().begin(), type.getShape().end());
  if (auto padded = dyn_cast_or_null<ttg::PaddedSharedEncodingAttr>(type.getSharedLayout())) {
    if (padded.getIntervals().size() != 1)
      return tl::unexpected<std::string>(
          "its layout has padding at several intervals, and TDM pads at one");
    facts.padInterval = padded.getIntervals().front();
    facts.padAmount = padded.getPaddings().front();
  }
  return facts;
}

} // namespace

tl::expected<KernelWork, std::string> workOf(ModuleOp module, const HostLaunch& launch) {
  using Error = tl::unexpected<std::string>;
  FunctionOpInterface kernel = kernelOf(module);
  if (!kernel) return Error("the module has no kernel");

  auto target = chips::Target::parse(ttg::targetOf(module));
  bool isAmd = target && target->isHip();
  // A descriptor is one argument here, and itself, its shape and its strides there.
  KernelWork work;
  std::vector<unsigned> places; // index in the kernel of each argument
  llvm::DenseMap<Value, int64_t> numbers;
  unsigned next = 0;
  for (const HostArgument& argument : launch.arguments) {
    if (next >= kernel.getNumArguments())
      return Error("the launch has more arguments than the kernel");
    places.push_back(next);
    BlockArgument value = kernel.getArgument(next++);
    work.maps.emplace_back();
    if (argument.isDescriptor()) {
      auto type = dyn_cast<tt::TensorDescInterface>(value.getType());
      if (!type)
        return Error("the argument '" + argument.name + "' is not a descriptor in the kernel");
      auto facts = isAmd ? tdmFactsOf(type) : tensorMapFactsOf(type, argument);
      if (!facts) return Error("the descriptor '" + argument.name + "': " + facts.error());
      work.maps.back() = std::move(*facts);
      size_t rank = argument.tensor ? argument.tensor->shape.size() : argument.rank;
      for (size_t i = 0; i < 2 * rank && next < kernel.getNumArguments(); ++i, ++next)
        if (argument.tensor) {
          const auto& extents = i < rank ? argument.tensor->shape : argument.tensor->strides;
          numbers[kernel.getArgument(next)] = extents[i % rank];
        }
    } else if (argument.integer) {
      numbers[value] = *argument.integer;
    }
  }
  if (next != kernel.getNumArguments())
    return Error("the kernel has more arguments than the launch");

  work.uses.resize(launch.arguments.size());
  PointerProvenance provenance(kernel);
  kernel->walk([&](Operation* op) {
    auto access = passes::memoryAccessOf(op);
    if (!access || !access->address()) return;
    const llvm::BitVector& sources = provenance.sourcesOf(access->address());
    for (size_t i = 0; i < places.size(); ++i) {
      if (!sources.test(places[i])) continue;
      work.uses[i].isRead |= access->isRead;
      work.uses[i].isWritten |= access->isWritten;
      work.uses[i].isAtomic |= access->isAtomic;
    }
  });

  Counter counter(kernel, launch, numbers);
  work.hasMatrices = !counter.isEmpty();
  if (!work.hasMatrices) {
    work.matrices.emplace();
  } else if (launch.grid) {
    if (auto counted = counter.all()) {
      work.matrices.emplace();
      for (auto& [type, operations] : *counted)
        work.matrices->push_back({type, operations});
    }
  }
  return work;
}

double bytesMoved(const HostLaunch& launch, const KernelWork& work) {
  double bytes = 0;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const HostArgument& argument = launch.arguments[i];
    if (!argument.tensor) continue;
    const runner::Dtype* dtype = runner::findDtype(argument.tensor->dtype);
    double size = dtype ? dtype->bytes : 1;
    // Dimensions that repeat the same memory count as one step.
    for (auto [extent, stride] : llvm::zip(argument.tensor->shape, argument.tensor->strides))
      if (stride != 0) size *= static_cast<double>(extent);
    bytes += size * (work.uses[i].isRead + work.uses[i].isWritten);
  }
  return bytes;
}

} // namespace gluond::driver
