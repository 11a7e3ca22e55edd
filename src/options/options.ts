import { networkInterfaces } from 'node:os';
import { parseAddress } from '../addresses/address.ts';
import type { AddressRange } from '../addresses/ip-address.ts';
import { isLoopback, isUnspecified } from '../addresses/special.ts';
import { aggregate } from '../errors/aggregate.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { dataPaths } from '../files/data-directory.ts';
import { isAlive, type Minor } from '../model/life.ts';
import { type ReleaseState, type Scheme, schemeOf } from '../model/scheme.ts';
import {
  enabledAdmissionPlugins,
  type SelectablePlugin,
  validateAdmissionFlags,
} from './admission-plugins.ts';
import { emulatedVersion } from './emulated-version.ts';
import { type FeatureGates, readFeatureGates } from './feature-gates.ts';
import { flagName } from './flags/flag.ts';
import { type FlagValues, flagOf, type OptionName } from './flags/table.ts';
import { misgivenOptions } from './given-options.ts';
import { readKubernetesVersion } from './kubernetes-version.ts';
import {
  type ApiEnablement,
  flowControlConflict,
  type KnownResource,
  readRuntimeConfig,
} from './runtime-config.ts';
import { validateAudit } from './validation/audit.ts';
import { validateAuthentication } from './validation/authentication.ts';
import { type AuthorizationMode, validateAuthorization } from './validation/authorization.ts';
import { validateAutoscaler } from './validation/autoscaler.ts';
import { validateClusters } from './validation/clusters.ts';
import { validateControllers } from './validation/controllers.ts';
import { validateGeneric } from './validation/generic.ts';
import { validateNodeControllers } from './validation/node-controllers.ts';
import { INITIAL_VALUES, validateOthers } from './validation/others.ts';
import { validateServiceControllers } from './validation/service-controllers.ts';
import { hasAddressBitmap, readServiceRanges, validateServices } from './validation/services.ts';
import { validateStartContract } from './validation/start-contract.ts';
import { storageBackend, validateStorage } from './validation/storage.ts';
import { doubtfulValues } from './warnings.ts';

/**
 * The options of a server, one member per flag, named like the flag in camel case (`--secure-port` is
 * `securePort`). A missing or undefined option has the default of the flag. Durations are in milliseconds.
 */
export type ServerOptions = { -readonly [Name in OptionName]?: FlagValues[Name] | undefined };

/** The validated options with defaults and derived values; `Values` is the slice that a part takes. */
export interface Configuration<Values = FlagValues> {
  readonly values: Values;
  /** Options that were set explicitly. */
  readonly given: ReadonlySet<OptionName>;
  /** Every option with its value, for the page that shows them. */
  readonly flags: ReadonlyMap<OptionName, unknown>;
  /** The release whose behaviour is emulated. */
  readonly emulatedVersion: Minor;
  readonly gates: FeatureGates;
  readonly apis: ApiEnablement;
  readonly storageBackend: 'embedded' | 'etcd3' | 'memory';
  /** The address for clients inside the cluster. */
  readonly advertiseAddress: string;
  /** The primary range, and the secondary one if configured. */
  readonly serviceRanges: readonly AddressRange[];
  /** In order; empty if an AuthorizationConfiguration file is used. */
  readonly authorizationModes: readonly AuthorizationMode[];
  /** In the order in which they run. */
  readonly admissionPlugins: readonly string[];
  /** The first one issues tokens; all are accepted. */
  readonly serviceAccountIssuers: readonly string[];
  readonly apiAudiences: readonly string[];
  /** The release that is implemented. */
  readonly scheme: Scheme;
  /** The directory of the embedded store. */
  readonly storageDirectory: string;
  readonly certificateDirectory: string;
  /** Undefined if none is written: in memory unless one is named, and with an empty name. */
  readonly kubeconfigFile: string | undefined;
  /** One line each, for the log. */
  readonly warnings: readonly string[];
}

/** What flags select from. */
export interface Selectable {
  /** The built-in resources of a release, served or not. */
  readonly resourcesOf: (scheme: Scheme) => Iterable<KnownResource>;
  /** The admission plugins, in the order in which they run. */
  readonly plugins: readonly SelectablePlugin[];
}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

/**
 * Sets defaults and validates options. Values of a wrong form are reported first, and alone. The release that they
 * name is loaded (`loadRelease`).
 * @throws ConfigurationError with every error, in one line
 */
export function configure(options: ServerOptions, selectable: Selectable): Configuration {
  const misgiven = misgivenOptions(options);
  if (misgiven.length > 0) throw new ConfigurationError(aggregate(misgiven));
  const named = Object.entries(options).filter(([, value]) => value !== undefined);
  const given = new Set(named.map(([option]) => option as OptionName));
  const values: FlagValues = {
    ...INITIAL_VALUES,
    ...(options.ephemeral ? { securePort: 0 } : {}),
    ...(Object.fromEntries(named) as Partial<FlagValues>),
  };

  const scheme = schemeOf(readKubernetesVersion(values.kubernetesVersion));
  const plugins = scheme.select(selectable.plugins);
  const emulated = emulatedVersion(values.emulatedVersion, scheme);
  const gates = readFeatureGates(values.featureGates, scheme, emulated);
  const backend = values.ephemeral ? 'memory' : storageBackend(values.storageBackend, values.etcdServers);
  const serviceRanges = readServiceRanges(values.serviceClusterIpRange);
  const advertiseAddress =
    values.advertiseAddress || reachableAddress(values.bindAddress, serviceRanges[0]!.address.family);
  const areModesGiven = values.authorizationMode.length > 0 && given.has('authorizationMode');
  const authorizationModes =
    values.authorizationConfig !== '' || areModesGiven ? values.authorizationMode : ['RBAC'];
  const problems = [
    ...validateGeneric(values),
    ...validateStorage(values),
    ...validateAuthentication(values, given, gates),
    ...validateAuthorization(values, authorizationModes, given, gates),
    ...validateAudit(values),
    ...validateAdmissionFlags(values, plugins),
    ...validateOthers(values, given, gates, scheme),
    ...validateControllers(values),
    ...validateNodeControllers(values),
    ...validateAutoscaler(values),
    ...validateServiceControllers(values),
    ...validateServices(values, serviceRanges, advertiseAddress, hasAddressBitmap(backend, gates)),
    ...validateStartContract(values, given),
    ...validateClusters(values),
    ...(values.enablePriorityAndFairness ? flowControlConflict(values.runtimeConfig) : []),
  ];
  let apis: ApiEnablement | undefined;
  try {
    apis = readRuntimeConfig(
      values.runtimeConfig,
      selectable.resourcesOf(scheme),
      scheme.groupVersions,
      (resource) => isAvailable(resource, gates, emulated),
    );
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems));

  const serviceAccountIssuers =
    values.serviceAccountIssuer.length > 0 ? values.serviceAccountIssuer : [DEFAULT_ISSUER];
  return {
    values,
    given,
    flags: new Map(Object.entries(values)) as Configuration['flags'],
    emulatedVersion: emulated,
    scheme,
    gates,
    apis: apis!,
    advertiseAddress,
    serviceRanges,
    serviceAccountIssuers,
    storageBackend: backend,
    authorizationModes: authorizationModes as AuthorizationMode[],
    admissionPlugins: enabledAdmissionPlugins(values, plugins),
    apiAudiences: values.apiAudiences.length > 0 ? values.apiAudiences : serviceAccountIssuers,
    certificateDirectory: values.certDir || dataPaths(values.dataDir).certificates,
    storageDirectory: dataPaths(values.dataDir).storage,
    kubeconfigFile: given.has('kubeconfigOut')
      ? values.kubeconfigOut || undefined
      : backend === 'memory'
        ? undefined
        : dataPaths(values.dataDir).kubeconfig,
    warnings: [
      ...releaseWarnings(scheme),
      ...gates.warnings,
      ...withoutEffect(given),
      ...doubtfulValues(values),
    ],
  };
}

const isAvailable = ({ life, gate }: KnownResource, gates: FeatureGates, emulated: Minor): boolean =>
  isAlive({ since: life?.since }, emulated) && (gate === undefined || gates.isOn(gate));

/** What the start says of a release that is not complete. */
const RELEASE_WARNINGS: Readonly<Record<ReleaseState, string>> = {
  complete: '',
  incomplete: 'is not complete: some of its rules are those of another release',
  'not compared':
    'has not been compared with its kube-apiserver: some of its rules are those of another release',
};

function releaseWarnings({ minor, release }: Scheme): string[] {
  const text = RELEASE_WARNINGS[release.state];
  return text === '' ? [] : [`Kubernetes ${minor} ${text}`];
}

/** Returns a warning for each flag that was set and has no effect. */
function withoutEffect(given: ReadonlySet<OptionName>): string[] {
  return [...given]
    .filter((option) => flagOf(option).effect === 'none')
    .map((option) => `Flag --${flagName(option)} is accepted but has no effect: ${flagOf(option).because}`);
}

/**
 * The address at which other machines reach this one: the bound address, unless that is unspecified or
 * loopback; otherwise the first external one of the family.
 */
function reachableAddress(bound: string, family: 4 | 6): string {
  const address = parseAddress(bound);
  if (address === undefined || !(isUnspecified(address) || isLoopback(address))) return bound;
  const outward = Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(
      (entry) => !entry.internal && entry.family === `IPv${family}` && !entry.address.startsWith('fe80:'),
    );
  return outward?.address ?? (family === 4 ? '127.0.0.1' : '::1');
}

function interfaces(): ReturnType<typeof networkInterfaces> {
  try {
    return networkInterfaces();
  } catch {
    // Sandboxes may deny access to the interfaces; loopback is used then.
    return {};
  }
}
