import { z } from 'zod';
import type { Standing } from '../platform.ts';

/** An id of an instance: digits at Mastodon, other text elsewhere. */
export const EntityId = z.string().min(1).max(100);

/** A post as instances tell of it (Status entity). */
export const Status = z.object({
  id: EntityId,
  url: z.string().max(2_000).nullish(),
  uri: z.string().max(2_000).nullish(),
  created_at: z.string().transform((text, context) => {
    const ms = Date.parse(text);
    if (Number.isNaN(ms)) context.addIssue('must be an instant');
    return ms;
  }),
  edited_at: z.string().nullish(),
  in_reply_to_id: EntityId.nullish(),
  reblog: z.looseObject({}).nullish(),
  visibility: z.string().nullish(),
  reblogged: z.boolean().nullish(),
  media_attachments: z.array(z.unknown()).max(100).default([]),
  application: z.object({ name: z.string() }).nullish(),
});
export type Status = z.infer<typeof Status>;

/** Where a post stands. */
export function standingOf(status: Status): Standing {
  const { id, url, uri, created_at } = status;
  return { platform_id: id, url: url ?? uri ?? '', published_at_ms: created_at };
}
