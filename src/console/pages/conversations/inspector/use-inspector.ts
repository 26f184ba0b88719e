/** Opens and closes the inspector by the page's URL, which contains the run's id. A link or a reload opens it again. */
import { useLocation, useSearch } from 'wouter';

const name = 'why';

/**
 * @returns `runId`, the id of the inspected run, or undefined if the inspector is closed; `linkTo`, which returns the
 * URL that opens the inspector of a run; and `without`, the URL that closes the inspector
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
