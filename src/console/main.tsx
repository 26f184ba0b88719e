import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { notifications, Notifications } from '@mantine/notifications';
import { MutationCache, QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './client.ts';
import { Console } from './shell/console.tsx';
import { cssVariables, theme } from './theme.ts';

const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess: async (_data, _variables, _onMutate, { meta }) => {
      await Promise.all(meta?.refetches?.map((queryKey) => queries.invalidateQueries({ queryKey })) ?? []);
      if (meta?.done !== undefined) notifications.show({ message: meta.done });
    },
    onError: (error, _variables, _onMutate, { meta }) => {
      if (meta?.notifiesError === true) notifications.show({ color: 'red', message: error.message });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // Does not retry a call that the server refused with a 4xx status: the server would refuse it again.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500),
    },
  },
});

declare module '@tanstack/react-query' {
  interface Register {
    /** Actions of the mutation cache after a mutation. */
    mutationMeta: {
      /** Keys of the queries that are fetched again before the mutation counts as done. */
      refetches?: readonly QueryKey[];
      /** Text of the notification after success. */
      done?: string | undefined;
      /** True to show an error as a notification, if the component does not show the error itself. */
      notifiesError?: true;
    };
  }
}

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
