import type { Context } from './context.ts';

declare module './context.ts' {
  interface Context {
    readonly accountParts: readonly AccountPart[];
  }
}

/** File in the export of a user's data. */
export interface AccountFile {
  readonly name: string;
  readonly modified: Date;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Request for an export of a user's data. */
export interface AccountExportRequest {
  readonly userId: number;
  /** Base URL of the service for links to audio, without a trailing slash. */
  readonly studioUrl: string;
}

/** Part of the export of a user's data that one feature provides. */
export interface AccountPart {
  /** Name such as `cues.json`, or `notes/` for a folder of files. */
  readonly name: string;
  /** Description for the README of the export. */
  readonly about: string;
  /**
   * Returns the files one at a time, each created on demand. They must not contain passwords, keys, tokens or their
   * hashes.
   */
  files(context: Context, of: AccountExportRequest): AsyncIterable<AccountFile>;
}

/** Returns a file of indented JSON. */
export function jsonFile(name: string, modified: Date, value: unknown): AccountFile {
  return { name, modified, bytes: once(`${JSON.stringify(value, null, 2)}\n`) };
}

/** Returns a text as the bytes of a file. */
export async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
