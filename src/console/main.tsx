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
      // Retries a query twice, but not after a 4xx status, because the server would reject the same call again.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500),
    },
  },
});

declare module '@tanstack/react-query' {
  interface Register {
    /** Actions that the mutation cache runs after the mutation. */
    mutationMeta: {
      /** Keys of the queries that are fetched again after success, before the mutation's own `onSuccess` is called. */
      refetches?: readonly QueryKey[];
      /** Text of the notification after success. */
      done?: string | undefined;
      /** True to show an error as a notification. For components that do not show the error themselves. */
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
