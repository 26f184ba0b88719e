/** The tab of the retention, the export and the erasure of data. */
import { Autocomplete, Box, Button, Code, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type Ref } from 'react';
import type { Expiring, Organization } from '../../../contract/accounts/organization.ts';
import { restoreDays } from '../../../contract/conversations/limits.ts';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { rehearsalDays, requestLogDays } from '../../../contract/data/limits.ts';
import { call } from '../../client.ts';
import { CommandBlock } from '../../components/code-block.tsx';
import { quoted } from '../../components/curl.ts';
import { ConfirmButton, Question, type QuestionText } from '../../components/dialogs.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { numberOrNull } from '../../components/form-values.ts';
import { Section } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Row, Rows, SavedRow } from '../../components/rows.tsx';
import { idle, Loaded, Problem } from '../../components/states.tsx';
import { Facts, Hint } from '../../components/text.tsx';
import { useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';

const t = texts.data;

export function Keeping() {
  const organization = useRead<Organization>(['organization'], '/organization');
  return (
    <Stack gap="lg">
      <Section title={t.retention}>
        <Rows>
          <Loaded query={organization}>
            {({ retention_days, audit_retention_days }) => (
              <>
                <Row name={t.keptNow(retention_days)} help={t.keptHelp} />
                <DaysToKeep days={retention_days} />
                <OwnTerms auditDays={audit_retention_days} />
              </>
            )}
          </Loaded>
          <Row name={t.export} help={t.exportText}>
            <Button component="a" variant="default" href="/console/api/export" download="parley-export.jsonl">
              {t.exportAction}
            </Button>
          </Row>
        </Rows>
      </Section>
      <Section title={t.erasure} lead={t.erasureLead}>
        <div className="panel rows danger">
          <EraseContact />
          <EraseOrganization />
        </div>
      </Section>
    </Stack>
  );
}

const auditCommand = 'npm run parley -- audit retention';

/** Lists what is kept for a term of its own, to which the days do not apply. */
function OwnTerms({ auditDays }: { auditDays: number | null }) {
  const { audit, requests, rehearsals, agents } = t.ownTerms;
  return (
    <Row
      name={t.ownTerms.title}
      help={
        <div className="fact-rows">
          <Facts
            facts={[
              [requests, t.ownTerms.days(requestLogDays)],
              [
                audit,
                <>
                  {t.ownTerms.auditDays(auditDays)} <Code>{auditCommand}</Code>
                </>,
              ],
              [rehearsals, t.ownTerms.days(rehearsalDays)],
              [agents, t.ownTerms.restorable(restoreDays)],
            ]}
          />
        </div>
      }
    />
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
  const { form } = saving;
  const wanted = numberOrNull(form.values.retention_days);
  return (
    <>
      <SavedRow
        of={saving}
        field="retention-days"
        name={t.retentionLabel}
        help={
          <>
            {t.retentionHelp}
            <Expires days={shorter(wanted, days)} />
          </>
        }
        save={t.saveOf(t.retentionLabel)}
        isChanged={wanted !== days}
      >
        <NumberInput
          id="retention-days"
          className="row-field"
          placeholder={t.keepAll}
          min={1}
          rightSection={wanted !== null && <Hint>{t.retentionUnit(wanted)}</Hint>}
          rightSectionWidth={56}
          {...form.getInputProps('retention_days')}
        />
      </SavedRow>
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

/** Finds a contact by its id, its name or its messages, and then offers its erasure and its export. */
function EraseContact() {
  const may = useCan()('conversations.view');
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<{ id: string; isKnown: boolean }>();
  const field = useRef<HTMLInputElement>(null);
  const wanted = typed.trim();
  const choose = (id: string, isKnown = true) => {
    setTyped(id);
    setFound({ id, isKnown });
  };
  const finding = useMutation({
    mutationFn: async (search: string) =>
      may ? [...contactsIn(await readContacts(search)).keys()] : new Array<string>(),
    onSuccess: (ids, search) => {
      const [first] = ids;
      if (first === undefined) choose(search, !may);
      else if (ids.includes(search)) choose(search);
      else if (ids.length === 1) choose(first);
      // The field offers them while it has the focus.
      else field.current?.focus();
    },
  });
  const id = found?.id === typed ? found.id : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== '') finding.mutate(wanted);
      }}
    >
      <Row
        name={t.erase}
        help={
          <>
            {t.contactErases}
            <Problem of={finding} />
            {id !== undefined && found?.isKnown === false && (
              <Text size="sm" role="status">
                {t.contactUnknown}
              </Text>
            )}
          </>
        }
      >
        <Stack gap="xs">
          <Group gap="xs" wrap="nowrap">
            <ContactField ref={field} id={typed} setId={setTyped} choose={choose} />
            <Button type="submit" variant="default" loading={finding.isPending} {...(wanted === '' && idle)}>
              {t.findContact}
            </Button>
          </Group>
          {id !== undefined && (
            <Group gap="xs" justify="flex-end">
              <ConfirmButton
                {...t.eraseContact(id)}
                run={async () => {
                  await call('DELETE', `/contacts/${encodeURIComponent(id)}`);
                  setTyped('');
                }}
              >
                <ErasureSize of={{ contact_id: id }} />
              </ConfirmButton>
              <Button
                component="a"
                variant="default"
                href={`/console/api/contacts/${encodeURIComponent(id)}/export`}
                download
              >
                {t.exportContact}
              </Button>
            </Group>
          )}
        </Stack>
      </Row>
    </form>
  );
}

type Found = { data: ConversationRow[] };

const readContacts = (search: string) =>
  call<Found>('GET', '/conversations', { query: { search, limit: maxContacts } });

/** @returns the names of the contacts of conversations, by their ids */
const contactsIn = ({ data }: Found): Map<string, string | undefined> =>
  new Map(data.flatMap(({ contact }) => (contact === undefined ? [] : [[contact.id, contact.name]])));

/** Number of contacts that the field offers. Chosen. */
const maxContacts = 8;
/** Number of characters from which the field offers contacts. Chosen. */
const minChars = 2;

/**
 * A field for a contact's id. Offers the contacts whose id, name or messages have what is typed.
 * @param props.choose called with the id of an offered contact that the user has chosen
 */
function ContactField(props: {
  ref: Ref<HTMLInputElement>;
  id: string;
  setId: (id: string) => void;
  choose: (id: string) => void;
}) {
  const { ref, id, setId, choose } = props;
  const may = useCan()('conversations.view');
  const [search] = useDebouncedValue(id.trim(), 250);
  const { data } = useRead<Found>(['inbox', 'contacts', search], '/conversations', {
    query: { search, limit: maxContacts },
    enabled: may && search.length >= minChars,
  });
  const names = data === undefined ? new Map<string, string | undefined>() : contactsIn(data);
  return (
    <Autocomplete
      ref={ref}
      aria-label={t.contact}
      placeholder={t.contactHelp}
      className="row-field"
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
      onOptionSubmit={choose}
    />
  );
}

function EraseOrganization() {
  const { id, name } = useSession().organization;
  const [isShown, shown] = useDisclosure(false);
  const command = `npm run parley -- erase organization ${id} --name ${quoted(name)}`;
  return (
    <Row
      name={t.eraseOrganization}
      help={
        <>
          {t.eraseOrganizationHelp}
          {isShown && (
            <Box mt="xs">
              <CommandBlock text={command} label={texts.start.command} copy={texts.start.copyCommand} />
            </Box>
          )}
        </>
      }
    >
      <Button variant="default" aria-expanded={isShown} onClick={shown.toggle}>
        {t.eraseOrganizationCommand}
      </Button>
    </Row>
  );
}
