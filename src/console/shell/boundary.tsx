import { Alert, Button, Stack } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { texts } from '../messages.ts';

/**
 * Shows an error instead of a page that throws while it renders or whose code cannot be fetched. Inside the frame, the
 * navigation stays usable.
 */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  /** React calls it when a component below throws while it renders. */
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  /** Renders the children, or the error with a button that reloads the page. */
  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Alert color="red" title={texts.common.somethingWrong} role="alert">
        <Stack align="start">
          <Button variant="default" onClick={() => window.location.reload()}>
            {texts.common.reload}
          </Button>
        </Stack>
      </Alert>
    );
  }
}
