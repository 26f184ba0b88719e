/**
 * Lets a page with unsaved changes stop the Back button before the router changes the page. The listener must run before
 * the router's, and the window calls listeners in the order in which they were added: the router adds its own at the
 * first render, so this module must load with the application.
 */
let listener: ((event: PopStateEvent) => void) | undefined;

window.addEventListener('popstate', (event) => listener?.(event));

/** Calls `next` before the router handles a `popstate` event, until the returned function is called. */
export function holdBack(next: (event: PopStateEvent) => void): () => void {
  listener = next;
  return () => {
    if (listener === next) listener = undefined;
  };
}
