import { useState } from 'react';
import styles from './cover.module.css';
import { Icon } from './icon.tsx';

/** Cover art of a track, or a note symbol without any. Decorative: the title is beside it. */
export function Cover({ url, large = false }: { url: string | null; large?: boolean }) {
  const [failed, setFailed] = useState<string | null>(null);
  const isShown = url !== null && url !== '' && failed !== url;
  return (
    <span className={`${styles['cover']} ${large ? styles['large'] : ''}`}>
      {isShown ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(url)}
        />
      ) : (
        <Icon name="music" />
      )}
    </span>
  );
}
