// What the page of `gluond serve` asks besides LSP: the files of the served folder, and what is
// typed and not saved.
//
//   serve/files   {}                          -> {"root": uri, "files": [name..]}
//   serve/read    {"name"}                    -> {"text", "revision"}
//   serve/save    {"name", "text", "base"}    -> {"isConflict", "revision"}   when the user saves
//   serve/changes {"open": [{"name", "revision"}..], "stamp"}
//                 -> {"changed": [{"name", "revision"}..], "stamp", "files"?}
//   serve/keep    {"name", "text", "revision"} -> {}
//   serve/drop    {"name"}                    -> {}
//   serve/drafts  {}                          -> {"drafts": [{"name", "text", "revision"}..]}
//
// A revision names the content of a file, "" that there is none. serve/save writes only when the
// file still is at `base`; else `isConflict`, and `revision` is what is there now. serve/changes
// says which of the open files are at another revision, and, when the stamp of the folder is
// another, what files there are. Drafts: lsp/server/Drafts.h.
#pragma once

#include "lsp/server/Drafts.h"
#include "lsp/server/Router.h"
#include "lsp/server/ServedFolder.h"

namespace gluond::lsp {

void addServedFiles(Router& router, const ServedFolder& folder, const Drafts& drafts);

} // namespace gluond::lsp
