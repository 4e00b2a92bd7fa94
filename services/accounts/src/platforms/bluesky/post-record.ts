import { type AppBskyRichtextFacet, RichText } from '@atproto/api';
import { z } from 'zod';
import type { ConnectorDeps, Outgoing, OutgoingMedia, Session } from '../platform.ts';
import { type Answer, call } from './api.ts';
import { collections, readRecord, readUri, type StrongRef } from './records.ts';

/** After so many attempts a mention that can not be resolved now goes out as plain text. */
const resolveAttempts = 2;

/** The record of a post, reply or repost; anything but `ok` means that it can not be sent now, or ever. */
export async function makeRecord(
  deps: ConnectorDeps,
  session: Session,
  outgoing: Outgoing,
  createdAt: string,
): Promise<Answer<Record<string, unknown>>> {
  const parent = await refOf(deps, session, outgoing.inReplyTo);
  if (parent.kind !== 'ok') return parent;
  if (outgoing.kind === 'repost') {
    return { kind: 'ok', body: { $type: collections.repost, subject: parent.body, createdAt } };
  }
  const root =
    outgoing.root === outgoing.inReplyTo ? parent : await refOf(deps, session, outgoing.root);
  if (root.kind !== 'ok') return root;
  const facets = await facetsOf(deps, session, outgoing);
  if (facets.kind !== 'ok') return facets;
  const reply = parent.body && { root: root.body ?? parent.body, parent: parent.body };
  const embed = embedOf(outgoing.media);
  return {
    kind: 'ok',
    body: {
      $type: collections.post,
      text: outgoing.text,
      createdAt,
      ...(facets.body.length > 0 && { facets: facets.body }),
      ...(reply && { reply }),
      ...(embed && { embed }),
    },
  };
}

/** A post by what it was when it was answered: its id and the hash of its content. */
async function refOf(
  deps: ConnectorDeps,
  session: Session,
  uri: string | null,
): Promise<Answer<StrongRef | null>> {
  if (uri === null) return { kind: 'ok', body: null };
  const at = readUri(uri);
  const answer: Awaited<ReturnType<typeof readRecord>> = at
    ? await readRecord(deps, session, at)
    : { kind: 'ok', body: null };
  if (answer.kind !== 'ok') return answer;
  if (answer.body) return { kind: 'ok', body: { uri: answer.body.uri, cid: answer.body.cid } };
  const detail = 'the post that it refers to is gone';
  return { kind: 'refused', status: 404, error: 'RecordNotFound', detail };
}

type Facet = AppBskyRichtextFacet.Main;
type Feature = Facet['features'][number];

/** Links, tags and mentions, with the handles of mentions turned into DIDs; one that nobody has stays text. */
async function facetsOf(
  deps: ConnectorDeps,
  session: Session,
  { text, attempt }: Outgoing,
): Promise<Answer<Facet[]>> {
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  const facets: Facet[] = [];
  for (const facet of rich.facets ?? []) {
    const handle = facet.features.map(mentioned).find((name) => name !== null);
    if (handle === undefined) {
      facets.push(facet);
      continue;
    }
    const did = await resolveHandle(deps, session, handle);
    if (did.kind === 'ok') {
      const feature = { $type: 'app.bsky.richtext.facet#mention' as const, did: did.body.did };
      facets.push({ ...facet, features: [feature] });
    } else if (did.kind !== 'refused' && attempt <= resolveAttempts) return did;
  }
  return { kind: 'ok', body: facets };
}

function mentioned(feature: Feature): string | null {
  const isMention = feature.$type === 'app.bsky.richtext.facet#mention';
  return isMention && 'did' in feature && typeof feature.did === 'string' ? feature.did : null;
}

function resolveHandle(
  deps: ConnectorDeps,
  session: Session,
  handle: string,
): Promise<Answer<{ did: string }>> {
  return call(deps, session, {
    nsid: 'com.atproto.identity.resolveHandle',
    params: { handle },
    answer: z.object({ did: z.string().regex(/^did:/) }),
  });
}

/** An uploaded file as the server names it. */
export const BlobRef = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.number(),
});

function embedOf(media: OutgoingMedia[]): Record<string, unknown> | null {
  const [first] = media;
  if (!first) return null;
  if (first.type.startsWith('video/')) {
    const alt = first.alt_text === null ? {} : { alt: first.alt_text };
    return { $type: 'app.bsky.embed.video', video: blobOf(first), ...alt, ...shapeOf(first) };
  }
  const images = media.map((one) => ({
    image: blobOf(one),
    alt: one.alt_text ?? '',
    ...shapeOf(one),
  }));
  return { $type: 'app.bsky.embed.images', images };
}

function blobOf(media: OutgoingMedia): z.infer<typeof BlobRef> {
  return BlobRef.parse(JSON.parse(media.ref));
}

/** Lets clients keep the place while the picture loads. */
function shapeOf({ width, height }: OutgoingMedia): Record<string, unknown> {
  return width && height ? { aspectRatio: { width, height } } : {};
}
