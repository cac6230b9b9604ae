import { Scope } from '@stem-studio/audio/base/scope';
import { type DependencyList, useEffect } from 'react';

/** Runs `open` with a scope that ends when `dependencies` change or the component unmounts. */
export function useScope(open: (scope: Scope) => void, dependencies: DependencyList): void {
  useEffect(() => {
    const scope = new Scope();
    open(scope);
    return () => scope.dispose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller names what `open` depends on
  }, dependencies);
}
