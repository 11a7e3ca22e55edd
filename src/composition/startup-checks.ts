import { type HealthCheck, type StartupStep, startupStep } from '../handlers/endpoints/health.ts';

/** Startup phases in order; the server is healthy when all have finished. */
export type StartupPhase = 'bootstrap' | 'services' | 'chain' | 'loops';

const CHAIN_OF_FAIRNESS = [
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
];
const CHAIN_OF_LIMITS = ['poststarthook/max-in-flight-filter'];

const SERVICE_RANGES = 'poststarthook/start-kubernetes-service-cidr-controller';
const PEERS = 'poststarthook/peer-endpoint-reconciler-controller';
const CACHES = 'poststarthook/storage-readiness';
const PROXY_CERTIFICATE = 'poststarthook/aggregator-reload-proxy-client-cert';

/** What decides which hooks there are. */
export interface StartupOptions {
  /** `--enable-priority-and-fairness` */
  readonly fairness: boolean;
  /** Cluster addresses are allocated from ServiceCIDRs. */
  readonly serviceRanges: boolean;
  /** `--proxy-client-cert-file` is set. */
  readonly proxyCertificate: boolean;
  /** Servers of other releases are known as peers. Requests are not passed to them. */
  readonly peers: boolean;
  /** The start waits for the caches. */
  readonly awaitsCaches: boolean;
}

/** kube-apiserver's names of startup hooks, in its order, with the phase that completes each of them. */
const startupNames = ({
  fairness,
  serviceRanges,
  proxyCertificate,
  peers,
  awaitsCaches,
}: StartupOptions): readonly (readonly [name: string, phase: StartupPhase])[] => [
  ['poststarthook/start-apiserver-admission-initializer', 'chain'],
  ['poststarthook/generic-apiserver-start-informers', 'bootstrap'],
  ...(fairness ? CHAIN_OF_FAIRNESS : CHAIN_OF_LIMITS).map((name) => [name, 'chain'] as const),
  ['poststarthook/storage-object-count-tracker-hook', 'bootstrap'],
  ['poststarthook/start-apiextensions-informers', 'bootstrap'],
  ['poststarthook/start-apiextensions-controllers', 'loops'],
  ['poststarthook/crd-informer-synced', 'bootstrap'],
  ['poststarthook/start-system-namespaces-controller', 'bootstrap'],
  ...(peers ? [[PEERS, 'bootstrap'] as const] : []),
  ['poststarthook/start-cluster-authentication-info-controller', 'loops'],
  ['poststarthook/start-kube-apiserver-identity-lease-controller', 'bootstrap'],
  ['poststarthook/start-kube-apiserver-identity-lease-garbage-collector', 'loops'],
  ...(awaitsCaches ? [[CACHES, 'bootstrap'] as const] : []),
  ['poststarthook/start-legacy-token-tracking-controller', 'bootstrap'],
  ['poststarthook/start-service-ip-repair-controllers', 'services'],
  ['poststarthook/rbac/bootstrap-roles', 'bootstrap'],
  ['poststarthook/scheduling/bootstrap-system-priority-classes', 'bootstrap'],
  ['poststarthook/priority-and-fairness-config-producer', 'bootstrap'],
  ['poststarthook/bootstrap-controller', 'bootstrap'],
  ...(serviceRanges ? [[SERVICE_RANGES, 'services'] as const] : []),
  ...(proxyCertificate ? [[PROXY_CERTIFICATE, 'bootstrap'] as const] : []),
  ['poststarthook/start-kube-aggregator-informers', 'bootstrap'],
  ['poststarthook/apiservice-status-local-available-controller', 'loops'],
  ['poststarthook/apiservice-status-remote-available-controller', 'loops'],
  ['poststarthook/apiservice-registration-controller', 'loops'],
  ['poststarthook/apiservice-discovery-controller', 'chain'],
  ['poststarthook/kube-apiserver-autoregistration', 'bootstrap'],
  ['autoregister-completion', 'bootstrap'],
  ['poststarthook/apiservice-openapi-controller', 'chain'],
  ['poststarthook/apiservice-openapiv3-controller', 'chain'],
];

/** Health checks for the startup phases: each fails until its phase has finished. */
export class StartupChecks {
  readonly #steps: readonly (readonly [step: StartupStep, phase: StartupPhase])[];

  constructor(options: StartupOptions) {
    this.#steps = startupNames(options).map(([name, phase]) => [startupStep(name), phase]);
  }

  get checks(): readonly HealthCheck[] {
    return this.#steps.map(([{ check }]) => check);
  }

  finish(phase: StartupPhase): void {
    for (const [step, its] of this.#steps) if (its === phase) step.finish();
  }
}
