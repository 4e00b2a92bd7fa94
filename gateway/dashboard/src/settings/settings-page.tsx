import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { codeOf, fieldError, sentence } from '../api/failure.ts';
import { configQuery, sessionQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText, PasswordField } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../ui/theme.ts';
import { tell } from '../ui/toasts.tsx';
import { Sessions } from './sessions.tsx';

/** What a person sets for themselves. */
export function SettingsPage() {
  const email = useQuery(sessionQuery).data?.user.email;
  return (
    <>
      <PageHead title="Settings">{email}</PageHead>
      <Appearance />
      <Password />
      <Sessions />
    </>
  );
}

const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies { value: Theme; label: string; icon: typeof Sun }[];

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <section className="card row-between">
      <div>
        <h2>Appearance</h2>
        <p className="small muted">Kept in this browser.</p>
      </div>
      <div className="choices">
        {themes.map(({ value, label, icon: Icon }) => (
          <button
            key={value}
            type="button"
            aria-pressed={theme === value}
            onClick={() => {
              chooseTheme(value);
              setTheme(value);
            }}
          >
            <Icon size={15} aria-hidden="true" style={{ marginInlineEnd: 6 }} />
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}

function Password() {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const minChars = useQuery(configQuery).data?.limits.password_chars ?? 12;
  const change = useOnce(
    (input: { current: string; password: string }) => api.auth.changePassword.mutate(input),
    {
      success: async () => {
        form.current?.reset();
        await client.invalidateQueries({ queryKey: ['session'] });
        await client.invalidateQueries({ queryKey: ['sessions'] });
        tell('Your password is changed', 'You were signed out everywhere else.');
      },
    },
  );
  const { error } = change;
  const wrong = codeOf(error) === 'invalid_credentials';
  return (
    <section className="card stack">
      <div>
        <h2>Password</h2>
        <p className="small muted">Changing it signs you out everywhere else.</p>
      </div>
      {error && !fieldError(error, 'password') ? (
        <Notice tone="bad">{wrong ? 'That is not your current password.' : sentence(error)}</Notice>
      ) : null}
      <form
        ref={form}
        className="stack"
        style={{ maxWidth: '24rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          change.mutate({
            current: formText(data, 'current'),
            password: formText(data, 'password'),
          });
        }}
      >
        <PasswordField name="current" label="Current password" />
        <PasswordField label="New password" minChars={minChars} error={error} />
        <div>
          <Button type="submit" pending={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </section>
  );
}
