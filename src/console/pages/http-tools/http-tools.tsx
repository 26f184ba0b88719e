/** Lists the organization's HTTP tools, with buttons that add, import, try, edit and delete them. */
import {
  Button,
  Fieldset,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { HttpTool, HttpToolResult } from '../../../contract/http-tools/http-tools.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { IconFileImport, IconPlugConnected, IconPlus } from '../../components/icons.tsx';
import { Heading } from '../../components/page.tsx';
import { useHttpTools } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Hint } from '../../components/text.tsx';
import { ToolUse } from '../../components/tool-activity.tsx';
import { TryTool } from '../../components/try-tool.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { EffectBadge } from './effect-badge.tsx';
import { bodyOf, draftOf, isComplex } from './tool-draft.ts';

const t = texts.httpTools;

const ImportOpenapi = lazily(() => import('./import-openapi.tsx'), 'ImportOpenapi');

export function HttpTools() {
  const can = useCan();
  const tools = useHttpTools();
  const [open, setOpen] = useState<'add' | 'import'>();
  const close = () => setOpen(undefined);
  const columns: readonly Column<HttpTool>[] = [
    {
      label: t.columns.name,
      render: (tool) => (
        <>
          <span className="mono">{tool.name}</span>
          <Hint size="xs">{tool.description}</Hint>
        </>
      ),
    },
    { label: t.columns.request, render: ({ method, url }) => `${method} ${url}` },
    { label: t.columns.effect, render: ({ effect }) => <EffectBadge effect={effect} /> },
    { label: t.columns.use, render: ({ name }) => <ToolUse tool={name} /> },
  ];
  const add = (
    <Group gap="sm">
      <Button variant="default" leftSection={<IconFileImport />} onClick={() => setOpen('import')}>
        {texts.openapiImport.button}
      </Button>
      <Button leftSection={<IconPlus />} onClick={() => setOpen('add')}>
        {t.add}
      </Button>
    </Group>
  );
  const actionsOf = (tool: HttpTool) => (
    <RowActions
      name={tool.name}
      actions={[
        {
          label: t.try,
          dialog: (close) => (
            <TryTool
              {...tool}
              send={(input) =>
                call<HttpToolResult>('POST', `/tools/http/${tool.id}/run`, { body: { input } })
              }
              close={close}
            />
          ),
        },
        { label: t.edit, dialog: (close) => <EditTool tool={tool} close={close} /> },
        deletion({ ...t.delete(tool.name), path: `/tools/http/${tool.id}`, query: 'http-tools' }),
      ]}
    />
  );
  const mayManage = can('tools.manage');
  return (
    <Loaded query={tools}>
      {(rows) => (
        <Stack>
          <Group justify="space-between">
            <Heading>{t.title}</Heading>
            {mayManage && rows.length > 0 && add}
          </Group>
          <Hint>{t.lead}</Hint>
          <DataTable
            label={t.table}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            actions={mayManage ? actionsOf : undefined}
            empty={
              <Empty icon={IconPlugConnected} title={t.emptyTitle} text={t.emptyText}>
                {mayManage && add}
              </Empty>
            }
          />
          {open === 'add' && <EditTool close={close} />}
          {open === 'import' && <ImportOpenapi tools={rows} close={close} />}
        </Stack>
      )}
    </Loaded>
  );
}

function EditTool({ tool, close }: { tool?: HttpTool; close: () => void }) {
  const saving = useServerForm({
    values: draftOf(tool),
    check: { name: required, description: required, url: required },
    send: (draft) => {
      const body = bodyOf(draft, tool);
      return tool === undefined
        ? call('POST', '/tools/http', { body })
        : call('PATCH', `/tools/http/${tool.id}`, { body });
    },
    meta: { done: t.saved, refetches: [['http-tools']] },
    sent: close,
  });
  const { form } = saving;
  const field = fieldsWith(t, form.getInputProps);
  const complex = tool !== undefined && isComplex(tool);
  return (
    <FormDialog
      title={tool === undefined ? t.add : t.editTitle(tool.name)}
      action={t.save}
      of={saving}
      close={close}
    >
      {tool === undefined && <TextInput required {...field('name')} />}
      <Textarea required {...field('description')} />
      <Select data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']} {...field('method')} />
      <TextInput required {...field('url')} />
      {complex ? (
        <Hint>{t.complex}</Hint>
      ) : (
        <>
          <Fieldset legend={t.arguments}>
            <Stack>
              {form.values.arguments.map((_, index) => (
                <Group key={index} align="end">
                  <TextInput
                    label={t.argument(index + 1)}
                    {...form.getInputProps(`arguments.${String(index)}.name`)}
                  />
                  <Select
                    label={t.argumentType(index + 1)}
                    data={choicesOf(t.argumentTypes)}
                    {...form.getInputProps(`arguments.${String(index)}.type`)}
                  />
                  <TextInput
                    label={t.argumentDescription(index + 1)}
                    placeholder={t.argumentPlaceholder}
                    {...form.getInputProps(`arguments.${String(index)}.description`)}
                  />
                  <Button variant="default" onClick={() => form.removeListItem('arguments', index)}>
                    {t.remove(t.argument(index + 1))}
                  </Button>
                </Group>
              ))}
              <Button
                variant="default"
                size="xs"
                onClick={() =>
                  form.insertListItem('arguments', { name: '', type: 'string', description: '' })
                }
              >
                {t.addArgument}
              </Button>
            </Stack>
          </Fieldset>
          <TextInput {...field('header')} />
          <PasswordInput
            label={t.headerValue}
            description={tool === undefined || tool.headers.length === 0 ? undefined : t.valueKept}
            autoComplete="off"
            {...form.getInputProps('header_value')}
          />
        </>
      )}
      <Select data={choicesOf(t.effects)} {...field('effect')} />
      <NumberInput min={1} max={60} {...field('timeout', 'timeout_seconds')} />
      <TagsInput {...field('fields', 'answer_fields')} />
    </FormDialog>
  );
}
