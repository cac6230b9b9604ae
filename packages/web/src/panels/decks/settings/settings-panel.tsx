import { Popover } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { djArrangement } from '../../../state/decks/dj-layout.state.ts';
import type { SettingsSection } from '../../../state/decks/dj-state.ts';
import { Button } from '../../../ui/button.tsx';
import { lazy } from '../../../ui/lazy.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useStore } from '../../../ui/use-store.ts';
import { useDjEngine, useDjState } from '../dj-context.ts';
import { MicrophoneControls } from '../microphone/microphone-controls.tsx';
import popupStyles from '../popup.module.css';
import { CrossfaderSettings } from './crossfader-settings.tsx';
import { HeadphoneSettings } from './headphone-settings.tsx';
import { MetronomeSettings } from './metronome-settings.tsx';
import { PlaybackSettings } from './playback-settings.tsx';
import styles from './settings-panel.module.css';

const DebugPanel = lazy(() => import('../debug-panel.tsx').then((m) => ({ default: m.DebugPanel })));

/**
 * Settings of the decks. Nothing moves when they open, and no fader is covered: they are over the region below the decks,
 * or over the waveforms where there is no such region.
 *
 * @param waveforms element with the waveforms
 * @param lower element above the region below the decks
 */
export function SettingsPanel({
  waveforms,
  lower,
}: {
  waveforms: RefObject<HTMLElement | null>;
  lower: RefObject<HTMLElement | null>;
}) {
  const { state } = useDjEngine();
  const section = useDjState(({ openSettings }) => openSettings);
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const isNarrow = useIsNarrow();
  const isBelow = layout === 'library' && !isNarrow;
  const anchor = isBelow ? lower : waveforms;
  return (
    <Popover.Root
      open={section !== null}
      onOpenChange={(isOpen, { event }) => {
        // The button that opened them closes them itself.
        if (event.target instanceof Element && event.target.closest('[data-settings-button]')) return;
        if (!isOpen) state.setState({ openSettings: null });
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          className={popupStyles['positioner']}
          data-over={isBelow ? 'region' : 'waveforms'}
          anchor={anchor}
          align="center"
          side="bottom"
          sideOffset={({ anchor: { height } }) => (isBelow ? 0 : -height)}
          collisionAvoidance={{ side: 'none', align: 'shift', fallbackAxisSide: 'none' }}
        >
          <Popover.Popup className={`${popupStyles['popup']} ${styles['popup']}`} initialFocus={false}>
            <Popover.Title className="visually-hidden">Deck settings</Popover.Title>
            <div className={styles['sections']}>
              <Section name="playback" title="Playback">
                <PlaybackSettings />
              </Section>
              <Section name="headphones" title="Headphones">
                <HeadphoneSettings />
              </Section>
              <Section name="metronome" title="Click">
                <MetronomeSettings />
              </Section>
              <Section name="crossfader" title="Crossfader">
                <CrossfaderSettings />
              </Section>
              <Section name="microphone" title="Microphone">
                <MicrophoneControls />
              </Section>
              <Section name="debug" title="Debug">
                <DebugSettings />
              </Section>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** A titled section, scrolled into view if the settings were opened at it. */
function Section({ name, title, children }: { name: SettingsSection; title: string; children: ReactNode }) {
  const element = useRef<HTMLElement>(null);
  const isOpened = useDjState(({ openSettings }) => openSettings === name);
  useEffect(() => {
    if (isOpened) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);
  return (
    <section ref={element} className={styles['section']} aria-label={title} data-section={name}>
      <h3 className={styles['title']}>{title}</h3>
      {children}
    </section>
  );
}

function DebugSettings() {
  const { state } = useDjEngine();
  const isDebugging = useDjState((page) => page.isDebugging);
  return (
    <>
      <Button
        small
        icon="pulse"
        aria-pressed={isDebugging}
        onClick={() => state.setState({ isDebugging: !isDebugging })}
      >
        Debug log
      </Button>
      {isDebugging && (
        <LazyPart name="The debug log">
          <DebugPanel />
        </LazyPart>
      )}
    </>
  );
}
