// Where documents with kernels are: on disk, or not yet.
export const schemes: readonly string[] = ['file', 'untitled'];
