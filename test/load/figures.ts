/** The value below which that share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function line(name: string, figures: string): void {
  console.log(`${name.padEnd(34)} ${figures}`);
}
