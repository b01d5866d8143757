// The view "Kernels": files, their kernels, the specializations of each.
//
// A click goes to the line; the check mark selects a specialization. treeModel.ts makes the texts of rows.

import * as vscode from 'vscode';
import type { ActiveKernel } from '../model/activeKernel.ts';
import type { GluonFiles } from '../model/gluonFiles.ts';
import type { Kernels } from '../model/kernels.ts';
import { cellOf } from '../model/notebookCells.ts';
import { childrenOf, idOf, type Node, rowOf, specializationsOf } from './treeModel.ts';

export class KernelTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changeEmitter = new vscode.EventEmitter<Node | undefined>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.changeEmitter.event;

  constructor(
    private readonly kernels: Kernels,
    private readonly files: GluonFiles,
    private readonly active: ActiveKernel,
  ) {
    const refresh = () => this.changeEmitter.fire(undefined);
    this.subscriptions = [
      this.changeEmitter,
      kernels.onDidChange(refresh),
      files.onDidChange(refresh),
      vscode.window.createTreeView('gluond.kernels', { treeDataProvider: this, showCollapseAll: true }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return (await this.files.all()).map((uri) => this.fileNode(uri));
    if (node.kind === 'file') return childrenOf(node.uri, await this.kernels.of(vscode.Uri.parse(node.uri)));
    if (node.kind === 'kernel') return specializationsOf(node);
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const row = rowOf(node);
    const open = node.uri === this.active.editor?.document.uri.toString();
    const item = new vscode.TreeItem(
      row.label,
      !row.expandable
        ? vscode.TreeItemCollapsibleState.None
        : open
          ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = idOf(node);
    item.description = row.description;
    item.tooltip = row.tooltip.join('\n');
    item.contextValue = row.context;
    const selected = row.icon === 'pass-filled';
    item.iconPath = new vscode.ThemeIcon(row.icon, selected ? new vscode.ThemeColor('testing.iconPassed') : undefined);
    if (node.kind === 'file') {
      // As the explorer shows it.
      item.iconPath = vscode.ThemeIcon.File;
      item.resourceUri = vscode.Uri.parse(node.uri);
    }
    if (row.target) {
      const { uri, range } = row.target;
      item.command = { title: 'Go to', command: 'gluond.goTo', arguments: [uri, range] };
    }
    return item;
  }

  private fileNode(uri: vscode.Uri): Node {
    const cell = cellOf(uri);
    const path = vscode.workspace.asRelativePath(cell?.notebook.uri ?? uri);
    const slash = path.lastIndexOf('/');
    return {
      kind: 'file',
      uri: uri.toString(),
      label: path.slice(slash + 1) + (cell ? `, cell ${cell.index + 1}` : ''),
      description: slash < 0 ? '' : path.slice(0, slash),
    };
  }
}
