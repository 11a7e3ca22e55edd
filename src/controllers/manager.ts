import type { Logger } from '../observability/log.ts';
import type { ObjectSource, Selection } from '../reader/object-source.ts';
import type { UserInfo } from '../request/user.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { type AuthenticationData, authenticationMapController } from './authentication-map.ts';
import { approvingController } from './certificates/approving.ts';
import { cleanerController } from './certificates/cleaner.ts';
import { type CertificateSigner, signingController } from './certificates/signing.ts';
import { Client, type Resource, type Send } from './client.ts';
import { clusterRoleAggregationController } from './cluster-role-aggregation.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type FlowControlObjects, flowControlObjectsController } from './flow-control-objects.ts';
import { flowSchemaController } from './flow-schemas.ts';
import { garbageCollector } from './garbage-collector/controller.ts';
import type { MetadataSource } from './garbage-collector/objects.ts';
import { API_SERVER, CONTROLLER_MANAGER } from './identities.ts';
import type { NamespaceContent } from './namespace/content.ts';
import { namespaceController } from './namespace/controller.ts';
import { type CheckPolicyTypes, policyStatusController } from './policy-status.ts';
import type { RemoteKinds } from './remote-kinds.ts';
import { resourceQuotaController } from './resource-quota/controller.ts';
import type { CountableKinds } from './resource-quota/counted-objects.ts';
import { rootCertificatesController } from './root-certificates.ts';
import { serviceAccountController } from './service-accounts.ts';
import { accountTokenController, type SignAccountToken } from './tokens/account-tokens.ts';
import { bootstrapSignerController } from './tokens/bootstrap-signer.ts';
import { tokenCleanerController } from './tokens/token-cleaner.ts';
import { claimProtectionController } from './volumes/claim-protection.ts';
import { volumeProtectionController } from './volumes/volume-protection.ts';
import type { WorkQueueObserver } from './work-queue.ts';

export interface ControllerOptions {
  /** Sends requests into the server's filter chain as `user`. */
  send(user: UserInfo): Send;
  /** Objects that `user` may list and watch. @param onError receives what prevents that, and is repeated */
  objects(
    user: UserInfo,
    resource: Resource,
    selection: Selection,
    onError: (error: unknown) => void,
  ): ObjectSource;
  /** Optional controllers to run. */
  readonly selected: ReadonlySet<string>;
  /** CA bundle of the server, PEM. */
  readonly caBundle: string;
  /** Signs certificate requests. */
  readonly signer: CertificateSigner;
  readonly signAccountToken: SignAccountToken;
  /** Data of the ConfigMap for extension API servers. */
  readonly authenticationData: AuthenticationData;
  /** The built-in flow schemas and priority levels. */
  readonly flowControlObjects: FlowControlObjects;
  readonly namespaceContent: NamespaceContent;
  readonly countableKinds: CountableKinds;
  readonly checkPolicyTypes: CheckPolicyTypes;
  /** The kinds of extension servers. */
  readonly remoteKinds: RemoteKinds;
  /** Creates the metadata source of the garbage collector. */
  readonly createMetadataSource: () => MetadataSource;
  /** Whether pods can be resized. */
  readonly resizesPods: boolean;
  /** Milliseconds between the deletion of a namespace and that of its content. */
  readonly namespaceDeletionDelay: number;
  /** The garbage collector keeps objects whose owners the server has never stored. */
  readonly keepsUnknownOwners: boolean;
  readonly clock: Pick<ProcessClock, 'now' | 'after'>;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Observes the queue of the controller of that name. */
  observeQueue?(controller: string): WorkQueueObserver;
  /** Version in the `User-Agent` of controllers. */
  readonly version: string;
}

export interface RunningControllers {
  /** Starts the optional controllers; those of the API server already run. */
  startSelected(): void;
  /** Stops the optional controllers; resolves when in-flight work is done. They can be started again. */
  stopSelected(): Promise<void>;
  /** Aborts watches and stops the queues; resolves when in-flight work is done. */
  stop(): Promise<void>;
}

/** Starts the controllers of the API server. `startSelected` starts the optional ones. */
export function startControllers(options: ControllerOptions): RunningControllers {
  const own = createParts(options, 'kube-apiserver', API_SERVER);
  const running = [
    flowSchemaController(own),
    flowControlObjectsController(own, options.flowControlObjects),
    authenticationMapController(own, options.authenticationData),
  ];
  let selected: readonly Controller[] = [];
  let stopped = false;
  for (const controller of running) void run(controller);
  return {
    startSelected() {
      if (stopped || selected.length > 0) return;
      selected = selectedControllers(options);
      for (const controller of selected) void run(controller);
    },
    async stopSelected() {
      const controllers = selected;
      selected = [];
      await stopAll(controllers);
    },
    async stop() {
      stopped = true;
      await stopAll([...running, ...selected]);
    },
  };
}

async function stopAll(controllers: readonly Controller[]): Promise<void> {
  await Promise.all(
    controllers.flatMap(({ sources, queue }) => [...sources.map((source) => source.stop()), queue.stop()]),
  );
}

function selectedControllers(options: ControllerOptions): Controller[] {
  const {
    selected,
    caBundle,
    signer,
    signAccountToken,
    namespaceContent,
    countableKinds,
    checkPolicyTypes,
    remoteKinds,
    resizesPods,
    createMetadataSource,
    namespaceDeletionDelay,
    keepsUnknownOwners,
  } = options;
  const manager = createParts(options, 'kube-controller-manager', CONTROLLER_MANAGER);
  const optional: Readonly<Record<string, () => Controller>> = {
    'serviceaccount-controller': () => serviceAccountController(manager),
    'root-ca-certificate-publisher-controller': () => rootCertificatesController(manager, caBundle),
    'resourcequota-controller': () =>
      resourceQuotaController(manager, countableKinds, remoteKinds, resizesPods),
    'namespace-controller': () => namespaceController(manager, namespaceContent, namespaceDeletionDelay),
    'clusterrole-aggregation-controller': () => clusterRoleAggregationController(manager),
    'certificatesigningrequest-approving-controller': () => approvingController(manager, signer.read),
    'certificatesigningrequest-signing-controller': () => signingController(manager, signer),
    'certificatesigningrequest-cleaner-controller': () => cleanerController(manager),
    'serviceaccount-token-controller': () => accountTokenController(manager, signAccountToken, caBundle),
    'token-cleaner-controller': () => tokenCleanerController(manager),
    'bootstrap-signer-controller': () => bootstrapSignerController(manager),
    'persistentvolumeclaim-protection-controller': () => claimProtectionController(manager),
    'persistentvolume-protection-controller': () => volumeProtectionController(manager),
    'validatingadmissionpolicy-status-controller': () => policyStatusController(manager, checkPolicyTypes),
    'garbage-collector-controller': () =>
      garbageCollector(manager, {
        stored: createMetadataSource(),
        kinds: remoteKinds,
        keepsUnknownOwners,
      }),
  };
  return [...selected].flatMap((name) => optional[name]?.() ?? []);
}

/** Starts the queue after all sources have synced. */
async function run({ sources, queue }: Controller): Promise<void> {
  for (const source of sources) source.start();
  for (const source of sources) await source.synced;
  queue.start();
}

function createParts(
  { send, objects, clock, clusterClock, logger, observeQueue, version }: ControllerOptions,
  agent: string,
  reader: UserInfo,
): ControllerContext {
  return {
    client: (user) => new Client(send(user), `${agent}/${version}`),
    objects: (resource, selection = {}) =>
      objects(reader, resource, selection, (error) =>
        logger.detail(2, 'watch failed; retrying', {
          resource: resource.resource,
          err: (error as Error).message,
        }),
      ),
    clock,
    clusterClock,
    logger,
    ...(observeQueue && { observeQueue }),
  };
}
