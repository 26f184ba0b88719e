/** A bar below a long form that stays in view: shows whether there are unsaved changes, and the buttons for them. */
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../messages.ts';
import { ConfirmButton } from './dialogs.tsx';
import { Problem } from './states.tsx';

const w = words.unsaved;

export function SaveBar(props: {
  /** The button's text, for example "Save changes". */
  action: string;
  hasChanges: boolean;
  isSaving: boolean;
  /** Why saving failed; shown here because the bar is always in view. */
  error: Error | null;
  discard: () => void;
  /** Shown instead of the usual text. */
  notice?: ReactNode;
}) {
  const { action, hasChanges, isSaving, error, discard, notice } = props;
  return (
    <Group className="panel save-bar" justify="space-between" gap="sm" data-changed={hasChanges || undefined}>
      {error !== null && (
        <div className="save-bar-problem">
          <Problem of={{ error }} />
        </div>
      )}
      <Text size="sm" role="status" component="div">
        {notice ?? (hasChanges ? w.some : w.none)}
      </Text>
      <Group gap="sm" ml="auto">
        {hasChanges && (
          <ConfirmButton
            variant="default"
            color="dark"
            {...w.discard}
            run={() => {
              discard();
              return Promise.resolve();
            }}
          />
        )}
        {/* Not disabled, so that a keyboard user who has just saved keeps the focus. */}
        <Button
          type="submit"
          loading={isSaving}
          {...(!hasChanges && { 'data-disabled': true })}
          aria-disabled={!hasChanges}
          onClick={(event) => {
            if (!hasChanges) event.preventDefault();
          }}
        >
          {action}
        </Button>
      </Group>
    </Group>
  );
}
