/** The first call of the API in three languages, with an agent's id and the base URL filled in. */
import { Code, Group, Select, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { IconRobot } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useAgents } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { Hint, PlainText, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { useSession } from '../../shell/session.ts';
import { languages, snippets } from './snippets.ts';

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
  // The agent named in the page's URL, if the list does not contain it.
  const other = useQuery({
    queryKey: ['agents', wanted],
    queryFn: () => call<Agent>('GET', `/agents/${wanted ?? ''}`),
    enabled: wanted !== null && listed === undefined,
  }).data;
  const agent = listed ?? other ?? agents[0];
  if (agent === undefined) return null;
  const choices = other === undefined || listed !== undefined ? agents : [other, ...agents];
  const target = { baseUrl: base_url, agentId: agent.id };
  return (
    <Stack gap="md" maw={860}>
      <section className="panel quick-step" aria-label={t.token}>
        <Title order={2} size="h4">
          {t.token}
        </Title>
        <Hint mb="xs">{t.tokenHelp}</Hint>
        <PlainText text={tokenCommand} label={t.tokenCommand} />
        {mayOpen('/settings/api') && <TextLink to="/settings/api">{t.toTokens}</TextLink>}
      </section>
      <section className="panel quick-step" aria-label={t.call}>
        <Title order={2} size="h4" mb="xs">
          {t.call}
        </Title>
        <Group align="flex-end" mb="sm">
          <Select
            label={t.agent}
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            value={agent.id}
            allowDeselect={false}
            searchable={choices.length > 10}
            maw={320}
            onChange={(id) => id !== null && setParams({ agent: id }, { replace: true })}
          />
        </Group>
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
                <Stack gap="xs">
                  <PlainText text={code} label={t.code(t.languages[language])} mah={480} />
                  <Copy text={code} label={t.copy} />
                </Stack>
              </Tabs.Panel>
            );
          })}
        </Tabs>
      </section>
      <section className="panel quick-step" aria-label={t.next}>
        <Title order={2} size="h4" mb="xs">
          {t.next}
        </Title>
        <Stack gap="xs">
          <Text size="sm">
            {t.webhook} <Code>{webhookField}</Code>.{' '}
            {mayOpen('/webhooks') && <TextLink to="/webhooks">{t.toWebhooks}</TextLink>}
          </Text>
        </Stack>
      </section>
    </Stack>
  );
}
