/** The page of tools: the workspaces that the organization can connect, its connections, HTTP tools and MCP servers. */
import { Alert, SegmentedControl, PasswordInput, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { useFilter } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';
import { HttpTools } from '../http-tools/http-tools.tsx';
import { McpServers } from '../mcp-servers/mcp-servers.tsx';
import { Available } from './available.tsx';
import { Connected } from './connected.tsx';

const t = texts.tools;
const outcomeText: Readonly<Record<string, string | undefined>> = t.outcomes;
const signInText: Readonly<Record<string, string | undefined>> = texts.mcpServers.signInOutcomes;

const tabs = ['available', 'connected', 'http', 'mcp'] as const;

export function Tools() {
  // After an OAuth connection, Parley's callback redirects to this page with the outcome as a parameter of the URL.
  const [outcome] = useState(() => parameter('connection'));
  // After a sign-in at an MCP server, Parley's callback redirects to this page with another parameter.
  const [signIn] = useState(() => parameter('sign_in'));
  const [wanted, setTab] = useFilter('tab');
  const tab = tabs.find((one) => one === wanted) ?? (outcome === null ? 'available' : 'connected');
  // True if a workspace was just connected. The button with which the user can try it then gets the focus.
  const [isNew, setNew] = useState(outcome === 'connected');
  const [connecting, dialog] = useDisclosure(false);
  return (
    <Page title={t.title} lead={t.lead}>
      {outcome !== null && (
        <Alert color={outcome === 'connected' ? 'green' : 'red'} role="status">
          {outcomeText[outcome] ?? t.outcomes.other}
        </Alert>
      )}
      {signIn !== null && (
        <Alert color={signIn === 'signed_in' ? 'green' : 'red'} role="status">
          {signInText[signIn] ?? texts.mcpServers.signInOutcomes.other}
        </Alert>
      )}
      <Tabs value={tab} onChange={(next) => setTab(next ?? undefined)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="available">{t.available}</Tabs.Tab>
          <Tabs.Tab value="connected">{t.connected}</Tabs.Tab>
          <Tabs.Tab value="http">{texts.httpTools.title}</Tabs.Tab>
          <Tabs.Tab value="mcp">{texts.mcpServers.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="available" pt="lg">
          <Available connect={dialog.open} />
        </Tabs.Panel>
        <Tabs.Panel value="connected" pt="lg">
          <Connected connect={dialog.open} isNew={isNew} />
        </Tabs.Panel>
        <Tabs.Panel value="http" pt="lg">
          <HttpTools />
        </Tabs.Panel>
        <Tabs.Panel value="mcp" pt="lg">
          <McpServers />
        </Tabs.Panel>
      </Tabs>
      {connecting && (
        <ConnectTool
          close={dialog.close}
          connected={() => {
            setNew(true);
            setTab('connected');
          }}
        />
      )}
    </Page>
  );
}

const parameter = (name: string): string | null => new URLSearchParams(window.location.search).get(name);

/** Connects a workspace with an API key, or opens the workspace's own page to connect it with OAuth 2.0. */
function ConnectTool({ close, connected }: { close: () => void; connected: () => void }) {
  const queries = useQueryClient();
  const { offers_workspace_oauth } = useSession();
  const connecting = useServerForm({
    values: { auth: offers_workspace_oauth ? 'OAUTH2' : 'API_KEY', api_key: '' },
    send: ({ auth, api_key }) =>
      call<ToolConnection>('POST', '/tools/docs/connections', {
        body: { auth, ...(auth === 'API_KEY' && { api_key }) },
      }),
    sent: async ({ authorization_url, notice }) => {
      if (authorization_url !== undefined) {
        window.location.assign(authorization_url);
        return;
      }
      await queries.invalidateQueries({ queryKey: ['connections'] });
      notifications.show({ message: notice ?? t.saved, ...(notice !== undefined && { autoClose: false }) });
      connected();
      close();
    },
  });
  const { form, forget } = connecting;
  const byOAuth = form.values.auth === 'OAUTH2';
  return (
    <FormDialog
      title={t.connectTitle}
      action={byOAuth ? t.oauthGo : t.apiKeySubmit}
      of={connecting}
      close={close}
    >
      {offers_workspace_oauth && (
        <SegmentedControl
          aria-label={t.how}
          data={[
            { value: 'OAUTH2', label: t.oauth },
            { value: 'API_KEY', label: t.apiKey },
          ]}
          value={form.values.auth}
          onChange={(auth) => {
            form.setFieldValue('auth', auth);
            forget();
          }}
          fullWidth
        />
      )}
      {byOAuth ? (
        <Hint>{t.oauthHelp}</Hint>
      ) : (
        <PasswordInput
          label={t.apiKey}
          description={t.apiKeyHelp}
          autoComplete="off"
          required
          {...form.getInputProps('api_key')}
        />
      )}
    </FormDialog>
  );
}
