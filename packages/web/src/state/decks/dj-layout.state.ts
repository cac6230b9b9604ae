import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { parseStored, readStored, writeStored } from '../browser-storage.ts';

/** Arrangements of the DJ tab on a wide page. */
export const djLayouts = ['library', 'decks', 'waveforms', 'stems'] as const;
/** One of {@link djLayouts}; only `library` shows the region below the decks. */
export type DjLayout = (typeof djLayouts)[number];

/** Tabs of the region below the decks. */
export const lowerTabs = ['library', 'sampler'] as const;
/** One of {@link lowerTabs}. */
export type LowerTab = (typeof lowerTabs)[number];

/** Second read-out of the decks: elapsed time, SMPTE timecode, or bar, beat and tick. */
export const clockFormats = ['elapsed', 'timecode', 'bars'] as const;
/** One of {@link clockFormats}. */
export type ClockFormat = (typeof clockFormats)[number];

/** Colours of the waveforms of the decks: by frequency band, or by stem where stems are loaded. */
export const waveformColorings = ['bands', 'stems'] as const;
/** One of {@link waveformColorings}. */
export type WaveformColoring = (typeof waveformColorings)[number];

/** Least height of the region below the decks, in pixels: the head of the list and two rows. */
export const LEAST_LOWER_PX = 96;
/** Greatest height of the region below the decks, in pixels. The decks keep what they need even if it is less. */
export const MOST_LOWER_PX = 900;

/** Initial height of the region below the decks in a window of a height, in pixels; the style sheets have the same. */
export function initialLowerPx(windowPx: number): number {
  return Math.round(Math.min(420, Math.max(160, 0.3 * windowPx)));
}

/** Arrangement of the DJ tab, kept in this browser. */
export interface DjArrangement {
  readonly layout: DjLayout;
  readonly lowerTab: LowerTab;
  /** Height of the region below the decks, in pixels; null while the height of the window determines it. */
  readonly lowerPx: number | null;
  readonly clock: ClockFormat;
  readonly coloring: WaveformColoring;
}

const storageKey = 'stem-studio.dj-layout';

const stored = z.object({
  version: z.literal(1),
  layout: z.enum(djLayouts).catch('library'),
  lower_tab: z.enum(lowerTabs).catch('library'),
  lower_px: z.number().min(LEAST_LOWER_PX).max(MOST_LOWER_PX).nullable().catch(null),
  clock: z.enum(clockFormats).catch('elapsed'),
  coloring: z.enum(waveformColorings).catch('bands'),
});

const initial: DjArrangement = {
  layout: 'library',
  lowerTab: 'library',
  lowerPx: null,
  clock: 'elapsed',
  coloring: 'bands',
};

/** Parses the stored arrangement; the initial one for invalid text, the initial value for an unknown one. */
export function parseArrangement(text: string | null | undefined): DjArrangement {
  const data = parseStored(text, stored);
  if (!data) return initial;
  const { layout, lower_tab, lower_px, clock, coloring } = data;
  return { layout, lowerTab: lower_tab, lowerPx: lower_px, clock, coloring };
}

/** Returns the text in which an arrangement is stored. */
export function arrangementText({ layout, lowerTab, lowerPx, clock, coloring }: DjArrangement): string {
  const value = { version: 1, layout, lower_tab: lowerTab, lower_px: lowerPx, clock, coloring } as const;
  return JSON.stringify(value satisfies z.input<typeof stored>);
}

/** The arrangement of the DJ tab. */
export const djArrangement = createStore<DjArrangement>(() => parseArrangement(readStored(storageKey)));

function change(changed: Partial<DjArrangement>): void {
  djArrangement.setState(changed);
  writeStored(storageKey, arrangementText(djArrangement.getState()));
}

/** Chooses the arrangement of decks, waveforms and library. */
export function chooseLayout(layout: DjLayout): void {
  change({ layout });
}

/** Shows a tab of the region below the decks, in the layout that has this region. */
export function showLowerTab(lowerTab: LowerTab): void {
  change({ lowerTab, layout: 'library' });
}

/** Sets the height of the region below the decks in pixels, within its limits; null returns to the initial height. */
export function setLowerHeight(px: number | null): void {
  change({ lowerPx: px === null ? null : Math.round(Math.min(MOST_LOWER_PX, Math.max(LEAST_LOWER_PX, px))) });
}

/** Shows the next read-out of the decks: elapsed time, timecode, bars. */
export function showNextClock(): void {
  const { clock } = djArrangement.getState();
  const next = clockFormats[(clockFormats.indexOf(clock) + 1) % clockFormats.length] ?? 'elapsed';
  change({ clock: next });
}

/** Sets the colours of the waveforms of the decks. */
export function chooseColoring(coloring: WaveformColoring): void {
  change({ coloring });
}
