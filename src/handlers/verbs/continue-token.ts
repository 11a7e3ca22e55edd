import { errors } from '../../status/index.ts';
import { fromKey, toKey } from '../../storage/storage.ts';

/**
 * The start of the next chunk of a list and its state: base64url of `{v, rv, start}`, the form of
 * kube-apiserver.
 */
export interface ContinueToken {
  /** Revision of the list; -1 for the latest. */
  readonly revision: number;
  /** First key of the next chunk. */
  readonly startKey: string;
}

const TOKEN_VERSION = 'meta.k8s.io/v1';

/**
 * @param startKey full key of the first possible object of the next chunk
 * @param prefix key prefix of the list, ending in `/`
 * @param slash whether the relative key begins with `/`, as in kube-apiserver with a watch cache; both forms
 *   are accepted
 */
export function encodeContinueToken(
  startKey: string,
  prefix: string,
  revision: number,
  slash: boolean,
): string {
  const start = fromKey(startKey.slice(slash ? prefix.length - 1 : prefix.length));
  return Buffer.from(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start })).toString('base64url');
}

/** @throws ApiError 400 */
export function decodeContinueToken(token: string, prefix: string): ContinueToken {
  const { v = '', rv = 0, start = '' } = parseToken(token);
  if (v !== TOKEN_VERSION) throw invalidToken(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidToken(`incorrect encoded start resourceVersion (version ${v})`);
  if (start === '') throw invalidToken(`encoded start key empty (version ${v})`);
  // The key must stay inside the prefix: a path that changes when it is cleaned leaves it.
  const relative = start.startsWith('/') ? start.slice(1) : start;
  if (relative.split('/').some((part) => part === '..' || part === '.' || part === ''))
    throw invalidToken(start);
  return { revision: rv, startKey: prefix + toKey(relative) };
}

function parseToken(token: string): { v?: string; rv?: number; start?: string } {
  // Unpadded base64url, as Go's RawURLEncoding: `=` is illegal.
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  if (bad !== null) throw invalidToken(`illegal base64 data at input byte ${bad.index}`);
  const text = Buffer.from(token, 'base64url').toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidToken(
      text === ''
        ? 'unexpected end of JSON input'
        : `invalid character '${text[0]}' looking for beginning of value`,
    );
  }
  if (typeof value !== 'object' || value === null) throw invalidToken('not an object');
  const { v, rv, start } = value as Record<string, unknown>;
  if (
    (v !== undefined && typeof v !== 'string') ||
    (rv !== undefined && !Number.isSafeInteger(rv)) ||
    (start !== undefined && typeof start !== 'string')
  )
    throw invalidToken('members of the wrong type');
  return { v: v as string, rv: rv as number, start: start as string };
}

const invalidToken = (detail: string) =>
  errors.badRequest(`invalid continue token: continue key is not valid: ${detail}`);
