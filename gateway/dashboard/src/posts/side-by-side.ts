/** Where an entry of a day stands: its column, and how many share the width. */
export interface Place {
  column: number;
  columns: number;
}

/** Puts entries that would cover each other side by side, each `height` minutes tall; in the order given. */
export function sideBySide(minutes: number[], height: number): Place[] {
  const order = minutes.map((_, index) => index);
  order.sort((a, b) => (minutes[a] ?? 0) - (minutes[b] ?? 0) || a - b);
  const places: Place[] = minutes.map(() => ({ column: 0, columns: 1 }));
  let group: number[] = [];
  let ends: number[] = [];
  function close(): void {
    for (const index of group)
      places[index] = { column: places[index]?.column ?? 0, columns: ends.length };
    group = [];
    ends = [];
  }
  for (const index of order) {
    const start = minutes[index] ?? 0;
    if (ends.every((end) => end <= start)) close();
    const free = ends.findIndex((end) => end <= start);
    const column = free === -1 ? ends.length : free;
    ends[column] = start + height;
    places[index] = { column, columns: 1 };
    group.push(index);
  }
  close();
  return places;
}
