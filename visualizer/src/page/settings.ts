// The page's own settings, kept for the next visit: the theme, and the target of launches that name none.
import type { Theme } from '../host.ts';
import { targets } from '../model/chips.ts';
import type { LanguageClient } from './lsp.ts';

export const themes: readonly { value: Theme; text: string }[] = [
  { value: 'dark', text: 'Dark' },
  { value: 'light', text: 'Light' },
  { value: 'high-contrast', text: 'High contrast' },
  { value: 'high-contrast-light', text: 'High contrast, light' },
];

export function initialTheme(): Theme {
  const stored = localStorage.getItem('gluond.theme') as Theme | null;
  if (stored && themes.some((t) => t.value === stored)) return stored;
  const isLight = matchMedia('(prefers-color-scheme: light)').matches;
  if (matchMedia('(prefers-contrast: more)').matches) return isLight ? 'high-contrast-light' : 'high-contrast';
  return isLight ? 'light' : 'dark';
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem('gluond.theme', theme);
}

// If it is empty, the imports of a file decide.
export function initialTarget(): string {
  const stored = localStorage.getItem('gluond.target') ?? '';
  return targets.some(({ id }) => id === stored) ? stored : '';
}

export function keepTarget(target: string): void {
  localStorage.setItem('gluond.target', target);
}

export function sendTarget(client: LanguageClient, target: string): void {
  client.notify('workspace/didChangeConfiguration', { settings: { gluond: target ? { target } : {} } });
}
