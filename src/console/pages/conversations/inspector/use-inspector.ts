/** The run whose answer is inspected. It is part of the page's address, so that it can be linked and survives a reload. */
import { useLocation, useSearch } from 'wouter';

const name = 'why';

/**
 * @returns the inspected run's id, if there is one; the address that inspects a run; and the address without it
 */
export function useInspector(): {
  runId: string | undefined;
  linkTo: (runId: string) => string;
  without: string;
} {
  const [path] = useLocation();
  const search = useSearch();
  const withRun = (runId: string | undefined): string => {
    const params = new URLSearchParams(search);
    if (runId === undefined) params.delete(name);
    else params.set(name, runId);
    return params.size === 0 ? path : `${path}?${params.toString()}`;
  };
  return {
    runId: new URLSearchParams(search).get(name) ?? undefined,
    linkTo: withRun,
    without: withRun(undefined),
  };
}
