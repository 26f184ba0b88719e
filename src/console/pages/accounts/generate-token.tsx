/** Asks for a name, then shows the new token's secret once. */
import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import type { CreatedToken } from '../../../contract/accounts/tokens.ts';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { words } from '../../messages.ts';
import { NameToken } from './name-token.tsx';

const w = words.tokens;

export function GenerateToken({ close }: { close: () => void }) {
  const [made, setMade] = useState<CreatedToken>();
  if (made === undefined) return <NameToken close={close} made={setMade} />;
  return (
    <SecretDialog
      title={w.secretTitle}
      lead={w.secretLead}
      label={w.secretLabel}
      secret={made.token}
      copyLabel={w.copySecret}
      close={close}
    >
      <Text size="sm" c="dimmed">
        {w.usage} <Code>{`Authorization: Bearer ${made.prefix}…`}</Code>
      </Text>
    </SecretDialog>
  );
}
