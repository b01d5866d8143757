// Diagnostics about the order of events offer to show a run that they are about.

import * as vscode from 'vscode';
import { timelineCodes } from '../../../visualizer/src/model/findings.ts';
import { showInTimeline } from '../../../visualizer/src/model/timeline.ts';

export function registerTimelineActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { language: 'python' },
    {
      provideCodeActions: (document, _range, context) => {
        const told = context.diagnostics.find((each) => each.source === 'gluond' && timelineCodes.has(codeOf(each)));
        if (!told) return [];
        const action = new vscode.CodeAction(showInTimeline, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [told];
        const { line, character } = told.range.start;
        const place = { uri: document.uri.toString(), position: { line, character } };
        action.command = { command: 'gluond.showTimeline', title: showInTimeline, arguments: [{ place }] };
        return [action];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : (code ?? ''));
}
