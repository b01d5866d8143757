// Every attribute of `ttg`: their definitions are made together.
#ifndef GLUOND_TTG_ALLATTRIBUTES_TD
#define GLUOND_TTG_ALLATTRIBUTES_TD

include "ir/ttg/CGA.td"
include "ir/ttg/Attributes.td"

#endif
