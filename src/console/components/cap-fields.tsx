/** Form fields for the credit caps of an organization, an agent or a token. */
import { NumberInput, SimpleGrid } from '@mantine/core';
import type { ComponentProps } from 'react';
import { texts } from '../messages.ts';
import type { CapName } from './cap-values.ts';

/** Order of a field's parts: what it stops is below it, so that the fields beside each other are in line. */
export const fieldFirst: NonNullable<ComponentProps<typeof NumberInput>['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

/**
 * @param stops what each cap stops, shown below its field
 * @param inputProps returns the form's input props for a path, here `credit_caps.` and the name of the cap
 */
export function CapFields({
  names,
  stops,
  inputProps,
}: {
  names: readonly CapName[];
  stops?: Readonly<Record<CapName, string>>;
  inputProps: (path: string) => ComponentProps<typeof NumberInput>;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {names.map((name) => (
        <NumberInput
          key={name}
          label={texts.data.caps[name]}
          description={stops?.[name]}
          inputWrapperOrder={fieldFirst}
          placeholder={texts.data.noCap}
          min={0}
          {...inputProps(`credit_caps.${name}`)}
        />
      ))}
    </SimpleGrid>
  );
}
