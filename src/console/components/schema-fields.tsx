/**
 * A form for arguments that a JSON Schema describes: a field for each text, number, boolean, choice and list of texts,
 * and a JSON field for any other type.
 */
import { MultiSelect, NumberInput, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo, type ReactNode } from 'react';
import { texts } from '../messages.ts';
import { emptyValues, fieldsOf, inputFrom, type Field, type FieldValue } from './schema-form.ts';
import { useServerForm } from './use-server-form.ts';

const t = texts.schemaForm;
/**
 * Maximum number of optional arguments that are shown directly. If there are more, all of them are in a closed section,
 * so that the required arguments stay in view. Chosen.
 */
const maxOpenOptional = 3;

interface Values extends Record<string, unknown> {
  arguments: FieldValue[];
}

/**
 * Returns the state of a form for the schema's arguments, and its fields.
 * @param send called with the arguments when the user submits the form and all of them are valid
 * @param refetches keys of the queries that are fetched again after `send` succeeds
 */
export function useSchemaForm<A>(
  schema: unknown,
  send: (input: Record<string, unknown>) => Promise<A>,
  refetches: string[][] = [],
) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const trying = useServerForm<Values, A>({
    values: { arguments: emptyValues(schema, fields) },
    checkAll: ({ arguments: values }) => {
      const read = inputFrom(schema, fields, values);
      if ('input' in read) return {};
      return Object.fromEntries(
        [...read.problems].map(([index, problem]) => [`arguments.${String(index)}`, t.problems[problem]]),
      );
    },
    send: async ({ arguments: values }) => {
      const read = inputFrom(schema, fields, values);
      if (!('input' in read)) throw new Error(texts.common.checkFields([]));
      return await send(read.input);
    },
    meta: { refetches },
  });
  return { ...trying, fields };
}

export function SchemaFields({
  fields,
  form,
}: {
  fields: readonly Field[];
  form: UseFormReturnType<Values>;
}) {
  const rows = fields.map((field, index) => ({ field, index }));
  const required = rows.filter(({ field }) => field.isRequired);
  const optional = rows.filter(({ field }) => !field.isRequired);
  const render = ({ field, index }: (typeof rows)[number]): ReactNode => (
    <OneField key={field.name} field={field} props={form.getInputProps(`arguments.${String(index)}`)} />
  );
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.none}
      </Text>
    );
  return (
    <Stack gap="sm">
      {required.map(render)}
      {optional.length <= maxOpenOptional ? (
        optional.map(render)
      ) : (
        <details>
          <Text component="summary" size="sm">
            {t.optional(optional.length)}
          </Text>
          <Stack gap="sm" pt="sm">
            {optional.map(render)}
          </Stack>
        </details>
      )}
    </Stack>
  );
}

function OneField({
  field,
  props,
}: {
  field: Field;
  props: ReturnType<UseFormReturnType<Values>['getInputProps']>;
}) {
  const { name, kind, isRequired, description, options } = field;
  const shared = {
    label: isRequired ? name : t.optionalLabel(name),
    ...(description !== '' && { description }),
    required: isRequired,
    ...props,
  };
  switch (kind) {
    case 'number':
      return <NumberInput {...shared} />;
    case 'boolean':
      return (
        <Select
          {...shared}
          data={[
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]}
          placeholder={t.notSet}
          clearable={!isRequired}
          allowDeselect={!isRequired}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={[...options]}
          placeholder={t.choose}
          clearable={!isRequired}
          allowDeselect={!isRequired}
        />
      );
    case 'texts':
      return options.length > 0 ? (
        <MultiSelect {...shared} data={[...options]} />
      ) : (
        <TagsInput {...shared} placeholder={t.addText} />
      );
    case 'json':
      return (
        <Textarea
          {...shared}
          label={t.jsonLabel(shared.label)}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      );
    case 'long_text':
      return <Textarea {...shared} autosize minRows={2} maxRows={8} />;
    case 'text':
      return <TextInput {...shared} />;
  }
}
