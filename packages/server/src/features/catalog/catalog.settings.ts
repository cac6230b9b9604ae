import { resolve } from 'node:path';
import { z } from 'zod';
import {
  nameList,
  optionalSetting,
  type Setting,
  type SettingValues,
  setting,
  webAddress,
} from '../../platform/settings.ts';

/** Null means that there is no folder catalog. */
const catalogFolder: Setting<string | null> = {
  name: 'CATALOG_FOLDER',
  about:
    'A folder of music that becomes a catalog: its albums and playlists can be searched and imported by link',
  default: null,
  isSecret: false,
  read: (text, { workingFolder }) => (text === null ? null : resolve(workingFolder, text)),
};

/** Settings of the catalog feature. */
export const catalogSettings = {
  catalogFolder,
  /** Hosts and scheme of links to the web catalog. */
  catalog: {
    hosts: setting('CATALOG_HOSTS', nameList, {
      default: 'open.spotify.com,spotify.com,play.spotify.com',
      about: 'Hosts of the links of the web catalog, with commas between',
    }),
    shortHosts: setting('CATALOG_SHORT_HOSTS', nameList, {
      default: 'spotify.link,spoti.fi',
      about: 'Hosts of its short links',
    }),
    scheme: setting(
      'CATALOG_SCHEME',
      z.string().regex(/^[a-z][a-z0-9+.-]*$/i, 'must be a scheme such as the web catalog uses in its links'),
      { default: 'spotify', about: 'Scheme of its other links' },
    ),
  },
  /** Addresses and credentials of the web catalog; without credentials it is not used. */
  webCatalog: {
    clientId: optionalSetting('CATALOG_CLIENT_ID', z.string(), {
      about:
        'The web catalog answers only an application it knows: the id and secret that its developer site gives. Without them its links are refused with that reason, and everything else works',
    }),
    clientSecret: optionalSetting('CATALOG_CLIENT_SECRET', z.string(), {
      isSecret: true,
      about: 'The secret of that application',
    }),
    apiUrl: setting('CATALOG_API_URL', webAddress, {
      default: 'https://api.spotify.com/v1',
      about: 'Address of the API of the web catalog',
    }),
    tokenUrl: setting('CATALOG_TOKEN_URL', webAddress, {
      default: 'https://accounts.spotify.com/api/token',
      about: 'Address of its token endpoint',
    }),
    authorizeUrl: setting('CATALOG_AUTHORIZE_URL', webAddress, {
      default: 'https://accounts.spotify.com/authorize',
      about:
        'Where people log in with their account there. The developer site must know the address they come back to, letter by letter: PUBLIC_URL, or http://127.0.0.1:PORT (not localhost), with /auth/catalog/callback behind it',
    }),
  },
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof catalogSettings> {}
}
