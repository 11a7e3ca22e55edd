import { quote } from '../errors/quote.ts';
import type { Subject } from '../model/generated/rbac-v1.ts';
import { serviceAccountUserName, type UserInfo } from '../request/user.ts';

/**
 * Key of a subject in an index: users (service accounts are users too) and groups have separate key spaces.
 */
export type SubjectKey = string;

export const userKey = (name: string): SubjectKey => `u${name}`;
export const groupKey = (name: string): SubjectKey => `g${name}`;

/** @returns undefined for a subject that matches no user (unknown kind, service account without namespace) */
export function subjectKey(subject: Subject, bindingNamespace: string): SubjectKey | undefined {
  const name = subject.name ?? '';
  switch (subject.kind) {
    case 'User':
      return userKey(name);
    case 'Group':
      return groupKey(name);
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace === '' ? undefined : userKey(serviceAccountUserName(namespace, name));
    }
    default:
      return undefined;
  }
}

const keysOfUsers = new WeakMap<UserInfo, readonly SubjectKey[]>();

/**
 * All subject keys of a user, the name first. Cached by user object: authenticators return the same object
 * for many requests.
 */
export function keysOf(user: UserInfo): readonly SubjectKey[] {
  let keys = keysOfUsers.get(user);
  if (keys === undefined) {
    keys = [userKey(user.name), ...user.groups.map(groupKey)];
    keysOfUsers.set(user, keys);
  }
  return keys;
}

/** Formats a subject for the reason of a decision. */
export function describeSubject(
  { kind = '', name = '', namespace }: Subject,
  bindingNamespace: string,
): string {
  return `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name)}`;
}
