const urlLength = 23;
const urls = /https?:\/\/\S+|(?<![\w@.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?:\/\S*)?/giu;
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20E3}/u;
const segmenter = new Intl.Segmenter();

/**
 * About how long a platform finds the text: a URL counts 23, emoji and scripts such as Chinese count two. The
 * server's rehearsal tells the exact length a moment later.
 */
export function estimateLength(text: string): number {
  let length = 0;
  const rest = text.normalize('NFC').replace(urls, () => {
    length += urlLength;
    return '';
  });
  for (const { segment } of segmenter.segment(rest)) {
    if (emoji.test(segment)) length += 2;
    else for (const letter of segment) length += isNarrow(letter.codePointAt(0) ?? 0) ? 1 : 2;
  }
  return length;
}

/** Ranges that X counts once: Latin to Georgian, and general punctuation. */
function isNarrow(point: number): boolean {
  return (
    point <= 4_351 ||
    (point >= 8_192 && point <= 8_205) ||
    (point >= 8_208 && point <= 8_223) ||
    (point >= 8_242 && point <= 8_247)
  );
}
