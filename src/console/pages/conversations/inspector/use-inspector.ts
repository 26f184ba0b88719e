/** Keeps the id of the inspected run in the page's URL, so that a link or a reload opens the inspector again. */
import { useLocation, useSearch } from 'wouter';

const name = 'why';

export function useInspector(): {
  /** Id of the inspected run; undefined if the inspector is closed. */
  runId: string | undefined;
  /** Returns the URL that opens the inspector of a run. */
  linkTo: (runId: string) => string;
  /** URL that closes the inspector. */
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
