import { Menu } from '@base-ui/react/menu';
import {
  exportAnalysis,
  exportFormats,
  exportMix,
  exportStem,
  exportStemFile,
  exportStems,
} from '@stem-studio/contract/endpoints/exports';
import type { Stem, StemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { Fragment } from 'react';
import { addressOf } from '../../client/call.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';

/** Something that can be saved; the service gives it its name. */
interface Download {
  readonly words: string;
  readonly address: string;
}

/** A button that lists downloads in groups; empty groups are left out. */
function DownloadMenu({ label, groups }: { label: string; groups: readonly (readonly Download[])[] }) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        className={buttonClass({ look: 'quiet', small: true }, true)}
        aria-label={label}
        title={label}
      >
        <Icon name="download" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label={label}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <Fragment key={group[0]?.address}>
                  {index > 0 && <Menu.Separator className={menuStyles['separator']} />}
                  {group.map(({ words, address }) => (
                    <Menu.LinkItem
                      key={address}
                      className={menuStyles['item']}
                      href={address}
                      download=""
                      closeOnClick
                    >
                      {words}
                    </Menu.LinkItem>
                  ))}
                </Fragment>
              ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** What people ask for by name, and the stems that it has or lacks. */
const namedMixes: readonly {
  readonly words: string;
  readonly stem: StemType;
  readonly query: Readonly<Record<string, string>>;
}[] = [
  { words: 'Karaoke (no vocals)', stem: 'vocals', query: { without: 'vocals' } },
  { words: 'A cappella (only vocals)', stem: 'vocals', query: { only: 'vocals' } },
  { words: 'Drumless (no drums)', stem: 'drums', query: { without: 'drums' } },
];

/** Saves all stems of a track, the song without some of them, or what was found about it. Nothing where none is there. */
export function TrackExports({
  track,
  stems,
  hasAnalysis,
}: {
  track: Track;
  stems: readonly Stem[];
  hasAnalysis: boolean;
}) {
  const { id: track_id, stems_job_id } = track;
  if (stems_job_id === null && !hasAnalysis) return null;
  const zips = exportFormats.map((format) => ({
    words: `Download all stems (ZIP, ${format.toUpperCase()})`,
    address: addressOf(exportStems, { track_id }, { format }),
  }));
  const stemFile = {
    words: 'STEM file for DJ programs (.stem.mp4)',
    address: addressOf(exportStemFile, { track_id }, {}),
  };
  const mixes = namedMixes
    .filter(({ stem }) => stems.some(({ stem_type }) => stem_type === stem))
    .flatMap(({ words, query }) =>
      (['wav', 'mp3'] as const).map((format) => ({
        words: `${words}, ${format.toUpperCase()}`,
        address: addressOf(exportMix, { track_id }, { format, ...query }),
      })),
    );
  const analysis = { words: 'Analysis (JSON)', address: addressOf(exportAnalysis, { track_id }) };
  return (
    <DownloadMenu
      label="Download stems or analysis"
      groups={[stems_job_id === null ? [] : [...zips, stemFile], mixes, hasAnalysis ? [analysis] : []]}
    />
  );
}

/** Saves one stem in a format of choice. */
export function StemExports({ stem, name }: { stem: Stem; name: string }) {
  const files = exportFormats.map((format) => ({
    words: `${name} as ${format.toUpperCase()}`,
    address: addressOf(exportStem, { id: stem.id }, { format }),
  }));
  return <DownloadMenu label={`Download ${name}`} groups={[files]} />;
}
