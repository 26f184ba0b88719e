/** A field that selects one of several connected workspaces. */
import { Select } from '@mantine/core';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { texts } from '../../messages.ts';

/** Renders nothing if there are fewer than two workspaces. */
export function WorkspaceSelect(props: {
  workspaces: readonly ToolConnection[];
  value: string;
  onChange: (id: string) => void;
}) {
  const { workspaces, value, onChange } = props;
  if (workspaces.length < 2) return null;
  return (
    <Select
      label={texts.tools.inWorkspace}
      data={workspaces.map(({ id, workspace_name }) => ({
        value: id,
        label: workspace_name ?? texts.tools.unnamed,
      }))}
      value={value}
      onChange={(id) => {
        if (id !== null) onChange(id);
      }}
      maw={360}
    />
  );
}
