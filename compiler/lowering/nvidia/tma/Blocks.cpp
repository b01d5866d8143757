// The tensor memory accelerator: blocks between global and shared memory, described by a tensor
// map.
#include "chips/MemorySizes.h"
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Barriers.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

// A block is moved by one message or more, dealt to the warps in turn: message and CTA -> where it
// begins, in the tensor and in shared memory.
struct Messages {
  LinearLayout toTensor, toShared;
  int64_t count;
  bool fp4Padded;
};

std::optional<Messages> messagesOf(FunctionEmitter& e, mlir::Operation* op, mlir::Value buffer,
                                   ttg::TMAMode mode) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  auto encoding = mlir::dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
  if (!encoding) {
    e.fail(op, "TMA moves buffers of an NVMMASharedLayout only");
    return std::nullopt;
  }
  llvm::SmallVector<int64_t> perCta = ttg::getShapePerCTA(encoding, type.getShape());
  auto block = ttg::getTMABlockShape(perCta, tt::bitWidth(type.getElementType()),
                                     encoding.getSwizzlingByteWidth(), encoding.getFp4Padded(),
                                     encoding.getTransposed(), true, mode, nullptr);
  if (mlir::failed(block)) {
    e.fail(op, "the block is too small for the swizzle of its layout");
    return std::nullopt;
  }
  Messages messages;
  for (unsigned i = 0; i < perCta.size(); ++i)
    messages.toTensor *= LinearLayout::strided1D(perCta[i] / (*block)[i], (*block)[i], Dim::Message,
                                                 layout::tensorDim(i));
  messages.toTensor *= encoding.getCGALayout().getLinearLayout();
  messages.count = messages.toTensor.inSize(Dim::Message);
  LinearLayout shared = ir::toLinearLayout(type);
  LinearLayout tensor = messages.toTensor;
  for (layout::DimBits out : shared.outs())
    if (tensor.hasOut(out.dim) && tensor.outSize(out.dim) < out.size())
      tensor = tensor.growOut(out.dim, out.size());
  auto toShared = tensor.invertAndCompose(shared);
  if (!toShared) {
    e.fail(op, "the buffer does not hold the blocks that TMA moves");
    return std::nullopt;
  }
  messages.toShared = *toShared;
  messages.fp4Padded = encoding.getFp4Padded();
  return messages;
}

struct Message {
  llvm::Value* predicate;
  llvm::Value* address;
  RegisterList coordinates; // fastest first
};

// Calls `issue` for each message that this warp sends.
void forEachMessage(FunctionEmitter& e, const Messages& messages, mlir::Value buffer,
                    mlir::ValueRange coordinates, llvm::Value* predicate,
                    llvm::function_ref<void(const Message&)> issue) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  unsigned bytes = std::max(1u, e.memoryBits(type.getElementType()) / 8),
           rank = static_cast<unsigned>(coordinates.size());
  llvm::Value* view = e.viewOffset(buffer);
  unsigned warps = e.group().warps;
  for (int64_t first = 0; first < messages.count; first += warps) {
    auto sending = std::min<int64_t>(messages.count - first, warps);
    llvm::Value* number = sending == 1 ? static_cast<llvm::Value*>(e.i32(first))
                                       : e.b.CreateAdd(e.warp(), e.i32(first));
    llvm::Value* mine = e.b.CreateICmpULT(e.thread(), e.i32(sending * e.state().threadsPerWarp));
    RegisterList shared =
        e.apply(messages.toShared, {{Dim::Message, number}, {Dim::Block, e.block()}});
    RegisterList tensor =
        e.apply(messages.toTensor, {{Dim::Message, number}, {Dim::Block, e.block()}});
    unsigned offsetOut = 0;
    while (messages.toShared.outs()[offsetOut].dim != Dim::Offset)
      ++offsetOut;
    llvm::Value* offset = e.b.CreateXor(shared[offsetOut], view);
    Message message{
        e.b.CreateAnd(predicate, mine),
        e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(buffer), e.b.CreateMul(offset, e.i32(bytes))),
        {}};
    for (unsigned i = 0; i < rank; ++i) {
      llvm::Value* at = e.scalar(coordinates[rank - 1 - i]);
      llvm::Value* within = tensor.size() > i ? tensor[tensor.size() - 1 - i] : e.i32(0);
      if (messages.fp4Padded && i == 0) { // two elements in each byte, and as many bytes of padding
        at = e.b.CreateMul(at, e.i32(2));
        within = e.b.CreateMul(within, e.i32(2));
      }
      message.coordinates.push_back(e.b.CreateAdd(at, within));
    }
    issue(message);
  }
}

bool load(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncTMACopyGlobalToLocalOp>(operation);
  if (!needs(e, op, chips::Feature::Tma, "TMA needs")) return false;
  bool im2col = !mlir::isa<tt::TensorDescType>(op.getDesc().getType());
  auto messages =
      messagesOf(e, op, op.getResult(), im2col ? ttg::TMAMode::Im2Col : ttg::TMAMode::Tiled);
  if (!messages) return false;
  llvm::Value* predicate = e.b.CreateAnd(e.scalar(op.getPred()), elect(e));
  uint32_t copies = op.getMulticast() ? sharedBlocks(op.getResult()) : 0;
  if (copies)
    predicate = e.b.CreateAnd(predicate,
                              e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(copies)), e.i32(0)));
  bool cluster = copies || sharedBlocks(op.getBarrier());
  if (cluster) e.state().touchesOtherCtas = true;
  llvm::StringRef pair = copyGroup(e, op.getBarrier());
  unsigned rank = static_cast<unsigned>(op.getCoord().size());
  llvm::Value* barrier = leaderAddress(e, op.getBarrier());
  forEachMessage(
      e, *messages, op.getResult(), op.getCoord(), predicate, [&](const Message& message) {
        std::string text = "@$0 cp.async.bulk.tensor." + std::to_string(rank) + "d." + pair.str() +
                           "shared::" + (cluster ? "cluster" : "cta") + ".global" +
                           (im2col ? ".im2col" : "") + ".mbarrier::complete_tx::bytes" +
                           (copies ? ".multicast::cluster" : "") + " [$1], [$2, " +
                           bracedOperands(3, rank) + "], [$" + std::to_string(3 + rank) + "]";
        std::string constraints = "b,r,l";
        RegisterList operands{message.predicate, message.address, e.scalar(op.getDesc())};
        for (llvm::Value* coordinate : message.coordinates) {
          operands.push_back(coordinate);
          constraints += ",r";
        }
        operands.push_back(barrier);
        constraints += ",r";
        unsigned next = 4 + rank;
        if (im2col && !op.getOffsets().empty()) {
          auto offsets = op.getOffsets();
          text += ", " + bracedOperands(next, static_cast<unsigned>(offsets.size()));
          next += static_cast<unsigned>(offsets.size());
          for (mlir::Value offset : llvm::reverse(offsets)) {
            operands.push_back(e.scalar(offset));
            constraints += ",h";
          }
        }
        if (copies) {
          text += ", $" + std::to_string(next);
          operands.push_back(e.b.CreateTrunc(multicastMask(e, copies), e.b.getInt16Ty()));
          constraints += ",h";
        }
        e.assembly(text + ";", constraints, operands);
      });
  return true;
}

bool storeLike(FunctionEmitter& e, mlir::Operation* op, mlir::Value descriptor,
               mlir::ValueRange coordinates, mlir::Value source, llvm::StringRef what) {
  if (!needs(e, op, chips::Feature::Tma, "TMA needs")) return false;
  auto messages = messagesOf(e, op, source, ttg::TMAMode::Tiled);
  if (!messages) return false;
  llvm::Value* predicate = elect(e);
  if (uint32_t copies = sharedBlocks(source))
    predicate = e.b.CreateAnd(predicate,
                              e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(copies)), e.i32(0)));
  unsigned rank = static_cast<unsigned>(coordinates.size());
  forEachMessage(e, *messages, source, coordinates, predicate, [&](const Message& message) {
    std::string text = ("@$0 " + what).str() + " [$1, " + bracedOperands(2, rank) + "], [$" +
                       std::to_string(2 + rank) + "];";
    std::string constraints = "b,l";
    RegisterList operands{message.predicate, e.scalar(descriptor)};
    for (llvm::Value* coordinate : message.coordinates) {
      operands.push_back(coordinate);
      constraints += ",r";
    }
    operands.push_back(message.address);
    e.assembly(text, constraints + ",r", operands);
  });
  e.assembly("cp.async.bulk.commit_group;", "", {});
  return true;
}

bool store(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncTMACopyLocalToGlobalOp>(operation);
  return storeLike(e, op, op.getDesc(), op.getCoord(), op.getSrc(),
                   "cp.async.bulk.tensor." + std::to_string(op.getCoord().size()) +
                       "d.global.shared::cta.bulk_group");
}

bool reduce(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncTMAReduceOp>(operation);
  return storeLike(e, op, op.getDesc(), op.getCoord(), op.getSrc(),
                   "cp.reduce.async.bulk.tensor." + std::to_string(op.getCoord().size()) +
                       "d.global.shared::cta." +
                       tt::stringifyDescriptorReduceKind(op.getKind()).str() + ".bulk_group");
}

bool wait(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMAStoreWaitOp>(operation);
  e.assembly(std::string("cp.async.bulk.wait_group") + (op.getReadOnly() ? ".read " : " ") +
                 std::to_string(op.getPendings()) + ";",
             "", {});
  return true;
}

bool reinterpret(FunctionEmitter& e, mlir::Operation* op) {
  e.set(op->getResult(0), e.b.CreateAddrSpaceCast(e.scalar(op->getOperand(0)), e.b.getPtrTy()));
  return true;
}

// A tensor map is made in shared memory by one warp, field by field, and copied to where it shall
// lie.
bool create(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TensormapCreateOp>(operation);
  llvm::Value *scratch = e.scratch(op), *mine = e.b.CreateICmpEQ(e.warp(), e.i32(0));
  llvm::BasicBlock *work = e.newBlock("tensormap"), *after = e.newBlock("tensormap.end");
  e.b.CreateCondBr(mine, work, after);
  e.b.SetInsertPoint(work);
  e.b.CreateStore(e.i32(0), e.b.CreateGEP(e.b.getInt32Ty(), scratch, e.lane()));
  e.warpBarrier();
  llvm::Value* one = e.b.CreateICmpEQ(e.lane(), e.i32(0));
  auto replace = [&](llvm::StringRef field, llvm::StringRef ordinal, llvm::StringRef type,
                     llvm::Value* value) {
    std::string text = ("@$0 tensormap.replace.tile." + field + ".shared::cta.b1024." + type +
                        " [$1], " + ordinal + (ordinal.empty() ? "" : ", ") + "$2;")
                           .str();
    e.assembly(text, type == "b64" ? "b,l,l" : "b,l,r",
               {one, e.b.CreateAddrSpaceCast(scratch, e.b.getPtrTy()), value});
  };
  auto immediate = [&](llvm::StringRef field, int64_t value) {
    std::string text = ("@$0 tensormap.replace.tile." + field + ".shared::cta.b1024.b32 [$1], " +
                        std::to_string(value) + ";")
                           .str();
    e.assembly(text, "b,l", {one, e.b.CreateAddrSpaceCast(scratch, e.b.getPtrTy())});
  };
  replace("global_address", "", "b64",
          e.b.CreatePtrToInt(e.scalar(op.getGlobalAddress()), e.b.getInt64Ty()));
  immediate("rank", op.getRank() - 1);
  auto each = [&](llvm::StringRef field, mlir::ValueRange values, llvm::StringRef type) {
    for (auto [i, value] : llvm::enumerate(values))
      replace(field, std::to_string(i), type, e.scalar(value));
  };
  each("box_dim", op.getBoxDim(), "b32");
  each("global_dim", op.getGlobalDim(), "b32");
  each("global_stride", op.getGlobalStride(), "b64");
  each("element_stride", op.getElementStride(), "b32");
  immediate("elemtype", op.getElemType());
  immediate("interleave_layout", op.getInterleaveLayout());
  immediate("swizzle_mode", op.getSwizzleMode());
  immediate("fill_mode", op.getFillMode());
  e.warpBarrier();
  e.assembly("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
             "aligned [$0], [$1], 0x80;",
             "l,r", {e.scalar(op.getDescPtr()), scratch});
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  return true;
}

bool acquire(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TensormapFenceproxyAcquireOp>(operation);
  llvm::Value* mine = e.b.CreateICmpEQ(e.warp(), e.i32(0));
  e.assembly("@$0 fence.proxy.tensormap::generic.acquire.gpu [$1], 0x80;", "b,l",
             {mine, e.scalar(op.getDescPtr())});
  // Threads after this point must not use the map before it is written.
  e.barrier();
  return true;
}

} // namespace

static int64_t tensormapScratchBytes(mlir::Operation*) {
  return chips::tensorMapBytes;
}

llvm::ArrayRef<OpRow> tmaOps() {
  static constexpr OpRow rows[] = {
      {"ttng.async_tma_copy_global_to_local", load},
      {"ttng.async_tma_copy_local_to_global", store},
      {"ttng.async_tma_reduce", reduce},
      {"ttng.async_tma_store_wait", wait},
      {"ttng.reinterpret_tensor_descriptor", reinterpret},
      {"ttng.tensormap_create", create, tensormapScratchBytes},
      {"ttng.tensormap_fenceproxy_acquire", acquire},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
