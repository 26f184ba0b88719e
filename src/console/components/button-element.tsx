import type { ComponentProps, MouseEvent } from 'react';

/**
 * The element of every button. While its action runs, Mantine would disable it, and the browser would take the focus from
 * it: a user of the keyboard would lose the place, in a dialog even the dialog. This element only ignores what is
 * pressed meanwhile; a form is not submitted by it.
 */
export function ButtonElement(props: ComponentProps<'button'> & { 'data-loading'?: boolean }) {
  const { disabled, onClick, type = 'button', ...others } = props;
  const isBusy = props['data-loading'] === true;
  const ignore = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      {...others}
      type={type}
      disabled={disabled === true && !isBusy}
      aria-disabled={isBusy || props['aria-disabled']}
      onClick={isBusy ? ignore : onClick}
    />
  );
}
