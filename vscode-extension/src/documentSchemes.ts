// Where documents with kernels are: on disk, not yet, or in a cell of a notebook.
export const schemes: readonly string[] = ['file', 'untitled', 'vscode-notebook-cell'];
