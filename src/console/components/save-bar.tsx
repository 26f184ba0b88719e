/**
 * A bar that stays in view below a long form. Shows whether there are unsaved changes, and saves or discards them.
 */
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../messages.ts';
import { ConfirmButton } from './dialogs.tsx';
import { idle, Problem } from './states.tsx';

const t = texts.unsaved;

export function SaveBar(props: {
  /** Text of the button that saves, for example "Save changes". */
  action: string;
  hasChanges: boolean;
  isSaving: boolean;
  /** The error of the last attempt to save, or null. Shown here, because the bar is always in view. */
  error: Error | null;
  discard: () => void;
  /** Shown instead of the text about unsaved changes. */
  notice?: ReactNode;
  /** Further buttons, before the one that saves. */
  more?: ReactNode;
  /** The main button, at the end. The one that saves is then secondary. */
  main?: ReactNode;
}) {
  const { action, hasChanges, isSaving, error, discard, notice, more, main } = props;
  return (
    <Group className="panel save-bar" justify="space-between" gap="sm" data-changed={hasChanges || undefined}>
      {error !== null && (
        <div className="save-bar-problem">
          <Problem of={{ error }} />
        </div>
      )}
      <Text size="sm" role="status" component="div">
        {notice ?? (hasChanges ? t.some : t.none)}
      </Text>
      <Group gap="sm" ml="auto">
        {hasChanges && (
          <ConfirmButton
            variant="default"
            color="dark"
            {...t.discard}
            run={() => {
              discard();
              return Promise.resolve();
            }}
          />
        )}
        {more}
        <Button
          type="submit"
          variant={main === undefined ? 'filled' : 'default'}
          loading={isSaving}
          {...(!hasChanges && idle)}
        >
          {action}
        </Button>
        {main}
      </Group>
    </Group>
  );
}
