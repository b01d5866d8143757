// The listeners of a host: handlers of its notifications, and of changes of the theme.
import type { Disposable, Notifications, Theme } from '../host.ts';

export class Listeners {
  private readonly handlers = new Map<string, Set<(params: never) => void>>();
  private readonly themeHandlers = new Set<(theme: Theme) => void>();

  onNotification<N extends keyof Notifications>(name: N, handler: (params: Notifications[N]) => void): Disposable {
    const set = this.handlers.get(name) ?? new Set();
    this.handlers.set(name, set);
    set.add(handler);
    return { dispose: () => set.delete(handler) };
  }

  onThemeChanged(handler: (theme: Theme) => void): Disposable {
    this.themeHandlers.add(handler);
    return { dispose: () => this.themeHandlers.delete(handler) };
  }

  notify(name: string, params: unknown): void {
    for (const handler of this.handlers.get(name) ?? []) handler(params as never);
  }

  changeTheme(theme: Theme): void {
    for (const handler of this.themeHandlers) handler(theme);
  }
}
