#include "mcp/tools/Places.h"

#include "driver/benchmark/LaunchInputs.h"
#include "driver/launches/GivenTypes.h"
#include "driver/notebooks/NotebookFile.h"
#include "driver/workspace/FileLine.h"
#include "files/OpenBeneath.h"

#include <llvm/Support/Path.h>

namespace gluond::mcp {

namespace path = llvm::sys::path;

Answer<std::shared_ptr<const driver::File>> findFile(const std::string& name,
                                                     const Context& context) {
  const std::string& root = context.folder.path();
  if (name.empty() || name.find('\0') != std::string::npos) return fail("file: expected a path");
  std::string whole = files::normalized(path::is_absolute(name) ? name : root + "/" + name);
  if (!files::isInside(whole, root) || whole == root)
    return fail("'" + name + "' is not a file of the folder " + root +
                "; nothing outside of it is read");
  auto file = context.snapshot->found(whole);
  if (file) {
    context.worksOn(*file);
    return file;
  }
  auto read = context.folder.read(nameOf(whole, context));
  if (read && driver::isNotebook(whole))
    if (auto notebook = driver::NotebookFile::read(std::move(read->text)); !notebook)
      return fail("'" + name + "' " + notebook.error());
  return fail(read ? "cannot read '" + name + "': it is too large, or a link out of the folder"
                   : read.error());
}

std::string nameOf(llvm::StringRef path, const Context& context) {
  llvm::StringRef name = path;
  if (name.consume_front(context.folder.path()) && name.consume_front("/")) return name.str();
  return path.str();
}

Place placeOf(const diagnostics::Location& location, const Context& context) {
  std::string path = context.snapshot->path(location.file);
  Place place{nameOf(path, context), {}, 1, 1};
  if (auto file = context.snapshot->found(path)) {
    driver::FileLine at = driver::lineAt(*file, location.range.begin);
    place.cell = at.cell;
    place.line = at.line;
    place.column = file->text().position(location.range.begin, text::Unit::CodePoint).character + 1;
  }
  return place;
}

Answer<text::Range> rangeOfLine(const driver::File& file, std::optional<uint32_t> cell,
                                uint32_t line) {
  auto found = driver::findLine(file, {cell, line});
  if (!found) return tl::unexpected(std::move(found.error()));
  text::Offset begin = file.text().lineStart(*found);
  return text::Range{begin, begin + static_cast<text::Offset>(file.text().line(*found).size())};
}

bool isIn(const diagnostics::Location& place, const driver::File& file, text::Range range) {
  return place.file == file.id() && place.range.begin >= range.begin &&
         place.range.begin <= range.end;
}

Answer<ChosenKernel> chooseKernel(const KernelParams& params, const Context& context) {
  auto file = findFile(params.file, context);
  if (!file) return tl::unexpected(std::move(file.error()));
  ChosenKernel chosen{*file, driver::kernelsOf(*context.snapshot, *file, context.token)};
  if (!chosen.kernels) return cancelled();
  auto find = [&](const driver::KernelList& list) -> const driver::Kernel* {
    if (params.kernel) return list.find(*params.kernel);
    return list.kernels.size() == 1 ? &list.kernels.front() : nullptr;
  };
  chosen.kernel = find(*chosen.kernels);
  std::string names;
  auto add = [&](const driver::KernelList& list) {
    for (const driver::Kernel& each : list.kernels)
      names += (names.empty() ? "" : ", ") + each.qualname;
  };
  add(*chosen.kernels);
  if (!chosen.kernel) {
    auto elsewhere = driver::launchedElsewhere(*context.snapshot, *file, context.token);
    if (!elsewhere) return cancelled();
    add(*elsewhere);
    if (params.kernel || chosen.kernels->kernels.empty()) chosen.kernel = find(*elsewhere);
    if (chosen.kernel) chosen.kernels = std::move(elsewhere);
  }
  if (!chosen.kernel) {
    if (names.empty()) return fail("'" + params.file + "' has no kernel and launches none");
    return fail((params.kernel ? "'" + params.file + "' has no kernel '" + *params.kernel + "'"
                               : "kernel: '" + params.file + "' has more than one") +
                "; choose one of " + names);
  }
  chosen.variant = params.launch ? chosen.kernel->find(*params.launch)
                                 : &chosen.kernel->variants[chosen.kernel->selected];
  if (!chosen.variant) {
    std::string ids;
    for (const driver::Variant& each : chosen.kernel->variants)
      if (ids.size() < 1000) ids += (ids.empty() ? "" : ", ") + each.id;
    return fail("'" + chosen.kernel->qualname + "' has no launch '" + *params.launch +
                "'; choose one of " + ids);
  }
  const Interner& interner = context.snapshot->names();
  const auto arguments = params.arguments.value_or(std::vector<std::string>());
  if (arguments.empty()) return chosen;
  if (auto types = driver::givenTypes(*chosen.variant, arguments, interner); !types.empty()) {
    chosen.typed = std::make_shared<const driver::Variant>(
        driver::withTypes(*chosen.variant, types, interner));
    chosen.variant = chosen.typed.get();
  }
  if (auto given = driver::givenLaunch(*chosen.variant, interner, {arguments, "", {}, 0}); !given)
    return fail(given.error());
  return chosen;
}

Subject subjectOf(const driver::Variant& variant) {
  return {variant.kernel, variant.id, variant.label, variant.target};
}

} // namespace gluond::mcp
