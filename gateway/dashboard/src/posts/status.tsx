import type { PostFailureCode, PostStatus } from '@perch/proto/posts';

const looks: Record<PostStatus, { label: string; tone: string }> = {
  scheduled: { label: 'Scheduled', tone: 'tone-info' },
  publishing: { label: 'Publishing', tone: 'tone-warn' },
  posted: { label: 'Posted', tone: 'tone-good' },
  cancelled: { label: 'Cancelled', tone: '' },
  failed: { label: 'Failed', tone: 'tone-bad' },
};

const statuses = ['scheduled', 'publishing', 'posted', 'cancelled', 'failed'] as const;

/** All statuses of a post, with their words. */
export const statusLabels = statuses.map((status) => ({ status, label: looks[status].label }));

/** Where a post is in its life. */
export function StatusBadge({ status }: { status: PostStatus }) {
  return <span className={`badge ${looks[status].tone}`}>{looks[status].label}</span>;
}

/** Why a post failed, and what can be done about it. */
export const failureWords: Record<PostFailureCode, { title: string; advice: string }> = {
  outside_posting_window: {
    title: 'It was due outside the posting window',
    advice: 'Schedule it again inside the window, or let the account hold posts until it opens.',
  },
  insufficient_credits: {
    title: 'There were not enough credits when it was due',
    advice: 'Add credits, then schedule it again.',
  },
  account_disconnected: {
    title: 'The account was no longer connected',
    advice: 'Connect the account again, then schedule it again.',
  },
  paid_plan_required: {
    title: 'It needed the paid plan',
    advice: 'Go to the paid plan, then schedule it again.',
  },
  platform_rejected: {
    title: 'The platform refused it',
    advice: 'Change the post as the platform asks, then schedule it again.',
  },
  duplicate_content: {
    title: 'The platform has this very text already',
    advice: 'Change the text, then schedule it again.',
  },
  media_rejected: {
    title: 'The platform refused the media',
    advice: 'Choose other media, then schedule it again.',
  },
  not_summoned: {
    title: 'The platform lets no program answer there',
    advice: 'It allows replies only to people who mention the account.',
  },
  platform_unavailable: {
    title: 'The platform stayed out of reach',
    advice: 'Nothing was sent and nothing was charged. Schedule it again.',
  },
  publish_outcome_unknown: {
    title: 'Nobody can tell whether it went out',
    advice:
      'The platform never answered. Look at the account before you send it again: Perch does not, so that nothing goes out twice. Nothing was charged.',
  },
  account_held: {
    title: 'The account was held back',
    advice:
      'Whoever runs Perch stopped this account from sending for too long. Nothing was sent and nothing was charged. Ask them, then schedule it again.',
  },
  not_published: {
    title: 'It did not go out',
    advice:
      'Whoever runs Perch looked at the account and found that it was not published. Nothing was charged. Schedule it again.',
  },
};
