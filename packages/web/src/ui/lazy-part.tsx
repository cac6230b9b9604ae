import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { PartFailure, type PartLook } from './part-failure.tsx';

/**
 * A part of the page that is loaded when it is wanted: `pending` while it comes; what went wrong, and what to do, when
 * it does not.
 */
export function LazyPart({
  name,
  look = 'place',
  pending = null,
  onClose,
  children,
}: {
  /** What the part is called in a sentence: `The player`. */
  name: string;
  look?: PartLook;
  pending?: ReactNode;
  /** Puts the part away, where it can be put away. */
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
