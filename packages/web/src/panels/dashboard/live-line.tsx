import type { Live } from '../../client/live.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './live-line.module.css';

/** One calm line while news cannot arrive; it lies over the page, so that nothing moves. */
export function LiveLine({ live }: { live: Live | null }) {
  return <div role="status">{live && <Line live={live} />}</div>;
}

function Line({ live }: { live: Live }) {
  const status = useStore(live.status, (state) => state.status);
  if (status !== 'lost') return null;
  return <p className={styles['line']}>Connection lost. What you hear and see stays; reconnecting…</p>;
}
