import type { SeparatorErrorCode } from '@stem-studio/contract/separator';

/** A failure that has a sentence for people: it becomes the `error` message of the process. */
export class SeparationError extends Error {
  readonly code: SeparatorErrorCode;

  constructor(code: SeparatorErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'SeparationError';
    this.code = code;
  }
}

/**
 * What went wrong as the two fields of an `error` message. Failures of the disk are told by their system code;
 * anything unforeseen is `internal` with its own words.
 */
export function toErrorFields(error: unknown): { code: SeparatorErrorCode; message: string } {
  if (error instanceof SeparationError) return { code: error.code, message: error.message };
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC') return { code: 'disk', message: 'the disk is full: the stems could not be written' };
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return { code: 'disk', message: 'the folder for the stems must be writable (it is not)' };
  }
  return { code: 'internal', message: `the separation failed: ${messageOf(error)}` };
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
