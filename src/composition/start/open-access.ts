import { randomUUID } from 'node:crypto';
import { createListers } from '../../listers/listers.ts';
import { Kubelets } from '../../nodes/kubelets.ts';
import { ownedByServer } from '../../operations/ownership.ts';
import { Readers } from '../../reader/readers.ts';
import { processClock } from '../../time/clock.ts';
import { type Authorization, createAuthorization } from '../authorization.ts';
import { certificateSigner } from '../certificate-signer.ts';
import { createIdentity } from '../identity.ts';
import { createResources, createServiceAllocator } from '../resources.ts';
import { createServiceAccounts } from '../service-accounts.ts';
import type { Server } from './open-server.ts';
import type { Store } from './open-store.ts';
import type { StartContext } from './start-context.ts';

/** What the third phase started. */
export type Access = Awaited<ReturnType<typeof openAccess>>;

/** Opens the resources, and what decides who a client is and what it may do. */
export async function openAccess(
  { configuration, authorizers, simulation, clusterClock, logger, parts, further }: StartContext,
  { metrics, egress, tls, administratorToken, accountKeys, listener, port }: Server,
  { storage, unencrypted }: Store,
) {
  const signer = certificateSigner(configuration.values, () => tls.generated.authority);
  const allocator = createServiceAllocator(configuration, unencrypted, metrics);
  let authorization: Authorization | undefined;
  const resources = await parts.use(
    'resources',
    () => createResources({ configuration, storage, allocator, authorization: () => authorization }),
    (started) => started.close(),
  );
  const readers = new Readers({ resources, clock: processClock, logger });
  const listers = createListers(resources, (quotas, live, charged) =>
    ownedByServer(quotas, live, charged, {
      manager: 'kube-apiserver',
      now: clusterClock.now(),
      subresource: 'status',
    }),
  );
  await listers.roles.ready();

  const serviceAccounts = createServiceAccounts(
    configuration,
    accountKeys,
    listers.tokens,
    randomUUID,
    `https://${configuration.advertiseAddress}:${port}${further?.pathPrefix ?? ''}/openid/v1/jwks`,
    metrics,
    clusterClock.now,
  );
  const kubelets = simulation && new Kubelets();
  authorization = await parts.use(
    'authorization',
    () =>
      createAuthorization({
        configuration,
        authorizers,
        roles: listers.roles,
        readers,
        kubelets,
        egress,
        metrics,
        logger,
      }),
    (started) => started.stop(),
  );
  const identity = await parts.use(
    'authentication',
    () =>
      createIdentity({
        configuration,
        tls,
        administratorToken,
        authorization: authorization!,
        serviceAccounts: serviceAccounts.authenticator,
        reader: listers.tokens,
        clusterClock,
        egress,
        metrics,
        logger,
      }),
    (started) => started.stop(),
  );
  const nameAuthorities = () =>
    listener.setCertificates({ clientAuthorities: identity.acceptedAuthorities() });
  // Those of further clusters have the same names.
  if (further === undefined) nameAuthorities();
  identity.onCaBundleChange(nameAuthorities);

  return {
    signer,
    allocator,
    resources,
    readers,
    listers,
    serviceAccounts,
    authorization,
    identity,
    kubelets,
  };
}
