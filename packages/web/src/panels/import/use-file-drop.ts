import { useEffect, useEffectEvent, useState } from 'react';

/** Accepts files dropped anywhere on the window; returns whether files are dragged over it. */
export function useFileDrop(dropped: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const onDrop = useEffectEvent((files: readonly File[]) => dropped(files));
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    // Entering a child precedes leaving its parent, so only the count shows whether the window was left.
    let depth = 0;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const move = (event: DragEvent, step: number) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = Math.max(0, depth + step);
      setIsOver(depth > 0);
    };
    addEventListener('dragenter', (event) => move(event, 1), { signal });
    addEventListener('dragleave', (event) => move(event, -1), { signal });
    addEventListener('dragover', (event) => move(event, 0), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth = 0;
        setIsOver(false);
        onDrop([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => end.abort();
  }, []);
  return isOver;
}
