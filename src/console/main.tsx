import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './client.ts';
import { Console } from './shell/console.tsx';
import { cssVariables, theme } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // A call that the server refused would be refused again.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500),
    },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables}>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <Console />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
