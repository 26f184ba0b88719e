/** Shows what an entry of the audit log is about, with links to what still exists. */
import type { ReactNode } from 'react';
import type { ListedAuditEntry } from '../../../contract/accounts/audit.ts';
import type { WebhookEndpoint } from '../../../contract/conversations/webhook-endpoints.ts';
import { Person } from '../../components/actor.tsx';
import { useMembers } from '../../components/people.ts';
import { plainToolName } from '../../components/plain-tool.ts';
import { useList } from '../../components/queries.ts';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';

const t = texts.audit;
type Actions = ReadonlySet<ListedAuditEntry['action']>;

/** The actions whose target is the id of a conversation. */
const inConversations: Actions = new Set([
  'answer_regenerated',
  'runs_cancelled',
  'agent_paused',
  'agent_resumed',
  'person_wrote',
  'note_written',
  'note_deleted',
]);

/** The actions whose target begins with the name of a tool. */
const ofTools: Actions = new Set([
  'tool_action_run',
  'approval_given',
  'approval_refused',
  'approval_expired',
]);

/** The actions whose target is `name (id, notes)` of an agent. */
const ofAgents: Actions = new Set([
  'agent_created',
  'agent_changed',
  'agent_published',
  'agent_share_changed',
  'agent_rolled_back',
  'agent_restored',
  'rehearsal_started',
  'rehearsal_cancelled',
  'test_set_changed',
]);

/** The actions whose target begins with the URL of a webhook endpoint. */
const ofEndpoints: Actions = new Set([
  'webhook_endpoint_added',
  'webhook_endpoint_changed',
  'webhook_secret_rotated',
]);

/** The actions whose target begins with the email of a member. */
const ofMembers: Actions = new Set([
  'member_added',
  'member_role_changed',
  'password_reset_created',
  'sessions_ended',
  'invitation_accepted',
]);

/** Returns the text with the plain name of the tool with which it begins, and without the kind of the id after it. */
const readable = (text: string): string =>
  text.replace(/^[\w-]+/, (tool) => plainToolName(tool)).replace(/, approval $/, ', ');

const ids = /((?:conversation )?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;
const idLength = 36;
const agentFirst = /^(.*?) \(([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:, (.*?))?\)?$/s;

/**
 * Shows what the action changed as it is recorded, with a link or a name instead of each id. Shows nothing for
 * what an actor did to itself.
 */
export function AuditTarget(entry: ListedAuditEntry) {
  const { actor, target } = entry;
  if (target === actor) return <span className="nothing" />;
  return <span className="plain-text whole">{partsOf(entry)}</span>;
}

function partsOf(entry: ListedAuditEntry): ReactNode {
  const { action, target } = entry;
  const [, name, id, notes] = (ofAgents.has(action) ? agentFirst.exec(target) : null) ?? [];
  if (name !== undefined && id !== undefined)
    return (
      <>
        <Named text={id} name={name} isConversation={false} {...entry} />
        {notes !== undefined && (
          <>
            {': '}
            <WithIds {...entry} target={notes} />
          </>
        )}
      </>
    );
  const [first, rest] = splitAt(target, /[:,]? /);
  if (ofEndpoints.has(action)) return [<Endpoint key="endpoint" url={first} />, rest];
  if (ofMembers.has(action)) return [<MemberLink key="member" email={first} />, rest];
  const [what = '', assignee] = action === 'conversation_assigned' ? target.split(assigned) : [target];
  return (
    <>
      <WithIds {...entry} target={what} />
      {assignee !== undefined && (
        <>
          {assigned}
          {assignee.includes('@') ? <Person email={assignee} /> : assignee}
        </>
      )}
    </>
  );
}

/** Returns the text before the first match, and the rest, which begins with it. */
function splitAt(text: string, separator: RegExp): [string, string] {
  const at = text.search(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function WithIds({ action, target, agents, contacts }: ListedAuditEntry) {
  return target.split(ids).map((part, index) => {
    if (index % 2 === 0) return ofTools.has(action) ? readable(part) : part;
    const isConversation = inConversations.has(action) || part.length > idLength;
    return <Named key={index} text={part} {...{ isConversation, agents, contacts }} />;
  });
}

/** Before the email of the member to whom a conversation is assigned. */
const assigned = ' → ';

/** Shows the first part of an id, which is enough to tell rows apart. The whole id is shown on hover. */
const shortened = (text: string) => `${text.slice(0, text.length - idLength + 8)}…`;

/**
 * Shows a conversation or approval, by the contact's name, or an agent as a link if the user may open it, a deleted
 * agent by its name, and the start of any other id.
 * @param props.name the name of an agent at that time. Default: its present name
 */
function Named(
  props: { text: string; name?: string; isConversation: boolean } & Pick<
    ListedAuditEntry,
    'agents' | 'contacts'
  >,
) {
  const { text, name, isConversation, agents, contacts } = props;
  const id = text.slice(-idLength);
  const mayOpen = useMayOpen();
  const agent = agents.find((one) => one.id === id);
  const within = contacts.find((one) => one.id === id);
  if (within !== undefined || (isConversation && mayOpen('/conversations')))
    return (
      <TextLink to={`/conversations/${within?.conversation_id ?? id}`} title={id}>
        {within?.name ?? t.conversation}
      </TextLink>
    );
  if (agent?.is_deleted === false)
    return (
      <TextLink to={`/agents/${id}`} title={id}>
        {name ?? agent.name}
      </TextLink>
    );
  return <span title={id}>{name ?? agent?.name ?? shortened(text)}</span>;
}

/** Shows the URL of a webhook endpoint, as a link to the endpoints if it is one of them and the user may open them. */
function Endpoint({ url }: { url: string }) {
  const { data = [] } = useList<WebhookEndpoint>('webhook-endpoints', '/webhook-endpoints', {
    enabled: useMayOpen()('/webhooks'),
  });
  return data.some((one) => one.url === url) ? <TextLink to="/webhooks">{url}</TextLink> : url;
}

/** Shows a member by name as a link to the members, if the user may list them and the member still is one. */
function MemberLink({ email }: { email: string }) {
  const found = (useMembers().data ?? []).find((one) => one.email === email);
  if (found === undefined) return email;
  return (
    <TextLink to="/members" title={email}>
      {found.name}
    </TextLink>
  );
}
