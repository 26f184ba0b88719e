/** A banner on every page while a monthly limit refuses new messages from the API. Shows until when, and what to do. */
import { Alert, Text } from '@mantine/core';
import type { LimitState } from '../../contract/data/usage.ts';
import { IconAlertTriangle } from '../components/icons.tsx';
import { useRead } from '../components/queries.ts';
import { TextLink } from '../components/text.tsx';
import { texts } from '../messages.ts';
import { useCan } from './session.ts';

const t = texts.data.reached;
const calmMs = 30_000;
/** Poll interval while a limit is reached. Short, so that the banner disappears soon after the limit is raised. */
const reachedMs = 4000;

export function LimitBanner() {
  const can = useCan();
  const { data } = useRead<LimitState>(['limit'], '/limit', {
    refetchInterval: ({ state }) => (state.data?.reached == null ? calmMs : reachedMs),
  });
  if (data?.reached == null) return null;
  const day = new Date(data.resets_at).toLocaleDateString(undefined, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Alert color="red" role="alert" mb="lg" icon={<IconAlertTriangle size={20} />} title={t[data.reached]}>
      <Text size="sm">
        {t.until(day)}{' '}
        {can('data.manage') ? (
          <TextLink to="/data" inherit>
            {t.raise}
          </TextLink>
        ) : (
          t.ask
        )}
      </Text>
    </Alert>
  );
}
