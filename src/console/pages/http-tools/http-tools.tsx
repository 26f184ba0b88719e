/** Lists the organization's HTTP tools, with buttons that add, import, try, edit and delete them. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { HttpTool, HttpToolResult } from '../../../contract/http-tools/http-tools.ts';
import { call } from '../../client.ts';
import { IconFileImport, IconPlugConnected, IconPlus } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useHttpTools } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Breakable, Hint } from '../../components/text.tsx';
import { useFilter } from '../../components/filters.tsx';
import { FoundTool } from '../../components/found-tool.tsx';
import { ToolUseLines } from '../../components/tool-activity.tsx';
import { TryTool } from '../../components/try-tool.tsx';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { EditTool } from './edit-tool.tsx';
import { EffectAndApproval, tryLabel } from './effect-badge.tsx';

const t = texts.httpTools;

const ImportOpenapi = lazily(() => import('./import-openapi.tsx'), 'ImportOpenapi');

export function HttpTools() {
  const can = useCan();
  const tools = useHttpTools();
  const [open, setOpen] = useFilter('open');
  // The tool that was just added. A dialog then offers a first try.
  const [added, setAdded] = useState<HttpTool>();
  const close = () => setOpen(undefined);
  const columns: readonly Column<HttpTool>[] = [
    {
      label: t.columns.name,
      hasTextBelow: true,
      render: (tool) => (
        <>
          <FoundTool name={tool.name} />
          <Hint fw={400}>{tool.description}</Hint>
        </>
      ),
    },
    {
      label: t.columns.request,
      isBelowName: true,
      render: ({ method, url }) => (
        <span className="mono">
          {method} <Breakable text={url} />
        </span>
      ),
    },
    {
      label: t.columns.effect,
      isStatus: true,
      render: ({ name, effect }) => <EffectAndApproval tool={name} effect={effect} />,
    },
    { label: t.columns.use, before: '', render: ({ name }) => <ToolUseLines tool={name} /> },
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
          label: tryLabel(tool.effect),
          dialog: (close) => <TryHttpTool tool={tool} close={close} />,
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
        <Section title={t.title} lead={t.lead} actions={mayManage && rows.length > 0 && add}>
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
          {mayManage && open === 'add' && <EditTool close={close} saved={setAdded} />}
          {added !== undefined && <TryHttpTool tool={added} close={() => setAdded(undefined)} />}
          {mayManage && open === 'import' && <ImportOpenapi tools={rows} close={close} />}
        </Section>
      )}
    </Loaded>
  );
}

function TryHttpTool({ tool, close }: { tool: HttpTool; close: () => void }) {
  return (
    <TryTool
      tools={[tool]}
      send={(input) => call<HttpToolResult>('POST', `/tools/http/${tool.id}/run`, { body: { input } })}
      close={close}
    />
  );
}
