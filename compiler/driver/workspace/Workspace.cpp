#include "driver/workspace/Workspace.h"

#include "driver/notebooks/NotebookFile.h"
#include "driver/workspace/Imports.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/WorkspaceState.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

diagnostics::FileId WorkspaceState::fileId(llvm::StringRef path) {
  std::lock_guard lock(idMutex);
  auto [it, isNew] =
      ids.try_emplace(path, diagnostics::FileId{static_cast<uint32_t>(paths.size())});
  if (isNew) paths.push_back(it->first().str());
  return it->second;
}

std::string WorkspaceState::path(diagnostics::FileId id) {
  std::lock_guard lock(idMutex);
  return id.id < paths.size() ? paths[id.id] : std::string();
}

std::vector<std::string> WorkspaceState::foldersLocked(const Settings& settings) const {
  std::vector<std::string> all = settings.roots;
  if (!settings.isConfined) all.insert(all.end(), ownProjects.begin(), ownProjects.end());
  return all;
}

std::vector<std::string> WorkspaceState::folders(const Settings& settings) {
  std::lock_guard lock(mutex);
  return foldersLocked(settings);
}

void WorkspaceState::name(llvm::StringRef path) {
  std::lock_guard lock(mutex);
  if (!path.starts_with("/") || !named.insert(path).second) return;
  std::string folder = projectFolderOf(path);
  if (!llvm::is_contained(ownProjects, folder)) {
    ownProjects.push_back(std::move(folder));
    // Files that could not be read may be readable in the larger workspace.
    for (auto& entry : onDisk)
      if (!entry.second.file) entry.second.generation = 0;
  } else {
    // It may itself be readable now that the user named it.
    auto known = onDisk.find(path);
    if (known == onDisk.end() || known->second.file) return;
    known->second.generation = 0;
  }
  FoundImports& imports = caches.of<FoundImports>();
  std::lock_guard importLock(imports.mutex);
  imports.paths.clear();
  ++imports.version;
}

std::shared_ptr<const File> WorkspaceState::read(llvm::StringRef path, uint64_t generation,
                                                 const Settings& settings) {
  std::lock_guard lock(mutex);
  OnDisk& entry = onDisk[path];
  if (entry.generation == generation) return entry.file;
  entry.generation = generation;
  tl::expected<files::OpenFile, std::string> opened = tl::unexpected(std::string());
  if (!settings.isConfined && named.contains(path))
    opened = files::openFile(path);
  else if (std::vector<std::string> folders = foldersLocked(settings);
           !settings.isConfined || isProgramPath(path, folders))
    opened = files::openFileBeneath(folders, path);
  if (!opened) {
    entry.file = nullptr;
    return nullptr;
  }
  if (entry.file && entry.stamp.isStillOf(opened->status)) return entry.file;
  entry.stamp = files::FileStamp(opened->status);
  size_t most = isNotebook(path) ? mostNotebookBytes : settings.maxFileBytes;
  auto text = files::readAll(*opened, path, most);
  if (!text)
    entry.file = nullptr;
  else if (isNotebook(path))
    entry.file = notebookFrom(std::move(*text), path, entry.file, settings);
  else if (!entry.file || entry.file->text().text() != *text)
    entry.file = std::make_shared<File>(path.str(), fileId(path), std::nullopt,
                                        text::SourceText(std::move(*text)));
  return entry.file;
}

std::shared_ptr<const File> WorkspaceState::notebookFrom(std::string json, llvm::StringRef path,
                                                         const std::shared_ptr<const File>& before,
                                                         const Settings& settings) {
  if (before && before->notebook() && before->notebook()->json() == json) return before;
  auto notebook = NotebookFile::read(std::move(json));
  if (!notebook || notebook->python().size() > settings.maxFileBytes) return nullptr;
  return std::make_shared<File>(path.str(), fileId(path), std::nullopt,
                                std::make_shared<const NotebookFile>(std::move(*notebook)));
}

std::shared_ptr<const File> Snapshot::found(llvm::StringRef path) const {
  if (auto it = open_.find(path); it != open_.end()) return it->second;
  if (!path.starts_with("/")) return nullptr;
  return state_->read(path, diskGeneration_, *settings_);
}

std::shared_ptr<const File> Snapshot::file(llvm::StringRef path) const {
  state_->name(path);
  return found(path);
}

std::vector<std::string> Snapshot::folders() const {
  return state_->folders(*settings_);
}

Interner& Snapshot::names() const {
  return state_->names;
}

std::string Snapshot::path(diagnostics::FileId id) const {
  return state_->path(id);
}

std::shared_ptr<const Snapshot> Snapshot::with(std::shared_ptr<const File> file) const {
  auto snapshot = std::make_shared<Snapshot>(*this);
  snapshot->shared_ = std::make_shared<Caches>();
  snapshot->open_[file->path()] = std::move(file);
  return snapshot;
}

std::shared_ptr<const Snapshot> Snapshot::with(const File& file, std::string text) const {
  return with(std::make_shared<File>(file, file.version(), text::SourceText(std::move(text))));
}

std::shared_ptr<const Snapshot> Snapshot::withEdits(const File& file,
                                                    llvm::ArrayRef<text::Edit> edits) const {
  if (!file.notebook()) return with(file, text::withEdits(file.text(), edits));
  auto edited = file.notebook()->withEdits(edits);
  if (!edited) return nullptr;
  return with(std::make_shared<File>(file, file.version(),
                                     std::make_shared<const NotebookFile>(std::move(*edited))));
}

const Quarantined* Snapshot::quarantined(const File& file) const {
  if (quarantine_->empty()) return nullptr;
  if (auto all = quarantine_->find("*"); all != quarantine_->end()) return &all->second;
  auto it = quarantine_->find(file.path());
  return it != quarantine_->end() && it->second.hash == file.hash() ? &it->second : nullptr;
}

std::vector<std::string> Snapshot::openPaths() const {
  std::vector<std::string> paths;
  for (const auto& entry : open_)
    paths.push_back(entry.getKey().str());
  return paths;
}

Workspace::Workspace(Settings settings)
    : state_(std::make_shared<WorkspaceState>()),
      settings_(std::make_shared<Settings>(std::move(settings))),
      selections_(std::make_shared<Selections>()), quarantine_(std::make_shared<Quarantine>()),
      diskGeneration_(1) {}
Workspace::~Workspace() = default;

std::shared_ptr<const Snapshot> Workspace::snapshot() const {
  if (!snapshot_) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->state_ = state_;
    snapshot->caches_ = &state_->caches;
    snapshot->shared_ = std::make_shared<Caches>();
    snapshot->settings_ = settings_;
    snapshot->selections_ = selections_;
    snapshot->quarantine_ = quarantine_;
    snapshot->open_ = open_;
    snapshot->diskGeneration_ = diskGeneration_;
    snapshot_ = std::move(snapshot);
  }
  return snapshot_;
}

void Workspace::changeSettings(Settings settings) {
  settings_ = std::make_shared<Settings>(std::move(settings));
  snapshot_ = nullptr;
}

void Workspace::open(std::shared_ptr<const File> file) {
  state_->name(file->path());
  open_[file->path()] = std::move(file);
  snapshot_ = nullptr;
}

void Workspace::open(llvm::StringRef path, int32_t version, std::string text) {
  open(std::make_shared<File>(path.str(), state_->fileId(path), version,
                              text::SourceText(std::move(text))));
}

void Workspace::open(llvm::StringRef path, int32_t version,
                     std::shared_ptr<const NotebookFile> notebook) {
  open(std::make_shared<File>(path.str(), state_->fileId(path), version, std::move(notebook)));
}

std::shared_ptr<const File> Workspace::document(llvm::StringRef path) const {
  auto it = open_.find(path);
  return it == open_.end() ? nullptr : it->second;
}

bool Workspace::change(llvm::StringRef path, int32_t version, text::SourceText text) {
  auto it = open_.find(path);
  if (it == open_.end()) return false;
  it->second = std::make_shared<File>(*it->second, version, std::move(text));
  snapshot_ = nullptr;
  return true;
}

void Workspace::close(llvm::StringRef path) {
  open_.erase(path);
  state_->caches.drop(path);
  ++diskGeneration_; // the document may have been saved before
  snapshot_ = nullptr;
}

void Workspace::diskChanged() {
  ++diskGeneration_;
  snapshot_ = nullptr;
}

void Workspace::quarantine(llvm::StringRef path, Quarantined what) {
  auto next = std::make_shared<Quarantine>(*quarantine_);
  (*next)[path.str()] = std::move(what);
  quarantine_ = std::move(next);
  state_->caches.drop(path);
  snapshot_ = nullptr;
}

void Workspace::select(llvm::StringRef path, llvm::StringRef kernel,
                       std::optional<std::string> specialization) {
  auto next = std::make_shared<Selections>(*selections_);
  std::pair key(path.str(), kernel.str());
  if (specialization)
    (*next)[key] = std::move(*specialization);
  else
    next->erase(key);
  selections_ = std::move(next);
  snapshot_ = nullptr;
}

} // namespace gluond::driver
