import { z } from 'zod';
import { type SettingValues, setting } from '../../platform/settings.ts';

/** Settings of the accounts feature. */
export const accountsSettings = {
  registration: setting('REGISTRATION', z.enum(['open', 'closed'], { error: 'must be open or closed' }), {
    default: 'closed',
    about:
      'closed: only the set-up link and the command line ("studio user add") make users. open: anybody who reaches the service may register',
  }),
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof accountsSettings> {}
}
