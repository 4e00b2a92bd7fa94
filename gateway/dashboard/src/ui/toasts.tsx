import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { sentence } from '../api/failure.ts';
import { Button } from './button.tsx';
import { onClockOf } from './time.tsx';

const manager = Toast.createToastManager();

/** Says that something is done. */
export function tell(title: string, description?: string): void {
  manager.add({ title, ...(description && { description }), timeout: 5_000 });
}

/** Says that something did not work, in the words of its fault; with its times on that clock. */
export function tellFailure(title: string, error: unknown, zone?: string): void {
  manager.add({
    title,
    description: zone ? onClockOf(zone, sentence(error)) : sentence(error),
    type: 'error',
    priority: 'high',
    timeout: 12_000,
  });
}

/** Where toasts appear. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" data-type={toast.type}>
      {toast.type === 'error' ? (
        <CircleAlert className="toast-mark" aria-hidden="true" />
      ) : (
        <CircleCheck className="toast-mark" aria-hidden="true" />
      )}
      <Toast.Content className="grow">
        <Toast.Title className="toast-title" />
        <Toast.Description className="muted" />
      </Toast.Content>
      <Toast.Close
        aria-label="Dismiss"
        render={
          <Button look="ghost" small icon>
            <X aria-hidden="true" />
          </Button>
        }
      />
    </Toast.Root>
  ));
}
