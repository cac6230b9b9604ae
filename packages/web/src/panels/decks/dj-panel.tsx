import type { DjEngine } from '../../state/decks/dj-engine.ts';
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
import { Crossfader, MixerPanel } from './mixer/mixer-panel.tsx';
import { StatusLines } from './status-lines.tsx';
import { useDjKeys } from './use-dj-keys.ts';
import { WaveformStack } from './waveform/waveform-stack.tsx';

const DjKeyList = lazy(() => import('./dj-key-list.tsx').then((m) => ({ default: m.DjKeyList })));
const DebugPanel = lazy(() => import('./debug-panel.tsx').then((m) => ({ default: m.DebugPanel })));

const viewLabels: Readonly<Record<DjView, string>> = {
  a: 'Deck A',
  mixer: 'Mixer',
  b: 'Deck B',
  library: 'Library',
};

/** Elements that are held: controls, platters and waveforms. */
const heldElements = 'button, [role="slider"], [role="img"], [data-wave]';

/** Waveforms, both decks and the mixer between them; on a narrow page one of these at a time. */
export function DjPanel({ engine }: { engine: DjEngine }) {
  useDjKeys(engine);
  const isBesideLibrary = useStore(djView, ({ view }) => view === 'library');
  const isDebugging = useStore(engine.state, (state) => state.isDebugging);
  const isListingKeys = useStore(engine.state, (state) => state.isListingKeys);
  return (
    <DjEngineContext value={engine}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only keeps the browser's menu away */}
      <section
        className={styles['dj']}
        aria-label="Decks"
        data-whole={!isBesideLibrary}
        onContextMenu={(event) => {
          // A long press on a control must not open the browser's menu.
          if (event.target instanceof Element && event.target.closest(heldElements)) event.preventDefault();
        }}
      >
        <StatusLines />
        <WaveformStack />
        <Layout />
        {isDebugging && (
          <LazyPart name="The debug log">
            <DebugPanel />
          </LazyPart>
        )}
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
        {view === 'mixer' ? <MixerPanel /> : view !== 'library' && <DeckPanel key={view} deck={view} />}
      </div>
      {view !== 'mixer' && (
        <div className={styles['always']}>
          <Crossfader />
        </div>
      )}
    </>
  );
}
