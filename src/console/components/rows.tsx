/** A panel of rows: each has a name, an explanation, and at its end what is set or done there. */
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { texts } from '../messages.ts';
import type { Icon } from './icons.tsx';
import { idle, Problem } from './states.tsx';

/** An icon in a tinted square. @param props.isSmall true for a square that fits into a row of a table */
export function IconTile({ icon: Shown, isSmall = false }: { icon: Icon; isSmall?: boolean }) {
  return (
    <span className="icon-tile" data-small={isSmall || undefined}>
      <Shown size={isSmall ? 16 : 20} />
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
 * @param props.as `li` in a list; `article` for an object with content of its own; by default `div`
 * @param props.field id of the row's field, which the name then labels
 * @param props.label names the row for screen readers; a `div` then becomes a region
 * @param props.children shown at the end of the row
 */
export function Row(props: {
  as?: 'div' | 'li' | 'article';
  field?: string;
  label?: string;
  icon?: Icon;
  name: ReactNode;
  help?: ReactNode;
  children?: ReactNode;
}) {
  const { as: Part = 'div', field, label, icon, name, help, children } = props;
  return (
    <Part
      className="row"
      {...(label !== undefined && { 'aria-label': label, ...(Part === 'div' && { role: 'region' }) })}
    >
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
      {children !== undefined && children !== false && <div className="row-end">{children}</div>}
    </Part>
  );
}

/**
 * A row that is a form of its own, with a field and a button that saves it. Shows the error of the last attempt below
 * the explanation, unless the field shows one.
 * @param props.field id of the field
 * @param props.save the button's name for screen readers
 * @param props.isChanged false as long as there is nothing to save
 * @param props.children the field
 */
export function SavedRow(props: {
  of: {
    form: { errors: object };
    trying: { error: Error | null; isPending: boolean };
    submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  };
  field: string;
  name: ReactNode;
  help?: ReactNode;
  save: string;
  isChanged: boolean;
  children: ReactNode;
}) {
  const { of, field, name, help, save, isChanged, children } = props;
  const { form, trying, submit } = of;
  return (
    <form noValidate onSubmit={submit}>
      <Row
        field={field}
        name={name}
        help={
          <>
            {help}
            {Object.keys(form.errors).length === 0 && <Problem of={trying} />}
          </>
        }
      >
        <Group gap="xs" align="flex-start" wrap="nowrap">
          {children}
          <Button
            type="submit"
            variant="default"
            aria-label={save}
            loading={trying.isPending}
            {...(!isChanged && idle)}
          >
            {texts.common.save}
          </Button>
        </Group>
      </Row>
    </form>
  );
}
