/** What the organization uses and may use, how long it keeps its data, and how it takes it out or erases it. */
import {
  Alert,
  Anchor,
  Button,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Usage } from '../../contract/usage.ts';
import { call } from '../client.ts';
import { ConfirmButton } from '../pieces/confirm-button.tsx';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { amount } from '../pieces/durations.ts';
import { Loaded } from '../pieces/loaded.tsx';
import { numberOrNull } from '../pieces/number-or-null.ts';
import { Page } from '../pieces/page.tsx';
import { Problem } from '../pieces/problem.tsx';
import { useSession } from '../shell/session.ts';
import { words } from '../words.ts';

const w = words.data;
type Day = Usage['days'][number];

const columns: readonly Column<Day>[] = [
  { label: w.columns.day, lead: true, render: ({ day }) => day },
  { label: w.columns.messages, render: ({ messages }) => messages.toLocaleString() },
  { label: w.columns.runs, render: ({ runs }) => runs.toLocaleString() },
  { label: w.columns.credits, render: ({ credits }) => amount(credits) },
];

export function Data() {
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => call<Usage>('GET', '/usage') });
  const organization = useQuery({
    queryKey: ['organization'],
    queryFn: () => call<{ retention_days: number | null }>('GET', '/organization'),
  });
  return (
    <Page title={w.title} lead={w.lead}>
      <Loaded query={usage}>
        {({ organization: { used, limit, messages, message_limit }, days }) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Panel title={w.limit}>
                <Text>{limit === null ? w.used(amount(used)) : w.usedOf(amount(used), amount(limit))}</Text>
                <NumberSetting
                  label={w.limitLabel}
                  help={w.limitHelp}
                  value={limit}
                  save={(value) => call('PUT', '/limit', { body: { monthly_credit_limit: value } })}
                  query="usage"
                />
              </Panel>
              <Panel title={w.messageLimit}>
                <Text>
                  {message_limit === null
                    ? w.messages(amount(messages))
                    : w.messagesOf(amount(messages), amount(message_limit))}
                </Text>
                <NumberSetting
                  label={w.messageLimitLabel}
                  help={w.limitHelp}
                  value={message_limit}
                  save={(value) => call('PUT', '/limit', { body: { monthly_message_limit: value } })}
                  query="usage"
                />
              </Panel>
            </SimpleGrid>
            <DataTable
              label={w.table}
              rows={days.filter(({ runs }) => runs > 0).toReversed()}
              rowKey={({ day }) => day}
              columns={columns}
            />
          </Stack>
        )}
      </Loaded>
      <Loaded query={organization}>
        {({ retention_days }) => (
          <Panel title={w.retention}>
            <NumberSetting
              label={w.retentionLabel}
              help={w.retentionHelp}
              value={retention_days}
              save={(value) => call('PATCH', '/organization', { body: { retention_days: value } })}
              query="organization"
            />
          </Panel>
        )}
      </Loaded>
      <Panel title={w.export}>
        <Text size="sm">{w.exportText}</Text>
        <Anchor href="/console/api/export" download="parley-export.jsonl">
          {w.exportAction}
        </Anchor>
      </Panel>
      <EraseContact />
    </Page>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="panel facts">
      <Stack maw={420}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </div>
  );
}

/** A number, or nothing: then it is without bounds. */
function NumberSetting(props: {
  label: string;
  help: string;
  value: number | null;
  save: (value: number | null) => Promise<unknown>;
  query: string;
}) {
  const { label, help, value, save, query } = props;
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string | number>(value ?? '');
  const saving = useMutation({
    mutationFn: () => save(numberOrNull(typed)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [query] });
      notifications.show({ message: words.common.saved });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <NumberInput
          label={label}
          description={help}
          placeholder={w.none}
          min={0}
          hideControls
          value={typed}
          onChange={setTyped}
        />
        <Problem of={saving} />
        <Group>
          <Button type="submit" loading={saving.isPending} aria-label={w.saveOf(label)}>
            {words.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EraseContact() {
  const { organization } = useSession();
  const [id, setId] = useState('');
  return (
    <Panel title={w.erase}>
      <TextInput
        label={w.contact}
        description={w.contactHelp}
        value={id}
        onChange={(event) => {
          setId(event.currentTarget.value);
        }}
      />
      <Group>
        <ConfirmButton
          disabled={id === ''}
          label={w.eraseContact}
          title={w.eraseTitle(id)}
          text={w.eraseText}
          run={async () => {
            await call('DELETE', `/contacts/${encodeURIComponent(id)}`);
            setId('');
          }}
          done={w.erased}
        />
        <Anchor href={`/console/api/contacts/${encodeURIComponent(id)}/export`} hidden={id === ''} download>
          {w.exportContact}
        </Anchor>
      </Group>
      <Alert variant="light">{w.eraseOrganization(organization.id)}</Alert>
    </Panel>
  );
}
