/** Catches a page's error, so that the navigation stays usable. */
import { Alert, Button, Stack } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { words } from '../messages.ts';

export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Alert color="red" title={words.common.somethingWrong} role="alert">
        <Stack align="start">
          <Button variant="default" onClick={() => window.location.reload()}>
            {words.common.reload}
          </Button>
        </Stack>
      </Alert>
    );
  }
}
