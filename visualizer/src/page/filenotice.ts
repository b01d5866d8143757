// The notice above the editor: what is to be known about the connection or the file, and what can be done.
import type { OpenFile } from './documents.ts';
import type { Notice } from './notice.ts';

export interface FileState {
  isLost: boolean; // the connection
  problem: string; // why a file could not be opened, or ''
  file: OpenFile | undefined;
  isDirty: boolean;
  isCompared: boolean; // the comparison of the file is shown
}

export interface FileActions {
  compare(file: OpenFile): void;
  endCompare(): void;
  reload(file: OpenFile): void;
  // `over` is the revision on disk that the user agreed to replace.
  save(over: string | undefined): void;
  close(file: OpenFile): void;
  dismissProblem(): void;
  dismissRestored(file: OpenFile): void;
  takeWaiting(file: OpenFile): void;
  dropWaiting(file: OpenFile): void;
}

export function noticeOf({ isLost, problem, file, isDirty, isCompared }: FileState, act: FileActions): Notice | null {
  if (isLost)
    return {
      text: 'The connection to gluond is lost, or gluond has ended. This page keeps your text and connects again by itself. A new server has another address; it restores the text as it was when the connection was lost.',
      actions: [],
    };
  if (problem) return { text: problem, actions: [], onDismiss: () => act.dismissProblem() };
  if (!file) return null;
  const compare = isCompared
    ? { label: 'Close comparison', run: () => act.endCompare() }
    : { label: 'Compare', title: 'Show the file on disk beside your text', run: () => act.compare(file) };
  const reload = {
    label: 'Reload',
    title: 'Load the file from disk; undo restores your text',
    run: () => act.reload(file),
  };
  if (file.conflict === '')
    return {
      text: `'${file.name}' was deleted on disk. Its text is kept here.`,
      actions: [
        { label: 'Save it again', run: () => act.save('') },
        { label: 'Close', title: 'Discard the text', run: () => act.close(file) },
      ],
    };
  if (file.conflict !== null)
    return {
      text: `'${file.name}' changed on disk, and your text has unsaved changes.`,
      actions: [
        compare,
        reload,
        {
          label: 'Overwrite',
          title: 'Replace the file on disk with your text',
          run: () => act.save(file.conflict ?? undefined),
        },
      ],
    };
  if (file.isRestored && isDirty)
    return {
      text: `The unsaved text of an earlier visit was restored in '${file.name}'.${file.waiting.length ? ' Another page had another text of it, which is offered when this one is saved or discarded.' : ''}`,
      actions: [
        compare,
        { label: 'Discard', title: 'Load the file from disk; undo restores the text', run: reload.run },
      ],
      onDismiss: () => act.dismissRestored(file),
    };
  if (file.waiting.length && !isDirty)
    return {
      text: `Another page had unsaved text in '${file.name}'.`,
      actions: [
        { label: 'Restore it', run: () => act.takeWaiting(file) },
        { label: 'Discard it', title: 'This text is nowhere else', run: () => act.dropWaiting(file) },
      ],
    };
  return isCompared
    ? { text: `'${file.name}': on disk to the left, your text to the right.`, actions: [compare] }
    : null;
}
