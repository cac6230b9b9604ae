import fastifyCookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { loginDays } from './log-in.service.ts';

/** Cookies of the account pages. All are HttpOnly and SameSite=Lax, and Secure behind https. */
export const cookieNames = {
  /** Who is logged in; lasts sixty days. */
  login: 'stem_studio_session',
  /** What the CSRF token of a form is bound to before log-in; lasts as long as the browser runs. */
  form: 'stem_studio_form',
  /** A word for what was just done, shown once on the next page. */
  flash: 'stem_studio_flash',
} as const;

/** The value of a cookie in a `Cookie` header, or null. */
export function cookieIn(header: string | undefined, name: string): string | null {
  return fastifyCookie.parse(header ?? '')[name] || null;
}

/** Whether the browser reached us by https: straight, or under the public address behind a proxy. */
function isSecure(context: Context, request: FastifyRequest): boolean {
  if (request.protocol === 'https') return true;
  const { publicUrl } = context.config;
  return publicUrl !== null && publicUrl.startsWith('https:') && new URL(publicUrl).host === request.host;
}

/** Sets a cookie; without `maxAgeSeconds` it lasts as long as the browser runs, with 0 it goes. */
function setCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds?: number,
): void {
  const cookie = fastifyCookie.serialize(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(context, request),
    maxAge: maxAgeSeconds,
  });
  reply.header('set-cookie', cookie);
}

/** Gives the browser its login, and takes the form cookie, which has served. */
export function setLoginCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  setCookie(context, request, reply, cookieNames.login, token, loginDays * 86_400);
  if (cookieIn(request.headers.cookie, cookieNames.form)) clearCookie(context, request, reply, 'form');
}

/** Gives the browser what its form's CSRF token is bound to. */
export function setFormCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
): void {
  setCookie(context, request, reply, cookieNames.form, value);
}

/** Leaves a word for the next page. */
export function setFlashCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  word: string,
): void {
  setCookie(context, request, reply, cookieNames.flash, word, 60);
}

/** Takes a cookie from the browser. */
export function clearCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  which: keyof typeof cookieNames,
): void {
  setCookie(context, request, reply, cookieNames[which], '', 0);
}
