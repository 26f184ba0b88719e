/** Buttons that approve or refuse a tool call, with a field for a note, and a badge for an approval's status. */
import { Badge, Button, Group, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Approval, ApprovalStatus } from '../../contract/conversations/approvals.ts';
import { call } from '../client.ts';
import { texts } from '../messages.ts';
import { useCan } from '../shell/session.ts';
import { Problem } from './states.tsx';
import { IconClock } from './icons.tsx';
import { Hint, Left } from './text.tsx';

const t = texts.approvals;

const colors = {
  waiting: 'yellow',
  approved: 'blue',
  executed: 'green',
  refused: 'gray',
  expired: 'gray',
  unknown: 'yellow',
} as const;

export function ApprovalBadge({ status }: { status: ApprovalStatus }) {
  return <Badge color={colors[status]}>{t.statuses[status]}</Badge>;
}

/** Shows what happens, and when, if nobody decides. */
export function ApprovalDeadline({ of }: { of: Pick<Approval, 'expires_at' | 'on_expiry'> }) {
  return (
    <div className="approval-deadline">
      <IconClock size={15} />
      <Text span inherit>
        {of.on_expiry === 'approve' ? t.approvedIn : t.refusedIn} <Left at={of.expires_at} />,{' '}
        {t.unlessDecided}
      </Text>
    </div>
  );
}

/**
 * Renders a hint instead of the buttons if the user may not decide approvals.
 * @param props.tool the tool's name. The buttons' names for screen readers contain it, because a page may show several
 * calls.
 * @param props.children shown after the buttons
 */
export function ApprovalDecision(props: { id: string; tool: string; children?: ReactNode }) {
  const { id, tool, children } = props;
  const may = useCan()('approvals.decide');
  const [note, setNote] = useState('');
  const deciding = useMutation({
    mutationFn: async (decision: 'approve' | 'refuse') =>
      await call<Approval>('POST', `/approvals/${id}`, {
        body: { decision, ...(note.trim() !== '' && { note: note.trim() }) },
      }),
    meta: { refetches: [['/approvals'], ['timeline']] },
    onSuccess: (_, decision) => notifications.show({ message: t.done[decision] }),
  });
  if (!may)
    return (
      <Group justify="space-between" gap="sm">
        <Hint>{t.mayNotDecide}</Hint>
        {children}
      </Group>
    );
  return (
    <div className="approval-decision">
      <Textarea
        className="approval-note"
        label={t.note}
        placeholder={t.noteHelp}
        minRows={1}
        maxRows={6}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Group gap="sm" wrap="nowrap" className="approval-buttons">
        <Button
          loading={deciding.isPending && deciding.variables === 'approve'}
          disabled={deciding.isPending}
          aria-label={`${t.approve} ${tool}`}
          onClick={() => deciding.mutate('approve')}
        >
          {t.approve}
        </Button>
        <Button
          variant="default"
          loading={deciding.isPending && deciding.variables === 'refuse'}
          disabled={deciding.isPending}
          aria-label={`${t.refuse} ${tool}`}
          onClick={() => deciding.mutate('refuse')}
        >
          {t.refuse}
        </Button>
        {children}
      </Group>
      <Problem of={deciding} />
    </div>
  );
}
