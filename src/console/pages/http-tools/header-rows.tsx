/** Fields for the headers of HTTP tools: a row with the name and the value of each. */
import { Button, Fieldset, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import { maxHeaders } from '../../../contract/http-tools/limits.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.openapiImport;

interface Header {
  name: string;
  value: string;
}

/** @param props.isStored true if the value of a header is stored, so that its field may stay empty */
export function HeaderRows(props: {
  legend: string;
  form: {
    values: { headers: readonly Header[] };
    getInputProps: (path: string) => object;
    insertListItem: (path: 'headers', row: Header) => void;
    removeListItem: (path: 'headers', index: number) => void;
  };
  isStored?: (name: string) => boolean;
}) {
  const { legend, form, isStored = () => false } = props;
  const { headers } = form.values;
  return (
    <Fieldset legend={legend} tabIndex={-1}>
      <Stack gap="sm">
        <Hint>{t.headersHelp}</Hint>
        {headers.map(({ name }, index) => (
          <Group key={index} align="flex-end" gap="sm">
            <TextInput
              label={t.header(index + 1)}
              flex="1 1 160px"
              maxLength={100}
              data-row-name
              {...form.getInputProps(`headers.${String(index)}.name`)}
            />
            <PasswordInput
              label={t.headerValue(index + 1)}
              description={isStored(name) ? texts.httpTools.valueKept : undefined}
              flex="1 1 200px"
              autoComplete="off"
              {...form.getInputProps(`headers.${String(index)}.value`)}
            />
            <Button
              variant="default"
              onClick={(event) => {
                focusFieldset(event);
                form.removeListItem('headers', index);
              }}
              aria-label={texts.httpTools.remove(t.header(index + 1))}
            >
              {t.remove}
            </Button>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            disabled={headers.length >= maxHeaders}
            onClick={addRow(() => form.insertListItem('headers', { name: '', value: '' }))}
          >
            {t.addHeader}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** Focuses the fieldset of a button that removes its row: the focus would be lost with the button. */
export function focusFieldset({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest('fieldset')?.focus({ preventScroll: true });
}

/** @returns a click handler that adds a row to the button's fieldset and focuses its `data-row-name` */
export const addRow =
  (add: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    flushSync(add);
    const names = currentTarget.closest('fieldset')?.querySelectorAll<HTMLElement>('[data-row-name]');
    [...(names ?? [])].at(-1)?.focus();
  };

/** Checks the rows. @returns the error message by field; empty if all of them are valid */
export function headerProblems(
  headers: readonly Header[],
  isStored: (name: string) => boolean = () => false,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, { name, value }] of headers.entries()) {
    if (name.trim() === '') problems[`headers.${String(index)}.name`] = t.nameMissing;
    if (value.trim() === '' && !isStored(name)) problems[`headers.${String(index)}.value`] = t.valueMissing;
  }
  return problems;
}
