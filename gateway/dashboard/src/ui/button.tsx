import type { ComponentProps, ReactNode } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'primary' | 'danger' | 'ghost';
  small?: boolean;
  /** Only an icon inside; give an `aria-label`. */
  icon?: boolean;
  /** Under way: shows a spinner and takes no second press. */
  pending?: boolean;
  children?: ReactNode;
}

/** A button; `type="button"` unless said otherwise. */
export function Button({ look, small, icon, pending, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={buttonClass({ look, small, icon }, props.className)}
      disabled={props.disabled === true || pending === true}
      aria-busy={pending || undefined}
    >
      {pending ? <span className="spinner" aria-hidden="true" /> : null}
      {pending && icon ? null : children}
    </button>
  );
}

/** The classes of a button, for links that look like one. */
export function buttonClass(
  { look, small, icon }: { [K in 'look' | 'small' | 'icon']?: ButtonProps[K] | undefined },
  more?: string,
): string {
  return [
    'button',
    look && look !== 'plain' ? `button-${look}` : '',
    small ? 'button-small' : '',
    icon ? 'button-icon' : '',
    more ?? '',
  ]
    .filter(Boolean)
    .join(' ');
}
