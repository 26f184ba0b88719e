/**
 * A banner that every page shows while a monthly limit of the organization is reached and the API therefore refuses new
 * messages. Shows when the limit resets, and a link to raise the limit. A user who may not raise it sees whom to ask.
 */
import { Alert, Text } from '@mantine/core';
import type { LimitState } from '../../contract/data/usage.ts';
import { IconAlertTriangle } from '../components/icons.tsx';
import { useRead } from '../components/queries.ts';
import { TextLink } from '../components/text.tsx';
import { locale } from '../language.ts';
import { texts } from '../messages.ts';
import { useCan } from './session.ts';

const t = texts.data.reached;
const calmMs = 30_000;
/**
 * Milliseconds between polls while a limit is reached. Chosen short, so that the banner disappears soon after the limit
 * is raised.
 */
const reachedMs = 4000;

export function LimitBanner() {
  const can = useCan();
  const { data } = useRead<LimitState>(['limit'], '/limit', {
    refetchInterval: ({ state }) => (state.data?.reached == null ? calmMs : reachedMs),
  });
  if (data?.reached == null) return null;
  const day = new Date(data.resets_at).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Alert color="red" role="alert" mb="lg" icon={<IconAlertTriangle size={20} />} title={t[data.reached]}>
      <Text size="sm">
        {t.until(day)}{' '}
        {can('data.manage') ? (
          <TextLink to="/data?tab=limits" inherit>
            {t.raise}
          </TextLink>
        ) : (
          t.ask
        )}
      </Text>
    </Alert>
  );
}
