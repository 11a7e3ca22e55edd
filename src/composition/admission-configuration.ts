import type { EventLimit, PluginConfiguration } from '../admission/plugin-configuration.ts';
import type { ReviewImages } from '../admission/plugins/image-policy-webhook.ts';
import type { AdmissionPluginName } from '../admission/plugins/table.ts';
import { defaultPolicy } from '../admission/pod-security/policy.ts';
import { aggregate } from '../errors/aggregate.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { validateTolerations } from '../kinds/core/pods/scheduling-validation.ts';
import type { WebhookCredentials } from '../kubeconfig/webhook-credentials.ts';
import type { ImagePolicyDocument } from '../options/documents/admission/image-policy.ts';
import type { PluginDocuments } from '../options/documents/admission/plugin-configuration.ts';
import type { PodSecurityDocument } from '../options/documents/admission/pod-security.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Endpoint } from '../outbound/endpoint.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { WEBHOOK_BACKOFF } from '../outbound/retries.ts';
import { createReviewClient, type ReviewClient } from '../outbound/review-client.ts';

const NO_KUBECONFIG =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';
/** Timeout of one review of images, in milliseconds. */
const REVIEW_TIMEOUT = 30_000;

/** The options of admission plugins. */
export type AdmissionFileOptions = OptionSlice<'admissionControlConfigFile'>;

/** The configuration of the admission plugins, read at the start. */
export interface AdmissionSettings extends PluginConfiguration {
  /** The backend of the image policy. */
  readonly imageReview: { readonly endpoint: Endpoint; readonly retryBackoff: number } | undefined;
  /** Credentials for webhooks; undefined: none are configured. */
  readonly webhookCredentials: Readonly<Record<'mutating' | 'validating', WebhookCredentials | undefined>>;
  /** One line each, for the log. */
  readonly warnings: readonly string[];
}

/**
 * Reads the documents of the enabled plugins from `--admission-control-config-file`, in the order of the
 * plugins.
 * @throws ConfigurationError
 */
export async function readAdmissionSettings({
  values,
  admissionPlugins,
}: Configuration<AdmissionFileOptions>): Promise<AdmissionSettings> {
  const documents = await openDocuments(values.admissionControlConfigFile);
  const warnings: string[] = [];
  const read = async <Result>(
    plugin: AdmissionPluginName,
    parse: (text: string | undefined) => Result | Promise<Result>,
    initial: Result,
  ): Promise<Result> => {
    if (!admissionPlugins.includes(plugin)) return initial;
    try {
      return await parse(documents(plugin));
    } catch (error) {
      throw failure(`couldn't init admission plugin ${JSON.stringify(plugin)}: ${(error as Error).message}`);
    }
  };
  const image = await read('ImagePolicyWebhook', readImagePolicy, undefined);
  const podSecurity = await read('PodSecurity', readPodSecurity, NO_POD_SECURITY);
  const nodeSelectors = await read(
    'PodNodeSelector',
    async (text) => {
      if (text === undefined) return NO_SELECTORS;
      const { parseNodeSelectors } = await import('../options/documents/admission/pod-node-selector.ts');
      return parseNodeSelectors(text, (warning) => warnings.push(warning));
    },
    NO_SELECTORS,
  );
  const tolerations = await read('PodTolerationRestriction', readTolerations, UNRESTRICTED);
  const eventLimits = await read('EventRateLimit', readEventLimits, []);
  const mutating = await read('MutatingAdmissionWebhook', readCredentials, undefined);
  const validating = await read('ValidatingAdmissionWebhook', readCredentials, undefined);
  const limitedResources = await read('ResourceQuota', readLimitedResources, []);
  return {
    eventLimits,
    imagePolicy: image?.policy,
    imageReview: image && { endpoint: image.endpoint, retryBackoff: image.policy.retryBackoff },
    podSecurity: await settlePodSecurity(podSecurity),
    nodeSelectors,
    tolerations,
    limitedResources,
    webhookCredentials: { mutating, validating },
    warnings,
  };
}

const failure = (text: string) => new ConfigurationError(`failed to apply admission: ${text}`);

async function openDocuments(file: string): Promise<PluginDocuments> {
  if (file === '') return () => undefined;
  const { readPluginDocuments } = await import('../options/documents/admission/plugin-configuration.ts');
  try {
    return readPluginDocuments(file);
  } catch (error) {
    throw failure((error as Error).message);
  }
}

const NO_SELECTORS: ReadonlyMap<string, string> = new Map();
const UNRESTRICTED: PluginConfiguration['tolerations'] = { added: [], allowed: [] };
const NO_POD_SECURITY: PodSecurityDocument = {
  defaults: {},
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};

async function readPodSecurity(text: string | undefined): Promise<PodSecurityDocument> {
  if (text === undefined) return NO_POD_SECURITY;
  return (await import('../options/documents/admission/pod-security.ts')).parsePodSecurity(text);
}

async function exemptionProblem(exemptions: PodSecurityDocument['exemptions']): Promise<string | undefined> {
  if (exemptions === NO_POD_SECURITY.exemptions) return undefined;
  return (await import('../options/documents/admission/pod-security.ts')).exemptionProblem(exemptions);
}

/** Checks the document of PodSecurity. @throws ConfigurationError */
async function settlePodSecurity({
  defaults,
  exemptions,
}: PodSecurityDocument): Promise<PluginConfiguration['podSecurity']> {
  const { policy, errors } = defaultPolicy(defaults);
  const problem =
    errors.length > 0
      ? `PodSecurity configuration error: ${aggregate(errors)}`
      : await exemptionProblem(exemptions);
  if (problem !== undefined) throw failure(`failed to initialize admission plugin "PodSecurity": ${problem}`);
  return {
    defaults: policy,
    exemptions: {
      usernames: new Set(exemptions.usernames),
      namespaces: new Set(exemptions.namespaces),
      runtimeClasses: new Set(exemptions.runtimeClasses),
    },
  };
}

async function readTolerations(text: string | undefined): Promise<PluginConfiguration['tolerations']> {
  if (text === undefined) return UNRESTRICTED;
  const { parseTolerations } = await import('../options/documents/admission/pod-toleration-restriction.ts');
  const { added, allowed } = parseTolerations(text, (tolerations, path) =>
    validateTolerations(tolerations as Parameters<typeof validateTolerations>[0], path),
  );
  return { added, allowed };
}

async function readEventLimits(text: string | undefined): Promise<readonly EventLimit[]> {
  const { parseEventLimits } = await import('../options/documents/admission/event-rate-limit.ts');
  return parseEventLimits(text);
}

async function readLimitedResources(
  text: string | undefined,
): Promise<PluginConfiguration['limitedResources']> {
  if (text === undefined) return [];
  const { parseLimitedResources } = await import('../options/documents/admission/resource-quota.ts');
  return parseLimitedResources(text);
}

async function readCredentials(text: string | undefined): Promise<WebhookCredentials | undefined> {
  if (text === undefined) return undefined;
  const { parseWebhookAdmission } = await import('../options/documents/admission/webhook-admission.ts');
  const file = parseWebhookAdmission(text);
  return (await import('../kubeconfig/webhook-credentials.ts')).readWebhookCredentials(file);
}

async function readImagePolicy(
  text: string | undefined,
): Promise<{ readonly policy: ImagePolicyDocument; readonly endpoint: Endpoint }> {
  const { parseImagePolicy } = await import('../options/documents/admission/image-policy.ts');
  const policy = parseImagePolicy(text);
  if (policy.kubeconfigFile === '') throw new ConfigurationError(NO_KUBECONFIG);
  const { readClientConfig } = await import('../kubeconfig/read-kubeconfig.ts');
  return { policy, endpoint: readClientConfig(policy.kubeconfigFile) };
}

/** Connects the backend of the image policy. @returns undefined if none is configured */
export function connectImagePolicy({
  imageReview,
}: Pick<AdmissionSettings, 'imageReview'>): { readonly review: ReviewImages; close(): void } | undefined {
  if (imageReview === undefined) return undefined;
  const { endpoint, retryBackoff } = imageReview;
  const client: ReviewClient = createReviewClient({
    endpoint,
    // kube-apiserver reaches this backend directly, too.
    client: new OutboundClient(),
    timeout: REVIEW_TIMEOUT,
    backoff: { ...WEBHOOK_BACKOFF, first: retryBackoff },
  });
  return { review: (review) => client.post(review), close: () => client.close() };
}
