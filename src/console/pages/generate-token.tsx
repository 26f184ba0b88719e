import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedToken } from '../../contract/console/tokens.ts';
import { call } from '../client.ts';
import { Copy } from '../pieces/copy.tsx';
import { FormEnd } from '../pieces/form-end.tsx';
import { words } from '../words.ts';

const w = words.tokens;

export function GenerateToken({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const create = useMutation({
    mutationFn: (body: { name: string }) => call<CreatedToken>('POST', '/tokens', { body }),
    // The answer holds the secret: it is forgotten with the dialog.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  const made = create.data;
  return (
    <Modal
      opened
      onClose={close}
      title={made === undefined ? w.generate : w.secretTitle}
      size="lg"
      closeOnClickOutside={made === undefined}
      closeOnEscape={made === undefined}
      withCloseButton={made === undefined}
    >
      {made === undefined ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') setProblem(words.common.required);
            else create.mutate({ name: name.trim() });
          }}
        >
          <Stack>
            <TextInput
              label={w.name}
              description={w.nameHelp}
              required
              withAsterisk={false}
              maxLength={100}
              data-autofocus
              value={name}
              error={problem}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setProblem(undefined);
              }}
            />
            <FormEnd of={create} submit={w.generate} close={close} />
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm" role="status">
            {w.secretLead}
          </Text>
          <Group gap="sm" align="center" className="panel" p="sm" wrap="nowrap" justify="space-between">
            <Code bg="transparent" fz="sm" style={{ wordBreak: 'break-all' }} aria-label={w.secretLabel}>
              {made.token}
            </Code>
            <Copy text={made.token} label={w.copySecret} />
          </Group>
          <Text size="sm" c="dimmed">
            {w.usage} <Code>Authorization: Bearer {made.prefix}…</Code>
          </Text>
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              {words.common.done}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
