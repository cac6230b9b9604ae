import type { SeparatorErrorCode } from '@stem-studio/contract/separator';

/** An error with a message for the user: becomes the `error` message of the process. */
export class SeparationError extends Error {
  readonly code: SeparatorErrorCode;

  constructor(code: SeparatorErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'SeparationError';
    this.code = code;
  }
}

/**
 * Converts an error to the two fields of an `error` message. Disk errors are recognised by their system code; anything
 * unexpected is `internal` with its own message.
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

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
