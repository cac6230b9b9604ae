import { concurrency } from '@stem-studio/contract/limits';
import { z } from 'zod';
import { jobsAtOnce, type SettingValues, setting, wholeNumber } from '../../platform/settings.ts';

/** Settings of the downloads feature. */
export const downloadsSettings = {
  /** A path, or a name looked up in PATH. */
  downloadTool: setting('DOWNLOAD_TOOL', z.string(), {
    default: 'yt-dlp',
    about:
      'The program that finds and downloads the audio of web catalog tracks: a path, or a name in PATH (pip install yt-dlp)',
  }),
  downloadToolSearch: setting('DOWNLOAD_TOOL_SEARCH', z.string(), {
    default: 'ytsearch5:',
    about: 'Prefix of its search terms, or an address with {query} in their position',
  }),
  downloadTimeLimitSeconds: setting('DOWNLOAD_TIME_LIMIT_SECONDS', wholeNumber(1, 86_400), {
    default: '900',
    about: 'Time limit of one download, in seconds',
  }),
  downloadConcurrency: setting('DOWNLOAD_CONCURRENCY', jobsAtOnce, {
    default: String(concurrency.download),
    about: 'Downloads at a time, per process',
  }),
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof downloadsSettings> {}
}
