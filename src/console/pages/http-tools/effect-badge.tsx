import { Badge } from '@mantine/core';
import type { HttpEffect } from '../../../contract/http-tools/http-tools.ts';
import { texts } from '../../messages.ts';

const colors = { read: 'gray', write: 'indigo', destructive: 'red' } as const;

export function EffectBadge({ effect }: { effect: HttpEffect }) {
  return <Badge color={colors[effect]}>{texts.httpTools.effects[effect]}</Badge>;
}
