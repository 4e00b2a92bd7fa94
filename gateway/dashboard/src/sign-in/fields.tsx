import { useState } from 'react';
import { fieldError } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';

/** A mail address, as password managers know it. */
export function EmailField({ error }: { error?: unknown }) {
  return (
    <Field label="Email" error={fieldError(error, 'email')}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
        />
      )}
    </Field>
  );
}

/** A password that can be looked at; a new one says how long it must be. */
export function PasswordField(props: {
  name?: string;
  label?: string;
  /** The shortest that is taken; given for a new password only. */
  minChars?: number;
  error?: unknown;
}) {
  const { name = 'password', minChars } = props;
  const [shown, setShown] = useState(false);
  return (
    <Field
      label={props.label ?? 'Password'}
      hint={minChars ? `At least ${minChars} characters. A few words do well.` : undefined}
      error={fieldError(props.error, name)}
    >
      {(control) => (
        <div style={{ position: 'relative' }}>
          <input
            {...control}
            className="input"
            style={{ paddingInlineEnd: 64 }}
            name={name}
            type={shown ? 'text' : 'password'}
            autoComplete={minChars ? 'new-password' : 'current-password'}
            required
            {...(minChars && { minLength: minChars })}
          />
          <Button
            look="ghost"
            small
            style={{ position: 'absolute', insetInlineEnd: 4, insetBlock: 4, minHeight: 0 }}
            aria-pressed={shown}
            aria-label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** One text field of a form that was sent. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The token behind the `#` of a link in a mail; it is in no server's log. */
export function linkToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}
