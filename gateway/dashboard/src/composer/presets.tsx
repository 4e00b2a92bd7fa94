import { Menu } from '@base-ui/react/menu';
import type { Preset, PresetContent } from '@perch/proto/presets';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { presetsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import { autoReplyOf, autoRetweetOf, followUpsOf, newTweet } from './draft.ts';
import type { DraftControls } from './use-draft.ts';

/** Saved post templates (seed §1): to apply one, to keep this draft as one, to remove one. */
export function Presets({ controls }: { controls: DraftControls }) {
  const presets = useQuery(presetsQuery).data ?? [];
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const close = () => setDialog(null);
  function apply(preset: Preset): void {
    controls.changeTweets(() => preset.tweets.map(({ text }) => newTweet(text)));
    controls.change(followUpsOf(preset));
  }
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          render={
            <Button>
              <Bookmark aria-hidden="true" /> Presets
            </Button>
          }
        />
        <Menu.Portal>
          <Menu.Positioner className="popup-layer" sideOffset={6} align="end">
            <Menu.Popup className="popup">
              {presets.map((preset) => (
                <Menu.Item key={preset.id} className="popup-item" onClick={() => apply(preset)}>
                  <span className="clip">{preset.name}</span>
                </Menu.Item>
              ))}
              {presets.length === 0 ? (
                <p className="small muted" style={{ padding: '6px 10px' }}>
                  A preset keeps texts and follow-ups that you use again.
                </p>
              ) : null}
              <div className="popup-rule" />
              <Menu.Item className="popup-item" onClick={() => setDialog('save')}>
                <BookmarkPlus aria-hidden="true" /> Save this as a preset
              </Menu.Item>
              {presets.length > 0 ? (
                <Menu.Item className="popup-item" onClick={() => setDialog('manage')}>
                  <Trash2 aria-hidden="true" /> Remove presets
                </Menu.Item>
              ) : null}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Dialog open={dialog === 'save'} onClose={close} title="Save as a preset">
        <SaveForm controls={controls} onDone={close} />
      </Dialog>
      <Dialog open={dialog === 'manage'} onClose={close} title="Remove presets">
        <PresetList presets={presets} />
      </Dialog>
    </>
  );
}

function SaveForm({ controls, onDone }: { controls: DraftControls; onDone: () => void }) {
  const { draft } = controls;
  const client = useQueryClient();
  const save = useOnce(
    (preset: PresetContent, idempotency_key) =>
      api.presets.create.mutate({ preset, idempotency_key }),
    {
      success: async ({ name }) => {
        await client.invalidateQueries({ queryKey: presetsQuery.queryKey });
        onDone();
        tell(`${name} is saved`);
      },
    },
  );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          name: formText(new FormData(event.currentTarget), 'name'),
          tweets: draft.tweets.map(({ text }) => ({ text })),
          auto_reply: draft.autoReply.enabled ? autoReplyOf(draft) : null,
          auto_retweet: draft.autoRetweet.enabled ? autoRetweetOf(draft) : null,
        });
      }}
    >
      {save.isError && !fieldError(save.error, 'name') ? (
        <Notice tone="bad">{sentence(save.error)}</Notice>
      ) : null}
      <Field
        label="Name"
        hint="Media are not part of a preset."
        error={fieldError(save.error, 'name')}
      >
        {(control) => <input {...control} className="input" name="name" required maxLength={80} />}
      </Field>
      <div className="dialog-actions">
        <Button onClick={onDone}>Not now</Button>
        <Button type="submit" look="primary" pending={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

function PresetList({ presets }: { presets: Preset[] }) {
  const client = useQueryClient();
  const remove = useOnce((preset_id: string) => api.presets.remove.mutate({ preset_id }), {
    success: () => client.invalidateQueries({ queryKey: presetsQuery.queryKey }),
    failure: (error) => tellFailure('The preset is still there', error),
  });
  return (
    <ul className="stack-2">
      {presets.map((preset) => (
        <li key={preset.id} className="row-between">
          <span className="clip grow">{preset.name}</span>
          <Button
            small
            aria-label={`Remove ${preset.name}`}
            onClick={() => remove.mutate(preset.id)}
          >
            Remove
          </Button>
        </li>
      ))}
      {presets.length === 0 ? <li className="muted">None is left.</li> : null}
    </ul>
  );
}
