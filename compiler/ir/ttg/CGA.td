// How CTAs divide a tensor. Apart from the other encodings because their interfaces are declared in its terms.
#ifndef GLUOND_TTG_CGA_TD
#define GLUOND_TTG_CGA_TD

include "ir/ttg/AttrBase.td"

// block -> dim0, dim1, ...; part of other encodings, never printed alone.
def CGAEncodingAttr : AttrDef<TTG_Dialect, "CGAEncoding"> {
  let attrName = "ttg.cga_encoding";
  let parameters = (ins LinearLayoutParam:$linearLayout);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static CGAEncodingAttr get1CTALayout(::mlir::MLIRContext* context, unsigned rank);
    // CTA i holds element i of a one-dimensional tensor.
    static CGAEncodingAttr get1DLayout(::mlir::MLIRContext* context, unsigned numCTAs);
    unsigned getRank() const { return static_cast<unsigned>(getLinearLayout().outs().size()); }
    unsigned getNumCTAs() const { return 1u << getLinearLayout().totalInBits(); }
    // CTAs along each dimension, replicas counted with the dimension before them; parts that each dimension is cut into.
    ::llvm::SmallVector<unsigned> getCTAsPerCGA() const;
    ::llvm::SmallVector<unsigned> getCTASplitNum() const;
    ::llvm::SmallVector<unsigned> getCTAOrder() const;
  }];
}

#endif
