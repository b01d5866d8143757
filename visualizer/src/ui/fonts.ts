// The fonts of what is drawn or set up by a program; styles/ has them for everything else.
export const monospace = 'ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", Consolas, monospace';
