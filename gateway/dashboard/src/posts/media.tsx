import { useState } from 'react';

/** An image or a video that was uploaded before; which of them it is shows when it loads. */
export function StoredMedia({ id, alt = 'Attached image' }: { id: string; alt?: string }) {
  const [kind, setKind] = useState<'image' | 'video' | 'gone'>('image');
  const src = `/app/media/${encodeURIComponent(id)}/content`;
  if (kind === 'image') return <img src={src} alt={alt} onError={() => setKind('video')} />;
  if (kind === 'gone') return <div className="small muted">Not kept any more</div>;
  return (
    // biome-ignore lint/a11y/useMediaCaption: it is the user's own video, and platforms take no captions.
    <video src={src} controls preload="metadata" onError={() => setKind('gone')} />
  );
}
