// Four items of the status bar: the server's state, the release of Triton, the target, the specialization of the kernel
// under the cursor.

import * as vscode from 'vscode';
import { originTexts, type Server, type ServerState } from '../client/server.ts';
import type { ActiveKernel } from '../model/activeKernel.ts';
import { chipOf, originText, plain, selectedOf, shortened, shortLabel } from '../model/pick.ts';

export class StatusBar implements vscode.Disposable {
  private readonly state = item('gluond.state', 'gluond: server', 4, 'gluond.showMenu');
  private readonly triton = item('gluond.triton', 'gluond: release of Triton', 3, {
    command: 'workbench.action.openSettings',
    title: 'Settings',
    arguments: ['gluond.triton'],
  });
  private readonly target = item('gluond.target', 'gluond: target', 2, 'gluond.selectTarget');
  private readonly specialization = item(
    'gluond.specialization',
    'gluond: specialization',
    1,
    'gluond.selectSpecialization',
  );
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly active: ActiveKernel,
  ) {
    this.subscriptions = [
      this.state,
      this.triton,
      this.target,
      this.specialization,
      server.onDidChangeState(() => this.update()),
      active.onDidChange(() => this.update()),
    ];
    this.update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private update(): void {
    const state = this.server.state;
    const view = stateView(state);
    this.state.text = view.text;
    this.state.tooltip = view.tooltip;
    this.state.backgroundColor = view.background && new vscode.ThemeColor(`statusBarItem.${view.background}Background`);
    // The state of a healthy server is hidden while no Python file is in front.
    if (this.active.editor || state.kind === 'failed' || state.kind === 'waiting') this.state.show();
    else this.state.hide();

    const release = this.active.triton;
    if (release) {
      this.triton.text = `Triton ${plain(release.name)}`;
      this.triton.tooltip = tooltip(
        `Checked against Triton ${release.name}`,
        [
          release.because ??
            'Neither a setting, nor the Python environment, nor the requirements name another release.',
        ],
        'Click to choose another release.',
      );
      this.triton.show();
    } else this.triton.hide();

    const kernel = this.active.kernel;
    const selected = kernel && selectedOf(kernel);
    if (!kernel || !selected) {
      this.target.hide();
      this.specialization.hide();
      return;
    }
    const chip = chipOf(selected.target);
    this.target.text = `$(circuit-board) ${plain(selected.target)}`;
    this.target.tooltip = tooltip(
      'Target',
      [chip ? `${selected.target}, ${chip}` : selected.target],
      'Click to select another target.',
    );
    this.target.show();
    const count = kernel.specializations.length;
    this.specialization.text = `$(symbol-method) ${plain(shortened(`${kernel.kernel}: ${shortLabel(selected, kernel.specializations)}`, 60))}`;
    this.specialization.tooltip = tooltip(
      kernel.kernel,
      [
        selected.label,
        `${originText(selected.origin)}; ${count === 1 ? 'the only specialization' : `one of ${count} specializations`}`,
      ],
      'Click to select another specialization.',
    );
    this.specialization.show();
  }
}

function stateView(state: ServerState): { text: string; tooltip: string; background?: 'warning' | 'error' } {
  switch (state.kind) {
    case 'running':
      return {
        text: '$(check) gluond',
        tooltip: `gluond ${state.version} is running: ${state.path} (${originTexts[state.origin]})\nClick for the menu.`,
      };
    case 'starting':
      return { text: '$(sync~spin) gluond', tooltip: 'gluond is starting' };
    case 'waiting':
      return {
        text: '$(sync~spin) gluond',
        tooltip: 'gluond stopped and is being restarted. Click for the menu.',
        background: 'warning',
      };
    case 'stopped':
      return { text: '$(circle-slash) gluond', tooltip: 'gluond is stopped. Click for the menu.' };
    case 'failed':
      return { text: '$(error) gluond', tooltip: `${state.message}\nClick for the menu.`, background: 'error' };
  }
}

function item(id: string, name: string, priority: number, command: string | vscode.Command): vscode.StatusBarItem {
  const made = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
  made.name = name;
  made.command = command;
  return made;
}

// A tooltip of plain lines: names come from workspace files.
function tooltip(title: string, lines: string[], hint: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendText(title);
  for (const line of lines) {
    markdown.appendMarkdown('\n\n');
    markdown.appendText(plain(line));
  }
  markdown.appendMarkdown(`\n\n*${hint}*`);
  return markdown;
}
