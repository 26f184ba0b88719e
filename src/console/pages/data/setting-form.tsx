/** The forms of the page of usage and data, and their headings. */
import { Stack, Title } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { Submit } from '../../components/states.tsx';

export function Subheading({ order = 3, children }: { order?: 2 | 3; children: ReactNode }) {
  return (
    <Title order={order} size="h5">
      {children}
    </Title>
  );
}

/** A form with a save button. Shows the error of the last attempt above the button, unless a field shows an error. */
export function SettingForm(props: {
  of: {
    form: { errors: object };
    trying: { error: Error | null; isPending: boolean };
    submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  };
  save: string;
  /** The button's name for screen readers; by default, the button's text `save`. */
  label?: string;
  /** False as long as there is nothing to save. */
  isChanged: boolean;
  children: ReactNode;
}) {
  const { of, save, label = save, isChanged, children } = props;
  const isBeside = Object.keys(of.form.errors).length > 0;
  return (
    <form noValidate onSubmit={of.submit}>
      <Stack>
        {children}
        <Submit
          of={isBeside ? { ...of.trying, error: null } : of.trying}
          label={save}
          aria-label={label}
          isIdle={!isChanged}
        />
      </Stack>
    </form>
  );
}
