import { randomUUID } from 'node:crypto';
import { createAdmissionChain } from '../admission/chain.ts';
import type { EquivalentResources } from '../admission/listers.ts';
import { isExemptFromWebhooks, isExemptFromWebhooksWithReviews } from '../admission/matching/rules.ts';
import type { PluginOptions } from '../admission/plugins/declaration.ts';
import { createPlugins, deprecatedPlugins, unsupportedPlugins } from '../admission/plugins/index.ts';
import type { PolicyPlugin } from '../admission/policy/policy-plugin.ts';
import { mutatingWebhooks } from '../admission/webhook/mutating.ts';
import { validatingWebhooks } from '../admission/webhook/validating.ts';
import { WebhookSet } from '../admission/webhook/webhook-set.ts';
import type { Faults } from '../faults/faults.ts';
import { configurationLister } from '../listers/configuration-lister.ts';
import type { createListers } from '../listers/listers.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { randomSuffix } from '../operations/environment.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Admission, AdmissionPlugin } from '../request/admission.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Resources } from '../resources/resources.ts';
import { type ClusterClock, holdingClock, processClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import type { AdmissionSettings, connectImagePolicy } from './admission-configuration.ts';
import { measurePlugin, measureSteps } from './instrumentation.ts';
import type { Outbound } from './outbound.ts';
import { measurePassedPlugins } from './passed-plugins.ts';
import { podSecurityObserver } from './pod-security-observer.ts';

/** The options of admission. */
export type AdmissionOptions = OptionSlice<
  | 'admissionControl'
  | 'defaultNotReadyTolerationSeconds'
  | 'defaultUnreachableTolerationSeconds'
  | 'enableAdmissionPlugins'
>;

export interface AdmissionParts {
  readonly configuration: Configuration<AdmissionOptions>;
  readonly settings: AdmissionSettings;
  readonly resources: Resources;
  readonly clusterClock: ClusterClock;
  readonly listers: Pick<ReturnType<typeof createListers>, 'admission'>;
  readonly authorizer: Authorizer;
  readonly equivalents: EquivalentResources;
  readonly outbound: Outbound;
  readonly createNamespace: (name: string) => Promise<void>;
  readonly imagePolicy: ReturnType<typeof connectImagePolicy>;
  readonly policies: readonly PolicyPlugin[];
  readonly metrics: ServerMetrics;
  /** The faults of the cluster; undefined where there are none. */
  readonly faults: Faults | undefined;
  readonly logger: Logger;
}

/** User agent of calls to webhooks. */
const USER_AGENT = 'kube-apiserver-admission';

/** A plugin that is enabled and only counted: one whose feature gate is off. */
const withoutEffect = (name: string): AdmissionPlugin => ({ name, handles: () => false });

const unconfigured = () => Promise.reject(new Error('no image policy is configured'));

/** Creates the admission chain. The configurations of webhooks are read before the first request. */
export async function createAdmission(parts: AdmissionParts): Promise<Admission> {
  const { configuration, settings, resources, listers, authorizer, policies, metrics, logger } = parts;
  const { values, admissionPlugins, gates } = configuration;
  const builtin: PluginOptions = {
    ...listers.admission,
    ...settings,
    nameSuffix: () => randomSuffix(Math.random),
    authorizer,
    now: parts.clusterClock.now,
    scheme: configuration.scheme,
    resizesPods: gates.enabled('InPlacePodVerticalScaling'),
    isOn: gates.isOn,
    wait: (milliseconds) => pause(milliseconds, holdingClock),
    random: Math.random,
    createNamespace: parts.createNamespace,
    resourceOfKind: (group, version, kind) => resources.served.findKind(group, version, kind),
    podSecurityObserver: podSecurityObserver(metrics.registry, configuration.scheme.release),
    reviewImages: parts.imagePolicy?.review ?? unconfigured,
    monotonic: processClock.monotonic,
    tolerationSeconds: {
      notReady: values.defaultNotReadyTolerationSeconds,
      unreachable: values.defaultUnreachableTolerationSeconds,
    },
  };
  const configured = [...policies, ...(await webhookPlugins(parts))];
  const extra = new Map(configured.map((plugin) => [plugin.name, plugin]));
  const plugins = createPlugins(admissionPlugins, builtin, extra);
  for (const name of deprecatedPlugins(admissionPlugins))
    logger.warn(
      `${name} admission controller is deprecated. Please remove this controller from your configuration files and scripts.`,
    );
  for (const warning of settings.warnings) logger.warn(warning);
  const absent = unsupportedPlugins([...values.enableAdmissionPlugins, ...values.admissionControl], plugins);
  if (absent.length > 0)
    logger.warn('configured admission plugins do not exist in this version and have no effect', {
      plugins: absent.join(','),
    });
  const created = new Map(plugins.map((plugin) => [plugin.name, measurePlugin(plugin, metrics)]));
  const measured = admissionPlugins.map((name) => created.get(name) ?? withoutEffect(name));
  return measureSteps(createAdmissionChain(measured, measurePassedPlugins(metrics)), metrics);
}

async function webhookPlugins({
  configuration: { gates, scheme },
  resources,
  listers,
  authorizer,
  equivalents,
  outbound,
  settings: { webhookCredentials },
  metrics,
  faults,
  logger,
}: AdmissionParts): Promise<AdmissionPlugin[]> {
  const isExempt = gates.isOn('ExcludeAdmissionWebhookVirtualResources')
    ? isExemptFromWebhooksWithReviews
    : isExemptFromWebhooks;
  const setOf = async (type: 'mutating' | 'validating') =>
    new WebhookSet(
      await configurationLister(resources, `${type}webhookconfigurations`),
      equivalents,
      {
        ...outbound,
        userAgent: USER_AGENT,
        credentials: webhookCredentials[type],
      },
      isExempt,
    );
  const options = {
    namespace: listers.admission.namespace,
    authorizer,
    has: scheme.has,
    clock: processClock,
    uid: randomUUID,
    metrics,
    failsCall: faults && ((webhook: string) => faults.failsWebhook(webhook)),
    logFailure: (err: string) => logger.warn('ignored the failure of an admission webhook', { err }),
  };
  return [
    mutatingWebhooks({ ...options, set: await setOf('mutating') }),
    validatingWebhooks({ ...options, set: await setOf('validating') }),
  ];
}
