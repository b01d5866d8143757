// State shared by all panels: the place in the editor, the kernels of its document, the selected specialization, and
// answers that several panels need.
import type { Host, PanelId, Place, Theme } from '../host.ts';
import { dtypeOf, sentence } from '../model/words.ts';
import type {
  KernelInfo,
  LayoutMapResult,
  Location,
  MomentContents,
  MomentElements,
  OperationInfo,
  OperationsResult,
  Position,
  Range,
  SpecializationInfo,
} from '../protocol.ts';

export type Why = 'shown' | 'cursor' | 'changed' | 'theme';

export interface Panel {
  readonly id: PanelId;
  readonly title: string;
  readonly element: HTMLElement;
  update(why: Why): void;
  // Called when the user opens this panel, with the subject to show.
  open?(what: {
    expression?: string;
    operation?: OperationInfo;
    kernel?: string;
    specialization?: string;
    action?: string;
    code?: string;
    line?: number;
  }): void;
}

// A moment of a simulated run, which the timeline shows.
export interface Moment {
  run: string;
  moment: number;
  uri: string;
  buffers: readonly (Location | undefined)[]; // where each is allocated, if that is known
}

export class Session {
  place: Place | null = null;
  // Null: no run is shown, or it is of a text that was edited since.
  moment: Moment | null = null;
  kernels: KernelInfo[] = [];
  // The kernel that the user chose in the menu.
  private chosen: string | null = null;
  private operationsKey = '';
  private operationsAnswer: Promise<OperationsResult> | null = null;
  private generation = 0;
  readonly listeners = new Set<(why: Why) => void>();
  show: (panel: PanelId, what?: Parameters<NonNullable<Panel['open']>>[0]) => void = () => {};

  constructor(readonly host: Host) {}

  get theme(): Theme {
    return this.host.theme;
  }
  get uri(): string | null {
    return this.place?.uri ?? null;
  }

  async setPlace(place: Place): Promise<void> {
    const moved = place.uri !== this.uri;
    if (moved) [this.chosen, this.kernels] = [null, []]; // they belong to another file
    this.place = place;
    if (moved) await this.refresh();
    this.notify('cursor');
  }

  async changed(uri: string): Promise<void> {
    this.moment = null;
    if (uri !== this.uri) return;
    await this.refresh();
    this.notify('changed');
  }

  async refresh(): Promise<void> {
    ++this.generation;
    const uri = this.uri;
    if (!uri) return;
    const round = this.generation;
    try {
      const result = await this.host.request('gluond/specializations', { textDocument: { uri } });
      if (round === this.generation) this.kernels = result.kernels;
    } catch {
      if (round === this.generation) this.kernels = [];
    }
  }

  notify(why: Why): void {
    for (const listener of this.listeners) listener(why);
  }

  // The kernel that the user chose, else the one around the cursor, else the first.
  kernel(): KernelInfo | null {
    const line = this.place?.position.line ?? 0;
    let around: KernelInfo | null = null;
    for (const kernel of this.kernels)
      if (kernel.range.start.line <= line && (!around || kernel.range.start.line > around.range.start.line))
        around = kernel;
    const chosen = this.kernels.find((k) => k.kernel === this.chosen);
    return chosen ?? around ?? this.kernels[0] ?? null;
  }
  choose(kernel: string | null): void {
    this.chosen = kernel;
    this.notify('changed');
  }
  specialization(): SpecializationInfo | null {
    return this.kernel()?.specializations.find((s) => s.selected) ?? null;
  }
  // Explains why there is nothing to show, and what helps. Kernels with unknown launches can hardly be evaluated.
  reason(message: string): string {
    const text = sentence(message);
    const kernel = this.kernel();
    if (!kernel || this.specialization()?.origin !== 'default') return text;
    return `${text} No launch of '${kernel.kernel}' was found, so its constexprs have no values. Describe a launch in a line above the kernel: # gluond: launch(src="*fp32", n=4096, BLOCK=128)`;
  }
  async select(kernel: string, specialization: string): Promise<void> {
    if (!this.uri) return;
    const result = await this.host.request('gluond/selectSpecialization', {
      textDocument: { uri: this.uri },
      kernel,
      specialization,
    });
    this.kernels = result.kernels;
    ++this.generation;
    this.notify('changed');
  }

  operations(): Promise<OperationsResult> {
    const kernel = this.kernel();
    if (!this.uri || !kernel) return Promise.reject(new Error('There is no kernel in this file.'));
    const key = `${this.generation}\n${this.uri}\n${kernel.kernel}\n${this.specialization()?.id}`;
    if (key !== this.operationsKey || !this.operationsAnswer) {
      this.operationsKey = key;
      this.operationsAnswer = this.host.request('gluond/operations', {
        textDocument: { uri: this.uri },
        kernel: kernel.kernel,
      });
      this.operationsAnswer.catch(() => (this.operationsAnswer = null));
    }
    return this.operationsAnswer;
  }

  // The elements of a value at the timeline's moment, if it shows a run of this file. Rejected, with the reason, if the
  // value has none then.
  async elementsOf(text: string, position: Position): Promise<MomentElements | null> {
    const { moment, uri } = this;
    if (!moment || moment.uri !== uri) return null;
    const result = await this.host.request('gluond/moment', {
      run: moment.run,
      moment: moment.moment,
      expression: { textDocument: { uri }, position, text },
    });
    if (!result.elements) throw new Error(result.problem ?? 'it has no value at this step');
    return result.elements;
  }

  // The elements of a slot of the buffer that is allocated on a line (of the one that was written last, if none is
  // named); null if the timeline's run has no buffer there.
  async contentsOf(line: number, slot: number | undefined): Promise<MomentContents | null> {
    const { moment, uri } = this;
    const buffer = moment?.buffers.findIndex((each) => each?.uri === uri && each.range.start.line === line) ?? -1;
    if (!moment || buffer < 0) return null;
    const result = await this.host.request('gluond/moment', {
      run: moment.run,
      moment: moment.moment,
      buffer,
      ...(slot === undefined ? {} : { stage: slot }),
    });
    if (!result.contents) throw new Error(result.problem ?? 'it has no contents at this step');
    return result.contents;
  }

  // The layout of an operation's buffer: of all of it, or of the block that is copied.
  async layoutOf(operation: OperationInfo, ofBlock = false): Promise<LayoutMapResult> {
    const { target } = await this.operations();
    return this.host.request('gluond/layoutMap', {
      expression: operation.other!,
      shape: (ofBlock ? null : operation.bufferShape) ?? operation.shape,
      dtype: dtypeOf(operation),
      target,
    });
  }

  // The operation on the cursor's line, or called from it. The nearest column wins.
  operationAt(operations: readonly OperationInfo[]): OperationInfo | null {
    const place = this.place;
    if (!place) return null;
    let best: OperationInfo | null = null;
    let bestDistance = Infinity;
    for (const operation of operations)
      for (const location of [operation.location, ...operation.calledFrom]) {
        if (location.uri !== place.uri) continue;
        const { start, end } = location.range;
        if (place.position.line < start.line || place.position.line > end.line) continue;
        const { line, character } = place.position;
        const away =
          line === start.line && character < start.character
            ? start.character - character
            : line === end.line && character > end.character
              ? character - end.character
              : 0;
        // Among operations around the cursor, the one that begins last is the innermost.
        const distance =
          away +
          (location === operation.location ? 0 : 0.5) +
          (end.line - start.line) * 100 -
          (away ? 0 : start.character / 1e4);
        if (distance < bestDistance) [best, bestDistance] = [operation, distance];
      }
    return best;
  }

  reveal(location: { uri: string; range: Range }, preserveFocus = true): void {
    this.host.openLocation(location.uri, location.range, { preserveFocus });
  }
  // Where an operation is in the current document: its own place, or the call that leads to it in another file or in
  // Gluon's own functions.
  placeOf(operation: OperationInfo): OperationInfo['location'] {
    return [operation.location, ...operation.calledFrom].find((each) => each.uri === this.uri) ?? operation.location;
  }
  lineOf(operation: OperationInfo): number {
    return this.placeOf(operation).range.start.line + 1;
  }
}

// Whether the server's summary of a shared memory access names bank conflicts.
export function hasConflicts(operation: OperationInfo): boolean {
  return /conflict/.test(operation.summary) && !/no bank/.test(operation.summary);
}
