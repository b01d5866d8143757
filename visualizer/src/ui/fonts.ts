// The fonts of text that is drawn or set up by code; styles/ has them for everything else.
export const monospace = 'ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", Consolas, monospace';
