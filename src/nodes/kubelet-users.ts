import { GROUP_AUTHENTICATED, NO_EXTRA, type UserInfo } from '../request/user.ts';

/** The users of simulated kubelets. They exist inside the process only: no credential authenticates as one of them. */
export class KubeletUsers {
  readonly #users = new WeakSet<UserInfo>();

  /** The user that acts as the kubelet of a node. */
  create(node: string): UserInfo {
    const user: UserInfo = {
      name: `system:node:${node}`,
      uid: '',
      groups: ['system:nodes', GROUP_AUTHENTICATED],
      extra: NO_EXTRA,
    };
    this.#users.add(user);
    return user;
  }

  /** Whether a user is one of these, and not a client of the same name. */
  has(user: UserInfo): boolean {
    return this.#users.has(user);
  }
}
