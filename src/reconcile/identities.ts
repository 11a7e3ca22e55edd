import {
  GROUP_AUTHENTICATED,
  GROUP_MASTERS,
  NO_EXTRA,
  serviceAccountUser,
  type UserInfo,
} from '../request/user.ts';
import type { Program } from './declaration.ts';

const user = (name: string, groups: readonly string[]): UserInfo => ({
  name,
  uid: '',
  groups: [...groups, GROUP_AUTHENTICATED],
  extra: NO_EXTRA,
});

/**
 * A controller writes as its own service account, which has the permissions of a bootstrap role.
 */
export const controllerUser = (serviceAccount: string): UserInfo =>
  serviceAccountUser('kube-system', serviceAccount);

/** The user of a program: what its controllers read as, and those without an account write as. */
export const programUser = (program: Program): UserInfo => user(`system:${program}`, []);

/** The identity of controllers that are part of the API server. */
export const API_SERVER: UserInfo = user('system:apiserver', [GROUP_MASTERS]);
