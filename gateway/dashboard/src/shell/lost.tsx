import { Link } from '@tanstack/react-router';
import { Bird, Unplug } from 'lucide-react';
import { sentence } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Empty
      icon={Bird}
      alone
      title="There is nothing here"
      action={
        <Link to="/" className="button">
          Back to the start
        </Link>
      }
    >
      The address may be mistyped, or what stood here is gone.
    </Empty>
  );
}

/** The same outside of the app's frame. */
export function NotFoundAtAll() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

/** A page that could not be shown. */
export function Crashed({ error }: { error: unknown }) {
  return (
    <Empty
      icon={Unplug}
      alone
      title="This page could not be shown"
      action={<Button onClick={() => location.reload()}>Load it again</Button>}
    >
      {sentence(error)}
    </Empty>
  );
}
