import { type ComponentType, createElement, type LazyExoticComponent, lazy as reactLazy } from 'react';
import { onDemand } from '../client/on-demand.ts';
import { probeService } from '../client/service-reach.ts';

type Part = ComponentType<never>;

/** Prepares parts that failed to load for another attempt. */
const failed = new Set<() => void>();

/**
 * A component that is loaded when it is first rendered, or before by `loadPendingParts`. After a failure another attempt
 * is made once {@link resetFailedParts} was called; React's own `lazy` would keep the failure for ever.
 */
export function lazy<T extends Part>(load: () => Promise<{ default: T }>): T {
  const loadOnce = onDemand(load);
  const create = (): LazyExoticComponent<ComponentType<object>> =>
    reactLazy(async () => {
      try {
        return (await loadOnce()) as unknown as { default: ComponentType<object> };
      } catch (error) {
        failed.add(() => {
          current = create();
        });
        // Tells a service that is not reachable from one that has other files by now.
        await probeService();
        throw error;
      }
    });
  let current = create();
  const Lazy = (props: object) => createElement(current, props);
  return Lazy as unknown as T;
}

/** Lets parts that failed to load try again when they are next rendered. */
export function resetFailedParts(): void {
  for (const reset of failed) reset();
  failed.clear();
}
