import type { TestContext as NodeTestContext } from 'node:test';
import type { Context } from '../context.ts';

/** What a test may choose; the rest is made for it. */
export type TestOverrides = Partial<Omit<Context, 'config'>> & { readonly config?: Partial<Context['config']> };

/** A context that is thrown away after the test, with its temporary folders. */
export interface TestContext extends Context {
  /** The test's own folder; removed after it. */
  readonly folder: string;
}
export type { NodeTestContext };
