import type { Post } from '@perch/proto/posts';
import { When } from '../ui/time.tsx';
import { eventDetail, eventWords } from './event-words.ts';
import styles from './post.module.css';
import { useTimeline } from './use-timeline.ts';

/** What has happened to a post, and what happens to it now. */
export function Timeline({ post, zone }: { post: Post; zone: string }) {
  const { events, live } = useTimeline(post.id);
  const when = (at: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(at));
  return (
    <section className="card stack">
      <div className="row-between">
        <h2>Timeline</h2>
        {live ? <span className="badge tone-good">Live</span> : null}
      </div>
      <ol className={styles['timeline']} aria-live="polite">
        {events.map((event) => {
          const { title, tone } = eventWords(event.type);
          const detail = eventDetail(event, when);
          return (
            <li key={event.id} data-tone={tone}>
              <span className="row-between">
                <span className="strong">{title}</span>
                <span className="tiny muted">
                  <When at={event.at} zone={zone} />
                </span>
              </span>
              {detail ? <span className="small muted">{detail}</span> : null}
            </li>
          );
        })}
        {events.length === 0 ? <li className="small muted">Reading…</li> : null}
      </ol>
    </section>
  );
}
