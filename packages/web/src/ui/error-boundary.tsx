import { Component, type ReactNode } from 'react';

interface Props {
  /** Drawn instead of the children once one of them threw; `again` draws the children anew. */
  renderFailure: (error: unknown, again: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps a fault in the part of the page where it happened. React knows no other shape for this than a class. */
export class ErrorBoundary extends Component<Props, { caught: { error: unknown } | null }> {
  override state = { caught: null as { error: unknown } | null };

  static getDerivedStateFromError(error: unknown): { caught: { error: unknown } } {
    return { caught: { error } };
  }

  readonly #again = () => this.setState({ caught: null });

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? this.props.renderFailure(caught.error, this.#again) : this.props.children;
  }
}
