/** A result for a person to read: a line for each field, a blank line between the items of a list. */
export function asText(result: unknown): string {
  return linesOf(result).join('\n');
}

function linesOf(value: unknown): string[] {
  if (isShort(value)) return [shortText(value)];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [...(index > 0 ? [''] : []), ...linesOf(item)]);
  }
  const fields = Object.entries(value as object);
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.flatMap(([name, field]) =>
    isShort(field)
      ? [`${name.padEnd(width)}  ${shortText(field)}`]
      : [name, ...linesOf(field).map((line) => line && `  ${line}`)],
  );
}

/** Whether it fits behind its name: anything but an object or a list of objects. */
function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isShort(item));
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function shortText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shortText).join(', ');
  return value === null || value === undefined || typeof value === 'object' ? '-' : String(value);
}
