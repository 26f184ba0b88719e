/** A field for a time span: a number and its unit. Its value is in seconds. */
import { Group, Input, NumberInput, Select } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { keysOf } from '../../../contract/keys-of.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.agent;
const seconds = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type Unit = keyof typeof seconds;
const units = keysOf(seconds);

/** Returns the largest unit in which `span`, given in seconds, is a whole number; seconds if there is none. */
const unitOf = (span: number): Unit => units.findLast((unit) => span % seconds[unit] === 0) ?? 'seconds';

/**
 * @param props.value seconds; a text if the user typed no number
 * @param props.smallest the smallest unit that can be chosen; by default, seconds
 * @param props.after shown behind the unit
 */
export function DelayField(props: {
  value?: number | string;
  onChange: (value: number | string) => void;
  label: string;
  description?: string;
  smallest?: Unit;
  after?: string;
  unitLabel: string;
  error?: ReactNode;
  'data-path'?: string;
  max: number;
}) {
  const { value, onChange, label, description, unitLabel, error, 'data-path': path, max, after } = props;
  const offered = units.slice(units.indexOf(props.smallest ?? 'seconds'));
  const span = typeof value === 'number' ? value : undefined;
  const [chosen, choose] = useState<Unit>(() => unitOf(span ?? seconds.hours));
  // A new value, for example after the user has discarded changes, may not be a whole number of the chosen unit.
  const unit = span === undefined || span % seconds[chosen] === 0 ? chosen : unitOf(span);
  const id = useId();
  return (
    <Input.Wrapper label={label} description={description} error={error} labelProps={{ htmlFor: id }}>
      <Group gap="xs" mt={description === undefined ? 0 : 5}>
        <NumberInput
          id={id}
          min={1}
          max={Math.floor(max / seconds[unit])}
          allowDecimal={false}
          w={120}
          value={span === undefined ? (value ?? '') : span / seconds[unit]}
          onChange={(typed) => onChange(typeof typed === 'string' ? typed : typed * seconds[unit])}
          error={error !== undefined && error !== null}
          {...(path !== undefined && { 'data-path': path })}
        />
        <Select
          aria-label={unitLabel}
          data={offered.map((one) => ({ value: one, label: t.units[one] }))}
          value={unit}
          onChange={(next) => {
            const wanted = units.find((one) => one === next);
            if (wanted === undefined) return;
            choose(wanted);
            if (span !== undefined) onChange((span / seconds[unit]) * seconds[wanted]);
          }}
          w={120}
        />
        {after !== undefined && <Hint>{after}</Hint>}
      </Group>
    </Input.Wrapper>
  );
}
