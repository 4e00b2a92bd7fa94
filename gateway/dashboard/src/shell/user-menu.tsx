import { Menu } from '@base-ui/react/menu';
import { Link, useNavigate } from '@tanstack/react-router';
import { CircleUserRound, CreditCard, Keyboard, LogOut, Settings } from 'lucide-react';
import { api, type Outputs } from '../api/client.ts';
import { queries } from '../api/query-client.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { tellFailure } from '../ui/toasts.tsx';

/** Who is signed in, their settings and plan, and the way out. */
export function UserMenu(props: {
  user: Outputs['auth']['session']['user'];
  onShortcuts: () => void;
}) {
  const { user } = props;
  const navigate = useNavigate();
  const signOut = useOnce(() => api.auth.signOut.mutate(), {
    success: async () => {
      await navigate({ to: '/sign-in' });
      queries.clear();
    },
    failure: (error) => tellFailure('You are still signed in', error),
  });
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label="Your account"
        render={
          <Button look="ghost" icon>
            <CircleUserRound aria-hidden="true" />
          </Button>
        }
      />
      <Menu.Portal>
        <Menu.Positioner className="popup-layer" sideOffset={6} align="end">
          <Menu.Popup className="popup">
            <div style={{ padding: '6px 10px' }}>
              <div className="clip strong small">{user.email}</div>
              <div className="tiny muted">{user.plan === 'paid' ? 'Paid plan' : 'Free plan'}</div>
            </div>
            <div className="popup-rule" />
            <Menu.Item className="popup-item" render={<Link to="/plan" />}>
              <CreditCard aria-hidden="true" /> Plan
            </Menu.Item>
            <Menu.Item className="popup-item" render={<Link to="/settings" />}>
              <Settings aria-hidden="true" /> Settings
            </Menu.Item>
            <Menu.Item className="popup-item" onClick={props.onShortcuts}>
              <Keyboard aria-hidden="true" /> Keyboard shortcuts
            </Menu.Item>
            <div className="popup-rule" />
            <Menu.Item className="popup-item" onClick={() => signOut.mutate(undefined)}>
              <LogOut aria-hidden="true" /> Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
