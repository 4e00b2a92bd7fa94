/** X's ids begin with the instant they were made: milliseconds since then, 22 bits to the left. */
const epochMs = 1_288_834_974_657;

/** The lowest id that X could make at that instant. */
export function firstIdAt(instantMs: number): string {
  return String(BigInt(Math.max(0, Math.floor(instantMs) - epochMs)) << 22n);
}

/** When X made an id; that of the clock at hand when it is not one. */
export function madeAtMs(id: string, nowMs: number): number {
  return /^\d{5,19}$/.test(id) ? Number(BigInt(id) >> 22n) + epochMs : nowMs;
}
