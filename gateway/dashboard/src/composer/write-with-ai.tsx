import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { newTweet } from './draft.ts';
import type { DraftControls } from './use-draft.ts';

/** Has a draft written (seed §1: in the web app, not in the API); only shown where it is set up. */
export function WriteWithAi(props: { controls: DraftControls; maxLength: number }) {
  const { controls, maxLength } = props;
  const [open, setOpen] = useState(false);
  const generate = useOnce(
    (wish: { prompt: string; tweets: number }) =>
      api.ai.generate.mutate({ ...wish, max_chars: maxLength }),
    {
      success: ({ tweets }) => {
        controls.changeTweets(() => tweets.map(({ text }) => newTweet(text)));
        setOpen(false);
      },
    },
  );
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Sparkles aria-hidden="true" /> Write with AI
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Write with AI"
        description="What comes back takes the place of the draft. Read it before you schedule it."
      >
        {generate.isError ? <Notice tone="bad">{sentence(generate.error)}</Notice> : null}
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            generate.mutate({
              prompt: formText(form, 'prompt'),
              tweets: Number(formText(form, 'tweets')),
            });
          }}
        >
          <Field label="What is it about?">
            {(control) => (
              <textarea {...control} className="input" name="prompt" required maxLength={2_000} />
            )}
          </Field>
          <Field label="How many tweets">
            {(control) => (
              <input
                {...control}
                className="input"
                style={{ maxWidth: '7rem' }}
                name="tweets"
                type="number"
                min={1}
                max={25}
                defaultValue={1}
              />
            )}
          </Field>
          <div className="dialog-actions">
            <Button onClick={() => setOpen(false)}>Not now</Button>
            <Button type="submit" look="primary" pending={generate.isPending}>
              Write it
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
