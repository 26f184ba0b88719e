import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** Returns a component whose code loads when it is first rendered. */
export function lazily<N extends string, P extends object>(
  load: () => Promise<Record<N, ComponentType<P>>>,
  name: N,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
