import { useState } from 'react';
import type { Draft, DraftMedia, DraftTweet } from './draft.ts';
import { upload } from './upload.ts';

/** A draft and what can be done to it. */
export interface DraftControls {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  changeTweets: (to: (tweets: DraftTweet[]) => DraftTweet[]) => void;
  changeText: (key: string, text: string) => void;
  attach: (key: string, files: Iterable<File>) => void;
  detach: (key: string, mediaKey: string) => void;
}

/** Holds a draft; uploads begin as soon as files are chosen, and find their tweet wherever it has moved. */
export function useDraft(start: () => Draft): DraftControls {
  const [draft, setDraft] = useState(start);
  const changeTweets = (to: (tweets: DraftTweet[]) => DraftTweet[]) =>
    setDraft((old) => ({ ...old, tweets: to(old.tweets) }));
  const changeTweet = (key: string, to: (tweet: DraftTweet) => DraftTweet) =>
    changeTweets((tweets) => tweets.map((tweet) => (tweet.key === key ? to(tweet) : tweet)));
  const setState = (mediaKey: string, state: DraftMedia['state']) =>
    changeTweets((tweets) =>
      tweets.map((tweet) => ({
        ...tweet,
        media: tweet.media.map((one) => (one.key === mediaKey ? { ...one, state } : one)),
      })),
    );
  function begin(key: string, file: File): void {
    const media: DraftMedia = {
      key: crypto.randomUUID(),
      name: file.name,
      preview: URL.createObjectURL(file),
      kind: file.type.startsWith('video/') ? 'video' : 'image',
      state: { is: 'uploading', progress: 0 },
    };
    changeTweet(key, (tweet) => ({ ...tweet, media: [...tweet.media, media] }));
    upload(file, (progress) => setState(media.key, { is: 'uploading', progress }))
      .then((done) =>
        setState(
          media.key,
          'mediaId' in done
            ? { is: 'kept', mediaId: done.mediaId }
            : { is: 'refused', why: done.why },
        ),
      )
      .catch(() => setState(media.key, { is: 'refused', why: 'It could not be uploaded.' }));
  }
  return {
    draft,
    change: (part) => setDraft((old) => ({ ...old, ...part })),
    changeTweets,
    changeText: (key, text) => changeTweet(key, (tweet) => ({ ...tweet, text })),
    attach: (key, files) => {
      for (const file of files) begin(key, file);
    },
    detach: (key, mediaKey) =>
      changeTweet(key, (tweet) => ({
        ...tweet,
        media: tweet.media.filter((one) => one.key !== mediaKey),
      })),
  };
}
