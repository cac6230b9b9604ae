import type { Context } from './context.ts';

declare module './context.ts' {
  interface Context {
    readonly accountParts: readonly AccountPart[];
  }
}

/** A file of the download of a user's data. */
export interface AccountFile {
  readonly name: string;
  readonly modified: Date;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Whose data is exported. */
export interface AccountExportRequest {
  readonly userId: number;
  /** Address of the service for links to audio, without a slash at its end. */
  readonly studioUrl: string;
}

/** What one feature contributes to the download of a user's data. */
export interface AccountPart {
  /** `cues.json`, or `notes/` for a folder of files. */
  readonly name: string;
  /** Its line in the README of the download. */
  readonly about: string;
  /** Reads the files one by one, each when it is its turn. No password, key, token or hash of one is among them. */
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
