import type { ServiceAccount } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';

const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/** Reduces secret references to their names: namespace and kind are implied. */
function keepOnlySecretNames(object: KubernetesObject): void {
  const account = object as ServiceAccount;
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => ({ name }));
}

export const serviceAccountStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  prepareForCreate: keepOnlySecretNames,
  prepareForUpdate: keepOnlySecretNames,
  warnings: ({ metadata }, old) =>
    metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] !== undefined &&
    old?.metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] === undefined
      ? [
          `metadata.annotations[${ENFORCE_MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
  deletion: { returnsObject: true },
};

export const serviceAccounts = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  shortNames: ['sa'],
  subresources: [
    { name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
  ],
  strategy: serviceAccountStrategy,
  table: table<ServiceAccount>(
    [
      NAME,
      { ...column('Secrets', 'Number of secrets that pods of the account may use.'), until: '1.35' },
      AGE,
    ],
    (object) => [nameOf(object), object.secrets?.length ?? 0, ageOf(object)],
  ),
});
