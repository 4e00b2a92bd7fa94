import twitter from 'twitter-text';

/** Part of a text that Mastodon makes a link of, by its place in UTF-16 units. */
export interface Linked {
  kind: 'url' | 'mention';
  start: number;
  end: number;
  /** What it is counted as: of a mention, the part without the server. */
  shown: string;
}

/**
 * The URLs and mentions of a text as Mastodon finds them (its `Extractor`, `twitter_regex.rb` and `Account::MENTION_RE`,
 * 4.5): domains as twitter-text knows them, a protocol is needed, and a path may have any letters.
 */
export function findLinked(text: string): Linked[] {
  const found = [...findUrls(text), ...findMentions(text)].sort((a, b) => a.start - b.start);
  let end = 0;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

function findUrls(text: string): Linked[] {
  const options = { extractUrlsWithoutProtocol: false };
  return twitter.extractUrlsWithIndices(text, options).map(({ url, indices: [start] }) => {
    const host = /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? url;
    // twitter-text ends a path at letters beyond Latin and Cyrillic; Mastodon does not.
    const rest = text.slice(start + host.length);
    const end = start + host.length + (pathAndQuery.exec(rest)?.[0].length ?? 0);
    return { kind: 'url', start, end: Math.max(end, start + url.length), shown: url };
  });
}

const general = String.raw`[^\p{White_Space}<>()?]`;
const nested = String.raw`\((?:${general}+|${general}*\(${general}+\)${general}*)\)`;
const ending = String.raw`(?:[^\p{White_Space}()?!*"'「」<>;:=,.$%\[\]~&|@]|${nested})`;
const path = String.raw`(?:${general}*(?:${nested}${general}*)*${ending}|${general}+\/)`;
const queryPart = String.raw`[^\p{White_Space}<>"「」{}\\^\x60]`;
const queryEnding = String.raw`[\p{L}\p{N}_&=#\/-]`;
const pathAndQuery = new RegExp(
  String.raw`^(?:\/${path}?)?(?:\?${queryPart}*${queryEnding})?`,
  'iu',
);

const userName = '[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*';
const word = String.raw`[\p{L}\p{M}\p{N}\p{Pc}]`;
const mention = new RegExp(
  String.raw`(?<![=\/\p{L}\p{M}\p{N}\p{Pc}])@(${userName})(?:@${word}+(?:[.-]+${word}+)*)?`,
  'giu',
);

function findMentions(text: string): Linked[] {
  return [...text.matchAll(mention)].flatMap((match) => {
    const end = match.index + match[0].length;
    if (twitter.regexen.endMentionMatch.test(text.slice(end))) return [];
    return [{ kind: 'mention' as const, start: match.index, end, shown: `@${match[1]}` }];
  });
}
