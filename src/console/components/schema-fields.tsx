/**
 * A form for arguments that a JSON Schema describes: a field for each text, number, boolean, choice, list of texts and
 * nested object, and a JSON field for any other type. The user can also edit all arguments as JSON.
 */
import {
  Fieldset,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { CodeArea } from './code-area.tsx';
import type { UseFormReturnType } from '@mantine/form';
import { useMemo, useState, type ReactNode } from 'react';
import { texts } from '../messages.ts';
import { choicesOf } from './filters.tsx';
import { objectIn } from './json.ts';
import {
  emptyValues,
  fieldsOf,
  inputFrom,
  partialInputFrom,
  valuesFrom,
  type Field,
  type FieldValue,
} from './schema-form.ts';
import { useServerForm } from './use-server-form.ts';
import { Hint, Summary } from './text.tsx';

const t = texts.schemaForm;
/**
 * Maximum number of optional arguments that are shown directly. If there are more, all of them are in a closed section,
 * so that the required arguments stay in view. Chosen.
 */
const maxOpenOptional = 3;

interface Values extends Record<string, unknown> {
  arguments: FieldValue[];
  /** The JSON text that the user edits; null while the fields are shown. */
  json: string | null;
}

type SchemaFormState = UseFormReturnType<Values>;

/**
 * Returns the state of a form for the schema's arguments, and its fields.
 * @param send called with the arguments when the user submits the form and no field has a problem. Arguments that the
 * user edits as JSON need only be a JSON object.
 * @param refetches keys of the queries that are fetched again after `send` succeeds
 */
export function useSchemaForm<A>(
  schema: unknown,
  send: (input: Record<string, unknown>) => Promise<A>,
  refetches: string[][] = [],
) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const trying = useServerForm<Values, A>({
    values: { arguments: emptyValues(schema, fields), json: null },
    checkAll: (values) => {
      if (values.json !== null)
        return objectIn(values.json) === undefined ? { json: t.problems.no_object } : {};
      return problemsOf(schema, fields, values.arguments);
    },
    send: async ({ arguments: values, json }) => {
      const read = json === null ? inputFrom(schema, fields, values) : { input: objectIn(json) };
      if (!('input' in read) || read.input === undefined) throw new Error(texts.common.checkFields([]));
      return await send(read.input);
    },
    meta: { refetches },
  });
  return { ...trying, schema, fields };
}

/** @returns the error message of each field that is not valid, by its path in the form */
function problemsOf(
  schema: unknown,
  fields: readonly Field[],
  values: readonly FieldValue[],
): Record<string, string> {
  const read = inputFrom(schema, fields, values);
  if ('input' in read) return {};
  return Object.fromEntries(
    [...read.problems].map(([place, problem]) => [`arguments.${place}`, t.problems[problem]]),
  );
}

interface SchemaFieldsProps {
  schema: unknown;
  fields: readonly Field[];
  form: SchemaFormState;
}

/**
 * Shows the fields, or all arguments as JSON, and a switch to change between the two. If there are no fields, shows
 * only a hint.
 */
export function SchemaFields({ schema, fields, form }: SchemaFieldsProps) {
  const { json } = form.values;
  const [wasJson, setWasJson] = useState(false);
  const editAsJson = () => {
    const values = form.values.arguments;
    const input = partialInputFrom(schema, fields, values);
    if (input === undefined) form.setErrors(problemsOf(schema, fields, values));
    else form.setFieldValue('json', JSON.stringify(input, null, 2));
  };
  const showFields = (typed: string) => {
    const input = objectIn(typed);
    const values = input && valuesFrom(schema, fields, input);
    if (values === undefined)
      form.setFieldError('json', input === undefined ? t.problems.no_object : t.problems.only_json);
    else {
      setWasJson(true);
      form.setValues({ arguments: values, json: null });
      form.clearErrors();
    }
  };
  if (fields.length === 0) return <Hint>{t.none}</Hint>;
  return (
    <Stack gap="sm">
      {json === null ? (
        <FieldList fields={fields} form={form} path="arguments" isOpen={wasJson} />
      ) : (
        <CodeArea label={t.json} minRows={6} maxRows={20} {...form.getInputProps('json')} />
      )}
      <Switch
        size="xs"
        label={t.asJson}
        checked={json !== null}
        onChange={() => (json === null ? editAsJson() : showFields(json))}
      />
    </Stack>
  );
}

function FieldList(props: {
  fields: readonly Field[];
  form: SchemaFormState;
  path: string;
  /** True if the section of optional arguments is open at first. */
  isOpen: boolean;
}) {
  const { fields, form, path, isOpen } = props;
  const rows = fields.map((field, index) => ({ field, at: `${path}.${String(index)}` }));
  const required = rows.filter(({ field }) => field.isRequired);
  const optional = rows.filter(({ field }) => !field.isRequired);
  const render = ({ field, at }: (typeof rows)[number]): ReactNode =>
    field.kind === 'group' ? (
      <Fieldset key={field.name} legend={labelOf(field)} variant="filled">
        <Stack gap="sm">
          {field.description !== '' && <Hint size="xs">{field.description}</Hint>}
          <FieldList fields={field.fields} form={form} path={`${at}.inner`} isOpen={isOpen} />
        </Stack>
      </Fieldset>
    ) : (
      <OneField key={field.name} field={field} props={form.getInputProps(at)} />
    );
  return (
    <Stack gap="sm">
      {required.map(render)}
      {optional.length <= maxOpenOptional ? (
        optional.map(render)
      ) : (
        <details open={isOpen}>
          <Summary>{t.optional(optional.length)}</Summary>
          <Stack gap="sm" pt="sm">
            {optional.map(render)}
          </Stack>
        </details>
      )}
    </Stack>
  );
}

const labelOf = ({ name, isRequired }: Field): string => (isRequired ? name : t.optionalLabel(name));

function OneField({
  field,
  props,
}: {
  /** A field that is not a group. */
  field: Field;
  props: ReturnType<SchemaFormState['getInputProps']>;
}) {
  const { kind, isRequired, description, options } = field;
  const shared = {
    label: labelOf(field),
    ...(description !== '' && { description }),
    required: isRequired,
    ...props,
  };
  switch (kind) {
    case 'number':
      return <NumberInput {...shared} />;
    case 'boolean':
    case 'choice':
      return (
        <Select
          {...shared}
          data={kind === 'boolean' ? choicesOf({ true: t.yes, false: t.no }) : [...options]}
          placeholder={kind === 'boolean' ? t.notSet : t.choose}
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
    case 'group':
    case 'json':
      return <CodeArea {...shared} label={t.jsonLabel(shared.label)} minRows={3} maxRows={12} />;
    case 'long_text':
      return <Textarea {...shared} minRows={2} maxRows={8} />;
    case 'text':
      return <TextInput {...shared} />;
  }
}
