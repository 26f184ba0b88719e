/** Receives the gateway's events. Responds in plain text once an event is recorded, and does not wait for a run. */
import express, { type Request, type Response } from 'express';
import secureJson from 'secure-json-parse';
import { recordChannelError } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import { hashWebhookSecret, type ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import { uuidForm } from '../../adapters/postgres/cursor.ts';
import { acrossOrganizations, inOrganization } from '../../adapters/postgres/organization-scope.ts';
import { acceptGatewayMessage, logIgnoredEvent } from '../../adapters/postgres/whatsapp/inbox.ts';
import { settleByEcho } from '../../adapters/postgres/whatsapp/sends.ts';
import { equalSecrets } from '../../adapters/secrets/equal-secrets.ts';
import { gatewayTrackSource } from '../../adapters/whatsapp/gateway.ts';
import { PublicError } from '../../contract/errors.ts';
import { gatewayEvent, gatewayEventName, type GatewayEvent } from '../../contract/whatsapp/gateway-event.ts';
import {
  classifyGatewayEvent,
  gatewayEventAnswer,
  isMessagesEvent,
  otherEvent,
  type ClassifiedEvent,
  type IgnoredReason,
  type InboundEdit,
  type InboundMessage,
} from '../../domain/whatsapp/classify-event.ts';
import { countAccepted } from '../../observability/api-metrics.ts';
import { addIds } from '../../observability/spans.ts';
import { conversationWorkflowId } from '../../contract/workflows.ts';
import type { ApiDeps } from '../deps.ts';
import type { RateLimiter } from '../../adapters/postgres/rate-limiter.ts';
import { answerApprover } from '../../app/whatsapp/answer-approver.ts';
import { takeApprovalReply } from '../../app/whatsapp/take-approval-reply.ts';
import { warnOfMismatch } from '../../app/whatsapp/warn-of-mismatch.ts';
import { receiveBody, shapeProblem } from '../read-body.ts';
import { takesOnly } from '../serve-endpoints.ts';

/** Maximum fields and array elements of an event, which can contain many messages. Chosen. */
const maxKeys = 50_000;
/**
 * A hash that no secret has. It replaces a missing hash in the comparison, so that the refusal of an unknown channel
 * takes as long as that of a wrong secret.
 */
const noHash = Buffer.alloc(32);

/**
 * Creates the router that receives the gateway's events. Its handlers throw PublicError, which the app's error handler
 * converts to a response.
 */
export function gatewayWebhook(deps: ApiDeps, rates: RateLimiter | undefined): express.Router {
  const router = express.Router({ caseSensitive: true });
  const onlyPost = takesOnly('POST');
  router.route('/:agentId').post(receive).all(onlyPost);
  router.route('/:agentId/:secret').post(receive).all(onlyPost);
  router.post('/:agentId/:secret/*suffix', async (request: Request<{ agentId: string; secret: string }>) => {
    const { agent_id, organization_id } = await authenticated(request.params.agentId, request.params.secret);
    const advice = 'The gateway adds to the webhook URL: turn addUrlEvents and addUrlTypesMessages off.';
    await inOrganization(organization_id, () =>
      recordChannelError(deps.db, agent_id, 'webhook_suffix', advice),
    );
    throw new PublicError('not_found');
  });
  return router;

  async function receive(request: Request, response: Response): Promise<void> {
    const { agentId, secret } = request.params;
    const query = request.query['secret'];
    const given = [secret, request.get('x-webhook-secret'), query].find((one) => typeof one === 'string');
    const channel = await authenticated(String(agentId), typeof given === 'string' ? given : '');
    addIds({ organization_id: channel.organization_id });
    await receiveBody(request, channel.organization_id);
    const body = readJson(request.body);
    const name = gatewayEventName(body);
    if (name === undefined)
      throw new PublicError('invalid_json', { sentence: 'The body is not a JSON object.' });
    const olderEventName = deps.config.GATEWAY_MESSAGE_EVENT;
    const kept: ClassifiedEvent[] = [];
    await inOrganization(channel.organization_id, async () => {
      // Records an event that delivers no messages as ignored, without parsing it.
      if (!isMessagesEvent(name, { olderEventName })) {
        kept.push(await keep(channel, otherEvent));
        return;
      }
      const event = readEvent(body);
      const outcomes = classifyGatewayEvent(event, {
        receivedAtMs: Date.now(),
        channelInactive: channel.state === 'inactive' || channel.state === 'not_connected',
        trackSource: gatewayTrackSource,
        olderEventName,
      });
      await warnOfMismatch(deps, channel, event);
      // Records the messages one after another, to preserve their order.
      for (const outcome of outcomes) kept.push(await keep(channel, outcome));
    });
    response.type('text/plain').send(gatewayEventAnswer(kept));
  }

  /**
   * Finds the agent's channel and checks the secret: the current one, or the previous one until it expires.
   * @throws PublicError unauthorized, the same for a wrong secret and an unknown channel; rate_limited after too many
   * such calls for the agent
   */
  async function authenticated(agentId: string, secret: string): Promise<ChannelRow> {
    // The organization is not known yet, because the channel determines it.
    const find = () => deps.channels.find(agentId);
    const channel = uuidForm.test(agentId) ? await acrossOrganizations(find) : undefined;
    const hash = hashWebhookSecret(secret);
    const isCurrent = equalSecrets(hash, channel?.webhook_secret_hash ?? noHash);
    const isPrevious = equalSecrets(hash, channel?.previous_webhook_hash ?? noHash);
    const isPreviousValid = (channel?.previous_webhook_until?.getTime() ?? 0) > Date.now();
    if (channel !== undefined && (isCurrent || (isPrevious && isPreviousValid))) return channel;
    await rates?.demand(`webhook ${agentId}`.slice(0, 60));
    throw new PublicError('unauthorized', { sentence: 'The webhook secret is wrong.' });
  }

  /**
   * Records an event.
   * @returns `outcome`; `ignored` if the event is a duplicate or the echo of a message that Parley sent, or if the
   * agent is inactive
   */
  async function keep(channel: ChannelRow, outcome: ClassifiedEvent): Promise<ClassifiedEvent> {
    if (outcome.kind === 'ignored') {
      if (outcome.trackId !== null) {
        await settleByEcho(deps.db, channel.agent_id, outcome.trackId, outcome.messageId);
      }
      await logIgnoredEvent(deps.db, channel.agent_id, outcome);
      return outcome;
    }
    if (outcome.kind !== 'takeover') {
      const reply = await takeApprovalReply(deps, channel, outcome);
      if (reply !== undefined) {
        if (reply.sentence !== undefined) answer(channel, outcome, reply.sentence);
        return reply.repeated ? ignored('duplicate') : outcome;
      }
    }
    const result = await acceptGatewayMessage(deps.db, channel, outcome);
    switch (result.outcome) {
      case 'accepted':
        countAccepted({ channel: 'whatsapp' });
        addIds({
          conversation_id: result.conversation_id,
          workflow_id: conversationWorkflowId(result.conversation_id),
        });
        await nudge(channel, result);
        return outcome;
      case 'stored':
      case 'edited':
      case 'takeover':
        return outcome;
      case 'duplicate':
        return ignored('duplicate');
      case 'sent_by_api':
        return ignored('sent_by_api');
      case 'inactive':
        await logIgnoredEvent(deps.db, channel.agent_id, {
          reason: 'agent_inactive',
          messageId: outcome.messageId,
        });
        return ignored('agent_inactive');
    }
  }

  /** Answers an approver in the background, because the gateway may send no message before its webhook call ends. */
  function answer(channel: ChannelRow, { contact }: InboundMessage | InboundEdit, sentence: string): void {
    answerApprover(deps, channel, contact.replyTo, sentence).catch((err: unknown) => {
      deps.log.warn({ agent_id: channel.agent_id, err }, 'an approver could not be answered');
    });
  }

  async function nudge(
    channel: ChannelRow,
    accepted: {
      conversation_id: string;
      answering_agent_id?: string;
      wake_at_ms?: number;
      served_by?: string;
    },
  ): Promise<void> {
    if (accepted.wake_at_ms === undefined) return;
    const conversation = {
      id: accepted.conversation_id,
      organizationId: channel.organization_id,
      agentId: accepted.answering_agent_id ?? channel.agent_id,
      channel: 'whatsapp' as const,
    };
    await deps.conversations.notifyOrNudge(conversation, accepted.wake_at_ms, accepted.served_by);
  }
}

function ignored(reason: IgnoredReason): ClassifiedEvent {
  return { kind: 'ignored', reason, messageId: null, trackId: null };
}

/**
 * Parses a body without fields that would change prototypes.
 * @throws PublicError invalid_json if it is empty or not JSON
 */
function readJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw new PublicError('invalid_json');
  let value: unknown;
  try {
    value = secureJson.parse(bytes.toString('utf8'), { protoAction: 'remove', constructorAction: 'remove' });
  } catch (cause) {
    throw new PublicError('invalid_json', { cause });
  }
  return value;
}

/** Parses an event. @throws PublicError invalid_json if the body is nested too deeply or has too many fields */
function readEvent(body: unknown): GatewayEvent {
  const problem = shapeProblem(body, maxKeys);
  if (problem !== undefined) throw new PublicError('invalid_json', { sentence: `The body ${problem}.` });
  return gatewayEvent.parse(body);
}
