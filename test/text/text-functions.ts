/**
 * How hostile texts reach each exported function of the folders whose code reads text of strangers. A function without
 * an entry fails the test: write how a text reaches it, or why none does.
 */
import { failureOf, judgeHealth } from '../../src/domain/data/judge-health.ts';
import * as changes from '../../src/domain/accounts/change-text.ts';
import { browserNames } from '../../src/domain/accounts/browser-names.ts';
import { allCapabilities } from '../../src/contract/accounts/capabilities.ts';
import { gatewayEvent } from '../../src/contract/whatsapp/gateway-event.ts';
import { readWorkspaceId } from '../../src/contract/workspace/workspace-id.ts';
import {
  chosenParts,
  cutTo,
  pointerProblem,
  withoutSecrets,
} from '../../src/domain/http-tools/read-answer.ts';
import { referenced } from '../../src/domain/http-tools/openapi-node.ts';
import { plainParameters, toolParameters } from '../../src/domain/http-tools/openapi-schema.ts';
import { isMcpToolName, isReservedToolName } from '../../src/domain/http-tools/tool-names.ts';
import {
  authorizationProblem,
  isOwnMetadata,
  isSameIssuer,
} from '../../src/domain/mcp-servers/judge-authorization.ts';
import { readOfferedTool } from '../../src/domain/mcp-servers/read-tool.ts';
import { resultText } from '../../src/domain/mcp-servers/read-result.ts';
import { argumentNames, requiredNames, schemaProblems } from '../../src/domain/http-tools/tool-schema.ts';
import { fillUrl, readUrlTemplate, type UrlTemplate } from '../../src/domain/http-tools/url-template.ts';
import {
  isLoopbackAddress,
  isPublicAddress,
  judgeUrl,
  loopbackHost,
  readExceptions,
} from '../../src/domain/http/address-rules.ts';
import { endpointOf, endpointUrl } from '../../src/domain/conversations/callback.ts';
import { outcomesByReceiver } from '../../src/domain/conversations/receivers.ts';
import { channelProblem, webhookProblem } from '../../src/domain/whatsapp/channel-health.ts';
import { checkResult, decideChannel, numberInUse } from '../../src/domain/whatsapp/channel-check.ts';
import { afterHello, helloFinding, helloText, helloView } from '../../src/domain/whatsapp/hello.ts';
import { chooseConnection, chooseForAgent } from '../../src/domain/workspace/choose-connection.ts';
import {
  classifyGatewayEvent,
  gatewayTimeMs,
  isMessagesEvent,
} from '../../src/domain/whatsapp/classify-event.ts';
import { excerptAround, searchWords } from '../../src/domain/conversations/excerpt.ts';
import { fitContext } from '../../src/domain/conversations/fit-context.ts';
import { agentChanges, agentTarget } from '../../src/domain/conversations/agent-changes.ts';
import * as model from '../../src/domain/conversations/model-call.ts';
import { holds, parseCondition } from '../../src/domain/conversations/argument-condition.ts';
import {
  approvalRequestText,
  plainLine,
  comparableNumber,
  readApprovalReply,
} from '../../src/domain/conversations/approval-request.ts';
import { decideCall, expiryOf, policyProblem } from '../../src/domain/conversations/tool-policy.ts';
import * as checks from '../../src/domain/rehearsals/check-turns.ts';
import * as turns from '../../src/domain/rehearsals/compare-turns.ts';
import { toolCallRef } from '../../src/domain/conversations/run-outcome.ts';
import { chatKind, gatewayContact } from '../../src/domain/whatsapp/contact.ts';
import * as content from '../../src/domain/whatsapp/message-content.ts';
import { connectedNumber, isConnected, numberOf } from '../../src/domain/whatsapp/gateway-status.ts';
import { mediaKindOf } from '../../src/domain/conversations/media-type.ts';
import {
  gatewayMediaType,
  guardPlaceholders,
  planGatewayReply,
} from '../../src/domain/whatsapp/plan-reply.ts';
import { afterSend, defaultReplyTimes, isFailure } from '../../src/domain/whatsapp/reply-progress.ts';
import { splitReply } from '../../src/domain/whatsapp/split-reply.ts';
import {
  channelSetup,
  expectedWebhook,
  findWebhook,
  webhookDifferences,
} from '../../src/domain/whatsapp/webhook-settings.ts';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { trimEndOf } from '../../src/domain/trim-end.ts';
import { whatsappMarks } from '../../src/domain/whatsapp/marks.ts';
import * as blocks from '../../src/workspace/blocks/block.ts';
import { Pieces } from '../../src/workspace/blocks/pieces.ts';
import * as limits from '../../src/workspace/blocks/limits.ts';
import { cleanBlock, cleanBlocks, copyBlocks } from '../../src/workspace/blocks/clean-block.ts';
import * as fields from '../../src/workspace/blocks/clean-fields.ts';
import { codeLanguage } from '../../src/workspace/blocks/code-language.ts';
import * as given from '../../src/workspace/blocks/given-blocks.ts';
import { planAppend, splitBlock } from '../../src/workspace/blocks/plan-append.ts';
import { newNotes } from '../../src/workspace/blocks/limits.ts';
import * as rich from '../../src/workspace/blocks/rich-text.ts';
import { readContentBlock } from '../../src/workspace/blocks/simplified-block.ts';
import { composed } from '../../src/workspace/text.ts';
import { splitText } from '../../src/workspace/blocks/rich-text.ts';
import {
  fenceOf,
  firstHeading,
  hasBlockSyntax,
  readBlocks,
} from '../../src/workspace/markdown/read-blocks.ts';
import { Delimiters } from '../../src/workspace/markdown/inline-delimiters.ts';
import * as tags from '../../src/workspace/markdown/inline-tags.ts';
import { Lines, withoutTail } from '../../src/workspace/markdown/lines.ts';
import { readInline } from '../../src/workspace/markdown/read-inline.ts';
import * as tables from '../../src/workspace/markdown/read-table.ts';
import { makeContainer, readIcon, readLeafTag } from '../../src/workspace/markdown/read-tags.ts';
import { readColumns } from '../../src/workspace/rows/column-config.ts';
import { readDate, readFiles, readIds } from '../../src/workspace/rows/values.ts';
import { convertValue, nearestOption } from '../../src/workspace/rows/property-value.ts';
import { propertyOf, readNamedValues, readProperties } from '../../src/workspace/rows/read-properties.ts';

export type Feed = (text: string) => unknown;

const receivedAtMs = 1_780_000_000_000;
const half = (text: string): [string, string] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};
const eventOf = (message: object, chat: object = {}) =>
  gatewayEvent.parse({
    EventType: 'messages',
    chat,
    message: { messageid: 'M1', chatid: '5511999990001', ...message },
  });
const messageOf = (message: object) => eventOf(message).messages[0]!;
const chatOf = (text: string) =>
  eventOf(
    {},
    { phone: text, wa_chatid: text, wa_chatlid: text, wa_contactName: text, wa_name: text, name: text },
  ).chat;
const addressed = (text: string) =>
  messageOf({ chatid: text, chatlid: text, owner: text, sender: text, sender_pn: text, sender_lid: text });
const around = (text: string) => ({ owner: text, alone: true });
/** A message's parse is no part of what is measured, where a test can help it: its fields are as in an event. */
const contents: Record<string, (text: string) => object> = {
  text: (text) => ({ messageType: 'Conversation', text, content: text }),
  location: (text) => {
    const [said, name] = half(text);
    return { messageType: 'LocationMessage', text: said, content: { name, address: name } };
  },
  contact: (text) => ({ messageType: 'ContactMessage', content: { displayName: text, vcard: text } }),
  poll: (text) => ({ messageType: 'PollCreationMessage', text, convertOptions: text }),
  reply: (text) => ({
    messageType: 'ListResponseMessage',
    vote: text,
    buttonOrListid: text,
    content: { title: text },
  }),
  file: (text) => ({
    messageType: 'DocumentMessage',
    fileURL: `https://${text}`,
    content: { mimetype: text, fileName: text, caption: text },
  }),
  named: (text) => ({ messageType: text, type: text, quoted: text, edited: text, id: text, track_id: text }),
  timed: (text) => ({ messageType: 'Conversation', text: 'a', messageTimestamp: text }),
};
const ofContents = (read: (message: ReturnType<typeof messageOf>) => unknown): Feed[] =>
  Object.values(contents).map((fieldsOf) => (text) => read(messageOf(fieldsOf(text))));

const paragraph = (text: string) => ({
  type: 'paragraph',
  body: { rich_text: [rich.textItem(text)] },
  children: [],
});
/** As many items as there are words, because each item has a cost too. */
const urlTemplate: UrlTemplate = {
  origin: 'https://shop.example',
  path: [{ literal: '/' }, { variable: 'id' }],
  query: [[{ literal: 'q=' }, { variable: 'q' }]],
  inPath: ['id'],
  variables: ['id', 'q'],
};
const items = (text: string) => (text.match(/[\s\S]{1,40}/g) ?? []).map((piece) => rich.textItem(piece));
const context = {
  warn: () => undefined,
} as unknown as Parameters<typeof given.readContentBlocks>[0];
/** Runs a function that may refuse the text: a refusal takes linear time too. */
const refusing =
  (feed: Feed): Feed =>
  (text) => {
    try {
      return feed(text);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  };
const atEach =
  (sign: string, read: (ends: Delimiters, at: number) => unknown): Feed =>
  (text) => {
    const ends = new Delimiters(text);
    for (let at = 0; at < text.length; at += 1) if (text[at] === sign && text[at - 1] !== '`') read(ends, at);
  };
const property = (type: string, options: string[] = []) => ({
  id: 'a',
  name: 'Name',
  type,
  [type]: { options: options.map((name) => ({ name })) },
});
const propertyTypes = [
  'title',
  'number',
  'select',
  'status',
  'multi_select',
  'date',
  'checkbox',
  'people',
  'files',
  'url',
  'email',
];
const webhook = (text: string) => ({
  url: text,
  method: text,
  enabled: true,
  events: [text],
  excludeMessages: [text],
});

/** Folders whose every exported function has an entry. */
export const folders = ['src/domain', 'src/workspace/markdown', 'src/workspace/blocks', 'src/workspace/rows'];

/** How texts reach a function, or the reason why none does. */
export const textFunctions: Record<string, Feed[] | string> = {
  browserNames: [browserNames, (text) => browserNames(`Version/${text}`)],
  endpointUrl: [(text) => endpointUrl(text), (text) => endpointUrl(`https://a.example/${text}`)],
  endpointOf: [
    (text) => endpointOf(text, [{ url: 'https://a.example' }]),
    (text) => endpointOf(`https://a.example/${text}`, [{ url: 'https://a.example/x' }]),
  ],
  outcomesByReceiver: [
    (url) =>
      outcomesByReceiver(
        [
          {
            ...{ url, host: url, day: '2026-11-29', attempts: 1, failed: 0, blocked: 0, durations_ms: [] },
            last: { id: '1', at: '', status: 'delivered', http_status: 200, error: null },
          },
        ],
        [{ id: 'a', url: 'https://a.example' }],
        ['2026-11-29'],
      ),
  ],
  isLoopbackAddress: [(text) => isLoopbackAddress(text), (text) => isLoopbackAddress(`127.${text}`)],
  loopbackHost: [(text) => loopbackHost(text), (text) => loopbackHost(`http://localhost/${text}`)],
  isPublicAddress: [(text) => isPublicAddress(text), (text) => isPublicAddress(`::${text}`)],
  readExceptions: [
    (text) => {
      const { coversHost, coversAddress } = readExceptions(['a.example', '172.18.0.0/16']);
      return [coversHost(text, 443), coversAddress(text)];
    },
  ],
  timesOf: 'takes numbers',
  judgeUrl: [
    (text) => judgeUrl(text),
    (text) => judgeUrl(`https://${text}`),
    (text) => judgeUrl(`https://a.example/${text}`),
  ],
  buildCallback: 'copies its fields',
  fetchedLater: 'puts words of ours before its text',
  unavailable: 'puts words of ours before its text',
  notInTest: 'puts words of ours before its text',
  checkResult: [
    (text) =>
      checkResult('verify', {
        outcome: 'ok',
        connected: false,
        status: text,
        number: text,
        lastDisconnectReason: text,
      }),
  ],
  decideChannel: [
    (text) =>
      decideChannel(
        'awaiting_webhook',
        'verify',
        {
          outcome: 'ok',
          connected: false,
          status: text,
          number: text,
          lastDisconnectReason: text,
        },
        '',
      ),
  ],
  failureOf: [(text) => failureOf({ failed: true, error: text })],
  judgeHealth: [
    (text) =>
      judgeHealth(
        {
          withoutDefault: undefined,
          caps: [],
          models: [
            {
              ...{ provider: text, failed: true, error: text, provider_message: text },
              ...{ at: new Date(), saved_at: null },
            },
          ],
          channels: [
            { agent_id: 'a', agent_name: text, state: 'error', message: text, last_inbound_at: null },
          ],
          failedTests: [{ provider: `${text} tested`, used: false, error: text, at: new Date() }],
          connections: [{ name: text, error: text }],
          signIns: [{ name: text, tools: 1 }],
          allowed: undefined,
          hosts: [],
          waiting: { conversations: 0, since: null },
          backlog: { messages: 0, since: null },
          storage: { used_bytes: 0, limit_bytes: null },
        },
        allCapabilities,
        Date.now(),
      ),
  ],
  channelProblem: [
    (text) =>
      channelProblem(
        {
          status: { outcome: 'ok', connected: false, status: text, number: text, lastDisconnectReason: text },
          webhook: { state: 'right' },
          connectedNumber: text,
          arrives: true,
        },
        '',
      ),
  ],
  webhookProblem: [(text) => webhookProblem({ state: 'wrong', code: 'webhook_wrong', why: text }, '')],
  numberInUse: [(text) => numberInUse([text, text, text, text])],
  helloText: [helloText],
  afterHello: [(text) => afterHello({ outcome: 'refused', status: 400, detail: text })],
  helloFinding: [(text) => helloFinding({ status: text, error: text })],
  helloView: [
    (text) =>
      helloView(
        {
          ...{ request_id: text, number: text, status: 'sent', problem: null, attempted_at: new Date() },
          ...{ age_ms: 60_000, arrived_at: null, arrived_by: null },
        },
        { code: 'session_down', message: text, at: '' },
      ),
  ],
  isHelloOpen: 'takes a state and times',
  isAbsenceFinal: 'takes a state and a time',
  allowsTrigger: 'takes names of states',
  nextChannelState: 'takes names of states',
  chooseConnection: [
    (text) => chooseConnection([{ id: text, status: 'connected', workspace_name: text }], text),
  ],
  chooseForAgent: [
    (text) => chooseForAgent([{ id: text, status: 'connected', workspace_name: text }], [text], text),
  ],
  connectionsOfAgent: 'compares identifiers',
  readUrlTemplate: [
    readUrlTemplate,
    (text) => readUrlTemplate(`https://shop.example/${text}`),
    (text) => readUrlTemplate(`https://shop.example/?${text}`),
    (text) => readUrlTemplate(`https://${text}`),
  ],
  fillUrl: [
    (text) => fillUrl(urlTemplate, { id: text, q: text }),
    (text) => fillUrl(urlTemplate, { id: 'x', q: text }, { more: items(text) }),
  ],
  schemaProblems: [
    (text) => schemaProblems({ type: 'object', description: text, [text.slice(0, 100)]: text }),
    (text) => schemaProblems({ type: 'object', required: items(text), enum: items(text) }),
  ],
  argumentNames: [(text) => argumentNames({ properties: { [text]: {} } })],
  requiredNames: [(text) => requiredNames({ required: items(text) })],
  isReservedToolName: [isReservedToolName],
  isMcpToolName: [isMcpToolName],
  plainParameters: [
    (text) => plainParameters({ type: 'object', description: text, [text.slice(0, 100)]: text }),
    (text) => plainParameters({ type: 'object', required: items(text), enum: items(text) }),
  ],
  isSameIssuer: [
    (text) => isSameIssuer(text, `${text}/`),
    (text) => isSameIssuer(`https://${text}`, `https://a.example/${text}`),
  ],
  isOwnMetadata: [
    (text) =>
      isOwnMetadata(
        'https://a.example/',
        new URL(`https://a.example/${encodeURIComponent(text.toWellFormed())}`),
      ),
  ],
  authorizationProblem: [
    (text) =>
      authorizationProblem(
        text,
        {
          ...{ issuer: text, authorization_endpoint: `https://${text}`, token_endpoint: text },
          ...{ registration_endpoint: text, code_challenge_methods_supported: text.split('') },
        },
        { namesItself: false, isSafe: (url) => url.startsWith('https:') },
      ),
  ],
  readOfferedTool: [
    (text) => readOfferedTool({ name: text, description: text, inputSchema: { type: 'object' } }),
    (text) => readOfferedTool({ name: 'a', inputSchema: { type: 'object', description: text } }),
    (text) => readOfferedTool({ name: 'a', inputSchema: { type: 'object', required: items(text) } }),
  ],
  resultText: [
    (text) =>
      resultText({
        content: [
          { type: 'text', text },
          { type: text, mimeType: text, data: text },
        ],
      }),
    (text) => resultText({ content: items(text), structuredContent: { text } }),
  ],
  pointerProblem: [pointerProblem, (text) => pointerProblem(`/${text}`)],
  chosenParts: [
    (text) => chosenParts({ a: text, list: items(text) }, ['/a', '/list/*', '/list/*/b'], 8000),
    (text) => chosenParts({ [text]: 1 }, [`/${text.slice(0, 200)}`], 8000),
  ],
  withoutSecrets: [
    (text) => withoutSecrets(text, ['Bearer secret-of-the-shop']),
    (text) => withoutSecrets('an answer', [text]),
  ],
  cutTo: [(text) => cutTo(text, 8000)],
  toolParameters: [
    (text) => toolParameters({}, {}, { parameters: [{ in: 'query', name: text, description: text }] }),
    (text) => toolParameters({}, {}, { requestBody: { content: { [text]: {} } } }),
    (text) => toolParameters({}, {}, { parameters: items(text) }),
  ],
  referenced: [(text) => referenced({ a: {} }, { $ref: `#/${text}` })],
  objectIn: 'reads one field',
  listIn: 'reads one field',
  textIn: 'reads one field',
  isObject: 'asks for a type',
  isScalar: 'asks for a type',
  classifyGatewayEvent: [
    ...Object.values(contents).map(
      (fieldsOf): Feed =>
        (text) =>
          classifyGatewayEvent(eventOf(fieldsOf(text)), { receivedAtMs }),
    ),
    (text) =>
      classifyGatewayEvent(
        { ...eventOf({}), messages: [addressed(text)], chat: chatOf(text) },
        { receivedAtMs },
      ),
  ],
  gatewayEventAnswer: 'takes outcomes',
  isMessagesEvent: [(text) => isMessagesEvent(text, {})],
  withoutMark: [(text) => model.withoutMark(text)],
  inputText: [(text) => model.inputText({ text, quoted: text })],
  joinInputs: [(text) => model.joinInputs(half(text)), (text) => model.joinInputs(text.split(' '))],
  historyText: [
    (text) => model.historyText({ text, files: half(text) }),
    (text) => model.historyText({ text, files: text.split(' ') }),
  ],
  earlierTurnText: [(text) => model.earlierTurnText({ role: 'context', text })],
  bothFailed: [(text) => model.bothFailed({ model: 'a/b', error: text }, { model: 'c/d', error: text })],
  parseCondition: [
    (text) => policyProblem({ tool: 'x', policy: 'ask', unless: text }),
    (text) => policyProblem({ tool: 'x', policy: 'ask', unless: `a = "${text}"` }),
  ],
  holds: [(text) => holds(parseCondition('a.b = "x" or a in ["y", 1]'), { a: text })],
  brokenRules: [
    (text) =>
      checks.brokenRules(
        [
          { kind: 'contains', text },
          { kind: 'json_schema', schema: {} },
        ],
        text,
        () => true,
      ),
  ],
  judgeQuestion: [
    (text) => checks.judgeQuestion({ criterion: text, input: text, recorded: text, rehearsed: text }),
  ],
  readVerdict: [(text) => checks.readVerdict(text), (text) => checks.readVerdict(`worse: ${text}`)],
  compareTurns: [
    (text) =>
      turns.compareTurns(
        { calls: [{ name: 'a', input: { b: text } }], text, transferTo: null },
        { calls: [{ name: 'a', input: { b: `${text}x` } }], text: `${text}x`, transferTo: null },
      ),
  ],
  differenceOfUnrecorded: [
    (text) => turns.differenceOfUnrecorded([{ name: text, input: text }], { name: `${text}x`, input: text }),
  ],
  RecordedResults: [
    (text) =>
      new turns.RecordedResults([{ name: text, input: text, result: text, failed: false }]).take({
        name: text,
        input: text,
      }),
  ],
  canonicalJson: [(text) => canonicalJson({ [text]: text, a: [text] })],
  callKey: [(text) => turns.callKey({ name: text, input: { [text]: text, a: [text] } })],
  refusalOfCall: [
    (text) => {
      const allowed = { tools: [text], toolPolicies: [{ tool: text, policy: 'ask' as const, unless: text }] };
      return turns.refusalOfCall({ tools: [text], toolPolicies: [] }, allowed, { name: text, input: text });
    },
  ],
  decideCall: [
    (text) => decideCall({ tool: text, policy: 'ask', unless: text }, text),
    (text) => decideCall({ tool: text, policy: 'never', unless: 'a <= 1' }, { a: text }),
  ],
  approvalCode: 'reads no text',
  limitReached: 'reads no text',
  nextMonth: 'takes a time',
  plainLine: [plainLine],
  approvalRequestText: [
    (text) =>
      approvalRequestText({
        ...{ agentName: text, tool: 'x', arguments: { [text]: text }, code: '4F7K2Q' },
        ...{ expiresAt: new Date(0), onExpiry: 'refuse' },
      }),
  ],
  readApprovalReply: [(text) => readApprovalReply(text), (text) => readApprovalReply(`no ${text}`)],
  comparableNumber: [comparableNumber],
  ConditionProblem: 'is the class of an error',
  policyProblem: [(text) => policyProblem({ tool: 'x', policy: 'ask', unless: text })],
  expiryOf: [(text) => expiryOf({ tool: text, policy: 'ask' })],
  toolCallRef: [(text) => toolCallRef({ position: 0, name: text, is_known: true })],
  warmActivityMs: 'takes a number',
  auditText: 'is asynchronous; reads the first character of a text and doubles its quotation marks',
  followUpDueAt: 'reads no text',
  silenceAfter: 'reads no text',
  decideStep: [
    (text) =>
      model.decideStep(
        {
          text,
          calls: [
            { callId: 'a', name: text, input: { agent: text } },
            { callId: 'b', name: 'to', input: { agent: text } },
            ...(text.length % 2 === 0 ? [{ callId: 'c', name: 'over', input: { reason: text } }] : []),
          ],
        },
        {
          transfers: 0,
          targets: [{ id: 'a', name: text.slice(1), active: true, deleted: false }],
          transferTool: 'to',
          handOverTool: 'over',
        },
      ),
  ],
  settingsText: 'joins numbers with names of ours',
  capsText: 'joins numbers with names of ours',
  changeText: [(text) => changes.changeText(text, text), (text) => changes.changeText('', text)],
  listChangeText: [
    (text) => changes.listChangeText([text], []),
    (text) => changes.listChangeText([], [text]),
  ],
  fieldChanges: [(text) => changes.fieldChanges({ name: text }, { name: '' }, ['name'])],
  plainField: 'gets names of ours',
  agentChanges: [(text) => agentChanges({ name: '', instructions: text }, { name: text })],
  agentTarget: [(text) => agentTarget({ id: '', name: text }, [text])],
  searchWords: [(text) => searchWords(text)],
  excerptAround: [
    (text) => excerptAround(text, ['nothing'], 160),
    (text) => excerptAround(text, searchWords(text.slice(-200)), 160),
  ],
  fitContext: [
    (text) => fitContext({ windowTokens: 8000, fixed: text, files: 0, texts: [text], history: [{ text }] }),
    (text) =>
      fitContext({
        windowTokens: 800_000,
        fixed: '',
        files: 0,
        texts: text.match(/[\s\S]{1,20}/g) ?? [],
        history: [],
      }),
    (text) =>
      fitContext({
        windowTokens: 8_000_000,
        fixed: '',
        files: 0,
        texts: [],
        history: items(text).map(() => ({ text: 'a' })),
      }),
  ],
  chatKind: [(text) => chatKind(addressed(text), chatOf(text))],
  gatewayContact: [
    (text) => gatewayContact(addressed(text), chatOf(text), around(text)),
    (text) =>
      gatewayContact({ ...addressed(text), fromMe: true, senderName: text }, chatOf(text), around('1')),
  ],
  gatewayMedia: ofContents((message) => content.gatewayMedia(message, content.gatewayMessageKind(message))),
  gatewayMessageKind: ofContents(content.gatewayMessageKind),
  gatewayQuotedId: ofContents(content.gatewayQuotedId),
  gatewayReplyId: ofContents((message) =>
    content.gatewayReplyId(message, content.gatewayMessageKind(message)),
  ),
  gatewayText: ofContents((message) => content.gatewayText(message, content.gatewayMessageKind(message))),
  connectedNumber: [(text) => connectedNumber({ status: 'connected', owner: text, jid: text })],
  isConnected: [(text) => isConnected({ status: text })],
  numberOf: [(text) => numberOf(text)],
  gatewayTimeMs: [
    (text) => gatewayTimeMs(text, receivedAtMs),
    (text) => gatewayTimeMs(`2026-01-01 ${text}`, receivedAtMs),
  ],
  guardPlaceholders: [guardPlaceholders],
  mediaKindOf: [(text) => mediaKindOf(Buffer.from(text), text)],
  gatewayMediaType: [(text) => gatewayMediaType({ id: 'a', contentType: text, filename: text })],
  planGatewayReply: [
    (text) => planGatewayReply({ text }),
    (text) => planGatewayReply({ text, attachments: [{ id: 'a', contentType: text, filename: text }] }),
  ],
  typingMs: 'takes a number',
  creditsOf: 'takes a name and numbers',
  priceOf: 'takes the name of a model',
  cappedCredits: 'takes the name of a model and numbers',
  capSentence: 'takes names of ours and a number',
  isFailure: [(text) => isFailure({ outcome: 'unknown', reason: text })],
  afterSend: [(text) => afterSend({ outcome: 'refused', status: 400, detail: text }, 0, defaultReplyTimes)],
  // planGatewayReply calls it with the usual limit.
  splitReply: [(text) => splitReply(text, 64)],
  channelSetup: [channelSetup],
  expectedWebhook: [expectedWebhook],
  findWebhook: [
    (text) => findWebhook(text, [webhook(text)]),
    (text) => findWebhook('https://a.example', [webhook(`https://a.example/v1/webhooks/gateway/${text}`)]),
  ],
  webhookDifferences: [(text) => webhookDifferences(expectedWebhook(text), [webhook(text.slice(1))])],
  trimEndOf: [(text) => trimEndOf(text, ' \t'), (text) => trimEndOf(text, text.slice(0, 9))],
  whatsappMarks: [whatsappMarks],

  firstHeading: [refusing(firstHeading)],
  annotationsOf: 'takes a marker',
  Delimiters: [
    atEach('`', (ends, at) => ends.code(at)),
    atEach('[', (ends, at) => ends.link(at)),
    atEach('<', (ends, at) => ends.span(at)),
    atEach('$', (ends, at) => ends.equation(at)),
    // A run of markers is read once, as a whole.
    (text) => {
      const ends = new Delimiters(text);
      for (const { index } of text.matchAll(/\*+|_+|~+/g)) ends.emphasis(index);
    },
  ],
  readAttributes: [tags.readAttributes],
  readMention: [
    (text) => tags.readMention(text, { id: text }),
    (text) => tags.readMention('date', { start: text }),
  ],
  spanAnnotations: [(text) => tags.spanAnnotations({ color: text, bold: text })],
  Lines: [
    (text) => Lines.of(text),
    (text) => Lines.of(text).takeFence({ indent: '', text: '', raw: '' }, '```'),
    (text) => Lines.of(text).takeFence({ indent: '\t', text: '', raw: '\r' }, '$$'),
    (text) => Lines.of(text).takeContainer('details', text),
    (text) => Lines.of(text).takeIndented({ indent: '', text: 'a', raw: 'a' }, ' '),
    (text) => Lines.of(`<summary>${text}`).takeSummary(),
  ],
  withoutTail: [withoutTail],
  fenceOf: [fenceOf],
  hasBlockSyntax: [hasBlockSyntax],
  readBlocks: [refusing(readBlocks)],
  readInline: [refusing(readInline)],
  isDelimiterLine: [tables.isDelimiterLine],
  isPipeLine: [tables.isPipeLine],
  readTable: [
    refusing((text) =>
      tables.readTable(
        text.split('\n'),
        { headerRow: true, headerColumn: false },
        { warnings: [], pieces: new Pieces() },
      ),
    ),
  ],
  makeContainer: [(text) => makeContainer('callout', { icon: text, color: text }, [paragraph(text)], [])],
  readIcon: [readIcon, (text) => readIcon(`icon:${text}`)],
  readLeafTag: [
    refusing((text) => readLeafTag('image', { src: text, caption: text }, [])),
    (text) => readLeafTag('link_to_page', { page_id: text }, []),
    (text) => readLeafTag(text, {}, []),
  ],

  appendContent: 'calls the workspace',
  appendTree: 'calls the workspace',
  readChildren: 'calls the workspace',
  readTree: 'calls the workspace',
  newNotes: 'takes nothing',
  allowedDepth: 'takes a type',
  isHeading: [blocks.isHeading],
  childrenProblem: [
    (text) => blocks.childrenProblem({ ...paragraph(text), children: items(text).map(() => paragraph('a')) }),
  ],
  countBlocks: [
    (text) => blocks.countBlocks({ ...paragraph(text), children: items(text).map(() => paragraph('a')) }),
  ],
  depthBelow: [
    (text) => blocks.depthBelow({ ...paragraph(text), children: items(text).map(() => paragraph('a')) }),
  ],
  richTextOf: [(text) => blocks.richTextOf({ ...paragraph(''), body: { rich_text: items(text) } })],
  toWire: [(text) => blocks.toWire({ ...paragraph(text), children: items(text).map(() => paragraph('a')) })],
  checkBlockText: [
    (text) => {
      limits.checkBlockText(
        { ...paragraph(text), children: items(text).map(() => paragraph('a')) },
        'a',
        newNotes(),
      );
    },
  ],
  checkOneRequest: [
    (text) => {
      limits.checkOneRequest(
        items(text).map(() => paragraph('a')),
        'a',
        newNotes(),
      );
    },
  ],
  checkRichText: [
    (text) => {
      limits.checkRichText(items(text), 'a', newNotes());
    },
  ],
  cleanBlock: [
    (text) => cleanBlock(blocks.toWire(paragraph(text)), 'a', newNotes()),
    (text) => cleanBlock({ type: 'code', code: { rich_text: text, language: text } }, 'a', newNotes()),
    (text) => cleanBlock({ type: 'bookmark', bookmark: { url: text } }, 'a', newNotes()),
    (text) => cleanBlock({ type: text, [text]: text }, 'a', newNotes()),
    (text) => cleanBlock({ type: 'equation', equation: { expression: text } }, 'a', newNotes()),
    (text) =>
      cleanBlock({ type: 'callout', callout: { rich_text: [], icon: text, color: text } }, 'a', newNotes()),
  ],
  cleanBlocks: [
    refusing((text) =>
      cleanBlocks(
        items(text).map(() => blocks.toWire(paragraph('a'))),
        'a',
        newNotes(),
      ),
    ),
  ],
  cleanCells: [refusing((text) => fields.cleanCells(items(text), 'a', newNotes()))],
  cleanFile: [
    (text) => fields.cleanFile({ url: text }, 'a', newNotes()),
    (text) => fields.cleanFile({ file_upload: { id: text } }, 'a', newNotes()),
  ],
  cleanIcon: [(text) => fields.cleanIcon(text, 'a', newNotes())],
  cleanReference: [(text) => fields.cleanReference({ page_id: text }, 'a', newNotes())],
  cleanRichText: [
    (text) => fields.cleanRichText(text, 'a', newNotes()),
    refusing((text) => fields.cleanRichText(items(text), 'a', newNotes())),
  ],
  composed: [composed],
  isEmoji: [fields.isEmoji],
  codeLanguage: [codeLanguage],
  copyBlocks: [
    (text) => copyBlocks([{ block: { id: 'a', ...blocks.toWire(paragraph(text)) }, children: [] } as never]),
  ],
  readContentBlocks: [
    refusing((text) => given.readContentBlocks(context, [text], 'a')),
    refusing((text) => given.readContentBlocks(context, items(text), 'a')),
  ],
  readOneContentBlock: [
    refusing((text) => given.readOneContentBlock(context, { content: text, bold: true }, 'a')),
  ],
  readRawBlocks: [
    refusing((text) =>
      given.readRawBlocks(context, [blocks.toWire(paragraph(text))], 'a', { autoSplit: true }),
    ),
  ],
  Pieces: 'takes a number',
  planAppend: [
    refusing((text) => planAppend(splitBlock(paragraph(text)))),
    refusing((text) =>
      planAppend(items(text).map((item) => ({ ...paragraph(''), body: { rich_text: [item] } }))),
    ),
  ],
  flatten: 'takes a tree of blocks',
  cleanRichTextItem: [
    (text) => rich.cleanRichTextItem(text),
    (text) => rich.cleanRichTextItem({ mention: {}, plain_text: text, href: text }),
    (text) => rich.cleanRichTextItem({ equation: { expression: text } }),
  ],
  isLinkTarget: [rich.isLinkTarget, (text) => rich.isLinkTarget(`https://${text}`)],
  isMention: 'looks at a field',
  isShownAs: [
    (text) => rich.isShownAs([rich.textItem(text), { mention: {} }], text),
    (text) => {
      const [words, title] = half(text);
      return rich.isShownAs([{ mention: {} }, rich.textItem(words)], title);
    },
    (text) => rich.isShownAs([{ mention: {} }, ...items(text)], text),
  ],
  isWebUrl: [rich.isWebUrl],
  ownText: [(text) => rich.ownText([rich.textItem(text)])],
  plainText: [(text) => rich.plainText(items(text))],
  readAnnotations: [(text) => rich.readAnnotations({ color: text })],
  readStyle: [(text) => rich.readStyle({ bold: text })],
  withStyle: [(text) => rich.withStyle(items(text), { bold: true }, text)],
  splitRichText: [(text) => rich.splitRichText([rich.textItem(text)])],
  textItem: 'copies its fields',
  readContentBlock: [
    refusing((text) => readContentBlock(text, 'a', newNotes())),
    refusing((text) => readContentBlock(text, 'a', newNotes(), { single: true })),
    refusing((text) =>
      readContentBlock({ content: text, link: text, bold: true, block_property: 'quote' }, 'a', newNotes()),
    ),
    refusing((text) => readContentBlock({ content: text, block_property: text }, 'a', newNotes())),
  ],
  splitBlock: [
    (text) => splitBlock(paragraph(text)),
    (text) => splitBlock({ ...paragraph(''), body: { rich_text: items(text) } }),
  ],
  splitText: [(text) => splitText(text)],

  readColumns: [
    (text) => readColumns([{ name: text, type: 'select', options: [text] }]),
    (text) => readColumns(items(text).map((_item, at) => ({ name: `${at}`, type: 'number' }))),
    (text) => readColumns([{ name: 'a', type: 'select', options: items(text).map((_item, at) => `${at}`) }]),
  ],
  readDate: [
    readDate,
    (text) => readDate({ start: '2026-01-01', time_zone: text }),
    (text) => readDate(`2026-01-01T10:00:00.${text}`),
  ],
  checkedProperties: 'calls the workspace',
  insertRow: 'calls the workspace',
  planRow: 'calls a model',
  resolveNames: 'calls the workspace',
  optionNames: 'takes a schema of the workspace',
  schemaList: 'takes a schema of the workspace',
  convertValue: propertyTypes.map(
    (type): Feed =>
      (text) =>
        convertValue(text, property(type, ['a', text.slice(1)]), 'clear'),
  ),
  nearestOption: [(text) => nearestOption(text, [text.slice(1), 'a'])],
  propertyOf: [
    refusing((text) => propertyOf('property_id', text, [{ id: text.slice(1), name: text.slice(2) }])),
  ],
  readNamedValues: [
    (text) => readNamedValues(items(text).map((_item, at) => ({ name: `${at}`, value: 'a' }))),
  ],
  readProperties: [
    (text) => readProperties([{ name: text, value: text }], [property('title')], 'clear'),
    (text) =>
      readProperties(
        items(text).map((_item, at) => ({ name: `${at}`, value: 'a' })),
        [property('title')],
        'clear',
      ),
  ],
  readFiles: [readFiles, (text) => readFiles(`https://${text}`)],
  readIds: [(text) => readIds(text, 'people'), (text) => readIds(`https://${text}`, 'relation')],
  readWorkspaceId: [readWorkspaceId, (text) => readWorkspaceId(`https://a.example/${text}`)],
};

/** Each must be caught. */
export const plantedFunctions: Record<string, Feed[]> = {
  'white space trimmed by a pattern (quadratic)': [(text) => text.replace(/[ \t]+$/, '')],
  'the end of a heading by a pattern (cubic)': [(text) => /^#[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(text)],
  'a repeated choice (exponential)': [(text) => /^(?:a|[^b])*$/.test(text)],
  'a list copied for each of its items (quadratic)': [
    (text) => text.split('a').reduce<string[]>((all, one) => [...all, one], []),
  ],
  'a search from each sign (quadratic)': [
    (text) => [...text.matchAll(/\*/g)].map(({ index }) => text.indexOf('~~~', index)),
  ],
  'a call for each nested bracket (the stack ends)': [
    (text) => {
      const read = (at: number): number => (text[at] === '[' ? read(at + 1) : at);
      return read(1);
    },
  ],
};
