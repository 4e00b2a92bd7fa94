import { type PointerEvent as ReactPointerEvent, useRef, useState } from 'react';
import { minutesInDay, snap } from './local-calendar.ts';

/** Where a drag would put what it carries. */
export interface Target {
  date: string;
  /** Null over a day that shows no hours. */
  minute: number | null;
}

/** What is being dragged, and to where. */
export interface Drag<T> {
  item: T;
  target: Target;
}

const startsAfterPx = 5;

/**
 * Drags with mouse, pen or finger onto elements with `data-date`; those with `data-hours` tell the minute by the
 * height. The place where the item was taken hold of stays under the pointer. Escape lets go.
 */
export function useDrag<T>(onDrop: (item: T, target: Target) => void): {
  drag: Drag<T> | null;
  grab: (event: ReactPointerEvent<HTMLElement>, item: T) => void;
} {
  const [drag, setDrag] = useState<Drag<T> | null>(null);
  const justDragged = useRef(false);
  function grab(event: ReactPointerEvent<HTMLElement>, item: T): void {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const element = event.currentTarget;
    const grip = event.clientY - element.getBoundingClientRect().top;
    const start = { x: event.clientX, y: event.clientY };
    let target: Target | null = null;
    const stop = new AbortController();
    const { signal } = stop;
    function end(): void {
      stop.abort();
      setDrag(null);
    }
    function moved(at: PointerEvent): void {
      if (!target && Math.hypot(at.clientX - start.x, at.clientY - start.y) < startsAfterPx) return;
      const found = targetAt(at.clientX, at.clientY, grip);
      if (!found) return;
      target = found;
      setDrag({ item, target });
    }
    function dropped(): void {
      justDragged.current = target !== null;
      if (target) onDrop(item, target);
      end();
    }
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', dropped, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', (key) => key.key === 'Escape' && end(), { signal });
    // The browser would drag the link itself, and follow it after the drop.
    addEventListener('dragstart', (start) => start.preventDefault(), { signal });
    element.addEventListener(
      'click',
      (click) => {
        if (justDragged.current) click.preventDefault();
        justDragged.current = false;
      },
      { once: true, capture: true },
    );
  }
  return { drag, grab };
}

function targetAt(x: number, y: number, grip: number): Target | null {
  const day = document
    .elementsFromPoint(x, y)
    .find((element) => element instanceof HTMLElement && element.dataset['date'] !== undefined);
  if (!(day instanceof HTMLElement)) return null;
  const date = day.dataset['date'] ?? '';
  if (day.dataset['hours'] === undefined) return { date, minute: null };
  const { top, height } = day.getBoundingClientRect();
  return { date, minute: snap(((y - grip - top) / height) * minutesInDay) };
}
