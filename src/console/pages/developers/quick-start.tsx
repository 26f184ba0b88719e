/** Examples of a first API call in three languages, with the base URL and the id of the agent that the user selects. */
import { Anchor, Button, Code as InlineCode, Group, Select, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ApiRequest } from '../../../contract/accounts/api-requests.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Coloured } from '../../components/coloured.tsx';
import { ago } from '../../components/format.ts';
import { IconRobot } from '../../components/icons.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useAgents, useRead, type PageOf } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { Hint, Label, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { useSession } from '../../shell/session.ts';
import { codeTokens } from './code-tokens.ts';
import { RequestStatus } from './request-status.tsx';
import { languages, snippets, type Language } from './snippets.ts';

const t = texts.quickStart;
const tokenCommand = 'export PARLEY_TOKEN=pk_…';
const webhookField = 'webhook_url';

export function QuickStart() {
  const agents = useAgents();
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={agents}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={IconRobot} title={t.noAgentTitle} text={t.noAgent}>
              <TextLink to="/agents">{t.toAgents}</TextLink>
            </Empty>
          ) : (
            <Steps agents={all} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Steps({ agents }: { agents: readonly Agent[] }) {
  const { base_url } = useSession();
  const mayOpen = useMayOpen();
  const [params, setParams] = useSearchParams();
  const wanted = params.get('agent');
  const listed = agents.find(({ id }) => id === wanted);
  // The list contains only the first 100 agents. The URL may contain the id of another one.
  const isOther = wanted !== null && listed === undefined;
  const path = `/agents/${wanted ?? ''}`;
  const other = useRead<Agent>(['agents', wanted], path, { enabled: isOther }).data;
  const agent = listed ?? other ?? agents[0];
  if (agent === undefined) return null;
  const choices = other === undefined || listed !== undefined ? agents : [other, ...agents];
  const target = { baseUrl: base_url, agentId: agent.id };
  return (
    <Stack gap="md">
      <Section title={t.token} label={t.token} lead={t.tokenHelp} className="panel quick-step">
        <Code text={tokenCommand} language="curl" label={t.tokenCommand} copy={texts.start.copyCommand} />
        {mayOpen('/settings/api') && (
          <Group>
            <Button component={Link} href="/settings/api" variant="default" size="xs">
              {t.toTokens}
            </Button>
          </Group>
        )}
      </Section>
      <Section title={t.call} label={t.call} className="panel quick-step">
        <Group align="flex-end">
          <Select
            label={t.agent}
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            value={agent.id}
            searchable={choices.length > 10}
            maw={320}
            onChange={(id) => id !== null && setParams({ agent: id }, { replace: true })}
          />
        </Group>
        <div className="quick-call">
          <Tabs defaultValue="curl">
            <Tabs.List>
              {languages.map((language) => (
                <Tabs.Tab key={language} value={language}>
                  {t.languages[language]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {languages.map((language) => {
              const code = snippets[language](target);
              return (
                <Tabs.Panel key={language} value={language} pt="sm">
                  <Code text={code} language={language} label={t.code(t.languages[language])} copy={t.copy} />
                </Tabs.Panel>
              );
            })}
          </Tabs>
          <Stack gap="sm" className="quick-answer">
            <Label>{t.answer}</Label>
            <JsonText text={answerTo(agent)} label={t.answer} />
          </Stack>
        </div>
        {mayOpen('/requests') && <LastCall agentId={agent.id} />}
      </Section>
      <Section title={t.next} label={t.next} className="panel quick-step">
        <Text size="sm">
          {t.webhook} <InlineCode>{webhookField}</InlineCode>.{' '}
          {mayOpen('/webhooks') && <TextLink to="/webhooks">{t.toWebhooks}</TextLink>}
        </Text>
        <Text size="sm">
          {t.read} <Outside to="/reference">{t.toReference}</Outside>, {t.guides}{' '}
          <Outside to="/docs">{t.toDocumentation}</Outside>.
        </Text>
      </Section>
    </Stack>
  );
}

/** A command or a program in the syntax colours of its language. */
function Code(props: { text: string; language: Language; label: string; copy: string }) {
  const { text, language } = props;
  return (
    <CodeBlock {...props}>
      <Coloured text={text} tokens={codeTokens(text, language)} />
    </CodeBlock>
  );
}

/** Number of newest calls among which the agent's is searched. Chosen. */
const maxCalls = 50;

/**
 * The newest call of any token that sent a message to the agent, so that a developer sees the own one arrive. Renders
 * nothing if the newest calls are all to other agents.
 */
function LastCall({ agentId }: { agentId: string }) {
  // Each poll renders the time again.
  const { data, dataUpdatedAt } = useRead<PageOf<ApiRequest>>(['last-call'], '/requests', {
    query: { method: 'POST', route: '/v1/chat', limit: maxCalls },
    refetchInterval: 5000,
  });
  if (data === undefined) return null;
  const last = data.data.find(({ path }) => path?.includes(agentId));
  if (last === undefined) return data.data.length < maxCalls ? <Hint role="status">{t.noCall}</Hint> : null;
  return (
    <Group gap={8}>
      <Hint>
        {t.lastCall(ago(last.at, dataUpdatedAt))} · {last.token_name ?? texts.requests.deletedToken}
      </Hint>
      <RequestStatus status={last.status} />
      <TextLink to={`/requests/${last.id}`}>{t.toRequest}</TextLink>
    </Group>
  );
}

/** The answer to the call, shortened to the fields that a program reads first. */
const answerTo = ({ name }: Agent): string =>
  JSON.stringify({
    success: true,
    conversation_id: '01a2…',
    message_id: '01a2…',
    response: t.answerText,
    responding_agent_name: name,
  });

/** A link to a page that is not a route of the console. */
function Outside({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor href={to} underline="always" size="sm">
      {children}
    </Anchor>
  );
}
