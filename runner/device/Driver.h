// A vendor's driver, with the interface that the rest of the runner uses: the calls that both
// vendors share (Calls.h), and virtual functions for what differs.
//
// A function's `device` is the driver's own number of a GPU, from 0.
#pragma once

#include "runner/device/Calls.h"
#include "runner/protocol/Messages.h"

#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace gluond::runner::device {

// The blame that a result puts on a kernel that ran before the call.
enum class Blame {
  None,   // the call itself failed; the context is still usable
  Kernel, // the kernel did something illegal; the context is unusable
  Device, // the GPU or the driver failed; the context is unusable
};
struct Explanation {
  Blame blame = Blame::None;
  const char* text = ""; // a sentence for the user; empty to use the driver's description
};

// Explains the results that both vendors' drivers have; empty for any other.
Explanation explainCommon(Result result);

struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1}; // CTAs
  unsigned threads = 128, sharedBytes = 0, cluster = 1;
  bool isCooperative = false, isProgrammatic = false;
  Stream stream = nullptr;
};

// The resources of a multiprocessor that a CTA of a kernel uses.
struct Usage {
  unsigned registers, sharedBytes, threads; // registers of a thread
};

// Why a driver makes no descriptor. `result` is success if the driver was not asked.
struct NoDescriptor {
  Result result = success;
  std::string why;
};

class Driver : public Calls {
public:
  virtual ~Driver() = default;

  std::string library; // the name with which it was opened

  virtual const char* name() const = 0;   // "CUDA", "HIP"
  virtual const char* vendor() const = 0; // "NVIDIA", "AMD"
  virtual const char* unit() const = 0;   // of the GPU: "an SM", "a CU"
  virtual std::string version() const = 0;
  virtual std::string nameOf(Result result) const = 0; // "CUDA_ERROR_ILLEGAL_ADDRESS"
  virtual std::string textOf(Result result) const = 0; // the driver's description
  virtual Explanation explain(Result result) const = 0;

  // Advice for the user if the driver finds no GPU, as the end of a sentence; may be empty.
  virtual std::string adviceWithoutDevices() const { return {}; }
  // Fills in everything but the index.
  virtual DeviceInfo describe(int device) const = 0;
  virtual bool hasVirtualMemoryOn(int device) const = 0;
  // Makes later calls of this thread use the device.
  virtual Result enter(int device) = 0;
  // The state of the device at this moment; empty if the driver does not tell.
  virtual std::optional<Conditions> conditions(int) const { return std::nullopt; }
  // The bytes to write so that nothing of earlier data is left in the device's caches.
  virtual uint64_t flushBytes(const DeviceInfo& device) const = 0;

  // Returns a sentence about code that the device cannot run; empty if it may.
  virtual std::string misfit(std::string_view code, const DeviceInfo& device) const = 0;
  // Says how the code was made, as far as the driver itself does not know.
  virtual void describeCode(std::string_view, const std::string&, LoadResult&) const {}
  // Lets launches have that much shared memory and clusters of that size.
  virtual Result permit(Function function, unsigned sharedBytes, unsigned cluster) const = 0;
  // The sizes in bytes of the kernel's parameters; empty if they are not known.
  virtual std::vector<unsigned> parameterSizes(Function function, std::string_view code,
                                               const std::string& kernel) const = 0;
  // The resource that keeps more than `ctas` CTAs off a multiprocessor.
  virtual const char* limitedBy(const DeviceInfo& device, const Usage& usage,
                                unsigned ctas) const = 0;
  // Returns false if not one cluster of that size fits on the device.
  virtual bool fitsCluster(Function, const LaunchConfig&) const { return true; }

  // Returns the bytes that a kernel gets for a tensor descriptor; `warps` is the number of warps of
  // a CTA. Shapes and strides count elements, outermost dimension first.
  virtual tl::expected<std::string, NoDescriptor> encode(const Descriptor& descriptor,
                                                         const std::vector<int64_t>& shape,
                                                         const std::vector<int64_t>& strides,
                                                         Address base, unsigned warps) const = 0;
  virtual Result launch(const LaunchConfig& config, Function function, void** parameters) const = 0;
};

// Opens a library, finds its functions and initializes it. The error says what was searched and
// what happened; `isMissing` if there is no library at all.
struct CannotOpen {
  bool isMissing = false;
  std::string why;
};
using Opened = tl::expected<std::unique_ptr<Driver>, CannotOpen>;

} // namespace gluond::runner::device
