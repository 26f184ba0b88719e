/** The run that the inspector shows. It is part of the page's URL, so that it can be linked and survives a reload. */
import { useLocation, useSearch } from 'wouter';

const name = 'why';

/**
 * @returns the id of the inspected run, if there is one; a function that returns the URL to inspect a run; and the
 * URL that closes the inspector
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
