import { DecodeError } from '../../codec/decode-error.ts';
import { parseJson } from '../../codec/json-parse.ts';
import { jsonTypeOf } from '../../codec/type-meta.ts';
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

function parseToken(token: string): Members {
  // Unpadded base64url, as Go's RawURLEncoding: `=` is illegal, and so is a single last character.
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  if (bad !== null || token.length % 4 === 1)
    throw invalidToken(`illegal base64 data at input byte ${bad?.index ?? token.length - 1}`);
  const value = parseDocument(Buffer.from(token, 'base64url'));
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidToken(
      `json: cannot unmarshal ${jsonType(value)} into Go value of type storage.continueToken`,
    );
  const members: Members = {};
  for (const [name, member] of Object.entries(value)) readMember(members, name.toLowerCase(), member);
  return members;
}

function parseDocument(bytes: Buffer): unknown {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidToken(error.message);
  }
}

interface Members {
  v?: string;
  rv?: number;
  start?: string;
}

/** Reads one member; names match in any case, as in Go. @throws ApiError 400 */
function readMember(members: Members, name: string, value: unknown): void {
  if (value === null || (name !== 'v' && name !== 'rv' && name !== 'start')) return;
  const type = name === 'rv' ? 'int64' : 'string';
  const fits =
    name === 'rv' ? Number.isInteger(value) || typeof value === 'bigint' : typeof value === 'string';
  if (!fits)
    throw invalidToken(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field continueToken.${name} of type ${type}`,
    );
  if (name === 'rv') members.rv = Number(value);
  else members[name] = value as string;
}

/** The type of a JSON value as Go's decoder names it; fractions are named with their text. */
const jsonType = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value) ? `number ${value}` : jsonTypeOf(value);

const invalidToken = (detail: string) =>
  errors.badRequest(`invalid continue token: continue key is not valid: ${detail}`);
