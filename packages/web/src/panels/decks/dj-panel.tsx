import { useRef } from 'react';
import type { DjEngine } from '../../state/decks/dj-engine.ts';
import { djArrangement } from '../../state/decks/dj-layout.state.ts';
import { type DjView, djView, djViews } from '../../state/decks/dj-view.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useStore } from '../../ui/use-store.ts';
import { DeckPanel } from './deck/deck-panel.tsx';
import { DjEngineContext } from './dj-context.ts';
import styles from './dj-panel.module.css';
import { ReplaceDialog } from './load-dialog.tsx';
import { LowerBar } from './lower/lower-bar.tsx';
import { lowerPanels } from './lower/lower-panels.ts';
import { Crossfader, MixerPanel } from './mixer/mixer-panel.tsx';
import { SamplerPanel } from './sampler/sampler-panel.tsx';
import { SettingsPanel } from './settings/settings-panel.tsx';
import { StatusLines } from './status-lines.tsx';
import { useDjKeys } from './use-dj-keys.ts';
import { WaveformStack } from './waveform/waveform-stack.tsx';

const DjKeyList = lazy(() => import('./dj-key-list.tsx').then((m) => ({ default: m.DjKeyList })));

const viewLabels: Readonly<Record<DjView, string>> = {
  a: 'Deck A',
  mixer: 'Mixer',
  b: 'Deck B',
  sampler: 'Sampler',
  library: 'Library',
};

/** Elements that are held: controls, platters and waveforms. */
const heldElements = 'button, [role="slider"], [role="img"], [data-wave]';

/** Waveforms, both decks and the mixer between them; on a narrow page one of these at a time. */
export function DjPanel({ engine }: { engine: DjEngine }) {
  useDjKeys(engine);
  const isNarrow = useIsNarrow();
  const isBesideLibrary = useStore(djView, ({ view }) => view === 'library');
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const waveforms = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const isListingKeys = useStore(engine.state, (state) => state.isListingKeys);
  return (
    <DjEngineContext value={engine}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only keeps the browser's menu away */}
      <section
        className={styles['dj']}
        aria-label="Decks"
        data-whole={!isBesideLibrary}
        data-layout={isNarrow ? 'one' : layout}
        onContextMenu={(event) => {
          // A long press on a control must not open the browser's menu.
          if (event.target instanceof Element && event.target.closest(heldElements)) event.preventDefault();
        }}
      >
        <WaveformStack stack={waveforms} />
        <Layout />
        {isNarrow ? (
          <div className={styles['status']}>
            <StatusLines />
          </div>
        ) : (
          <>
            <LowerBar bar={bar} />
            <LowerPanel />
          </>
        )}
        <SettingsPanel waveforms={waveforms} lower={bar} />
        <ReplaceDialog />
        {isListingKeys && (
          <LazyPart
            name="The list of keys"
            look="popup"
            onClose={() => engine.state.setState({ isListingKeys: false })}
          >
            <DjKeyList onClose={() => engine.state.setState({ isListingKeys: false })} />
          </LazyPart>
        )}
      </section>
    </DjEngineContext>
  );
}

/** The open panel of the region below the decks; null while the page shows the library there. */
function LowerPanel() {
  const { layout, lowerTab, lowerPx } = useStore(djArrangement, (arrangement) => arrangement);
  const Panel = layout === 'library' ? lowerPanels[lowerTab] : undefined;
  return (
    Panel && (
      <div
        className={styles['lower']}
        role="tabpanel"
        aria-label="Sampler"
        style={lowerPx === null ? undefined : { ['--lower' as string]: `${lowerPx}px` }}
      >
        <Panel />
      </div>
    )
  );
}

function Layout() {
  const isNarrow = useIsNarrow();
  const view = useStore(djView, (state) => state.view);
  if (!isNarrow)
    return (
      <div className={styles['engine']}>
        <DeckPanel deck="a" />
        <MixerPanel />
        <DeckPanel deck="b" />
      </div>
    );
  return (
    <>
      <div className={styles['views']} role="group" aria-label="View">
        {djViews.map((name) => (
          <Button key={name} aria-pressed={view === name} onClick={() => djView.setState({ view: name })}>
            {viewLabels[name]}
          </Button>
        ))}
      </div>
      <div className={styles['one']} hidden={view === 'library'}>
        {view === 'mixer' && <MixerPanel />}
        {view === 'sampler' && <SamplerPanel />}
        {(view === 'a' || view === 'b') && <DeckPanel key={view} deck={view} />}
      </div>
      {view !== 'mixer' && (
        <div className={styles['always']}>
          <Crossfader />
        </div>
      )}
    </>
  );
}
