import type { PostStatus } from '@perch/proto/posts';

/** Every legal move in a post's life; what is not here can not happen. */
export const moves: Record<PostStatus, readonly PostStatus[]> = {
  scheduled: ['publishing', 'cancelled', 'failed'],
  publishing: ['posted', 'failed'],
  posted: [],
  cancelled: [],
  // By an operator alone, as a new run, and only when it surely stands nowhere.
  failed: ['scheduled'],
};

/** The statuses from which a post may move to `to`. */
export function movesTo(to: PostStatus): PostStatus[] {
  return statuses.filter((from) => moves[from].includes(to));
}

const statuses: PostStatus[] = ['scheduled', 'publishing', 'posted', 'cancelled', 'failed'];

/** Whether the caller may still change or cancel the post. */
export function isEditable(status: PostStatus): boolean {
  return status === 'scheduled';
}
