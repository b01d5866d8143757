// The commands that package.json declares. Each checks its arguments: keybindings and lenses may pass anything.

import * as vscode from 'vscode';
import type { Server } from '../client/server.ts';
import { startDebugging } from '../debug/debugging.ts';
import type { ActiveKernel } from '../model/activeKernel.ts';
import type { Kernels } from '../model/kernels.ts';
import { openLocation } from '../panels/openLocation.ts';
import type { Panels, Show } from '../panels/panels.ts';
import type { PanelId, Place, Range } from '../protocol.ts';
import type { Node } from '../views/treeModel.ts';
import { pickSpecialization, pickTarget, showMenu } from './pickers.ts';
import { quietPyright } from './pyright.ts';
import { openSample } from './sample.ts';

export interface Parts {
  context: vscode.ExtensionContext;
  server: Server;
  kernels: Kernels;
  active: ActiveKernel;
  panels: Panels;
}

const panelCommands: readonly [string, PanelId][] = [
  ['gluond.showLayout', 'layout'],
  ['gluond.showAccess', 'access'],
  ['gluond.showConversion', 'conversion'],
  ['gluond.showSharedMemory', 'shared'],
  ['gluond.openPlayground', 'playground'],
  ['gluond.showIR', 'ir'],
];

export function registerCommands(parts: Parts): vscode.Disposable {
  const { context, server, kernels, active, panels } = parts;
  const commands: [string, (...args: unknown[]) => unknown][] = [
    ...panelCommands.map(([command, panel]): [string, (...args: unknown[]) => unknown] => [
      command,
      (...args) => panels.show(panel, about(active, args)),
    ]),
    ['gluond.showTimeline', (...args) => panels.show('timeline', { ...about(active, args), ...pointedLine(args[0]) })],
    ['gluond.showBenchmark', (...args) => panels.show('benchmark', about(active, args))],
    ['gluond.run', (...args) => panels.show('benchmark', { ...about(active, args), action: 'run' })],
    ['gluond.debug', (...args) => startDebugging(active, args)],
    ['gluond.benchmark', (...args) => panels.show('benchmark', { ...about(active, args), action: 'benchmark' })],
    [
      'gluond.selectSpecialization',
      async (first, second) => {
        const node = asNode(first);
        if (node?.kind === 'specialization')
          return kernels.select(vscode.Uri.parse(node.uri), node.kernel.kernel, node.specialization);
        if (node?.kind === 'kernel')
          return pickSpecialization(kernels, active, vscode.Uri.parse(node.uri), node.kernel.kernel);
        if (typeof first === 'string' && typeof second === 'string')
          return pickSpecialization(kernels, active, vscode.Uri.parse(first), second);
        return pickSpecialization(kernels, active);
      },
    ],
    ['gluond.selectTarget', () => pickTarget()],
    ['gluond.goTo', (uri, range) => (typeof uri === 'string' ? openLocation(uri, range as Range) : undefined)],
    ['gluond.goToKernel', (node) => goToKernel(asNode(node))],
    ['gluond.refreshKernels', () => kernels.forgetAll()],
    ['gluond.restartServer', () => server.restart()],
    ['gluond.showOutput', () => server.output.show(true)],
    ['gluond.showMenu', () => showMenu(server)],
    [
      'gluond.openSettings',
      () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    ],
    [
      'gluond.openWalkthrough',
      () =>
        vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          `${context.extension.id}#gluond.start`,
          false,
        ),
    ],
    ['gluond.openSample', () => openSample(context)],
    ['gluond.quietPyright', () => quietPyright()],
  ];
  return vscode.Disposable.from(...commands.map(([name, run]) => vscode.commands.registerCommand(name, run)));
}

// What a panel is opened about: the row of the tree, the kernel of the lens, the place of the hover, or where the
// cursor is.
function about(active: ActiveKernel, args: unknown[]): Omit<Show, 'panel'> {
  const [first, second] = args;
  const pointed = placeOf(first);
  if (pointed) return { place: pointed };
  const node = asNode(first);
  if (node && node.kind !== 'file')
    return {
      place: { uri: node.uri, version: versionOf(node.uri), position: node.kernel.range.start },
      kernel: node.kernel.kernel,
      ...(node.kind === 'specialization' ? { specialization: node.specialization.id } : {}),
    };
  const place = active.place;
  if (typeof first === 'string' && typeof second === 'string') {
    const kernel = active.all.find((each) => each.kernel === second);
    const start = kernel?.range.start ?? place?.position ?? { line: 0, character: 0 };
    return { place: { uri: first, version: versionOf(first), position: start }, kernel: second };
  }
  const kernel = active.kernel;
  return { ...(place ? { place } : {}), ...(kernel ? { kernel: kernel.kernel } : {}) };
}

// Reads {place: {uri, position}} of a hover's link.
function placeOf(value: unknown): Place | undefined {
  const place = typeof value === 'object' && value !== null ? (value as { place?: Partial<Place> }).place : undefined;
  if (
    typeof place?.uri !== 'string' ||
    typeof place.position?.line !== 'number' ||
    typeof place.position.character !== 'number'
  )
    return undefined;
  return { uri: place.uri, version: versionOf(place.uri), position: place.position };
}

// The line of a diagnostic that a code action is about.
function pointedLine(value: unknown): { line?: number } {
  const line = placeOf(value)?.position.line;
  return line === undefined ? {} : { line };
}

function versionOf(uri: string): number {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.version ?? 0;
}

function goToKernel(node: Node | undefined): Thenable<void> | undefined {
  return node && node.kind !== 'file' ? openLocation(node.uri, node.kernel.range) : undefined;
}

function asNode(value: unknown): Node | undefined {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return kind === 'file' || kind === 'kernel' || kind === 'specialization' ? (value as Node) : undefined;
}
