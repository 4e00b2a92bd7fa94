import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { places } from './nav.ts';

const sheet: { group: string; keys: [string[], string][] }[] = [
  {
    group: 'Anywhere',
    keys: [
      [['n'], 'New post'],
      ...places.map((place): [string[], string] => [['g', place.letter], `Go to ${place.label}`]),
      [['?'], 'This sheet'],
    ],
  },
  {
    group: 'Calendar',
    keys: [
      [['t'], 'Today'],
      [['['], 'Earlier'],
      [[']'], 'Later'],
      [['w'], 'Week'],
      [['m'], 'Month'],
      [['Alt', '↑ ↓ ← →'], 'Move the focused post by a quarter of an hour or a day'],
    ],
  },
  {
    group: 'Composer',
    keys: [
      [['Ctrl', 'Enter'], 'Schedule or publish'],
      [['Ctrl', 'Shift', 'Enter'], 'Add a tweet to the thread'],
    ],
  },
];

/** Listens for the app's shortcuts, and shows all of them at `?`. */
export function Shortcuts({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const navigate = useNavigate();
  const [afterG, setAfterG] = useState(false);
  useShortcut((key) => {
    if (afterG) {
      setAfterG(false);
      const place = places.find(({ letter }) => letter === key);
      if (place) navigate({ to: place.to }).catch(() => undefined);
      return;
    }
    if (key === 'g') setAfterG(true);
    if (key === 'n') navigate({ to: '/posts/new' }).catch(() => undefined);
    if (key === '?') onOpen(true);
  });
  useEffect(() => {
    if (!afterG) return;
    const timer = setTimeout(() => setAfterG(false), 1_500);
    return () => clearTimeout(timer);
  }, [afterG]);
  return (
    <Dialog open={open} onClose={() => onOpen(false)} title="Keyboard shortcuts">
      <div className="stack">
        {sheet.map(({ group, keys }) => (
          <section key={group} className="stack-2">
            <h3>{group}</h3>
            <dl className="stack-2">
              {keys.map(([pressed, does]) => (
                <div key={does} className="row-between small">
                  <dd>{does}</dd>
                  <dt className="row">
                    {pressed.map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Calls back for a plain key that is pressed outside fields and dialogs. */
export function useShortcut(onKey: (key: string) => void): void {
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]'))
        return;
      onKey(event.key);
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onKey]);
}
