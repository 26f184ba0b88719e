/** Lists the organization's MCP servers and their tools, with buttons that edit the servers and try the tools. */
import {
  Alert,
  Badge,
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import type { HttpToolResult } from '../../../contract/http-tools/http-tools.ts';
import type { McpServer, McpTool } from '../../../contract/mcp-servers/mcp-servers.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { useFilter } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { IconPlugConnected, IconPlus } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useMcpServers } from '../../components/queries.ts';
import { RowActions, type RowAction } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Breakable, Hint } from '../../components/text.tsx';
import { FoundTool } from '../../components/found-tool.tsx';
import { ToolUseLines } from '../../components/tool-activity.tsx';
import { TryTool } from '../../components/try-tool.tsx';
import { problemsOf, required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { EffectAndApproval, tryLabel } from '../http-tools/effect-badge.tsx';
import { ChooseTools } from './choose-tools.tsx';
import { problemColor, ServerState } from './server-state.tsx';
import { removalOf } from './removal.ts';
import { SignIn } from './sign-in.tsx';

const t = texts.mcpServers;

export function McpServers() {
  const mayManage = useCan()('tools.manage');
  const servers = useMcpServers();
  const [open, setOpen] = useFilter('open');
  // The server that was just added. A dialog then reads its tools.
  const [added, setAdded] = useState<McpServer>();
  // The server whose first tools were just chosen. A dialog then offers a first try.
  const [ready, setReady] = useState<McpServer>();
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => setOpen('add')}>
      {t.add}
    </Button>
  );
  return (
    <Loaded query={servers}>
      {(rows) => (
        <Section title={t.title} lead={t.lead} actions={mayManage && rows.length > 0 && add}>
          {rows.length === 0 && (
            <Empty icon={IconPlugConnected} title={t.emptyTitle} text={t.emptyText}>
              {mayManage && add}
            </Empty>
          )}
          {rows.map((server) => (
            <Server key={server.id} server={server} mayManage={mayManage} chosen={setReady} />
          ))}
          {mayManage && open === 'add' && <EditServer close={() => setOpen(undefined)} saved={setAdded} />}
          {added !== undefined && (
            <ChooseTools server={added} close={() => setAdded(undefined)} chosen={setReady} />
          )}
          {ready !== undefined && (
            <TryMcpTool server={ready} tools={readsFirst(ready.tools)} close={() => setReady(undefined)} />
          )}
        </Section>
      )}
    </Loaded>
  );
}

const columns: readonly Column<McpTool>[] = [
  {
    label: t.columns.name,
    hasTextBelow: true,
    render: ({ name, remote_name, description, status }) => (
      <>
        <Group gap="xs">
          <FoundTool name={name} own={remote_name} />
          {status === 'changed' && <Badge color="yellow">{t.changed}</Badge>}
          {status === 'gone' && <Badge color="red">{t.gone}</Badge>}
        </Group>
        <Hint size="sm" fw={400}>
          {status === 'ready' ? description : help[status]}
        </Hint>
      </>
    ),
  },
  {
    label: t.columns.effect,
    isStatus: true,
    render: ({ name, effect }) => <EffectAndApproval tool={name} effect={effect} />,
  },
  { label: t.columns.use, before: '', render: ({ name }) => <ToolUseLines tool={name} /> },
];
const help = { changed: t.changedHelp, gone: t.goneHelp };

/** Orders the tools for a first try: those that only read come first. */
const readsFirst = (tools: readonly McpTool[]): McpTool[] =>
  tools.toSorted((a, b) => Number(b.effect === 'read') - Number(a.effect === 'read'));

function TryMcpTool(props: { server: McpServer; tools: readonly McpTool[]; close: () => void }) {
  const { server, tools, close } = props;
  return (
    <TryTool
      tools={tools}
      send={(input, name) =>
        call<HttpToolResult>('POST', `/tools/mcp/${server.id}/run`, { body: { name, input } })
      }
      close={close}
    />
  );
}

/** @param props.chosen called with the server after its first tools were chosen */
function Server(props: { server: McpServer; mayManage: boolean; chosen: (server: McpServer) => void }) {
  const { server, mayManage, chosen } = props;
  const { name, url, auth, tools, status, issuer } = server;
  const problem = problemColor(server);
  const choose: RowAction = {
    label: t.choose,
    dialog: (close) => <ChooseTools server={server} close={close} chosen={chosen} />,
  };
  const signIn: RowAction = { label: t.signIn, dialog: (close) => <SignIn server={server} close={close} /> };
  // While the server needs a sign-in, the button for it is in the alert below.
  const isSignInBelow = status === 'needs_sign_in';
  const actionsOf = (tool: McpTool) => (
    <RowActions
      name={tool.name}
      actions={[
        tool.status === 'changed' && {
          label: t.review,
          dialog: (close) => <ChooseTools server={server} close={close} />,
        },
        {
          label: tryLabel(tool.effect),
          dialog: (close) => <TryMcpTool server={server} tools={[tool]} close={close} />,
        },
      ]}
    />
  );
  return (
    <Stack component="section" aria-label={name} className="panel" p="md" gap="sm">
      <div className="card-head">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5">
              {name}
            </Title>
            <ServerState server={server} />
          </Group>
          <Hint className="mono">
            <Breakable text={url} />
          </Hint>
          {issuer !== null && status === 'connected' && <Hint>{t.signedIn(issuer)}</Hint>}
        </div>
        {mayManage && (
          <div className="card-actions">
            <RowActions
              name={name}
              actions={[
                // Before a sign-in, the server does not say which tools it has.
                !isSignInBelow && choose,
                auth !== 'header' && !isSignInBelow && signIn,
                { label: t.editButton, dialog: (close) => <EditServer server={server} close={close} /> },
                removalOf(server),
              ]}
            />
          </div>
        )}
      </div>
      {problem !== undefined && (
        <Alert color={problem} py="xs">
          <Group justify="space-between" gap="xs">
            <span>
              {status === 'needs_header'
                ? t.needsHeader
                : issuer === null
                  ? t.needsSignIn
                  : t.needsSignInAgain}
            </span>
            {isSignInBelow && mayManage && (
              <DialogButton size="xs" label={signIn.label}>
                {signIn.dialog}
              </DialogButton>
            )}
          </Group>
        </Alert>
      )}
      {tools.length === 0 ? (
        status === 'connected' && <Hint>{t.noTools}</Hint>
      ) : (
        <DataTable
          label={t.tools(name)}
          rows={tools}
          rowKey={(tool) => tool.name}
          columns={columns}
          actions={mayManage ? actionsOf : undefined}
        />
      )}
    </Stack>
  );
}

/** Checks the two fields of the header together. @returns the error message by field; empty if both are valid */
function headerProblems(
  server: McpServer | undefined,
  { header, header_value }: { header: string; header_value: string },
): Record<string, string> {
  const isNamed = header.trim() !== '';
  const hasValue = header_value.trim() !== '';
  const isNeeded = hasValue || server?.auth === 'header';
  if (isNeeded && !isNamed) return { header: t.headerMissing };
  const isKept = server?.status === 'connected' && header.trim() === server.header_name;
  return isNamed && !hasValue && !isKept ? { header_value: t.valueMissing } : {};
}

/** @param props.saved called with the stored server, after the dialog was closed */
function EditServer(props: { server?: McpServer; close: () => void; saved?: (server: McpServer) => void }) {
  const { server, close, saved } = props;
  const saving = useServerForm({
    values: {
      name: '',
      url: '',
      header: server?.header_name ?? '',
      header_value: '',
      timeout_seconds: server?.timeout_seconds ?? 30,
      answer_max_chars: server?.answer_max_chars ?? 8000,
    },
    checkAll: (values) => ({
      ...problemsOf(values, server === undefined ? { name: required, url: required } : {}),
      ...headerProblems(server, values),
    }),
    send: ({ name, url, header, header_value: value, ...limits }) => {
      const given = value.trim() !== '' && { header: { name: header.trim(), value: value.trim() } };
      return server === undefined
        ? call<McpServer>('POST', '/tools/mcp', {
            body: {
              name: name.trim(),
              url: url.trim(),
              auth: given ? 'header' : 'none',
              ...given,
              ...limits,
            },
          })
        : call<McpServer>('PATCH', `/tools/mcp/${server.id}`, { body: { ...given, ...limits } });
    },
    meta: { done: t.saved, refetches: [['mcp-servers']] },
    sent: (stored) => {
      close();
      saved?.(stored);
    },
  });
  const field = fieldsWith(t, saving.form.getInputProps);
  const hasHeader = server === undefined || server.auth === 'header';
  return (
    <FormDialog
      title={server === undefined ? t.add : t.edit(server.name)}
      action={t.save}
      of={saving}
      close={close}
    >
      {server === undefined && (
        <>
          <Hint>{t.addLead}</Hint>
          <TextInput required maxLength={20} {...field('name')} />
          <TextInput required maxLength={2000} {...field('url')} />
        </>
      )}
      {!hasHeader && <Hint>{server.auth === 'oauth' ? t.byOAuth : t.noHeader}</Hint>}
      {hasHeader && (
        <>
          <TextInput
            {...field('header')}
            description={server === undefined ? t.headerHelp : undefined}
            required={server !== undefined}
          />
          <PasswordInput
            label={t.headerValue}
            description={server?.status === 'connected' ? t.valueKept : undefined}
            autoComplete="off"
            {...saving.form.getInputProps('header_value')}
          />
        </>
      )}
      <NumberInput min={1} max={60} {...field('timeout', 'timeout_seconds')} />
      <NumberInput min={100} {...field('maxChars', 'answer_max_chars')} />
    </FormDialog>
  );
}
