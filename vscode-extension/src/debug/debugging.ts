// The debugger: `gluond dap` as VS Code starts it, and what it is started with.

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../client/server.ts';
import type { ActiveKernel } from '../model/activeKernel.ts';
import type { Kernels } from '../model/kernels.ts';
import type { DebuggedMoment, Moment } from '../protocol.ts';
import { explicitSettings } from '../settingNames.ts';
import { settings } from '../settings.ts';
import { isSameRun, type Launch, launchOf, runOf, whyNot } from './configuration.ts';

const type = 'gluond';

// `showMoment` is told each moment at which a session of the debugger stands.
export function registerDebugging(
  server: Server,
  kernels: Kernels,
  active: ActiveKernel,
  showMoment: (moment: DebuggedMoment) => void,
): vscode.Disposable {
  const ofFile = async (document: vscode.TextDocument): Promise<Launch[]> =>
    (await kernels.of(document.uri)).map((kernel) => launchOf(document.uri.fsPath, kernel.kernel));
  return vscode.Disposable.from(
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
      const moment = session.type === type && event === 'gluond/moment' ? (body as { moment?: unknown }).moment : null;
      const run = runOf(session.configuration);
      if (typeof moment !== 'number' || !run) return;
      const { path: file, ...named } = run;
      showMoment({ ...named, uri: vscode.Uri.file(file).toString(), moment });
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(type, {
      createDebugAdapterDescriptor: (session) => {
        const binary = server.binary();
        if (!binary.found) throw new Error(binary.message);
        const folder = session.workspaceFolder?.uri.fsPath ?? path.dirname(String(session.configuration['program']));
        return new vscode.DebugAdapterExecutable(binary.path, ['dap'], { cwd: folder });
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(type, {
      // F5 without a launch.json comes with an empty configuration: it means the kernel under the cursor.
      resolveDebugConfiguration: (_folder, configuration) =>
        configuration.type === undefined || configuration.type === '' ? current(active) : configuration,
      resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) => {
        const problem = whyNot(configuration);
        if (problem) {
          void vscode.window.showErrorMessage(problem);
          return undefined;
        }
        const target = explicitSettings((name) => settings().inspect(name))['target'];
        return typeof target === 'string' && target && configuration['target'] === undefined
          ? { ...configuration, target }
          : configuration;
      },
    }),
    // "Run and Debug" offers the kernels of the file.
    vscode.debug.registerDebugConfigurationProvider(
      type,
      {
        provideDebugConfigurations: () => (active.editor ? ofFile(active.editor.document) : []),
      },
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
}

// The kernel under the cursor, under the specialization that is selected; undefined, which VS Code takes as "nothing to
// start", where there is none.
function current(active: ActiveKernel, kernel = active.kernel?.kernel): Launch | undefined {
  const editor = active.editor;
  if (!editor) {
    void vscode.window.showErrorMessage('Open a Python file with a Gluon kernel to debug it.');
    return undefined;
  }
  const found = active.all.find((each) => each.kernel === kernel);
  if (!found) {
    void vscode.window.showErrorMessage('This file has no Gluon kernel that could be debugged.');
    return undefined;
  }
  const selected = found.specializations.find((each) => each.selected);
  return launchOf(editor.document.uri.fsPath, found.kernel, selected?.id);
}

// From the lens above a kernel, with its file and name, or from the palette.
export async function startDebugging(active: ActiveKernel, args: unknown[]): Promise<void> {
  const [uri, kernel] = args;
  const isLens = typeof uri === 'string' && typeof kernel === 'string';
  const isCurrent = isLens && active.editor?.document.uri.toString() === uri;
  const launch =
    isLens && !isCurrent
      ? launchOf(vscode.Uri.parse(uri).fsPath, kernel)
      : current(active, isLens ? kernel : undefined);
  if (!launch) return;
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(launch.program));
  // The first statement is where one who clicks wants to be, unless breakpoints say otherwise.
  const hasBreakpoints = vscode.debug.breakpoints.some(
    (each) => each instanceof vscode.SourceBreakpoint && each.enabled && each.location.uri.fsPath === launch.program,
  );
  await vscode.debug.startDebugging(folder, { ...launch, stopOnEntry: !hasBreakpoints });
}

// Takes the running debug session to a moment of the timeline, if it debugs the same program under the same schedule.
export async function seekDebugger(moment: Moment): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== type || !isSameRun(session.configuration, moment, vscode.Uri.parse(moment.uri).fsPath)) return;
  try {
    await session.customRequest('gluond/seek', { moment: moment.moment });
  } catch {
    // The session ended, or the program runs just now.
  }
}
