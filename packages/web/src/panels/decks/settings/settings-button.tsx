import { Icon } from '../../../ui/icon.tsx';
import controlStyles from '../control-parts.module.css';
import { useDjEngine, useDjState } from '../dj-context.ts';

/** Button that opens and closes the settings of the decks. */
export function SettingsButton() {
  const { state } = useDjEngine();
  const isOpen = useDjState(({ openSettings }) => openSettings !== null);
  return (
    <button
      type="button"
      className={`${controlStyles['button']} ${controlStyles['small']}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      data-settings-button
      title="Metronome, headphones, crossfader curve, playback"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => state.setState({ openSettings: isOpen ? null : 'playback' })}
    >
      <Icon name="settings" size={14} /> Settings
    </button>
  );
}
