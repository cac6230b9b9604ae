import type { Page } from 'playwright-core';
import type { Studio } from './studio.ts';

/** Credentials of a user. */
export interface Person {
  email: string;
  password: string;
}

/** The first administrator of the tests. */
export const administrator: Person = { email: 'ada@example.org', password: 'three wet umbrellas' };

/** Registers the first administrator through the setup link; ends on the dashboard, logged in. */
export async function setUp(page: Page, studio: Studio, person: Person = administrator): Promise<void> {
  await page.goto(await studio.setupLink());
  await fillIn(page, person);
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

/** Fills in the email and password fields of a form. */
export async function fillIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}
