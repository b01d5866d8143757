#include "codegen/builder/LayoutPlaces.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/Unit.h"
#include "codegen/context/Prelude.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "syntax/tree/Spread.h"

namespace gluond::codegen {

using language::LayoutClass;
using language::LayoutObject;
using namespace syntax;

namespace {

// The fields that lead from `outer` to a layout that equals `inner`.
bool pathTo(const LayoutObject& outer, const LayoutObject& inner,
            llvm::SmallVectorImpl<size_t>& path) {
  if (&outer == &inner || language::equal(outer, inner)) return true;
  for (size_t i = 0; i < outer.fields.size(); ++i)
    if (auto* part = outer.fields[i].as<LayoutObject>()) {
      path.push_back(i);
      if (pathTo(*part, inner, path)) return true;
      path.pop_back();
    }
  return false;
}

} // namespace

void LayoutPlaces::keep(const LayoutObject* layout, const Node* node) {
  if (!unit_.suppressed)
    uses_.push_back({layout, node, llvm::SmallVector<CallFrame, 4>(unit_.frames)});
  else
    seen_.erase(layout);
}

// Follows one name; returns the same place if there is none to follow.
Written LayoutPlaces::step(Written at) const {
  if (auto* call = llvm::dyn_cast<Call>(at.node)) {
    // gl.constexpr(x)
    if (call->args.size() == 1 && call->keywords.empty() &&
        language::calledName(call->func, unit_.context.names()) == "constexpr")
      at.node = call->args[0];
    return at;
  }
  auto* name = llvm::dyn_cast<NameExpr>(at.node);
  if (!name) return at;
  if (!at.frames.empty()) {
    const CallFrame& frame = at.frames.back();
    const FunctionDef* def = frame.function->def;
    if (!def) return at;
    if (Assignment assigned = lastAssignment(def->body, name->name, at.node->range.begin)) {
      if (assigned.value) at.node = assigned.value;
      return at;
    }
    for (auto [i, parameter] : llvm::enumerate(def->parameters)) {
      if (parameter.name.name != name->name) continue;
      auto* call = llvm::dyn_cast_if_present<Call>(frame.callSite);
      if (!call || at.frames.size() < 2) return at; // the launch's
      const Expr* argument = nullptr;
      for (const Keyword& keyword : call->keywords)
        if (keyword.name.name == name->name) argument = keyword.value;
      bool isMethod = !def->parameters.empty() &&
                      unit_.context.names().text(def->parameters[0].name.name) == "self";
      size_t position = i - (isMethod && i > 0);
      if (!argument && !syntax::spreadsArguments(*call) && position < call->args.size())
        argument = call->args[position];
      if (!argument) return at;
      llvm::ArrayRef<CallFrame> callers = at.frames.drop_back();
      return {callers.back().locations, argument, callers, callers.back().function->module};
    }
  }
  const FileLocations* locations = unit_.locationsOf(at.module);
  if (!locations) return at;
  const Expr* value = lastAssignment(locations->file().statements, name->name).value;
  return value ? Written{locations, value, {}, at.module} : at;
}

Written LayoutPlaces::follow(Written at) const {
  for (unsigned steps = 0; at && steps < 32; ++steps) {
    Written next = step(at);
    if (next.node == at.node) break;
    // Out of the library's functions, never into one.
    if (Prelude::isPrelude(next.locations->file().id) &&
        !Prelude::isPrelude(at.locations->file().id))
      break;
    at = next;
  }
  return at;
}

Written LayoutPlaces::given(const Node* node, llvm::ArrayRef<CallFrame> frames) const {
  if (frames.empty()) return {};
  Written at{frames.back().locations, node, frames, frames.back().function->module};
  while (at && Prelude::isPrelude(at.locations->file().id)) {
    Written next = step(at);
    if (next.node == at.node) return {};
    at = next;
  }
  return at;
}

Written LayoutPlaces::trace(const Node* node, llvm::ArrayRef<CallFrame> frames) const {
  if (frames.empty()) return {};
  return follow({frames.back().locations, node, frames, frames.back().function->module});
}

const Expr* LayoutPlaces::argumentOf(const Written& constructor, const LayoutClass& cls,
                                     size_t field) const {
  auto* call = llvm::dyn_cast<Call>(constructor.node);
  if (!call) return nullptr;
  for (const Keyword& keyword : call->keywords)
    if (unit_.context.names().text(keyword.name.name) == cls.fields[field].name)
      return keyword.value;
  if (language::calledName(call->func, unit_.context.names()) != cls.name ||
      field >= call->args.size())
    return nullptr;
  for (size_t i = 0; i <= field; ++i)
    if (llvm::isa<Starred>(call->args[i])) return nullptr;
  return call->args[field];
}

std::optional<LayoutPlace> LayoutPlaces::find(const LayoutObject& layout,
                                              llvm::StringRef field) const {
  for (const Use& use : uses_) {
    llvm::SmallVector<size_t, 2> path;
    if (!pathTo(*use.layout, layout, path)) continue;
    Written at = trace(use.node, use.frames);
    if (!at) continue;
    // Not a place of the user's: the call of the library's function is.
    const LayoutObject* object = use.layout;
    bool found = true;
    for (size_t i : path) {
      const Expr* parent = argumentOf(at, *object->cls, i);
      if (!(found = parent != nullptr)) break;
      at = follow({at.locations, parent, at.frames, at.module});
      object = object->fields[i].as<LayoutObject>();
    }
    // For an operation inside the library, the layout was given at the user's call.
    size_t depth = use.frames.size();
    while (depth > 1 && Prelude::isPrelude(use.frames[depth - 1].locations->file().id))
      --depth;
    const Node* given = depth == use.frames.size() ? use.node : use.frames[depth].callSite;
    LayoutPlace place{at, nullptr, {use.frames[depth - 1].locations->file().id, given->range}};
    if (Prelude::isPrelude(place.use.file) || Prelude::isPrelude(at.locations->file().id)) continue;
    for (size_t i = 0; found && !field.empty() && i < object->cls->fields.size(); ++i)
      if (object->cls->fields[i].name == field) place.argument = argumentOf(at, *object->cls, i);
    return place;
  }
  return std::nullopt;
}

} // namespace gluond::codegen
