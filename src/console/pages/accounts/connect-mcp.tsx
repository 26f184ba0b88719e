/** The page where a member decides whether an MCP client may act for the member in the organization. */
import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { GrantAnswer, grantForm, McpClientView } from '../../../contract/accounts/mcp-clients.ts';
import { call } from '../../client.ts';
import { IconPlugConnected } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Empty, Loaded, Problem } from '../../components/states.tsx';
import { Facts } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';

const t = texts.mcpClients;

type Question = Omit<z.infer<typeof grantForm>, 'organization_id' | 'allow'>;

function readQuestion(): Question | undefined {
  const asked = new URLSearchParams(window.location.search);
  const [client_id, redirect_uri, code_challenge] = ['client_id', 'redirect_uri', 'code_challenge'].map(
    (name) => asked.get(name),
  );
  if (!client_id || !redirect_uri || !code_challenge || !URL.canParse(redirect_uri)) return undefined;
  const state = asked.get('state');
  return { client_id, redirect_uri, code_challenge, ...(state !== null && { state }) };
}

export function ConnectMcp() {
  const [question] = useState(readQuestion);
  if (question === undefined)
    return (
      <Page title={t.incompleteTitle}>
        <Empty icon={IconPlugConnected} title={t.incomplete} />
      </Page>
    );
  return <Asked question={question} />;
}

function Asked({ question }: { question: Question }) {
  const id = question.client_id;
  const path = `/mcp-clients/${encodeURIComponent(id)}`;
  const client = useRead<McpClientView>(['mcp-client', id], path, { retry: false });
  return (
    <Page title={client.data === undefined ? t.title : t.titleOf(client.data.name)} lead={t.lead}>
      <Loaded query={client}>{({ name }) => <Consent question={question} name={name} />}</Loaded>
    </Page>
  );
}

function Consent({ question, name }: { question: Question; name: string }) {
  const { organization, user } = useSession();
  const answering = useMutation({
    mutationFn: (allow: boolean) =>
      call<GrantAnswer>('POST', '/mcp-grants', {
        body: { ...question, organization_id: organization.id, allow },
      }),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  const { protocol, host } = new URL(question.redirect_uri);
  if (answering.isSuccess) return <Text>{t.answered}</Text>;
  return (
    <Paper className="panel facts" maw={680}>
      <Stack gap="lg">
        <Facts
          facts={[
            [t.client, name],
            [t.receiver, host === '' ? protocol : host],
            [t.organization, organization.name],
            [t.as, user.email],
          ]}
        />
        <Text>{t.may(organization.name)}</Text>
        <Alert color="yellow">{t.warning}</Alert>
        <Problem of={answering} />
        <Group>
          <Button
            loading={answering.isPending && answering.variables}
            disabled={answering.isPending}
            onClick={() => answering.mutate(true)}
          >
            {t.allow}
          </Button>
          <Button variant="default" disabled={answering.isPending} onClick={() => answering.mutate(false)}>
            {t.refuse}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
