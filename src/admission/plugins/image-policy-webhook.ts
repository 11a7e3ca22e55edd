import { createHash } from 'node:crypto';
import { TtlCache } from '../../collections/ttl-cache.ts';
import { emptyMetadata } from '../../model/empty-metadata.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { membersOf } from '../../model/json-object.ts';
import type { Scheme } from '../../model/scheme.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { PluginConfiguration } from '../plugin-configuration.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const AUDIT_PREFIX = 'imagepolicywebhook.image-policy.k8s.io/';
const ANNOTATION_PART = '.image-policy.k8s.io/';
/** Decisions that are kept. */
const MAXIMUM_DECISIONS = 1024;

/** Posts an ImageReview; resolves with the response. Rejects with a text for the client. */
export type ReviewImages = (review: object) => Promise<Readonly<Record<string, unknown>>>;

export interface ImagePolicyWebhookOptions extends Pick<PluginConfiguration, 'imagePolicy'> {
  readonly reviewImages: ReviewImages;
  /** The release whose rules hold. */
  readonly scheme: Scheme;
  /** Monotonic clock in milliseconds. */
  readonly monotonic: () => number;
}

/** The decision of the backend. */
interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: readonly (readonly [string, string])[];
}

/** Lets a backend decide about the images of pods. */
export function imagePolicyWebhook({
  imagePolicy: settings = { allowTtl: 0, denyTtl: 0, defaultAllow: false },
  reviewImages,
  scheme,
  monotonic,
}: ImagePolicyWebhookOptions): BuiltinPlugin {
  const decisions = new TtlCache<Decision>({ capacity: MAXIMUM_DECISIONS, now: monotonic });

  const decide = async (spec: object): Promise<Decision> => {
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    const known = decisions.get(key);
    if (known !== undefined) return known.value;
    const decision = decisionIn(
      await reviewImages({
        kind: 'ImageReview',
        apiVersion: 'imagepolicy.k8s.io/v1alpha1',
        metadata: emptyMetadata(scheme.types),
        spec,
        status: { allowed: false },
      }),
    );
    decisions.set(key, decision, decision.allowed ? settings.allowTtl : settings.denyTtl);
    return decision;
  };

  return {
    handles: (operation, group, resource, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      group === '' &&
      resource === 'pods' &&
      (subresource === '' || subresource === 'ephemeralcontainers'),
    leavesProcess: () => true,
    async validate(request) {
      let decision: Decision;
      try {
        decision = await decide(specOf(request));
      } catch (error) {
        if (!settings.defaultAllow) throw admissionForbidden(request, (error as Error).message);
        request.annotate(`${AUDIT_PREFIX}failed-open`, 'true');
        return;
      }
      for (const [key, value] of decision.auditAnnotations) request.annotate(AUDIT_PREFIX + key, value);
      if (decision.allowed) return;
      throw admissionForbidden(
        request,
        decision.reason === ''
          ? 'one or more images rejected by webhook backend'
          : `image policy webhook backend denied one or more images: ${decision.reason}`,
      );
    },
  };
}

/** The spec of the review: images, namespace, and the annotations that are meant for the policy. */
function specOf({ object, subresource, namespace }: AdmissionRequest): object {
  const { spec, metadata } = object as Pod;
  const containers =
    subresource === ''
      ? [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
      : (spec?.ephemeralContainers ?? []);
  const annotations = Object.entries(metadata?.annotations ?? {})
    .filter(([key]) => key.includes(ANNOTATION_PART))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...(containers.length === 0
      ? {}
      : { containers: containers.map(({ image = '' }) => (image === '' ? {} : { image })) }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    namespace,
  };
}

/** Reads the decision in a response. @throws Error for another shape */
function decisionIn(response: Readonly<Record<string, unknown>>): Decision {
  const { apiVersion = 'imagepolicy.k8s.io/v1alpha1', kind = 'ImageReview' } = response;
  if (apiVersion !== 'imagepolicy.k8s.io/v1alpha1' || kind !== 'ImageReview')
    throw new Error(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
    );
  const { allowed = false, reason = '', auditAnnotations } = membersOf(response.status);
  if (typeof allowed !== 'boolean' || typeof reason !== 'string')
    throw new Error('the status of the ImageReview is malformed');
  return {
    allowed,
    reason,
    auditAnnotations: Object.entries(membersOf(auditAnnotations)).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    ),
  };
}
