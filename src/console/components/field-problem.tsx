import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Shows an error of a field that has no input to show it. Renders nothing if there is no error.
 * @param props.of the field's name. If set, this text gets the focus when the form is refused.
 */
export function FieldProblem({ of, children }: { of?: string; children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <Text
      size="sm"
      c="var(--mantine-color-error)"
      className="plain-text"
      {...(of !== undefined && { tabIndex: -1, 'data-problem-of': of })}
    >
      {children}
    </Text>
  );
}
