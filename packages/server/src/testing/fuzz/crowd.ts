import { demoAlbumUrl } from '../../features/catalog/index.ts';
import { type Belongings, belongingsOf, type Pattern } from '../roles/belongings.ts';
import { type Caller, callers } from '../roles/callers.ts';
import { enrol, insertPerson } from '../roles/enrol.ts';
import { insertNotesOf } from '../roles/own-notes.ts';
import type { TestContext } from '../test-context.ts';
import type { FuzzCaller } from './request-arbitrary.ts';
import type { IdKind } from './schema-values.ts';

/** Somebody with a library, and what they send along when they come in one way or another. */
export interface Member {
  readonly headers: Readonly<Record<'token' | 'cookie', Record<string, string>>>;
  readonly ids: Readonly<Record<IdKind, string>>;
  /** Makes further things of theirs. */
  readonly has: Belongings;
}

function callerNamed(name: string): Caller {
  const caller = callers.find((one) => one.name === name);
  if (!caller) throw new Error(`no caller is named ${name}`);
  return caller;
}

/** Makes a user who has one of everything. */
export async function createMember(
  context: TestContext,
  pattern: Pattern,
  role: 'user' | 'admin',
): Promise<Member> {
  const person = await insertPerson(context, role, 'no hash');
  const has = belongingsOf(context, pattern, person);
  const stem = await has.stem();
  const notes = await insertNotesOf(has);
  // Nobody who asks: whoever is found by this number may be deactivated.
  const victim = await insertPerson(context, 'user', 'no hash');
  return {
    has,
    headers: {
      token: await enrol(context, callerNamed('owner, token'), person, ''),
      cookie: await enrol(context, callerNamed('owner, cookie'), person, ''),
    },
    ids: {
      track: stem.trackId,
      ...stem.jobs,
      deleted: (await has.track({ deleted_at: context.clock.now() })).id,
      waiting: await has.waitingJob(),
      failed: await has.failedJob(),
      import: await has.libraryImport(),
      stem: stem.id,
      notes: notes.id,
      hearing: notes.jobId,
      user: String(victim.id),
    },
  };
}

/** What a caller sends along. */
export function headersOf(member: Member, caller: FuzzCaller): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller === 'wrong token') return { authorization: 'Bearer sst_nobody-has-this-one' };
  if (caller === 'token' || caller === 'admin') return member.headers.token;
  const { 'x-csrf-token': csrf = '', ...cookie } = member.headers.cookie;
  return caller === 'cookie' ? { ...cookie, 'x-csrf-token': csrf } : cookie;
}

/** Puts ids in the place of their names. */
export function withIds(text: string, own: Member, other: Member, pattern: Pattern): string {
  return text
    .replaceAll('@catalog:track', pattern.catalogUrl)
    .replaceAll('@catalog:album', demoAlbumUrl)
    .replaceAll('@catalog:id', pattern.catalogId)
    .replaceAll(/@(own|other):([a-z]+)/g, (whole, whose: string, kind: string) => {
      const { ids } = whose === 'own' ? own : other;
      return ids[kind as IdKind] ?? whole;
    });
}
