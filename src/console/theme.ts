/**
 * The console's colours, sizes and component defaults. Text has a contrast ratio of at least 4.5:1 in the light and in
 * the dark scheme.
 */
import { createTheme, DEFAULT_THEME, type CSSVariablesResolver } from '@mantine/core';
import { ButtonElement } from './components/button-element.tsx';
import { texts } from './messages.ts';

const heading = { title: { fontWeight: 650, fontSize: 17 } };
const closeButton = { closeButtonProps: { 'aria-label': texts.common.close } };

export const fontFamily =
  '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  primaryColor: 'indigo',
  colors: {
    dark: [
      '#ccd1db',
      '#b4bac7',
      '#8b93a5',
      '#5f6778',
      '#3f4657',
      '#2f3543',
      '#232834',
      '#1b1e27',
      '#14161d',
      '#0f1117',
    ],
  },
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { component: ButtonElement } },
    Modal: { defaultProps: { centered: true, radius: 'lg', ...closeButton }, styles: heading },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // Gives the button that shows the password a name for screen readers.
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': texts.common.showTyped } },
    },
    // Without `none`, Mantine replaces a number outside its bounds when the field loses the focus, so that validation
    // cannot report the number that the user typed.
    NumberInput: { defaultProps: { clampBehavior: 'none', hideControls: true } },
    Select: { defaultProps: { allowDeselect: false } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Textarea: { defaultProps: { autosize: true } },
    Notification: { defaultProps: closeButton },
    Drawer: { defaultProps: { position: 'right', ...closeButton }, styles: heading },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500, lts: 0 },
      // Without a size, Mantine's text is 11 px, and its sides are wider than the text is high.
      vars: (_: unknown, { size }: { size?: string }) => ({
        root: size === undefined ? { '--badge-fz': '12px', '--badge-padding-x': '7px' } : {},
      }),
    },
    TableTh: { defaultProps: { scope: 'col' } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md', highlightOnHover: true } },
  },
});

/**
 * Text colours on the light tint of each colour, in the light scheme. Even the darkest green, yellow and orange of
 * Mantine are too light for a contrast ratio of 4.5:1.
 */
const darkText = {
  indigo: '#364fc7',
  gray: '#343a40',
  red: '#b02525',
  green: '#1e6f31',
  yellow: '#7a4a00',
  orange: '#973a00',
  violet: '#5f3dc4',
  grape: '#862e9c',
  blue: '#14569b',
} as const;

export const cssVariables: CSSVariablesResolver = () => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#69727b',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--page-background': '#f7f8fb',
    '--panel-background': '#ffffff',
    '--panel-border': '#e3e6ee',
  };
  const dark: Record<string, string> = {
    '--mantine-color-body': '#14161d',
    '--mantine-color-dimmed': '#a6adbd',
    '--mantine-color-placeholder': '#8b93a5',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-default-border': '#363b48',
    '--page-background': '#14161d',
    '--panel-background': '#1b1e27',
    '--panel-border': '#2c313d',
  };
  for (const [color, text] of Object.entries(darkText)) {
    const shades = DEFAULT_THEME.colors[color];
    if (shades === undefined) continue;
    // The lightest grays are hardly visible on white.
    const isGray = color === 'gray';
    light[`--mantine-color-${color}-light`] = shades[isGray ? 2 : 0];
    light[`--mantine-color-${color}-light-hover`] = shades[isGray ? 3 : 1];
    light[`--mantine-color-${color}-light-color`] = text;
    dark[`--mantine-color-${color}-light`] = `color-mix(in srgb, ${shades[5]} 18%, #1b1e27)`;
    dark[`--mantine-color-${color}-light-hover`] = `color-mix(in srgb, ${shades[5]} 26%, #1b1e27)`;
    dark[`--mantine-color-${color}-light-color`] = shades[2];
  }
  return { variables: {}, light, dark };
};
