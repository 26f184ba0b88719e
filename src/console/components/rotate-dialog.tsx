import { Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog } from './dialogs.tsx';
import { choicesOf } from './filters.tsx';
import { useServerForm } from './use-server-form.ts';

/**
 * Asks how long the previous secret stays valid, and creates a new secret.
 * @param props.overlaps labels of the choices, by seconds
 * @param props.query key of the query that is fetched again after the rotation
 * @param props.children renders the response, which contains the new secret
 */
export function RotateDialog<Made>(props: {
  title: string;
  lead: string;
  label: string;
  overlap: string;
  overlapHelp: string;
  overlaps: Readonly<Record<string, string>>;
  send: (body: { overlap_seconds: number }) => Promise<Made>;
  query: string;
  close: () => void;
  children: (made: Made) => ReactNode;
}) {
  const { title, lead, label, overlap, overlapHelp, overlaps, send, query, close, children } = props;
  const rotating = useServerForm({
    values: { overlap: '86400' },
    send: (values) => send({ overlap_seconds: Number(values.overlap) }),
    meta: { refetches: [[query]] },
    secret: true,
  });
  if (rotating.answer !== undefined) return children(rotating.answer);
  return (
    <FormDialog title={title} action={label} of={rotating} close={close}>
      <Text size="sm">{lead}</Text>
      <Select
        label={overlap}
        description={overlapHelp}
        data={choicesOf(overlaps)}
        data-autofocus
        {...rotating.form.getInputProps('overlap')}
      />
    </FormDialog>
  );
}
