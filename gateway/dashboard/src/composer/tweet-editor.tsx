import { limits } from '@perch/proto/limits';
import { ArrowDown, ArrowUp, ImagePlus, Plus, Scissors, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './composer.module.css';
import type { DraftTweet } from './draft.ts';
import { MediaStrip } from './media-strip.tsx';
import { addAfter, removeAt, shift, splitAt, splitToFit } from './thread.ts';
import type { DraftControls } from './use-draft.ts';

const accepted = 'image/jpeg,image/png,image/webp,image/gif,video/mp4,video/quicktime';

/** One tweet of the thread: its text, its length, its media, and its place. */
export function TweetEditor(props: {
  controls: DraftControls;
  tweet: DraftTweet;
  index: number;
  length: number;
  maxLength: number;
  errors: string[];
}) {
  const { controls, tweet, index, length, maxLength } = props;
  const { tweets } = controls.draft;
  const area = useRef<HTMLTextAreaElement>(null);
  const over = length > maxLength;
  useFit(area, tweet.text);
  function split(): void {
    const place = area.current?.selectionStart ?? 0;
    const inside = place > 0 && place < tweet.text.length;
    controls.changeTweets((all) =>
      over && !inside ? splitToFit(all, index, maxLength) : splitAt(all, index, place),
    );
  }
  function pressed(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    controls.changeTweets((all) => addAfter(all, index));
  }
  const name = tweets.length > 1 ? `Tweet ${index + 1} of ${tweets.length}` : 'Text';
  return (
    <li className={styles['tweet']}>
      <textarea
        ref={area}
        className={styles['text']}
        aria-label={name}
        aria-invalid={over || props.errors.length > 0}
        placeholder={index === 0 ? 'What do you want to say?' : 'And then?'}
        value={tweet.text}
        rows={3}
        maxLength={limits.textChars}
        // biome-ignore lint/a11y/noAutofocus: the page is for writing, and a new tweet is for the next words.
        autoFocus={tweet.text === ''}
        onChange={(event) => controls.changeText(tweet.key, event.target.value)}
        onKeyDown={pressed}
        onPaste={({ clipboardData }) => controls.attach(tweet.key, clipboardData.files)}
      />
      <MediaStrip
        media={tweet.media}
        onRemove={(mediaKey) => controls.detach(tweet.key, mediaKey)}
      />
      {props.errors.map((error) => (
        <p key={error} className="field-error">
          {error}
        </p>
      ))}
      <div className={styles['tools']}>
        <AttachButton onFiles={(files) => controls.attach(tweet.key, files)} />
        <Button
          look="ghost"
          small
          icon
          aria-label="Split here"
          title={over ? 'Split into tweets that fit' : 'Split at the cursor'}
          disabled={tweet.text.trim() === '' || tweets.length >= limits.tweetsPerPost}
          onClick={split}
        >
          <Scissors aria-hidden="true" />
        </Button>
        <Order {...props} />
        <Length length={length} maxLength={maxLength} />
      </div>
    </li>
  );
}

function Order({ controls, index }: { controls: DraftControls; index: number }) {
  const { tweets } = controls.draft;
  const many = tweets.length > 1;
  const icon = { look: 'ghost', small: true, icon: true } as const;
  return (
    <>
      {many ? (
        <>
          <Button
            {...icon}
            aria-label={`Move tweet ${index + 1} up`}
            disabled={index === 0}
            onClick={() => controls.changeTweets((all) => shift(all, index, -1))}
          >
            <ArrowUp aria-hidden="true" />
          </Button>
          <Button
            {...icon}
            aria-label={`Move tweet ${index + 1} down`}
            disabled={index === tweets.length - 1}
            onClick={() => controls.changeTweets((all) => shift(all, index, 1))}
          >
            <ArrowDown aria-hidden="true" />
          </Button>
          <Button
            {...icon}
            aria-label={`Remove tweet ${index + 1}`}
            onClick={() => controls.changeTweets((all) => removeAt(all, index))}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </>
      ) : null}
      <Button
        {...icon}
        aria-label="Add a tweet after this one"
        title="Add a tweet (Ctrl Shift Enter)"
        disabled={tweets.length >= limits.tweetsPerPost}
        onClick={() => controls.changeTweets((all) => addAfter(all, index))}
      >
        <Plus aria-hidden="true" />
      </Button>
    </>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        look="ghost"
        small
        icon
        aria-label="Add images or a video"
        onClick={() => input.current?.click()}
      >
        <ImagePlus aria-hidden="true" />
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accepted}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

function Length({ length, maxLength }: { length: number; maxLength: number }) {
  const left = maxLength - length;
  return (
    <span className={styles['length']} data-state={left < 0 ? 'over' : left < 20 ? 'near' : 'fine'}>
      {length} / {maxLength}
      {left < 0 ? <span className="visually-hidden"> too long</span> : null}
    </span>
  );
}

/** Makes the text field as tall as its text. */
function useFit(area: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
}
