/** Shows a delivery: its facts, the response, and the request. Never renders text from a receiver as HTML. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery } from '../../contract/conversations/conversations.ts';
import type { DeliveryView } from '../../contract/conversations/timeline.ts';
import { texts } from '../messages.ts';
import { Copy } from './copy.tsx';
import { curlOf } from './curl.ts';
import { receiverText, sentenceCase } from './format.ts';
import { JsonText } from './json-text.tsx';
import { useAgents } from './queries.ts';
import { reasonOf, Refusal } from './refusal.tsx';
import { Breakable, Facts, Hint, Multiline, TextLink, When, type Fact } from './text.tsx';

const t = texts.deliveries;
const r = texts.webhooks.resend;
const helps: Readonly<Record<string, string | undefined>> = texts.webhooks.test.helps;
const colors = {
  pending: 'gray',
  attempting: 'blue',
  delivered: 'green',
  failed: 'red',
  blocked: 'orange',
  unknown: 'yellow',
} as const;

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  return <Badge color={colors[status]}>{t.statuses[status]}</Badge>;
}

/**
 * @param props.help shown below the error of a blocked delivery
 * @param props.facts shown with the delivery's own facts
 */
export function DeliveryDetail(props: { delivery: DeliveryView; help?: ReactNode; facts?: readonly Fact[] }) {
  const { delivery, help, facts = [] } = props;
  const { id, event, url, status, error, created_at, attempted_at, duration_ms } = delivery;
  const { agent_name, agent_version } = delivery;
  return (
    <Stack gap="md">
      <div className="fact-rows">
        <Facts
          facts={[
            [
              t.columns.status,
              <>
                <Group gap="xs">
                  <StatusBadge status={status} />
                  {error !== undefined && status !== 'blocked' && (
                    <Multiline fw={500}>{sentenceCase(error)}</Multiline>
                  )}
                </Group>
                <Hint mt={4}>{t.statusHelp[status]}</Hint>
                {status === 'failed' && error !== undefined && helps[error] !== undefined && (
                  <Hint mt={4}>{helps[error]}</Hint>
                )}
              </>,
            ],
            error !== undefined &&
              status === 'blocked' && [t.why, <Reason delivery={delivery} error={error} help={help} />],
            (agent_name !== null || agent_version !== undefined) && [
              t.columns.agent,
              <Group gap="xs">
                <AgentLink of={delivery} />
                {agent_version !== undefined && (
                  <Badge color="gray">{texts.versions.version(agent_version)}</Badge>
                )}
              </Group>,
            ],
            ...facts,
            [t.columns.event, event],
            [t.columns.url, <Breakable text={receiverText(url)} />],
            [t.columns.created, <When at={created_at} isExact />],
            attempted_at !== undefined && [t.columns.attempted, <When at={attempted_at} isExact />],
            duration_ms !== undefined && [t.columns.took, t.milliseconds(duration_ms)],
            delivery.signed === true && [t.signature, r.signed],
            delivery.resend_of !== undefined && [
              t.origin,
              <>
                {r.of} <TextLink to={`/deliveries/${delivery.resend_of}`}>{r.first}</TextLink>
              </>,
            ],
            [t.id, id],
          ]}
        />
      </div>
      <Exchange delivery={delivery} />
    </Stack>
  );
}

/** Shows the agent's name, as a link unless the agent is deleted. */
function AgentLink({ of: { agent_id, agent_name } }: { of: DeliveryView }) {
  const isListed = (useAgents().data ?? []).some(({ id }) => id === agent_id);
  if (agent_id === undefined || agent_name === null || !isListed) return agent_name;
  return <TextLink to={`/agents/${agent_id}`}>{agent_name}</TextLink>;
}

/** Shows why a delivery was blocked. */
function Reason(props: { delivery: DeliveryView; error: string; help: ReactNode }) {
  const { error, help } = props;
  const { url, host } = props.delivery;
  return (
    <>
      <Text size="sm" component="div">
        <Refusal reason={reasonOf(error)} url={url} host={host ?? url} copies />
      </Text>
      {help}
    </>
  );
}

/** Shows the response, and then the request, which is the longer of the two. */
function Exchange({ delivery }: { delivery: DeliveryView }) {
  const { id, url, host, http_status, response_body, request_body, signed, resend_of } = delivery;
  return (
    <>
      <Part
        title={t.answer}
        aside={http_status !== undefined && <Badge color="gray">{t.httpStatus(http_status)}</Badge>}
      >
        {response_body === undefined || response_body === '' ? (
          <Hint>{t.noAnswer}</Hint>
        ) : (
          <JsonText text={response_body} label={t.answer} />
        )}
      </Part>
      <Part
        title={t.request}
        aside={
          request_body !== null &&
          host !== null && (
            <Copy
              text={curlOf({ id, url, body: request_body, signed: signed === true, resendOf: resend_of })}
              label={signed === true ? t.copySignedCurl : t.copyCurl}
            />
          )
        }
      >
        {request_body === null ? (
          <Hint>{t.notSent}</Hint>
        ) : (
          <JsonText text={request_body} label={t.request} />
        )}
      </Part>
    </>
  );
}

function Part(props: { title: string; aside: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm" mih={30}>
        <Text size="sm" fw={600}>
          {props.title}
        </Text>
        {props.aside}
      </Group>
      {props.children}
    </Stack>
  );
}
