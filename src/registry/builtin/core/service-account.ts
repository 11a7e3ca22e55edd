import type { ServiceAccount } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { Strategy } from '../../strategy.ts';

const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/** Reduces secret references to their names: namespace and kind are implied. */
function keepOnlySecretNames(object: KubernetesObject): void {
  const account = object as ServiceAccount;
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => ({ name }));
}

export const serviceAccountStrategy: Strategy = {
  revalidatesMetadataOnUpdate: true,
  prepareForCreate: keepOnlySecretNames,
  prepareForUpdate: keepOnlySecretNames,
  warnings: ({ metadata }, old) =>
    metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] !== undefined &&
    old?.metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] === undefined
      ? [
          `metadata.annotations[${ENFORCE_MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
  returnsDeletedObject: true,
};
