/** What a person can choose; `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'perch.theme';

/** The choice of this browser, `system` where none was made or storage is switched off. */
export function chosenTheme(): Theme {
  const stored = read();
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows the theme at once and remembers it; `public/theme.js` applies it before the next first paint. */
export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
