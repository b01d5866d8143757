// A canvas with the lanes of a timeline: slices, links between them, bytes in flight, and a playhead that can be
// dragged. Only what is in sight is drawn; slices that are narrower than a pixel share one.
import { colourOf, css, inkOn, type Rgb } from '../model/palette.ts';
import { moved, tickDistance, type Sight, type Timeline, zoomed } from '../model/timeline.ts';
import type { Theme } from '../host.ts';
import type { TimelineSlice } from '../protocol.ts';
import { h, iconButton } from './dom.ts';
import { monospace } from './fonts.ts';

export interface TracksEvents {
  seek: (moment: number) => void;
  open: (slice: TimelineSlice) => void; // double click, Enter
  describe: (slice: TimelineSlice) => string;
}

const laneHeight = 22;
const ruler = 20;
const flightHeight = 34;
const kinds = { work: 0, operation: 2, wait: 7 } as const;

export class Tracks {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly tooltip = h('div', { class: 'g-tooltip', hidden: true });
  private timeline: Timeline | null = null;
  private sight: Sight = { from: 0, to: 1 };
  private at = 0;
  private top = 0; // the first pixel of the lanes in sight
  private theme: Theme = 'dark';
  private frame = 0;
  private grip: 'playhead' | { x: number; y: number; sight: Sight; top: number } | null = null;
  private size = { width: 0, height: 0 };

  constructor(private readonly events: TracksEvents) {
    this.canvas = h('canvas', { tabIndex: 0, attributes: { role: 'slider', 'aria-label': 'Moment of the run' } });
    this.context = this.canvas.getContext('2d')!;
    const tools = h(
      'div',
      { class: 'g-grid-tools' },
      iconButton('plus', 'Zoom in (+)', () => this.zoom(1.5)),
      iconButton('minus', 'Zoom out (-)', () => this.zoom(1 / 1.5)),
      iconButton('fit', 'All of it (0)', () => this.fit()),
    );
    this.element = h('div', { class: 'g-grid g-tracks' }, this.canvas, tools, this.tooltip);
    this.listen();
    new ResizeObserver(() => {
      this.size = { width: this.element.clientWidth, height: this.element.clientHeight };
      const ratio = window.devicePixelRatio || 1;
      this.canvas.width = Math.round(this.size.width * ratio);
      this.canvas.height = Math.round(this.size.height * ratio);
      this.draw();
    }).observe(this.element);
  }

  show(timeline: Timeline | null, theme: Theme): void {
    if (timeline !== this.timeline) {
      this.timeline = timeline;
      this.sight = { from: 0, to: Math.max(1, timeline?.steps ?? 1) };
      this.top = 0;
    }
    this.theme = theme;
    if (timeline) this.element.style.setProperty('--g-tracks', `${this.contentHeight() + 2}px`);
    this.invalidate();
  }

  setMoment(moment: number): void {
    this.at = moment;
    const { timeline } = this;
    if (timeline && (moment < this.sight.from || moment > this.sight.to))
      this.sight = moved(this.sight, moment - (this.sight.from + this.sight.to) / 2, timeline.steps);
    this.canvas.setAttribute('aria-valuemin', '0');
    this.canvas.setAttribute('aria-valuemax', String(timeline?.steps ?? 0));
    this.canvas.setAttribute('aria-valuenow', String(moment));
    this.canvas.setAttribute('aria-valuetext', this.spoken());
    this.invalidate();
  }

  fit(): void {
    this.sight = { from: 0, to: Math.max(1, this.timeline?.steps ?? 1) };
    this.invalidate();
  }

  private zoom(factor: number, around = this.at): void {
    if (!this.timeline) return;
    this.sight = zoomed(this.sight, factor, around, Math.max(1, this.timeline.steps));
    this.invalidate();
  }

  // The work of every lane at this moment.
  private spoken(): string {
    const { timeline } = this;
    if (!timeline) return '';
    const lanes = timeline.result.lanes.flatMap((lane, i) => {
      const slice = timeline.sliceAt(i, this.at);
      return slice ? [`${lane.name}: ${this.events.describe(slice)}`] : [];
    });
    return `step ${this.at}. ${lanes.join('. ')}`;
  }

  // ------------------------------------------------------------ geometry

  private get left(): number {
    return Math.min(132, this.size.width * 0.28);
  }
  private contentHeight(): number {
    return ruler + (this.timeline?.lanes.length ?? 0) * laneHeight + (this.timeline?.mostInFlight ? flightHeight : 0);
  }
  private xOf(moment: number): number {
    const { from, to } = this.sight;
    return this.left + ((moment - from) / (to - from)) * (this.size.width - this.left - 8);
  }
  private momentAt(x: number): number {
    const { from, to } = this.sight;
    const moment = from + ((x - this.left) / Math.max(1, this.size.width - this.left - 8)) * (to - from);
    return Math.min(Math.max(Math.round(moment), 0), this.timeline?.steps ?? 0);
  }
  private laneAt(y: number): number {
    return y < ruler ? -1 : Math.floor((y - ruler + this.top) / laneHeight);
  }
  private sliceNear(x: number, y: number): TimelineSlice | null {
    const { timeline } = this;
    if (!timeline || x < this.left) return null;
    const per = (this.sight.to - this.sight.from) / Math.max(1, this.size.width - this.left - 8);
    const moment = this.sight.from + (x - this.left) * per;
    const near = timeline.visible(this.laneAt(y), { from: moment - 3 * per, to: moment + 3 * per });
    return near.find((slice) => slice.from <= moment && slice.to >= moment) ?? near[0] ?? null;
  }

  // ------------------------------------------------------------ hands

  private listen(): void {
    const { canvas } = this;
    const place = (event: MouseEvent) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 && event.button !== 1) return;
      canvas.setPointerCapture(event.pointerId);
      const { x, y } = place(event);
      if (event.button === 1 || event.shiftKey) this.grip = { x, y, sight: this.sight, top: this.top };
      else {
        this.grip = 'playhead';
        this.events.seek(this.momentAt(x));
      }
      event.preventDefault();
      canvas.focus();
    });
    canvas.addEventListener('pointermove', (event) => {
      const { x, y } = place(event);
      if (this.grip === 'playhead') this.events.seek(this.momentAt(x));
      else if (this.grip) {
        const per = (this.grip.sight.to - this.grip.sight.from) / Math.max(1, this.size.width - this.left - 8);
        this.sight = moved(this.grip.sight, (this.grip.x - x) * per, this.timeline?.steps ?? 1);
        this.scrollTo(this.grip.top + this.grip.y - y);
      } else this.hover(x, y);
    });
    for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, () => (this.grip = null));
    canvas.addEventListener('pointerleave', () => (this.tooltip.hidden = true));
    canvas.addEventListener('dblclick', (event) => {
      const { x, y } = place(event);
      const slice = this.sliceNear(x, y);
      if (slice) this.events.open(slice);
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (!this.timeline) return;
        event.preventDefault();
        const { x } = place(event);
        if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY * 0.004), this.momentAt(x));
        else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
          const by = (event.deltaX || event.deltaY) / Math.max(1, this.size.width - this.left);
          this.sight = moved(this.sight, by * (this.sight.to - this.sight.from), this.timeline.steps);
        } else if (this.contentHeight() > this.size.height) this.scrollTo(this.top + event.deltaY);
        else this.zoom(Math.exp(-event.deltaY * 0.003), this.momentAt(x));
        this.invalidate();
      },
      { passive: false },
    );
    canvas.addEventListener('keydown', (event) => {
      const { timeline } = this;
      if (!timeline || event.altKey || event.ctrlKey || event.metaKey) return;
      const step = event.shiftKey ? 1 : 0;
      const to: Record<string, () => number> = {
        ArrowRight: () => (step ? this.at + 1 : timeline.neighbour(this.at, 1)),
        ArrowLeft: () => (step ? this.at - 1 : timeline.neighbour(this.at, -1)),
        PageDown: () => this.at + Math.ceil((this.sight.to - this.sight.from) / 10),
        PageUp: () => this.at - Math.ceil((this.sight.to - this.sight.from) / 10),
        Home: () => 0,
        End: () => timeline.steps,
      };
      const go = to[event.key];
      if (go) this.events.seek(Math.min(Math.max(go(), 0), timeline.steps));
      else if (event.key === '+' || event.key === '=') this.zoom(1.5);
      else if (event.key === '-') this.zoom(1 / 1.5);
      else if (event.key === '0') this.fit();
      else if (event.key === 'ArrowDown') this.scrollTo(this.top + laneHeight);
      else if (event.key === 'ArrowUp') this.scrollTo(this.top - laneHeight);
      else if (event.key === 'Enter') {
        const slice = timeline.lanes.map((_, lane) => timeline.sliceAt(lane, this.at)).find((each) => each);
        if (slice) this.events.open(slice);
      } else return;
      event.preventDefault();
    });
  }

  private scrollTo(top: number): void {
    this.top = Math.min(Math.max(top, 0), Math.max(0, this.contentHeight() - this.size.height));
    this.invalidate();
  }

  private hover(x: number, y: number): void {
    const slice = this.sliceNear(x, y);
    this.tooltip.hidden = !slice;
    if (!slice) return;
    this.tooltip.textContent = this.events.describe(slice);
    const box = this.tooltip.getBoundingClientRect();
    this.tooltip.style.left = `${Math.max(2, Math.min(x + 12, this.size.width - box.width - 4))}px`;
    this.tooltip.style.top = `${y + 18 + box.height > this.size.height ? Math.max(2, y - box.height - 8) : y + 18}px`;
  }

  // ------------------------------------------------------------ drawing

  private invalidate(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { context, size, timeline } = this;
    const style = getComputedStyle(this.element);
    const read = (name: string) => style.getPropertyValue(name).trim();
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    if (!timeline || size.width < 40) return;
    const colours = { text: read('--g-text'), muted: read('--g-muted'), line: read('--g-line'), bad: read('--g-bad') };
    const fills: Record<string, Rgb> = {};
    for (const [kind, hue] of Object.entries(kinds)) fills[kind] = colourOf(hue, 8, this.theme);
    const { left } = this;
    const yOf = (lane: number) => ruler + lane * laneHeight - this.top;
    context.textBaseline = 'middle';

    // Lanes.
    context.save();
    context.beginPath();
    context.rect(0, ruler, size.width, size.height - ruler);
    context.clip();
    timeline.result.lanes.forEach((lane, i) => {
      const y = yOf(i);
      if (y > size.height || y + laneHeight < ruler) return;
      context.fillStyle = colours.line;
      context.fillRect(0, y + laneHeight - 0.5, size.width, 0.5);
      context.font = `11.5px ${read('--g-sans') || 'sans-serif'}`;
      context.fillStyle = lane.isEngine ? colours.muted : colours.text;
      context.fillText(fitted(context, lane.name, left - 14), 8, y + laneHeight / 2);
    });
    context.beginPath();
    context.rect(left, ruler, size.width - left, size.height - ruler);
    context.clip();
    context.font = `11px ${monospace}`;
    timeline.lanes.forEach((_, lane) => {
      const y = yOf(lane);
      if (y > size.height || y + laneHeight < ruler) return;
      let drawn = -Infinity;
      for (const slice of timeline.visible(lane, this.sight)) {
        const x = this.xOf(slice.from);
        const end = Math.max(this.xOf(slice.to), x + 1);
        if (end < drawn + 0.5) continue;
        drawn = end;
        const fill = fills[slice.kind] ?? fills['work']!;
        context.fillStyle = css(fill);
        context.globalAlpha = slice.kind === 'wait' ? 0.55 : 1;
        context.fillRect(x, y + 3, Math.max(1, end - x - (end - x > 3 ? 1 : 0)), laneHeight - 6);
        context.globalAlpha = 1;
        if (slice.isOpen) {
          context.fillStyle = colours.bad;
          context.fillRect(end - 3, y + 3, 3, laneHeight - 6);
        }
        const seen = Math.max(x, left);
        if (end - seen > 24) {
          context.fillStyle = slice.kind === 'wait' ? colours.text : inkOn(fill);
          context.fillText(fitted(context, this.labelOf(slice), end - seen - 8), seen + 4, y + laneHeight / 2 + 0.5);
        }
      }
    });
    this.drawLinks(yOf, colours.muted);
    this.drawFlight(yOf(timeline.lanes.length), css(fills['operation']!));
    context.restore();
    this.drawRuler(colours);
    this.drawPlayhead(read('--g-accent'), colours);
  }

  private labelOf(slice: TimelineSlice): string {
    if (slice.kind === 'wait') return 'wait';
    const place = slice.place === undefined ? undefined : this.timeline!.result.places[slice.place];
    return place?.text || slice.name;
  }

  // Links that end in sight, as long as they can be told apart; those at the moment stand out.
  private drawLinks(yOf: (lane: number) => number, colour: string): void {
    const { context } = this;
    const { from, to } = this.sight;
    const isNow = (link: { from: number; to: number }) => this.at >= link.from && this.at <= link.to + 1;
    let links = this.timeline!.result.links.filter(
      (link) => link.fromLane !== link.toLane && link.to >= from && link.from <= to,
    );
    const most = (this.size.width - this.left) / 12;
    if (links.length > most) links = links.filter(isNow).slice(0, most);
    context.strokeStyle = context.fillStyle = colour;
    for (const link of links) {
      const x1 = this.xOf(link.from);
      const x2 = this.xOf(link.to);
      const y1 = yOf(link.fromLane) + laneHeight / 2;
      const y2 = yOf(link.toLane) + laneHeight / 2;
      context.globalAlpha = isNow(link) ? 1 : 0.45;
      context.lineWidth = isNow(link) ? 1.5 : 1;
      context.setLineDash(link.kind === 'issue' ? [] : [4, 3]);
      context.beginPath();
      context.moveTo(x1, y1);
      const bend = Math.max(10, Math.abs(x2 - x1) / 3);
      context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(x2, y2, 2, 0, 7);
      context.fill();
    }
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }

  private drawFlight(y: number, fill: string): void {
    const { context, size } = this;
    const { inFlight, mostInFlight } = this.timeline!;
    if (!mostInFlight) return;
    const base = y + flightHeight - 4;
    const height = flightHeight - 10;
    context.fillStyle = fill;
    context.globalAlpha = 0.6;
    inFlight.forEach(({ at, bytes }, i) => {
      const x = Math.max(this.xOf(at), this.left);
      const end = Math.min(this.xOf(inFlight[i + 1]?.at ?? at), size.width);
      if (end > x && bytes > 0)
        context.fillRect(x, base - (height * bytes) / mostInFlight, end - x, (height * bytes) / mostInFlight);
    });
    context.globalAlpha = 1;
  }

  private drawRuler(colours: { muted: string; line: string; text: string; bad: string }): void {
    const { context, size, left, timeline } = this;
    context.font = `11px ${monospace}`;
    context.fillStyle = colours.line;
    context.fillRect(0, ruler - 0.5, size.width, 0.5);
    context.fillRect(left - 0.5, 0, 0.5, size.height);
    const { from, to } = this.sight;
    const distance = tickDistance(to - from, (size.width - left) / 90);
    context.fillStyle = colours.muted;
    for (let tick = Math.ceil(from / distance) * distance; tick <= to; tick += distance) {
      const x = this.xOf(tick);
      context.fillRect(x, ruler - 5, 1, 4);
      const text = tick.toLocaleString('en');
      const width = context.measureText(text).width;
      if (x + 3 + width < size.width - 2) context.fillText(text, x + 3, ruler / 2);
    }
    if (timeline!.mostInFlight) {
      const y = ruler + timeline!.lanes.length * laneHeight - this.top + flightHeight / 2;
      if (y < size.height) {
        context.font = `11.5px ${getComputedStyle(this.element).getPropertyValue('--g-sans') || 'sans-serif'}`;
        context.fillText(fitted(context, 'bytes in flight', left - 14), 8, y);
      }
    }
    for (const finding of timeline!.result.findings) {
      const x = this.xOf(finding.moment);
      if (x < left || x > size.width) continue;
      context.fillStyle = colours.bad;
      context.beginPath();
      context.moveTo(x - 5, 1);
      context.lineTo(x + 5, 1);
      context.lineTo(x, 10);
      context.fill();
    }
  }

  private drawPlayhead(accent: string, colours: { text: string }): void {
    const { context, size, left } = this;
    const x = this.xOf(this.at);
    if (x < left - 1 || x > size.width) return;
    context.fillStyle = accent || colours.text;
    context.fillRect(x - 0.75, 0, 1.5, size.height);
    context.beginPath();
    context.arc(x, ruler - 5, 4.5, 0, 7);
    context.fill();
  }
}

// As much of the text as fits.
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const perCharacter = context.measureText('m').width || 7;
  let count = Math.max(0, Math.floor(width / perCharacter));
  while (count > 0 && context.measureText(text.slice(0, count) + '…').width > width) --count;
  return count > 1 ? text.slice(0, count) + '…' : '';
}
