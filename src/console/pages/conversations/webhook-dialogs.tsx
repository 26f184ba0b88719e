/** The dialogs of a webhook endpoint: adding one, its secret, and its details. */
import { Badge, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { Dialog, FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { Facts, Hint, When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.webhooks;
/** Stands for a secret, which the console never shows again. */
const secretMask = 'whsec_…';

/** @param props.url what the field begins with */
export function AddEndpoint({ url = '', close }: { url?: string; close: () => void }) {
  const adding = useServerForm({
    values: { url },
    check: { url: required },
    send: (body) => call<CreatedWebhookEndpoint>('POST', '/webhook-endpoints', { body }),
    meta: { refetches: [['webhook-endpoints'], ['delivery-receivers']] },
    secret: true,
  });
  if (adding.answer !== undefined) return <SigningSecret made={adding.answer} close={close} />;
  return (
    <FormDialog title={t.add.label} action={t.add.submit} of={adding} close={close}>
      <TextInput
        label={t.add.url}
        description={t.add.help}
        required
        maxLength={2048}
        data-autofocus
        {...adding.form.getInputProps('url')}
      />
    </FormDialog>
  );
}

export function SigningSecret({ made, close }: { made: CreatedWebhookEndpoint; close: () => void }) {
  return (
    <SecretDialog {...t.made} secret={made.secret} close={close}>
      <Hint>{t.secretUsage}</Hint>
    </SecretDialog>
  );
}

/** Shows when an endpoint's secret was made, and a switch for alerts about conversations that wait for a person. */
export function EndpointDetails({ endpoint, close }: { endpoint: WebhookEndpoint; close: () => void }) {
  const { id, url, created_at, rotated_at, previous_until, secret_lost, waiting_alerts } = endpoint;
  const choosing = useMutation({
    mutationFn: (isOn: boolean) =>
      call('PATCH', `/webhook-endpoints/${id}`, { body: { waiting_alerts: isOn } }),
    meta: { refetches: [['webhook-endpoints']], notifiesError: true },
  });
  return (
    <Dialog onClose={close} title={t.details.title} size="lg">
      <Stack>
        <span className="mono plain-text">{url}</span>
        <div className="fact-rows">
          <Facts
            facts={[
              [
                t.made.label,
                secret_lost === true ? (
                  <>
                    <Badge color="red">{t.lost}</Badge>
                    <Hint size="xs">{t.lostHelp}</Hint>
                  </>
                ) : (
                  <>
                    <span className="mono">{secretMask}</span>
                    <Hint size="xs">{t.details.secretHelp}</Hint>
                  </>
                ),
              ],
              [t.since, <When at={created_at} />],
              rotated_at !== undefined && [t.rotated, <When at={rotated_at} />],
              previous_until !== undefined && [t.previousUntil, <When at={previous_until} />],
            ]}
          />
        </div>
        <Switch
          label={t.events.waiting}
          description={t.waitingAlertsHelp}
          checked={choosing.isPending ? choosing.variables : waiting_alerts === true}
          onChange={({ currentTarget }) => choosing.mutate(currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  );
}
