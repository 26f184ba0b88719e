/** A panel of rows: each has a name, an explanation, and at its end what is set or done there. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';

/** An icon in a tinted square. */
export function IconTile({ icon: Shown }: { icon: Icon }) {
  return (
    <span className="icon-tile">
      <Shown size={20} />
    </span>
  );
}

/** @param props.label makes the panel a list with this name for screen readers; its children are `Row`s */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  const Panel = label === undefined ? 'div' : 'ul';
  return (
    <Panel className="panel rows" aria-label={label}>
      {children}
    </Panel>
  );
}

/**
 * A row of `Rows`. On narrow screens, its children are below its name.
 * @param props.as `li` in a list; by default `div`
 * @param props.field id of the row's field, which the name then labels
 * @param props.label makes the row a region with this name for screen readers
 * @param props.children shown at the end of the row
 */
export function Row(props: {
  as?: 'div' | 'li';
  field?: string;
  label?: string;
  icon?: Icon;
  name: ReactNode;
  help?: ReactNode;
  children?: ReactNode;
}) {
  const { as: Part = 'div', field, label, icon, name, help, children } = props;
  return (
    <Part className="row" {...(label !== undefined && { role: 'region', 'aria-label': label })}>
      {icon !== undefined && <IconTile icon={icon} />}
      <div className="row-text">
        <Text component="div" size="sm" fw={500}>
          {field === undefined ? name : <label htmlFor={field}>{name}</label>}
        </Text>
        {help !== undefined && (
          <Text component="div" size="sm" c="dimmed">
            {help}
          </Text>
        )}
      </div>
      {children !== undefined && <div className="row-end">{children}</div>}
    </Part>
  );
}
