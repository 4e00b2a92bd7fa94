import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';

/** A link out of Perch; anything that is not http(s), such as `javascript:`, is shown as text. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isWebAddress(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}{' '}
      <ExternalLink size={12} aria-label="(opens in a new tab)" style={{ display: 'inline' }} />
    </a>
  );
}

function isWebAddress(href: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}
