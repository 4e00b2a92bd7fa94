import styles from './avatar.module.css';

/** A round with the first letter of a handle, in a colour that is always the same for it. */
export function Avatar({ handle, small }: { handle: string; small?: boolean }) {
  const hue = [...handle].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0) * 37, 0) % 360;
  return (
    <span
      className={styles['avatar']}
      data-small={small}
      style={{ background: `oklch(44% 0.09 ${hue})` }}
      aria-hidden="true"
    >
      {handle.charAt(0).toUpperCase()}
    </span>
  );
}
