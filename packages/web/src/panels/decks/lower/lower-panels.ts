import type { ComponentType } from 'react';
import type { LowerTab } from '../../../state/decks/dj-layout.state.ts';
import { SamplerPanel } from '../sampler/sampler-panel.tsx';

/** Panels of the region below the decks; the page itself shows the library there. A tab without a panel is hidden. */
export const lowerPanels: Readonly<Partial<Record<LowerTab, ComponentType>>> = {
  sampler: SamplerPanel,
};
