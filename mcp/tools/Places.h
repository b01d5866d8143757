// The files, kernels and places that calls name. Paths are relative to the folder, lines and
// columns count from 1, columns in characters.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/launches/Kernels.h"
#include "mcp/tools/Tool.h"

namespace gluond::mcp {

// The description of the members `cell` of arguments and results.
inline constexpr const char* cellHelp =
    "Of a notebook: the cell in which the lines count, from 1 among all of its cells.";

struct Place {
  std::string file;
  std::optional<uint32_t> cell;
  uint32_t line = 1, column = 1;
  bool operator==(const Place&) const = default;
  static constexpr auto fields() {
    return std::make_tuple(told("file", &Place::file, "Path, relative to the folder."),
                           told("cell", &Place::cell, cellHelp),
                           told("line", &Place::line, "From 1."),
                           told("column", &Place::column, "From 1, in characters."));
  }
};

// The error says why there is no such file, or that it is outside of the folder.
Answer<std::shared_ptr<const driver::File>> findFile(const std::string& name,
                                                     const Context& context);
// Returns the path as calls name it.
std::string nameOf(llvm::StringRef path, const Context& context);
Place placeOf(const diagnostics::Location& location, const Context& context);

// The range of a line that a call names. The error says which lines, or which cells, there are.
Answer<text::Range> rangeOfLine(const driver::File& file, std::optional<uint32_t> cell,
                                uint32_t line);
// Whether the place begins in this range of the file.
bool isIn(const diagnostics::Location& place, const driver::File& file, text::Range range);

// The description of the argument `target`, the same in every tool.
inline constexpr const char* targetHelp =
    "Target of launches that name none: cuda:90, cuda:100, hip:gfx942, ...";

// The arguments that select what is compiled. Tools that run nothing take only types from
// `arguments`.
struct KernelParams {
  std::string file;
  std::optional<std::string> kernel, launch, target;
  std::optional<std::vector<std::string>> arguments;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &KernelParams::file,
             "Python file or notebook with the kernel, relative to the folder."),
        told("kernel", &KernelParams::kernel,
             "Name of the kernel; may be left out if the file has one only. Methods and nested "
             "functions have qualified names, as the tool launches lists them."),
        told("launch", &KernelParams::launch,
             "Id of a launch, as the tool launches lists it; if left out, the first one."),
        told("target", &KernelParams::target, targetHelp),
        told("arguments", &KernelParams::arguments,
             "Values of the kernel's arguments as NAME=VALUE: n=4096, "
             "x=random:f16[4096,4096], x=zeros, x=data.npy. Missing values come from the "
             "host code, or are assumed and reported. Where the host code does not show the type "
             "of an argument, the kernel is compiled for this one's: idx=i64."));
  }
};
struct ChosenKernel {
  std::shared_ptr<const driver::File> file;
  std::shared_ptr<const driver::KernelList> kernels; // owns the others
  const driver::Kernel* kernel = nullptr;
  const driver::Variant* variant = nullptr;
  std::shared_ptr<const driver::Variant> typed = nullptr; // the variant, if arguments give types
};
Answer<ChosenKernel> chooseKernel(const KernelParams& params, const Context& context);

// The launch that a result is about.
struct Subject {
  std::string kernel, launch, label, target;
  static constexpr auto fields() {
    return std::make_tuple(told("kernel", &Subject::kernel, "Name of the kernel."),
                           told("launch", &Subject::launch, "Id of the launch."),
                           told("label", &Subject::label, "Types, constants and options of it."),
                           told("target", &Subject::target, "Target that it is compiled for."));
  }
};
Subject subjectOf(const driver::Variant& variant);

inline tl::unexpected<std::string> fail(std::string why) {
  return tl::unexpected(std::move(why));
}
inline tl::unexpected<std::string> cancelled() {
  return fail("cancelled");
}

} // namespace gluond::mcp
