/**
 * A dialog that is open while it is rendered. When it closes, the focus returns to where it was, for keyboard users.
 */
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
  return <Modal opened {...props} />;
}
