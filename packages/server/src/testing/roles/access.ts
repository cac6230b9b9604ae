import { hasRole } from '@stem-studio/contract/roles';
import { type Caller, roleOf } from './callers.ts';

/** What becomes of a call: the answer itself, a refusal of this status, or a redirect to the log-in page. */
export type Outcome = 'answered' | 401 | 403 | 404 | 'to log-in';

/** A class of access. */
export interface Access {
  /** Who is answered, in words. */
  readonly about: string;
  /** What becomes of a call; `changes` says whether it may change anything. */
  readonly outcomeFor: (caller: Caller, changes: boolean) => Outcome;
}

const isKnown = ({ standing }: Caller) => standing !== 'nobody';
const isAdmin = ({ standing, key }: Caller) => key !== 'no admin' && hasRole(roleOf(standing), 'admin');
const lacksCsrf = ({ way, hasCsrf }: Caller, changes: boolean) => changes && way !== 'token' && !hasCsrf;

/** For whoever is logged in, by token or cookie, and to whom the thing exists. */
function loggedIn(exists: (caller: Caller) => boolean): Access['outcomeFor'] {
  return (caller, changes) => {
    if (!isKnown(caller)) return 401;
    if (lacksCsrf(caller, changes) || caller.key === 'without') return 403;
    return exists(caller) ? 'answered' : 404;
  };
}

/** The same by login cookie only. */
function byCookie(exists: (caller: Caller) => boolean): Access['outcomeFor'] {
  return (caller, changes) => (caller.way === 'cookie' ? loggedIn(exists)(caller, changes) : 401);
}

/** For forms of browsers that are logged in. */
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
  anybody: { about: 'whoever asks', outcomeFor: () => 'answered' },
  users: {
    about:
      'whoever is logged in, about what is their own or of nobody in particular; of others they see nothing',
    outcomeFor: loggedIn(() => true),
  },
  'owner and admins': {
    about: 'who owns the thing, and admins; to other users it does not exist',
    outcomeFor: loggedIn((caller) => caller.standing === 'owner' || isAdmin(caller)),
  },
  owner: {
    about: 'who owns the thing; to everybody else it does not exist',
    outcomeFor: loggedIn((caller) => caller.standing === 'owner'),
  },
  'users by cookie': {
    about: 'a browser that is logged in, about what is its own; a token opens none',
    outcomeFor: byCookie(() => true),
  },
  'owner by cookie': {
    about: 'a browser of who owns the thing; a token opens none',
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
    about: 'a browser that sends the CSRF token of our form, logged in or not',
    outcomeFor: (caller) => (caller.hasCsrf ? 'answered' : 403),
  },
  page: {
    about: 'a browser that is logged in; all others log in first',
    outcomeFor: (caller) => (isKnown(caller) && caller.way === 'cookie' ? 'answered' : 'to log-in'),
  },
  'own form': {
    about: 'a browser that is logged in and sends the CSRF token, about its own account',
    outcomeFor: inBrowser(() => true),
  },
  'form of the owner': {
    about: 'the same, about a thing that its user owns; to everybody else it does not exist',
    outcomeFor: inBrowser((caller) => caller.standing === 'owner'),
  },
  files: {
    about: 'a browser of who owns the file, or of an admin; a token opens none',
    outcomeFor: (caller) => {
      if (!isKnown(caller) || caller.way !== 'cookie') return 401;
      return caller.standing === 'owner' || isAdmin(caller) ? 'answered' : 404;
    },
  },
} as const satisfies Readonly<Record<string, Access>>;

/** A name in {@link accesses}. */
export type AccessName = keyof typeof accesses;
