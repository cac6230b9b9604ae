import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Cue, CueList } from '@stem-studio/contract/resources/cue';
import { useRef, useState } from 'react';
import { clockText, countText } from '../../base/format.ts';
import { bestCues } from '../../state/best-cues.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import part from '../../ui/track-part.module.css';
import { useScope } from '../../ui/use-scope.ts';
import { useCueActions } from './cue-actions.ts';
import { CueMenu } from './cue-menu.tsx';
import styles from './cue-panel.module.css';
import { cueKindNames, cueLabelText, cuePositionText, cueRankText } from './cue-text.ts';

/** The cue points of a track: jump to, promote, rename, recolour, delete or add one, or detect all again. */
export function CuePanel({
  trackId,
  list,
  player,
}: {
  trackId: string;
  list: CueList;
  player: SongPlayer | null;
}) {
  const actions = useCueActions(trackId);
  const [renamedId, setRenamedId] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ id: string; anchor: Element } | null>(null);
  const { cues, reason } = list;
  const [isWhole, setIsWhole] = useState(false);
  const best = bestCues(cues);
  const shown = isWhole ? cues : best;
  const menuCue = cues.find(({ id }) => id === menu?.id);
  return (
    <section className={part['part']} aria-label="Cue points">
      <div className={part['head']}>
        <h3>Cue points</h3>
        <p>{reason ?? (cues.length > 0 ? countText(cues.length, 'cue point') : 'No cue points yet')}</p>
        {player && (
          <Button small onClick={() => void actions.add(player.positionSeconds())}>
            Add cue point
          </Button>
        )}
        <Button small icon="retry" onClick={() => void actions.regenerate()}>
          {list.placed_at === null ? 'Detect cue points' : 'Regenerate cue points'}
        </Button>
      </div>
      {cues.length > 0 && (
        <ol className={styles['list']}>
          {shown.map((cue) => (
            <li key={cue.id} className={styles['cue']}>
              <span className={styles['swatch']} style={{ background: cue.color }} aria-hidden="true" />
              {renamedId === cue.id ? (
                <NameField
                  cue={cue}
                  onDone={(label) => {
                    setRenamedId(null);
                    if (label !== '' && label !== cue.label) void actions.rename(cue, label);
                  }}
                />
              ) : (
                <button
                  type="button"
                  className={styles['jump']}
                  disabled={!player}
                  title={[cueKindNames[cue.kind], cueRankText(cue)].filter((part) => part !== '').join(' · ')}
                  onClick={() => player?.seek(cue.position_ms / 1000)}
                >
                  <span className={styles['label']}>{cueLabelText(cue)}</span>
                  <span className={styles['position']}>
                    {clockText(cue.position_ms / 1000)} · {cuePositionText(cue)}
                  </span>
                </button>
              )}
              <IconButton
                small
                icon="more"
                label={`Actions for ${cue.label}`}
                aria-haspopup="menu"
                onClick={(event) => setMenu({ id: cue.id, anchor: event.currentTarget })}
              />
            </li>
          ))}
        </ol>
      )}
      {best.length < cues.length && (
        <Button small look="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the most important' : `Show all ${cues.length}`}
        </Button>
      )}
      {menu && menuCue && (
        <CueMenu
          cue={menuCue}
          anchor={menu.anchor}
          actions={actions}
          onRename={() => setRenamedId(menuCue.id)}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  );
}

/** Text field for a cue point's name. Enter or leaving the field saves it, Escape cancels. */
function NameField({ cue, onDone }: { cue: Cue; onDone: (label: string) => void }) {
  const [label, setLabel] = useState(cue.label);
  const field = useRef<HTMLInputElement>(null);
  // The closing menu focuses its button first.
  useScope((scope) => scope.after(50, () => field.current?.select()), []);
  return (
    <input
      className={inputClass}
      aria-label={`Name of ${cue.label}`}
      value={label}
      maxLength={100}
      ref={field}
      onChange={(event) => setLabel(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onDone(label.trim());
        if (event.key === 'Escape') onDone(cue.label);
        event.stopPropagation();
      }}
      onBlur={() => onDone(label.trim())}
    />
  );
}
