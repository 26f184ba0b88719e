/** The dialog that begins a sign-in at an MCP server, and leads to the page of its authorization server. */
import { Button, Checkbox, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { mcpCallbackPath } from '../../../contract/mcp-servers/callback-path.ts';
import type { McpServer, StartedMcpSignIn } from '../../../contract/mcp-servers/mcp-servers.ts';
import { ApiProblem, call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { Dialog, DialogForm } from '../../components/dialogs.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { Hint, Multiline } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';

const t = texts.mcpServers;

export function SignIn({ server, close }: { server: McpServer; close: () => void }) {
  const { base_url } = useSession();
  const { id, name, url, client_id, issuer } = server;
  const [isByHand, setByHand] = useState(client_id !== null);
  const beginning = useServerForm({
    values: {
      client_id: client_id ?? '',
      client_secret: '',
      issuer: client_id === null ? '' : (issuer ?? ''),
    },
    check: isByHand ? { client_id: required, issuer: required } : {},
    send: async ({ client_id: client, client_secret: secret, issuer: at }) => {
      const typed = {
        client_id: client.trim(),
        issuer: at.trim(),
        ...(secret.trim() !== '' && { client_secret: secret.trim() }),
      };
      try {
        const body = isByHand ? typed : {};
        return await call<StartedMcpSignIn>('POST', `/tools/mcp/${id}/sign-in`, { body });
      } catch (problem) {
        // Shows the fields of the client if the error names fields, for example because the authorization server
        // registers no clients itself.
        if (problem instanceof ApiProblem && problem.details.length > 0) setByHand(true);
        throw problem;
      }
    },
    secret: true,
  });
  const { form, answer } = beginning;
  const field = fieldsWith(t, form.getInputProps);
  if (answer !== undefined)
    return (
      <Dialog title={t.signInTitle(name)} onClose={close}>
        <Found page={answer.authorization_url} server={url} close={close} />
      </Dialog>
    );
  return (
    <Dialog title={t.signInTitle(name)} onClose={close}>
      <DialogForm action={t.signInNext} of={beginning} close={close}>
        <Hint>{t.signInLead}</Hint>
        <Checkbox
          label={t.byHand}
          checked={isByHand}
          onChange={(event) => {
            setByHand(event.currentTarget.checked);
            form.clearErrors();
          }}
        />
        {isByHand && (
          <>
            <Stack gap="xs" align="flex-start">
              <Text size="sm" fw={500}>
                {t.redirectUri}
              </Text>
              <Code className="plain-text">{`${base_url}${mcpCallbackPath(id)}`}</Code>
              <Copy text={`${base_url}${mcpCallbackPath(id)}`} label={t.copyRedirectUri} />
            </Stack>
            <TextInput required maxLength={2000} {...field('clientId', 'client_id')} />
            <PasswordInput
              {...field('clientSecret', 'client_secret')}
              description={client_id === null ? t.clientSecretHelp : t.clientSecretKept}
              maxLength={4096}
              autoComplete="off"
            />
            <TextInput required maxLength={2000} {...field('issuer')} />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}

/** Shows the host of the sign-in page before the browser goes there, because the MCP server has chosen this host. */
function Found({ page, server, close }: { page: string; server: string; close: () => void }) {
  const { host } = new URL(page);
  return (
    <Stack>
      <Multiline role="status">{t.signInCheck(host, new URL(server).host)}</Multiline>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {texts.common.cancel}
        </Button>
        <Button component="a" href={page} rel="noreferrer" autoFocus>
          {t.signInGo(host)}
        </Button>
      </Group>
    </Stack>
  );
}
