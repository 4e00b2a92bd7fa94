import type { PlatformInfo } from '@perch/proto/connections';
import { fieldError } from '../api/failure.ts';
import { Field } from '../ui/field.tsx';

/** Where the account lives, on a platform of many servers. */
export function ServerField({ info, error }: { info: PlatformInfo; error: unknown }) {
  if (info.server === 'none') return null;
  const required = info.server === 'required';
  return (
    <Field
      label="Server or handle"
      hint={required ? 'Where your account lives.' : 'Only if your account lives elsewhere.'}
      error={fieldError(error, 'server')}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          name="server"
          required={required}
          maxLength={253}
          placeholder={info.platform === 'mastodon' ? 'mastodon.social' : 'name.example.com'}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
