import type { UserInfo } from './user.ts';

const USER_PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/**
 * The name of the node that a user represents; undefined if the user is not a node, empty for a node without
 * a name.
 */
export function nodeName({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(USER_PREFIX) && groups.includes(GROUP) ? name.slice(USER_PREFIX.length) : undefined;
}
