import { useStore } from '../../../ui/use-store.ts';
import { ControlButton } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import styles from './microphone.module.css';
import { microphoneName } from './microphone-text.ts';

/** Switch of the microphone. A failure colours it, is read out, and is explained in the settings. */
export function MicrophoneButton() {
  const { microphone } = useDjEngine();
  const { isHere, status, trouble } = useStore(microphone.state, (state) => state);
  return (
    <>
      <ControlButton
        control="mixer.microphone"
        name={microphoneName(isHere, status, trouble)}
        hint="Shift P"
        disabled={!isHere}
        isSymbol
        className={`${styles['button']} ${trouble === '' ? '' : styles['troubled']}`}
      >
        MIC
      </ControlButton>
      <span className="visually-hidden" role="status">
        {trouble}
      </span>
    </>
  );
}
