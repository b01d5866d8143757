// The arguments of the request `launch`: a debug configuration, as the user wrote it.
#pragma once

#include "dap/Debuggee.h"
#include "dap/Json.h"

namespace gluond::dap {

// The error is a sentence that begins with the name of the argument. Names that gluond does not
// know are skipped: editors add some of their own.
tl::expected<LaunchRequest, std::string> readLaunch(const Json& arguments);

} // namespace gluond::dap
