import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { exportFormats } from '@stem-studio/contract/export-formats';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { requestMixExport } from '../state/mix-export.ts';
import { DownloadMenu } from '../ui/download-menu.tsx';

/** Exports what the player plays as one file, in the chosen format. */
export function MixExportMenu({ player, track }: { player: SongPlayer; track: Track }) {
  const client = useQueryClient();
  const choices = exportFormats.map((format) => ({
    label: `Mix as ${format.toUpperCase()}`,
    does: () => void requestMixExport(client, track, player, format),
  }));
  return <DownloadMenu label="Export mix" groups={[choices]} />;
}
