/** The dialog that adds or changes an HTTP tool. */
import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { CodeArea } from '../../components/code-area.tsx';
import type { UseFormReturnType } from '@mantine/form';
import type { HttpTool } from '../../../contract/http-tools/http-tools.ts';
import { maxAnswerChars } from '../../../contract/http-tools/limits.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { FieldProblem } from '../../components/field-problem.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { objectIn } from '../../components/json.ts';
import { Hint } from '../../components/text.tsx';
import { problemsOf, required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { addRow, focusFieldset, HeaderRows, headerProblems } from './header-rows.tsx';
import {
  argumentsIn,
  bodyOf,
  draftOf,
  isStored,
  parametersOf,
  placeOf,
  type Argument,
  type ToolDraft,
} from './tool-draft.ts';

const t = texts.httpTools;

type Form = UseFormReturnType<ToolDraft>;

/** @param props.saved called with the stored tool, after the dialog was closed */
export function EditTool(props: { tool?: HttpTool; close: () => void; saved?: (tool: HttpTool) => void }) {
  const { tool, close, saved } = props;
  const hasValue = (name: string) => isStored(tool, name);
  const saving = useServerForm({
    values: draftOf(tool),
    checkAll: (draft) => ({
      ...problemsOf(draft, { name: required, description: required, url: required }),
      ...argumentProblems(draft),
      ...headerProblems(draft.headers, hasValue),
    }),
    send: (draft) => {
      const body = bodyOf(draft, tool);
      return tool === undefined
        ? call<HttpTool>('POST', '/tools/http', { body })
        : call<HttpTool>('PATCH', `/tools/http/${tool.id}`, { body });
    },
    meta: { done: t.saved, refetches: [['http-tools']] },
    sent: (stored) => {
      close();
      saved?.(stored);
    },
  });
  const { form } = saving;
  const field = fieldsWith(t, form.getInputProps);
  return (
    <FormDialog
      title={tool === undefined ? t.add : t.editTitle(tool.name)}
      action={t.save}
      of={saving}
      close={close}
      size="lg"
    >
      {tool?.headers_lost === true && <Alert color="red">{t.headersLost}</Alert>}
      {tool === undefined && <TextInput required maxLength={64} {...field('name')} />}
      <Textarea required maxLength={2000} {...field('description')} />
      <Select data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']} allowDeselect={false} {...field('method')} />
      <TextInput required maxLength={2000} {...field('url')} />
      <Arguments form={form} />
      <HeaderRows legend={t.headers} form={form} isStored={hasValue} />
      <Select data={choicesOf(t.effects)} allowDeselect={false} {...field('effect')} />
      <NumberInput min={1} max={60} {...field('timeout', 'timeout_seconds')} />
      <TagsInput {...field('fields', 'answer_fields')} />
      <NumberInput min={100} max={maxAnswerChars} {...field('maxChars', 'answer_max_chars')} />
    </FormDialog>
  );
}

/** Checks the arguments. @returns the error message by field; empty if all of them are valid */
function argumentProblems({ arguments: rows, parameters }: ToolDraft): Record<string, string> {
  if (parameters !== null) return objectIn(parameters) === undefined ? { parameters: t.noSchema } : {};
  const names = rows.map(({ name }) => name.trim());
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const problem = required(name) ?? (names.indexOf(name) === index ? null : t.argumentTwice);
      return problem === null ? [] : [[`arguments.${String(index)}.name`, problem]];
    }),
  );
}

/** Shows the arguments in rows or as JSON Schema, and a switch to change between the two. */
function Arguments({ form }: { form: Form }) {
  const { arguments: rows, parameters } = form.values;
  const editInRows = (typed: string) => {
    const schema = objectIn(typed);
    const found = schema && argumentsIn(schema);
    if (found === undefined)
      form.setFieldError('parameters', schema === undefined ? t.noSchema : t.onlySchema);
    else {
      form.setValues({ arguments: found, parameters: null });
      form.clearFieldError('parameters');
    }
  };
  return (
    <Fieldset legend={t.arguments} tabIndex={-1}>
      <Stack gap="sm">
        {parameters === null ? (
          <>
            {rows.map((row, index) => (
              <ArgumentRow key={index} {...{ form, row, index }} />
            ))}
            <FieldProblem of={t.arguments}>{form.errors['parameters']}</FieldProblem>
            <Group>
              <Button
                variant="default"
                size="xs"
                onClick={addRow(() =>
                  form.insertListItem('arguments', {
                    name: '',
                    type: 'string',
                    isRequired: true,
                    description: '',
                  }),
                )}
              >
                {t.addArgument}
              </Button>
            </Group>
          </>
        ) : (
          <CodeArea
            label={t.schema}
            description={t.schemaHelp}
            minRows={6}
            maxRows={20}
            {...form.getInputProps('parameters')}
          />
        )}
        <Switch
          size="xs"
          label={t.asSchema}
          checked={parameters !== null}
          onChange={() => {
            if (parameters === null)
              form.setFieldValue('parameters', JSON.stringify(parametersOf(form.values), null, 2));
            else editInRows(parameters);
          }}
        />
      </Stack>
    </Fieldset>
  );
}

function ArgumentRow({ form, row, index }: { form: Form; row: Argument; index: number }) {
  const at = (name: keyof Argument) => `arguments.${String(index)}.${name}`;
  const place = placeOf(row.name.trim(), form.values);
  const isInPath = row.name.trim() !== '' && place === 'path';
  return (
    <Stack className="panel" p="sm" gap="xs">
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t.argument(index + 1)}
          flex="2 1 140px"
          classNames={{ input: 'mono' }}
          data-row-name
          {...form.getInputProps(at('name'))}
        />
        <Select
          label={t.argumentType(index + 1)}
          data={choicesOf(t.argumentTypes)}
          allowDeselect={false}
          flex="1 1 130px"
          {...form.getInputProps(at('type'))}
        />
      </Group>
      <TextInput
        label={t.argumentDescription(index + 1)}
        placeholder={t.argumentPlaceholder}
        {...form.getInputProps(at('description'))}
      />
      <Group justify="space-between" gap="sm">
        <Group gap="md">
          <Checkbox
            label={t.required}
            aria-label={t.requiredOf(index + 1)}
            {...form.getInputProps(at('isRequired'), { type: 'checkbox' })}
            {...(isInPath && { checked: true, disabled: true })}
          />
          {row.name.trim() !== '' && <Hint size="xs">{t.places[place]}</Hint>}
        </Group>
        <Button
          variant="default"
          size="xs"
          aria-label={t.remove(t.argument(index + 1))}
          onClick={(event) => {
            focusFieldset(event);
            form.removeListItem('arguments', index);
          }}
        >
          {texts.openapiImport.remove}
        </Button>
      </Group>
    </Stack>
  );
}
