import { useQuery } from '@tanstack/react-query';
import type { Colleague } from '../../../contract/conversations/teamwork.ts';
import { call } from '../../client.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useIsErasing } from './timeline/use-timeline.ts';

/** Milliseconds between two reports. Three fit into the 30 s for which the server counts a member as present. */
const reportMs = 10_000;

/** Reports that the user has the conversation open, and names the other members who have. Pauses in a hidden tab. */
export function Presence({ id }: { id: string }) {
  const isErasing = useIsErasing(id);
  const others = useQuery({
    queryKey: ['presence', id],
    queryFn: ({ signal }) => call<{ data: Colleague[] }>('PUT', `/conversations/${id}/presence`, { signal }),
    enabled: !isErasing,
    refetchInterval: reportMs,
    staleTime: 0,
  });
  const names = others.data?.data.map(({ name }) => name) ?? [];
  return (
    <Hint role="status">
      {names.length > 0 && texts.conversation.hereToo(names.join(', '), names.length)}
    </Hint>
  );
}
