import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { PartFailure, type PartLook } from './part-failure.tsx';

/**
 * A part of the page that is loaded on demand. Shows `pending` while it loads, and the failure with a button if it does
 * not load or throws.
 */
export function LazyPart({
  name,
  look = 'inline',
  pending = null,
  onClose,
  children,
}: {
  /** Name of the part at the start of a sentence, such as `The player`. */
  name: string;
  look?: PartLook;
  pending?: ReactNode;
  /** Closes the part, if it can be closed. */
  onClose?: () => void;
  children: ReactNode;
}) {
  return (
    <ErrorBoundary
      renderFailure={(error, again) => (
        <PartFailure name={name} look={look} error={error} onAgain={again} onClose={onClose} />
      )}
    >
      <Suspense fallback={pending}>{children}</Suspense>
    </ErrorBoundary>
  );
}
