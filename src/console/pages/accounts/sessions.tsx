/** The user's own sessions on the account page, with buttons that end them. */
import { Badge, Group, Skeleton } from '@mantine/core';
import type { OwnSession, OwnSessions } from '../../../contract/accounts/own-account.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import { IconDeviceDesktop, IconDeviceMobile } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { Loaded } from '../../components/states.tsx';
import { Ago, Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.account.sessions;

export function Sessions() {
  const sessions = useRead<OwnSessions>(['sessions'], '/sessions');
  return (
    <Section title={t.title} lead={t.lead}>
      <Loaded query={sessions} loading={<Skeleton height={72} radius="lg" />}>
        {({ data, has_more }) => (
          <>
            <Rows label={t.table}>
              {data.map((one) => (
                <Session key={one.id} session={one} />
              ))}
            </Rows>
            <Group justify="space-between" gap="xs">
              <Hint>
                {has_more && `${t.more} `}
                {t.help}
              </Hint>
              {data.some((one) => !one.is_current) && (
                <ConfirmButton
                  {...t.others}
                  variant="default"
                  size="xs"
                  run={() => call('DELETE', '/other-sessions')}
                  query="sessions"
                />
              )}
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const phones: readonly (string | null)[] = ['iPhone', 'iPad', 'Android'];

/** @returns the browser and its operating system, or the one of them that is known */
function nameOf({ browser, system }: OwnSession): string {
  if (browser !== null && system !== null) return t.on(browser, system);
  return browser ?? system ?? t.unknown;
}

function Session({ session }: { session: OwnSession }) {
  const { id, is_current, system, created_at, last_seen_at } = session;
  const name = nameOf(session);
  return (
    <Row
      as="li"
      icon={phones.includes(system) ? IconDeviceMobile : IconDeviceDesktop}
      name={
        <Group gap={8}>
          {name}
          {is_current && <Badge color="green">{t.current}</Badge>}
        </Group>
      }
      help={
        <>
          {!is_current && (
            <>
              {t.lastSeen} <Ago at={last_seen_at} />
              {' · '}
            </>
          )}
          {t.since} <Ago at={created_at} />
        </>
      }
    >
      {!is_current && <End id={id} name={name} />}
    </Row>
  );
}

function End({ id, name }: { id: string; name: string }) {
  return (
    <ActionButton
      variant="default"
      size="xs"
      aria-label={`${t.end}: ${name}`}
      label={t.end}
      run={() => call('DELETE', `/sessions/${id}`)}
      refetches={[['sessions']]}
      done={t.ended}
    />
  );
}
