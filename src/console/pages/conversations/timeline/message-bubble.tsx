import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { noRuleNote } from '../../../../contract/models/scripted.ts';
import { amount } from '../../../components/format.ts';
import { IconPaperclip } from '../../../components/icons.tsx';
import { RichText } from '../../../components/rich-text.tsx';
import { Hint, Minute, Summary } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { AddModel } from '../../models/no-model.tsx';

const t = texts.timeline;
const isShown = (node: ReactNode): boolean => node !== undefined && node !== false;

export function MessageBubble(props: {
  message: TimelineRun['messages'][number];
  /** Name shown above the contact's messages; by default, "User". */
  customer?: string | undefined;
  /** The tools that the agent called before it wrote the message, by plain names. */
  tools?: readonly string[];
  /** Shown below the message, for example a link. */
  action?: ReactNode;
}) {
  const { message, customer = t.you, tools = [], action } = props;
  const { origin, text, at, model, agent_version, credits_used, unanswered, attachments } = message;
  const role = origin === 'user' ? 'user' : 'agent';
  const who = origin === 'user' ? customer : (message.agent_name ?? (origin === 'agent' ? '' : t.person));
  return (
    <div className="bubble-row" data-role={role}>
      <div className="bubble" data-role={role}>
        <Group gap={8} mb={4} wrap="wrap">
          <Text size="xs" fw={700} component="span">
            {who}
          </Text>
          {message.pre_transfer && (
            <Badge color="violet" size="sm">
              {t.preTransfer}
            </Badge>
          )}
          {message.replaced && (
            <Badge color="gray" size="sm">
              {t.replaced}
            </Badge>
          )}
          {message.truncated && (
            <Badge color="yellow" size="sm" title={t.truncatedHelp}>
              {t.truncated}
            </Badge>
          )}
          <Text size="xs" c="dimmed" component="span">
            <Minute at={at} />
          </Text>
        </Group>
        {role === 'agent' && text.startsWith(noRuleNote) ? (
          <Hint>
            {texts.models.noRule} <AddModel />
          </Hint>
        ) : role === 'agent' ? (
          <RichText text={text} />
        ) : (
          <div className="plain-text">{text}</div>
        )}
        <Earlier
          title={t.earlierTurns(message.earlier_turns.length)}
          lines={message.earlier_turns.map((turn) => `${t.turnOf[turn.role]}: ${turn.text}`)}
        />
        <Earlier title={t.edited} lines={message.edits.map((edit) => edit.text)} />
        {attachments.map(({ name, url }, index) => (
          <Group key={index} gap={6} mt={6}>
            <IconPaperclip size={14} aria-label={t.attachment} />
            {url === undefined ? (
              <Text size="sm">{name}</Text>
            ) : (
              <Anchor size="sm" href={url} underline="always">
                {name}
              </Anchor>
            )}
          </Group>
        ))}
        {unanswered !== null && (
          <Hint size="xs" mt={6}>
            {t.notAnswered}: {texts.channel.reasons[unanswered] ?? unanswered}
          </Hint>
        )}
        {(model !== null || isShown(action)) && (
          <Group gap="4px 12px" mt={6} justify="space-between">
            {model !== null && (
              <Hint size="xs">
                {tools.length > 0 && `${t.used(tools)} · `}
                {model}
                {message.of_draft && ` · ${texts.versions.draft.mark}`}
                {agent_version !== null && ` · ${texts.versions.versionInText(agent_version)}`}
                {credits_used !== null && credits_used > 0 && ` · ${t.credits(amount(credits_used))}`}
              </Hint>
            )}
            {action}
          </Group>
        )}
      </div>
    </div>
  );
}

/** Texts below a message, collapsed under a title. Renders nothing if there are none. */
function Earlier({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <Summary size="xs">{title}</Summary>
      {lines.map((line, index) => (
        <Hint key={index} size="xs" mt={4} className="plain-text">
          {line}
        </Hint>
      ))}
    </details>
  );
}
