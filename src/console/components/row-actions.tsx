/** The actions of a row or a panel: small buttons for the first ones, and a menu for the others. */
import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { call } from '../client.ts';
import { texts } from '../messages.ts';
import { ConfirmDialog, type Confirmed } from './dialogs.tsx';
import { IconDots, type Icon } from './icons.tsx';

export type RowAction = {
  /** The text of the button or of the menu's item. No other action of the row has it. */
  label: string;
  /** The button's name for screen readers, if several rows have the same text. It begins with that text. */
  name?: string;
  isDestructive?: boolean;
  /** True if the row needs this action before anything else works. Its button is filled. */
  isUrgent?: boolean;
  /** True for a button without a border, beside a more important one. */
  isQuiet?: boolean;
  /** Says what the action does while the pointer is on its button. */
  hint?: string;
  /** Shown on the button instead of the label, which then shows while the pointer is on it. */
  icon?: Icon;
} & (
  | {
      /** Renders the dialog that the action opens; `close` closes it. */
      dialog: (close: () => void) => ReactNode;
    }
  | {
      /** Path of the page that the action opens. */
      to: string;
    }
  | { run: () => void }
);

const quiet = { variant: 'subtle', color: 'gray', size: 30 } as const;

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
 * Shows the first actions as buttons, and all others in a menu. Destructive actions belong into the menu, except those
 * that users look for by name: "Disconnect" is a button, and "Revoke token" a quiet button with an icon.
 * @param props.name names the row or panel for screen readers
 * @param props.actions the actions in their order; false for one that the user may not use
 * @param props.buttons number of actions that are shown as buttons; by default 1
 */
export function RowActions(props: {
  name: string;
  actions: readonly (RowAction | false)[];
  buttons?: number;
}) {
  const { name, buttons = 1 } = props;
  const actions = props.actions.filter((action) => action !== false);
  const others = actions.slice(buttons);
  const [open, setOpen] = useState<string>();
  const more = useRef<HTMLButtonElement>(null);
  const begin = (action: RowAction) => ('run' in action ? action.run() : setOpen(action.label));
  const opened = actions.find(({ label }) => label === open);
  return (
    <>
      {actions.slice(0, buttons).map((action) => {
        const { label, name: fullName, hint, icon: Shown, isUrgent = false, isQuiet = false } = action;
        const does = 'to' in action ? { component: Link, href: action.to } : { onClick: () => begin(action) };
        return Shown === undefined ? (
          <Button
            key={label}
            size="xs"
            title={hint}
            aria-label={fullName}
            variant={isUrgent ? 'filled' : isQuiet ? 'subtle' : 'default'}
            {...(isQuiet && { color: 'gray' })}
            {...does}
          >
            {label}
          </Button>
        ) : (
          <ActionIcon
            key={label}
            {...quiet}
            className="row-icon"
            title={hint === undefined ? label : `${label}. ${hint}`}
            aria-label={fullName}
            {...does}
          >
            <Shown />
            <VisuallyHidden>{label}</VisuallyHidden>
          </ActionIcon>
        );
      })}
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
            <ActionIcon {...quiet} ref={more} aria-label={texts.common.moreActions(name)}>
              <IconDots />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((action) => (
              <Menu.Item
                key={action.label}
                {...(action.isDestructive === true && { c: 'var(--mantine-color-error)' })}
                {...('to' in action
                  ? { component: Link, href: action.to }
                  : {
                      onClick: () => {
                        // When the dialog closes, it returns the focus to the element that had it. The item no longer
                        // exists then.
                        more.current?.focus();
                        begin(action);
                      },
                    })}
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {opened !== undefined &&
        'dialog' in opened &&
        // An action that ends after another dialog was opened does not close that one.
        opened.dialog(() => setOpen((now) => (now === opened.label ? undefined : now)))}
    </>
  );
}
