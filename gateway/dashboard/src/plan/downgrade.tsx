import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Outputs } from '../api/client.ts';
import { downgradeQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Loaded } from '../ui/states.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';

/** Says in numbers what leaving the paid plan means, and leaves the demo's. */
export function Downgrade(props: { open: boolean; onClose: () => void; demo: boolean }) {
  const client = useQueryClient();
  const preview = useQuery({ ...downgradeQuery, enabled: props.open });
  const end = useOnce(() => api.plan.endDemoPlan.mutate(), {
    success: async () => {
      await client.invalidateQueries();
      props.onClose();
      tell('You are on the free plan');
    },
    failure: (error) => tellFailure('The plan was not changed', error),
  });
  return (
    <Confirm
      open={props.open}
      onClose={props.onClose}
      onConfirm={props.demo ? () => end.mutate(undefined) : props.onClose}
      title="Leaving the paid plan"
      action={props.demo ? 'Go to the free plan' : 'Understood'}
      harmless={!props.demo}
      pending={end.isPending}
    >
      <Loaded query={preview}>
        {(counts) => (
          <ul className="stack-2">
            {consequences(counts).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </Confirm>
  );
}

/** What leaving the paid plan means, line by line. */
export function consequences(counts: Outputs['plan']['previewDowngrade']): string[] {
  const { refused_keys, scheduled_posts, without_auto_reply, without_auto_retweet } = counts;
  return [
    refused_keys > 0
      ? `${count(refused_keys, 'API key')} will answer 403 paid_plan_required.`
      : 'The API answers 403 paid_plan_required.',
    scheduled_posts > 0
      ? `${count(scheduled_posts, 'scheduled post')} still ${scheduled_posts === 1 ? 'goes' : 'go'} out as planned.`
      : 'Posts that you schedule here still go out.',
    ...(without_auto_reply > 0
      ? [`${count(without_auto_reply, 'of them', 'of them')} without the auto-reply.`]
      : []),
    ...(without_auto_retweet > 0
      ? [`${count(without_auto_retweet, 'of them', 'of them')} without the auto-retweet.`]
      : []),
    'Your credits, accounts and posts stay.',
  ];
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
