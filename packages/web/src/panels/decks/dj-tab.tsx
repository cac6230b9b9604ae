import { useQueryClient } from '@tanstack/react-query';
import { DjPanel } from './dj-panel.tsx';
import { openDjEngine } from './open-dj-engine.ts';

/** Tab of the decks. */
export function DjTab() {
  return <DjPanel engine={openDjEngine(useQueryClient())} />;
}
