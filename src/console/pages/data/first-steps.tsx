/** The three first steps of a new organization: create a token, copy an API call, and wait for its answer. */
import { Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Overview } from '../../../contract/data/overview.ts';
import { Copy } from '../../components/copy.tsx';
import { DialogButton } from '../../components/dialogs.tsx';
import { IconCheck } from '../../components/icons.tsx';
import { Hint, PlainText, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { NameToken } from '../accounts/token-dialogs.tsx';

const t = texts.start;

export function FirstSteps({ start: { agent, conversation } }: { start: Overview['start'] }) {
  const can = useCan();
  const { base_url } = useSession();
  const [token, setToken] = useState<string>();
  const command =
    token === undefined || agent === null
      ? undefined
      : `curl -sS ${base_url}/chat/${agent.id} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"message":"Hello!","sync":true}'`;
  return (
    <section className="panel start" aria-label={t.title}>
      <Title order={2} size="h3">
        {t.title}
      </Title>
      <Text c="dimmed" mb="md">
        {t.lead}
      </Text>
      <Stack component="ol" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
        <Step number={1} done={token !== undefined}>
          <Hint>{token === undefined ? t.token : t.made}</Hint>
          {token === undefined && can('tokens.create') && (
            <Group>
              <DialogButton label={t.steps[0]}>
                {(close) => <NameToken close={close} made={(made) => setToken(made.token)} />}
              </DialogButton>
            </Group>
          )}
        </Step>
        <Step number={2} done={conversation !== null}>
          <Hint>{agent === null ? t.noAgent : command === undefined ? t.withoutToken : t.copy}</Hint>
          {command !== undefined && (
            <>
              <PlainText text={command} label={t.command} />
              <Group>
                <Copy text={command} label={t.copyCommand} />
              </Group>
            </>
          )}
        </Step>
        <Step number={3} done={conversation !== null}>
          {conversation === null ? (
            <Group gap="sm">
              {command !== undefined && <Loader size={16} aria-hidden />}
              <Hint role="status">{command === undefined ? t.watch : t.waiting}</Hint>
            </Group>
          ) : (
            <Group gap="sm" role="status">
              <Text size="sm">{t.arrived}</Text>
              {can('conversations.view') && (
                <TextLink to={`/conversations/${conversation.id}`}>{t.open}</TextLink>
              )}
            </Group>
          )}
          {agent !== null && can('agents.manage') && (
            <TextLink to={`/agents/${agent.id}/playground`}>{t.tryPlayground}</TextLink>
          )}
        </Step>
      </Stack>
    </section>
  );
}

function Step({ number, done, children }: { number: 1 | 2 | 3; done: boolean; children: ReactNode }) {
  return (
    <li className="step">
      <ThemeIcon size={32} radius="xl" color={done ? 'green' : 'indigo'} variant="light" aria-hidden>
        {done ? <IconCheck size={18} /> : number}
      </ThemeIcon>
      <Stack gap="xs" style={{ minWidth: 0, flex: 1 }}>
        <Text component="h3" fw={600}>
          {t.steps[number - 1]}
        </Text>
        {children}
      </Stack>
    </li>
  );
}
