import { GROUP_AUTHENTICATED, GROUP_MASTERS, NO_EXTRA, type UserInfo } from '../request/user.ts';

const user = (name: string, groups: readonly string[]): UserInfo => ({
  name,
  uid: '',
  groups: [...groups, GROUP_AUTHENTICATED],
  extra: NO_EXTRA,
});

/**
 * A controller writes as a service account of its own, which a bootstrap role gives what it needs and no
 * more.
 */
export const controllerUser = (serviceAccount: string): UserInfo =>
  user(`system:serviceaccount:kube-system:${serviceAccount}`, [
    'system:serviceaccounts',
    'system:serviceaccounts:kube-system',
  ]);

/** Reads what all controllers share. */
export const CONTROLLER_MANAGER: UserInfo = user('system:kube-controller-manager', []);

/** The loops that are part of an API server itself. */
export const API_SERVER: UserInfo = user('system:apiserver', [GROUP_MASTERS]);
