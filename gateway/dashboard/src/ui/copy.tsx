import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { tell } from './toasts.tsx';

/** Puts the text on the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      tell('The browser did not let us copy', 'Select the text and copy it by hand.');
    }
  }
  return (
    <Button small icon aria-label={copied ? 'Copied' : label} title={label} onClick={copy}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </Button>
  );
}

/** Code to copy, such as a curl command. */
export function Code({ children, label }: { children: string; label: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{children}</code>
        </pre>
      </section>
      <CopyButton text={children} label={`Copy: ${label}`} />
    </div>
  );
}

/** A secret that is shown this once. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="secret">
      <code>{value}</code>
      <CopyButton text={value} label={`Copy: ${label}`} />
    </div>
  );
}
