import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';

/**
 * Returns a component whose code loads when it is first rendered.
 * @param fallback shown while the code loads
 */
export function lazily<N extends string, P extends object>(
  load: () => Promise<Record<N, ComponentType<P>>>,
  name: N,
  fallback: ReactNode = null,
): ComponentType<P> {
  const Loaded = lazy<ComponentType<P>>(async () => ({ default: (await load())[name] }));
  return function Lazily(props: P) {
    return (
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
