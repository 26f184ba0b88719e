/** The actions of a row or a panel: buttons for the first ones, and a menu for the others. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { call } from '../client.ts';
import { texts } from '../messages.ts';
import { ConfirmDialog, destructive, type Confirmed } from './dialogs.tsx';
import { IconDots } from './icons.tsx';

export interface RowAction {
  /** The text of the button or of the menu's item. No other action of the row has it. */
  label: string;
  /** Renders the dialog that the action opens; `close` closes it. */
  dialog: (close: () => void) => ReactNode;
  isDestructive?: boolean;
  /** Says what the action does while the pointer is on its button. */
  hint?: string;
}

const quiet = { variant: 'subtle', color: 'gray', px: 8 } as const;

/** An action that asks for confirmation before it runs. */
export const confirmed = (question: Confirmed): RowAction => ({
  label: question.label,
  dialog: (close) => <ConfirmDialog {...question} close={close} />,
});

/**
 * An action that deletes an object after confirmation.
 * @param question.path the object's path in the console's API
 */
export const deletion = ({ path, ...question }: Omit<Confirmed, 'run'> & { path: string }): RowAction => ({
  ...confirmed({ ...question, run: () => call('DELETE', path) }),
  isDestructive: true,
});

/**
 * Shows the first actions as buttons, and all others in a menu.
 * @param props.name names the row or panel for screen readers
 * @param props.actions the actions in their order; false for one that the user may not use
 * @param props.buttons number of actions that are shown as buttons; by default 1
 * @param props.areQuiet true if the buttons have no borders and no colours, because every row has them
 */
export function RowActions(props: {
  name: string;
  actions: readonly (RowAction | false)[];
  buttons?: number;
  areQuiet?: boolean;
}) {
  const { name, buttons = 1, areQuiet = false } = props;
  const actions = props.actions.filter((action) => action !== false);
  const others = actions.slice(buttons);
  const [open, setOpen] = useState<string>();
  const more = useRef<HTMLButtonElement>(null);
  return (
    <>
      {actions.slice(0, buttons).map(({ label, hint, isDestructive }) => (
        <Button
          key={label}
          size="xs"
          title={hint}
          {...(areQuiet ? quiet : isDestructive === true ? destructive : { variant: 'default' })}
          onClick={() => setOpen(label)}
        >
          {label}
        </Button>
      ))}
      {others.length > 0 && (
        // Without a portal, because a portal would put the menu outside every landmark, where screen readers can miss
        // it. `fixed`, because a table that scrolls sideways would cut the menu off.
        <Menu
          position="bottom-end"
          shadow="md"
          withinPortal={false}
          floatingStrategy="fixed"
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <ActionIcon
              ref={more}
              variant="subtle"
              color="gray"
              size={30}
              aria-label={texts.common.moreActions(name)}
            >
              <IconDots />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ label, isDestructive }) => (
              <Menu.Item
                key={label}
                {...(isDestructive === true && { c: 'var(--mantine-color-error)' })}
                onClick={() => {
                  // When the dialog closes, it returns the focus to the element that had it. The item no longer exists then.
                  more.current?.focus();
                  setOpen(label);
                }}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {actions
        .find(({ label }) => label === open)
        // An action that ends after another dialog was opened does not close that one.
        ?.dialog(() => setOpen((now) => (now === open ? undefined : now)))}
    </>
  );
}
