import { multipart } from '../library-steps.ts';
import type { Asked } from './role.ts';

/** Returns the address of a route (`GET /path/:name`) with its parameters filled in. Throws if one is missing. */
export function urlOf(route: string, { params = {} }: Asked): string {
  const path = route.slice(route.indexOf(' ') + 1);
  return path.replace(/:([a-z_]+)|\*/g, (whole, name?: string) => {
    const value = params[name ?? whole];
    if (value === undefined) throw new Error(`${route} needs the parameter ${name ?? whole}`);
    return String(value);
  });
}

/** Returns the payload of a call: a file, a form, JSON or nothing. */
export function payloadOf({ body, fields, file, parts }: Asked): {
  headers: Record<string, string>;
  payload?: string | Buffer;
} {
  if (parts) return multipart(parts);
  if (file) return multipart([{ name: 'file', fileName: 'song.wav', bytes: file }]);
  if (fields) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, payload: new URLSearchParams(fields).toString() };
  }
  if (body === undefined) return { headers: {} };
  return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) };
}
