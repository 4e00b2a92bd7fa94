import type { PostEvent, PostEventType } from '@perch/proto/posts';

/** How an event of a post's timeline is told. */
export interface EventWords {
  title: string;
  tone: 'good' | 'warn' | 'bad' | 'info' | 'plain';
}

const words: Record<PostEventType, EventWords> = {
  'post.scheduled': { title: 'Scheduled', tone: 'info' },
  'post.updated': { title: 'Changed', tone: 'plain' },
  'post.cancelled': { title: 'Cancelled', tone: 'plain' },
  'post.deferred': { title: 'Held back for now', tone: 'warn' },
  'post.publishing': { title: 'Being sent', tone: 'info' },
  'post.waiting': { title: 'Waiting to try again', tone: 'warn' },
  'post.outcome_unknown': { title: 'The platform did not answer', tone: 'warn' },
  'post.reconciled': { title: 'Looked it up on the platform', tone: 'info' },
  'post.posted': { title: 'Posted', tone: 'good' },
  'post.failed': { title: 'Failed', tone: 'bad' },
  'post.retried': { title: 'To be tried again, by the operator', tone: 'info' },
  'post.resolved': { title: 'Settled by the operator', tone: 'plain' },
  'auto_retweet.scheduled': { title: 'Auto-retweet planned', tone: 'info' },
  'auto_retweet.done': { title: 'Retweeted', tone: 'good' },
  'auto_retweet.dropped': { title: 'Not retweeted', tone: 'warn' },
  'auto_reply.sent': { title: 'Auto-reply sent', tone: 'good' },
  'auto_reply.skipped': { title: 'Auto-reply skipped', tone: 'plain' },
  'auto_reply.finished': { title: 'Auto-replies are over', tone: 'plain' },
};

/** The title and the tone of an event. */
export function eventWords(type: PostEventType): EventWords {
  return words[type];
}

/** What there is to say of an event beside its title; `when` writes an instant on the account's clock. */
export function eventDetail(event: PostEvent, when: (at: string) => string): string | null {
  const { data } = event;
  const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
  const number = (key: string): number => (typeof data[key] === 'number' ? data[key] : 0);
  switch (event.type) {
    case 'post.scheduled':
      return text('scheduled_at') && `For ${when(text('scheduled_at'))}.`;
    case 'post.updated':
      return updated(data['changed'], text('scheduled_at') && when(text('scheduled_at')));
    case 'post.deferred':
      return `Until ${when(text('until'))}.`;
    case 'post.waiting':
      return `Until ${when(text('until'))}: ${text('detail')}.`;
    case 'post.outcome_unknown':
      return 'Nothing is sent again until it is known what stands there.';
    case 'post.reconciled':
      return reconciled(data['found']);
    case 'post.posted':
      return number('charged_credits') > 0
        ? `Charged ${credits(number('charged_credits'))}.`
        : null;
    case 'post.failed':
      return text('detail') || null;
    case 'auto_retweet.scheduled':
      return `For ${when(text('at'))}.`;
    case 'auto_retweet.dropped':
      return text('reason') || null;
    case 'auto_reply.sent':
      return `To @${text('to')}.`;
    case 'auto_reply.skipped':
      return `@${text('to')}: ${text('reason')}.`;
    case 'auto_reply.finished':
      return `${number('sent')} sent in all.`;
    default:
      return null;
  }
}

/** `1 credit`, `9 credits`. */
export function credits(count: number): string {
  return `${count} ${count === 1 ? 'credit' : 'credits'}`;
}

function updated(changed: unknown, to: string): string {
  const fields = Array.isArray(changed) ? changed.filter((one) => typeof one === 'string') : [];
  if (fields.includes('scheduled_at') || fields.length === 0) return `Now for ${to}.`;
  return `${fields.join(', ').replaceAll('_', ' ')}.`;
}

function reconciled(found: unknown): string {
  const there = Array.isArray(found) ? found.length > 0 : found === true || Number(found) > 0;
  return there ? 'It stands there, so nothing is sent again.' : 'It is not there, so it is sent.';
}
