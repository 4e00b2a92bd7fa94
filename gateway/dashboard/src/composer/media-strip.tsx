import { X } from 'lucide-react';
import { StoredMedia } from '../posts/media.tsx';
import { Button } from '../ui/button.tsx';
import styles from './composer.module.css';
import type { DraftMedia } from './draft.ts';

/** The media of a tweet that is being written, each with how far it is. */
export function MediaStrip(props: { media: DraftMedia[]; onRemove: (key: string) => void }) {
  if (props.media.length === 0) return null;
  return (
    <ul className={styles['media']}>
      {props.media.map((one) => (
        <li key={one.key}>
          <MediaPreview media={one} />
          {one.state.is === 'uploading' ? (
            <progress
              className={styles['progress']}
              aria-label={`Uploading ${one.name}`}
              value={one.state.progress}
            />
          ) : null}
          {one.state.is === 'refused' ? (
            <p className="field-error" role="alert">
              {one.name}: {one.state.why}
            </p>
          ) : null}
          <Button
            small
            icon
            className={styles['drop'] ?? ''}
            aria-label={`Remove ${one.name || 'this media'}`}
            onClick={() => props.onRemove(one.key)}
          >
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** What the media shows. */
export function MediaPreview({ media }: { media: DraftMedia }) {
  if (media.state.is === 'kept' && media.preview.startsWith('/'))
    return <StoredMedia id={media.state.mediaId} />;
  return media.kind === 'video' ? (
    // biome-ignore lint/a11y/useMediaCaption: it is the user's own video, and platforms take no captions.
    <video src={media.preview} controls preload="metadata" />
  ) : (
    <img src={media.preview} alt={media.name} />
  );
}
