import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** A dialog over the page; Escape and a press beside it close it. */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => open || props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={props.wide ? 'dialog dialog-wide' : 'dialog'}>
          <div className="row-between">
            <Base.Title>{props.title}</Base.Title>
            <Base.Close
              aria-label="Close"
              render={
                <Button look="ghost" small icon>
                  <X aria-hidden="true" />
                </Button>
              }
            />
          </div>
          {props.description ? (
            <Base.Description className="muted">{props.description}</Base.Description>
          ) : null}
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks before something that can not be undone. */
export function Confirm(props: {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  action: string;
  pending?: boolean;
  /** Whether what it does is no loss; then its button is not red. */
  harmless?: boolean;
  children: ReactNode;
}) {
  return (
    <AlertDialog.Root open={props.open} onOpenChange={(open) => open || props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{props.title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="stack-2 muted" />}>
            {props.children}
          </AlertDialog.Description>
          <div className="dialog-actions">
            <AlertDialog.Close render={<Button>Not now</Button>} />
            <Button
              look={props.harmless ? 'primary' : 'danger'}
              pending={props.pending ?? false}
              onClick={props.onConfirm}
            >
              {props.action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
