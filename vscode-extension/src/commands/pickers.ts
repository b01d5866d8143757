// Menus: the specialization, the target, actions for the server.

import * as vscode from 'vscode';
import { standardTarget } from '../../../visualizer/src/model/chips.ts';
import type { Server } from '../client/server.ts';
import type { ActiveKernel } from '../model/activeKernel.ts';
import type { Kernels } from '../model/kernels.ts';
import { isTarget, kernelAt, originIcon, originText, plain, shortLabel, targets } from '../model/pick.ts';
import type { KernelInfo, SpecializationInfo } from '../protocol.ts';
import { setTarget, settings } from '../settings.ts';

type SpecializationItem = vscode.QuickPickItem & { specialization?: SpecializationInfo; automatic?: boolean };

// Lets the user choose a specialization of the kernel with this name, or of the one under the cursor.
export async function pickSpecialization(
  kernels: Kernels,
  active: ActiveKernel,
  uri?: vscode.Uri,
  name?: string,
): Promise<void> {
  const document = uri ?? active.editor?.document.uri;
  if (!document) return say('Open a file with a Gluon kernel first.');
  const known = await kernels.of(document);
  const here =
    active.editor?.document.uri.toString() === document.toString() ? active.editor.selection.active : undefined;
  const kernel = name === undefined ? here && kernelAt(known, here) : known.find((each) => each.kernel === name);
  if (!kernel) return say(known.length === 0 ? 'No kernel was found in this file.' : 'This kernel no longer exists.');
  const chosen = await vscode.window.showQuickPick(specializationItems(kernel), {
    title: `${plain(kernel.kernel)}: select the specialization for hover, hints and diagnostics`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.specialization || chosen?.automatic) await kernels.select(document, kernel.kernel, chosen.specialization);
}

function specializationItems(kernel: KernelInfo): SpecializationItem[] {
  const items: SpecializationItem[] = kernel.specializations.map((each) => ({
    label: `$(${each.selected ? 'pass-filled' : originIcon(each.origin)}) ${plain(shortLabel(each, kernel.specializations))}`,
    description: plain(each.target),
    detail: detailOf(each, shortLabel(each, kernel.specializations) !== shortLabel(each)),
    picked: each.selected,
    specialization: each,
  }));
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
  items.push({ label: '$(wand) Let gluond choose', automatic: true });
  return items;
}

// The origin of the specialization, and the whole label if only a part of it is shown above.
function detailOf(specialization: SpecializationInfo, isCut: boolean): string {
  const from = `${originText(specialization.origin)}${specialization.source ? `, line ${specialization.source.range.start.line + 1}` : ''}`;
  return plain(isCut ? `${from}: ${shortLabel(specialization)}` : from);
}

type TargetItem = vscode.QuickPickItem & { target?: string; other?: boolean };

export async function pickTarget(): Promise<void> {
  const current = settings().get<string>('target', '').trim();
  const items: TargetItem[] = targets.map(({ id, chip }) => ({
    label: `${id === current ? '$(pass-filled)' : '$(circuit-board)'} ${id}`,
    description: chip,
    target: id,
  }));
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
  items.push({ label: '$(edit) Another target...', other: true });
  items.push({
    label: '$(clear-all) Default target',
    description: 'from pyproject.toml, or from the imports of the file',
    target: '',
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Target of launches that do not name one',
    matchOnDescription: true,
  });
  if (!chosen) return;
  const target = chosen.other ? await askTarget(current) : chosen.target;
  if (target !== undefined) await setTarget(target === '' ? undefined : target);
}

function askTarget(current: string): Thenable<string | undefined> {
  return vscode.window
    .showInputBox({
      title: 'Target',
      prompt: 'cuda:CAPABILITY or hip:ARCHITECTURE',
      value: current || standardTarget,
      validateInput: (text) => (isTarget(text.trim()) ? undefined : 'Write a target such as cuda:90 or hip:gfx942'),
    })
    .then((text) => text?.trim());
}

interface MenuItem extends vscode.QuickPickItem {
  command?: string;
}

export async function showMenu(server: Server): Promise<void> {
  const { state } = server;
  const running = state.kind === 'running';
  const separator = (label: string): MenuItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: MenuItem[] = [
    separator('Panels'),
    { label: '$(table) Layout map', command: 'gluond.showLayout' },
    { label: '$(list-flat) Memory access', command: 'gluond.showAccess' },
    { label: '$(arrow-swap) Layout conversion', command: 'gluond.showConversion' },
    { label: '$(database) Shared memory', command: 'gluond.showSharedMemory' },
    { label: '$(beaker) Layout playground', command: 'gluond.openPlayground' },
    { label: '$(list-tree) IR of each stage', command: 'gluond.showIR' },
    { label: '$(pulse) Timeline of a simulated run', command: 'gluond.showTimeline' },
    separator('Server'),
    { label: `$(debug-restart) ${running ? 'Restart' : 'Start'} the server`, command: 'gluond.restartServer' },
    { label: '$(output) Show its output', command: 'gluond.showOutput' },
    { label: '$(gear) Settings', command: 'gluond.openSettings' },
    { label: '$(book) Walkthrough', command: 'gluond.openWalkthrough' },
  ];
  const title = state.kind === 'failed' ? state.message : running ? `gluond ${state.version}` : 'gluond';
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}

function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}
