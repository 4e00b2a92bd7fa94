/** The current instant in milliseconds since the Unix epoch. Injected, so that tests own time. */
export type Clock = () => number;

/** The machine's clock; handed in by each `main.ts`. */
export const systemClock: Clock = () => Date.now();

/** An instant as the API writes it: ISO 8601, UTC, milliseconds (seed §2). */
export function toIso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
