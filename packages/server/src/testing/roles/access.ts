import { hasRole } from '@stem-studio/contract/roles';
import { type Caller, roleOf } from './callers.ts';

/** Outcome of a call: a reply, an error with this status, or a redirect to the login page. */
export type Outcome = 'answered' | 401 | 403 | 404 | 'to log-in';

/** A class of access. */
export interface Access {
  /** Description of the callers with access. */
  readonly about: string;
  /** Returns the outcome of a call; `changes` is true for calls that may change data. */
  readonly outcomeFor: (caller: Caller, changes: boolean) => Outcome;
}

const isKnown = ({ standing }: Caller) => standing !== 'nobody';
const isAdmin = ({ standing, key }: Caller) => key !== 'no admin' && hasRole(roleOf(standing), 'admin');
const lacksCsrf = ({ way, hasCsrf }: Caller, changes: boolean) => changes && way !== 'token' && !hasCsrf;

/** Access for logged-in callers, by token or cookie, for whom the record exists. */
function loggedIn(exists: (caller: Caller) => boolean): Access['outcomeFor'] {
  return (caller, changes) => {
    if (!isKnown(caller)) return 401;
    if (lacksCsrf(caller, changes) || caller.key === 'without') return 403;
    return exists(caller) ? 'answered' : 404;
  };
}

/** Access as {@link loggedIn}, by login cookie only. */
function byCookie(exists: (caller: Caller) => boolean): Access['outcomeFor'] {
  return (caller, changes) => (caller.way === 'cookie' ? loggedIn(exists)(caller, changes) : 401);
}

/** Access to forms for logged-in browsers. */
function inBrowser(exists: (caller: Caller) => boolean): Access['outcomeFor'] {
  return (caller) => {
    if (!caller.hasCsrf) return 403;
    if (!isKnown(caller)) return 'to log-in';
    return exists(caller) ? 'answered' : 404;
  };
}

/**
 * Every class of access by name.
 *
 * @spec Roles
 */
export const accesses = {
  anybody: { about: 'everybody', outcomeFor: () => 'answered' },
  users: {
    about:
      'every logged-in user, for their own records and those without an owner; records of others are not visible',
    outcomeFor: loggedIn(() => true),
  },
  'owner and admins': {
    about: 'the owner of the record, and admins; it does not exist for other users',
    outcomeFor: loggedIn((caller) => caller.standing === 'owner' || isAdmin(caller)),
  },
  owner: {
    about: 'the owner of the record; it does not exist for everybody else',
    outcomeFor: loggedIn((caller) => caller.standing === 'owner'),
  },
  'users by cookie': {
    about: 'a logged-in browser, for its own records; tokens are not accepted',
    outcomeFor: byCookie(() => true),
  },
  'owner by cookie': {
    about: 'a browser of the owner of the record; tokens are not accepted',
    outcomeFor: byCookie((caller) => caller.standing === 'owner'),
  },
  admins: {
    about: 'admins and platform admins',
    outcomeFor: (caller, changes) => {
      if (!isKnown(caller)) return 401;
      return isAdmin(caller) && !lacksCsrf(caller, changes) ? 'answered' : 403;
    },
  },
  'any form': {
    about: 'a browser with the CSRF token of a form, logged in or not',
    outcomeFor: (caller) => (caller.hasCsrf ? 'answered' : 403),
  },
  page: {
    about: 'a logged-in browser; all others are redirected to the login',
    outcomeFor: (caller) => (isKnown(caller) && caller.way === 'cookie' ? 'answered' : 'to log-in'),
  },
  'own form': {
    about: 'a logged-in browser with a CSRF token, for its own account',
    outcomeFor: inBrowser(() => true),
  },
  'form of the owner': {
    about: 'the same, for a record of its user; it does not exist for everybody else',
    outcomeFor: inBrowser((caller) => caller.standing === 'owner'),
  },
  files: {
    about: 'a browser of the owner of the file, or of an admin; tokens are not accepted',
    outcomeFor: (caller) => {
      if (!isKnown(caller) || caller.way !== 'cookie') return 401;
      return caller.standing === 'owner' || isAdmin(caller) ? 'answered' : 404;
    },
  },
} as const satisfies Readonly<Record<string, Access>>;

/** A name in {@link accesses}. */
export type AccessName = keyof typeof accesses;
