// The codec of messages (support/json/Codec.h) with the protocol's names.
#pragma once

#include "lsp/protocol/Json.h"
#include "support/json/Codec.h"

namespace gluond::lsp {

using json::decode;
using json::Described;
using json::encode;
using json::Field;
using json::field;
using json::fieldNames;
using json::Nothing;
namespace codec = json::codec;

} // namespace gluond::lsp
