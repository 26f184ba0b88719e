/** Form fields for the credit caps of an agent or a token. */
import { NumberInput, SimpleGrid } from '@mantine/core';
import type { ComponentProps } from 'react';
import { texts } from '../messages.ts';
import type { CapName } from './cap-values.ts';

/** @param inputProps returns the form's input props for a path, here `credit_caps.` and the name of the cap */
export function CapFields({
  names,
  inputProps,
}: {
  names: readonly CapName[];
  inputProps: (path: string) => ComponentProps<typeof NumberInput>;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {names.map((name) => (
        <NumberInput
          key={name}
          label={texts.data.caps[name]}
          placeholder={texts.data.noCap}
          min={0}
          {...inputProps(`credit_caps.${name}`)}
        />
      ))}
    </SimpleGrid>
  );
}
