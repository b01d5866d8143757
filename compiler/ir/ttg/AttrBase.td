// Parameters of encodings.
#ifndef GLUOND_TTG_ATTRBASE_TD
#define GLUOND_TTG_ATTRBASE_TD

include "ir/ttg/Dialect.td"

def LinearLayoutParam : AttrOrTypeParameter<"::gluond::layout::LinearLayout", "linear layout"> {
  let cppAccessorType = "const ::gluond::layout::LinearLayout&";
}

#endif
