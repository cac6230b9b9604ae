import { Icon } from '../../ui/icon.tsx';
import styles from './played-mark.module.css';

/** Mark of a track that was played since the log-in. */
export function PlayedMark() {
  return (
    <span className={styles['mark']} title="Played">
      <Icon name="check" size={14} />
      <span className="visually-hidden">Played: </span>
    </span>
  );
}
