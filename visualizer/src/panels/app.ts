// All panels in one view: tabs, the kernel and its specialization above them.
import { panelIds, type Host, type PanelId } from '../host.ts';
import { tellApart } from '../model/labels.ts';
import { h, replace, select } from '../ui/dom.ts';
import { AccessPanel } from './access.ts';
import { BenchmarkPanel } from './benchmark.ts';
import { ConversionPanel } from './conversion.ts';
import { IrPanel } from './ir.ts';
import { LayoutPanel } from './layout.ts';
import { PlaygroundPanel } from './playground.ts';
import { Session, type Panel, type Why } from './session.ts';
import { SharedPanel } from './shared.ts';
import { TimelinePanel } from './timeline.ts';

const makers: Record<PanelId, new (session: Session) => Panel> = {
  layout: LayoutPanel,
  access: AccessPanel,
  conversion: ConversionPanel,
  shared: SharedPanel,
  playground: PlaygroundPanel,
  ir: IrPanel,
  timeline: TimelinePanel,
  benchmark: BenchmarkPanel,
};

export class Panels {
  readonly session: Session;
  readonly panels = new Map<PanelId, Panel>();
  private active: PanelId;
  private readonly tabs: HTMLElement;
  private readonly context = h('div', { class: 'g-context' });
  private readonly content = h('div', { class: 'g-content' });
  private readonly pending = new Map<PanelId, Why>();

  constructor(root: HTMLElement, host: Host, ids: readonly PanelId[] = panelIds) {
    this.session = new Session(host);
    this.session.show = (id, what) => this.show(id, what);
    const state = host.getState() as { panel?: PanelId } | undefined;
    this.active = state?.panel && ids.includes(state.panel) ? state.panel : ids[0]!;
    for (const id of ids) {
      const panel = new makers[id](this.session);
      panel.element.id = `g-panel-${id}`;
      panel.element.setAttribute('role', 'tabpanel');
      panel.element.setAttribute('aria-labelledby', `g-tab-${id}`);
      this.panels.set(id, panel);
      this.content.append(panel.element);
    }
    this.tabs = h('div', { class: 'g-tabs g-main-tabs', attributes: { role: 'tablist', 'aria-label': 'Panels' } });
    for (const [id, panel] of this.panels)
      this.tabs.append(
        h(
          'button',
          {
            type: 'button',
            id: `g-tab-${id}`,
            class: 'g-tab',
            attributes: { role: 'tab', 'aria-controls': `g-panel-${id}` },
            on: {
              click: () => this.show(id),
              keydown: (event) => {
                const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                if (!step) return;
                event.preventDefault();
                const next = ids[(ids.indexOf(id) + step + ids.length) % ids.length]!;
                this.show(next);
                document.getElementById(`g-tab-${next}`)?.focus();
              },
            },
          },
          panel.title,
        ),
      );
    root.classList.add('g-root');
    replace(root, h('nav', { class: 'g-bar' }, ids.length > 1 ? this.tabs : null, this.context), this.content);
    this.applyTheme(root);
    host.onThemeChanged(() => {
      this.applyTheme(root);
      this.update('theme');
    });
    this.session.listeners.add((why) => {
      this.drawContext();
      this.update(why);
    });
    host.onNotification('panel/show', (params) => {
      // Later requests refer to that place.
      void Promise.resolve(params.place && this.session.setPlace(params.place)).then(() =>
        this.show(params.panel, params),
      );
    });
    host.onNotification('panel/cursor', (place) => void this.session.setPlace(place));
    host.onNotification('panel/changed', ({ uri }) => void this.session.changed(uri));
    this.show(this.active);
  }

  show(id: PanelId, what?: Parameters<NonNullable<Panel['open']>>[0]): void {
    const panel = this.panels.get(id);
    if (!panel) return;
    // Lines that another panel has highlighted are not about this one.
    if (id !== this.active && this.session.uri) this.session.host.highlightLines(this.session.uri, []);
    this.active = id;
    this.session.host.setState({ panel: id });
    for (const [each, other] of this.panels) other.element.hidden = each !== id;
    for (const tab of this.tabs.children) {
      const isOn = tab.id === `g-tab-${id}`;
      tab.classList.toggle('g-on', isOn);
      tab.setAttribute('aria-selected', String(isOn));
      (tab as HTMLElement).tabIndex = isOn ? 0 : -1;
    }
    if (what) panel.open?.(what);
    const why = this.pending.get(id);
    this.pending.delete(id);
    panel.update(why ?? 'shown');
    // A panel that missed a change may have missed a move of the cursor too.
    if (why === 'changed') panel.update('cursor');
  }

  // Updates the panel in sight at once, and the others when they come into sight.
  private update(why: Why): void {
    for (const [id, panel] of this.panels)
      if (id === this.active || why === 'theme') panel.update(why);
      else if (this.pending.get(id) !== 'changed') this.pending.set(id, why);
  }

  // The contents of the menus. The menus are rebuilt only if these change, not with every cursor movement.
  private drawn: { kernels: unknown; kernel: string | undefined; selected: string | undefined; place: boolean } | null =
    null;
  private drawContext(): void {
    const { session } = this;
    const kernel = session.kernel();
    const now = {
      kernels: session.kernels,
      kernel: kernel?.kernel,
      selected: session.specialization()?.id,
      place: session.place !== null,
    };
    if (this.drawn && (Object.keys(now) as (keyof typeof now)[]).every((key) => this.drawn![key] === now[key])) return;
    this.drawn = now;
    if (!kernel)
      return replace(this.context, h('span', { class: 'g-muted' }, session.place ? 'no kernel in this file' : ''));
    // A user who selects with the keyboard stays in the menu.
    const focused = this.context.contains(document.activeElement)
      ? document.activeElement?.getAttribute('aria-label')
      : null;
    replace(
      this.context,
      select(
        'Kernel',
        session.kernels.map((k) => ({ value: k.kernel, text: k.kernel })),
        kernel.kernel,
        (name) => session.choose(name),
      ),
      select(
        'Specialization',
        tellApart(kernel.specializations.map((s) => s.label || s.id)).map((text, i) => ({
          value: kernel.specializations[i]!.id,
          text,
        })),
        session.specialization()?.id ?? '',
        (id) => void session.select(kernel.kernel, id),
      ),
    );
    if (focused) this.context.querySelector<HTMLElement>(`select[aria-label="${focused}"]`)?.focus();
  }

  private applyTheme(root: HTMLElement): void {
    root.dataset['theme'] = this.session.theme;
  }
}
