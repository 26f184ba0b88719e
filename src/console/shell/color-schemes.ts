import { IconDeviceDesktop, IconMoon, IconSun } from '../components/icons.tsx';
import { texts } from '../messages.ts';

const t = texts.nav;

/** The appearances that a user can choose, in their order. */
export const colorSchemes = [
  { value: 'light', label: t.light, icon: IconSun },
  { value: 'dark', label: t.dark, icon: IconMoon },
  { value: 'auto', label: t.auto, icon: IconDeviceDesktop },
] as const;
