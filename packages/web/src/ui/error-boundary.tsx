import { Component, type ReactNode } from 'react';

interface Props {
  /** Renders the failure instead of the children; `again` renders the children again. */
  renderFailure: (error: unknown, again: () => void) => ReactNode;
  children: ReactNode;
}

/** Limits an error to the part of the page where it was thrown. React supports this only in classes. */
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
