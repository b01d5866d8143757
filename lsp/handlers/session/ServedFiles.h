// The requests of the page of `gluond serve` besides LSP: files of the served folder, and text that
// is typed but not saved.
//
//   serve/files   {}                          -> {"root": uri, "files": [name..]}
//   serve/read    {"name"}                    -> {"text", "revision"}
//   serve/save    {"name", "text", "base"}    -> {"isConflict", "revision"}   when the user saves
//   serve/changes {"open": [{"name", "revision"}..], "stamp"}
//                 -> {"changed": [{"name", "revision"}..], "stamp", "files"?}
//   serve/keep    {"name", "text", "revision", "page"} -> {}
//   serve/drop    {"name", "page"}            -> {}
//   serve/drafts  {}                  -> {"drafts": [{"name", "text", "revision", "page"?}..]}
//
// A revision identifies the content of a file, and is "" if there is no file. serve/save writes
// only if the file still has revision `base`; otherwise `isConflict` is set, and `revision` is the
// current one. serve/changes returns which open files have another revision, and, if the folder's
// stamp differs, the list of files. For drafts see lsp/server/Drafts.h.
#pragma once

#include "lsp/server/Drafts.h"
#include "lsp/server/Router.h"
#include "lsp/server/ServedFolder.h"

namespace gluond::lsp {

void addServedFiles(Router& router, const ServedFolder& folder, const Drafts& drafts);

} // namespace gluond::lsp
