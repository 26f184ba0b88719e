/** The tab of the retention, the export and the erasure of data. */
import { Autocomplete, Button, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import type { Expiring } from '../../../contract/accounts/organization.ts';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { CommandBlock } from '../../components/code-block.tsx';
import { quoted } from '../../components/curl.ts';
import { ConfirmButton, Question, type QuestionText } from '../../components/dialogs.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { Section } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { Fold, Hint } from '../../components/text.tsx';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { SettingForm, Subheading } from './setting-form.tsx';

const t = texts.data;

export function Keeping() {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Retention />
        <Panel title={t.export}>
          <Hint>{t.exportText}</Hint>
          <Button
            component="a"
            variant="default"
            href="/console/api/export"
            download="parley-export.jsonl"
            style={{ alignSelf: 'flex-start' }}
          >
            {t.exportAction}
          </Button>
        </Panel>
      </SimpleGrid>
      <Section title={t.erasure} lead={t.erasureLead}>
        <Stack gap={0} className="panel danger">
          <EraseContact />
          <EraseOrganization />
        </Stack>
      </Section>
    </Stack>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="panel facts">
      <Stack>
        <Subheading order={2}>{title}</Subheading>
        {children}
      </Stack>
    </div>
  );
}

/** @returns the new retention if it is shorter than the current one; otherwise null */
const shorter = (days: number | null, before: number | null): number | null =>
  days !== null && days < (before ?? Infinity) ? days : null;

/**
 * Returns the text of the confirmation before the retention is shortened, which erases data at once. Undefined if the
 * retention is not shortened.
 * @param before the current retention in days; null for no limit
 */
async function retentionQuestion(
  wanted: number | null,
  before: number | null,
): Promise<QuestionText | undefined> {
  const days = shorter(wanted, before);
  if (days === null) return undefined;
  const found = await call<Expiring>('GET', '/organization/expiring', { query: { days } });
  const { title, size, end, nothing, action, actionNothing } = t.retentionQuestion;
  if (found.whole + found.part === 0)
    return { title: title(days), text: nothing(days), action: actionNothing };
  return { title: title(days), text: `${size(days, found)} ${end}`, action };
}

function Retention() {
  const organization = useRead<{ retention_days: number | null }>(['organization'], '/organization');
  return (
    <Panel title={t.retention}>
      <Loaded query={organization}>{({ retention_days }) => <DaysToKeep days={retention_days} />}</Loaded>
    </Panel>
  );
}

/** @param props.days the current retention; null for no limit */
function DaysToKeep({ days }: { days: number | null }) {
  const saving = useServerForm({
    values: { retention_days: days ?? '' },
    check: { retention_days: within({ min: 1, max: 36_500, whole: true }) },
    ask: (now) => retentionQuestion(numberOrNull(now.retention_days), days),
    send: (now) =>
      call('PATCH', '/organization', { body: { retention_days: numberOrNull(now.retention_days) } }),
    meta: { refetches: [['organization']], done: texts.common.saved },
  });
  return (
    <>
      <SettingForm
        of={saving}
        save={texts.common.save}
        label={t.saveOf(t.retentionLabel)}
        isChanged={numberOrNull(saving.form.values.retention_days) !== days}
      >
        <NumberInput
          label={t.retentionLabel}
          description={t.retentionHelp}
          placeholder={t.keepAll}
          min={1}
          {...saving.form.getInputProps('retention_days')}
        />
        <Expires days={shorter(numberOrNull(saving.form.values.retention_days), days)} />
      </SettingForm>
      {saving.question && <Question {...saving.question} />}
    </>
  );
}

/** Shows how much a retention would erase, while it is typed. @param props.days the retention; null shows nothing */
function Expires({ days }: { days: number | null }) {
  const [typed] = useDebouncedValue(days, 300);
  const { data } = useRead<Expiring>(['expiring', typed], '/organization/expiring', {
    query: { days: typed ?? 0 },
    enabled: typed !== null && typed >= 1 && Number.isInteger(typed),
  });
  if (days === null || days !== typed || data === undefined) return null;
  const { size, nothing } = t.retentionQuestion;
  return (
    <Text size="sm" role="status">
      {data.whole + data.part === 0 ? nothing(days) : size(days, data)}
    </Text>
  );
}

function EraseContact() {
  const [id, setId] = useState('');
  return (
    <div className="facts">
      <Subheading>{t.erase}</Subheading>
      <Group align="flex-end" gap="sm" mt="xs">
        <ContactField id={id} setId={setId} />
        <ConfirmButton
          disabled={id === ''}
          {...t.eraseContact(id)}
          run={async () => {
            await call('DELETE', `/contacts/${encodeURIComponent(id)}`);
            setId('');
          }}
        >
          {id !== '' && <ErasureSize of={{ contact_id: id }} />}
        </ConfirmButton>
        {id !== '' && (
          <Button
            component="a"
            variant="default"
            href={`/console/api/contacts/${encodeURIComponent(id)}/export`}
            download
          >
            {t.exportContact}
          </Button>
        )}
      </Group>
    </div>
  );
}

/** Number of contacts that the field offers. Chosen. */
const maxContacts = 8;
/** Number of characters from which the field offers contacts. Chosen. */
const minChars = 2;

/** A field for a contact's id. Offers the contacts whose id, name or messages have what is typed. */
function ContactField({ id, setId }: { id: string; setId: (id: string) => void }) {
  const may = useCan()('conversations.view');
  const [search] = useDebouncedValue(id.trim(), 250);
  const { data } = useRead<{ data: ConversationRow[] }>(['inbox', 'contacts', search], '/conversations', {
    query: { search, limit: maxContacts },
    enabled: may && search.length >= minChars,
  });
  const contacts = data?.data.flatMap(({ contact }) => (contact === undefined ? [] : [contact])) ?? [];
  const names = new Map(contacts.map((contact) => [contact.id, contact.name]));
  return (
    <Autocomplete
      label={t.contact}
      description={`${t.contactHelp} ${t.contactErases}`}
      flex="1 1 320px"
      maw={480}
      data={[...names.keys()].filter((found) => found !== id)}
      // The server has already filtered them.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{names.get(option.value) ?? option.value}</Text>
          {names.get(option.value) !== undefined && <Hint size="xs">{option.value}</Hint>}
        </div>
      )}
      value={id}
      onChange={setId}
    />
  );
}

function EraseOrganization() {
  const { id, name } = useSession().organization;
  const command = `npm run parley -- erase organization ${id} --name ${quoted(name)}`;
  return (
    <div className="facts">
      <Subheading>{t.eraseOrganization}</Subheading>
      <Text size="sm" mt={4} mb="xs">
        {t.eraseOrganizationHelp}
      </Text>
      <Fold head={<Hint>{t.eraseOrganizationCommand}</Hint>}>
        <CommandBlock text={command} label={texts.start.command} copy={texts.start.copyCommand} />
      </Fold>
    </div>
  );
}
