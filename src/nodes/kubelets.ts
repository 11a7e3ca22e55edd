import { GROUP_AUTHENTICATED, NO_EXTRA, type UserInfo } from '../request/user.ts';

/**
 * The simulated kubelets of a cluster: their users, and which of them run. The users exist inside the process only: no
 * credential authenticates as one of them.
 */
export class Kubelets {
  readonly #users = new WeakSet<UserInfo>();
  readonly #running = new Set<string>();

  /** The user that acts as the kubelet of a node. */
  createUser(node: string): UserInfo {
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
  hasUser(user: UserInfo): boolean {
    return this.#users.has(user);
  }

  /** The kubelet of a node runs, or does not run any more. */
  setRunning(node: string, isRunning: boolean): void {
    if (isRunning) this.#running.add(node);
    else this.#running.delete(node);
  }

  /** Whether the kubelet of a node runs: its Lease may be old when the cluster's time was advanced. */
  isRunning(node: string): boolean {
    return this.#running.has(node);
  }
}
