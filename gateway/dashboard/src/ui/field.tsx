import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

/** What a control inside a {@link Field} must spread, to be named and described by it. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** A label, one control, and what there is to say of it. */
export function Field(props: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const described = [props.hint ? `${id}-hint` : '', props.error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': props.error ? true : undefined,
      })}
      {props.hint ? (
        <div className="field-hint" id={`${id}-hint`}>
          {props.hint}
        </div>
      ) : null}
      {props.error ? <FieldError id={`${id}-error`}>{props.error}</FieldError> : null}
    </div>
  );
}

/** What is wrong, beside the control that it is about. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div className="field-error" id={id} role="alert">
      <CircleAlert size={14} aria-hidden="true" />
      <span>{children}</span>
    </div>
  );
}
