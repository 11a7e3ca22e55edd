import { quote } from '../../errors/quote.ts';
import type { PodCertificateRequest } from '../../model/generated/certificates-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { nameIsSubdomain } from '../../model/name-syntax.ts';
import { resourceAccess } from '../../request/attributes.ts';
import { errors } from '../../status/errors.ts';
import { forbidden } from '../../status/field-error.ts';
import { type BuiltinDependencies, defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { column, NAME, nameOf, table } from '../tables/define.ts';
import { formatLabels } from '../tables/format.ts';
import { validateImmutable } from '../validation/fields.ts';
import { DECISIONS, statusesEqual, validateDecision } from './pod-certificate-request-status.ts';
import { validateCertificateRequest } from './pod-certificate-request-validation.ts';

const GROUP = 'certificates.k8s.io';
const SPEC = 'certificates_v1beta1.PodCertificateRequestSpec';

export function podCertificateRequestStrategy({
  isAllowed,
}: Pick<BuiltinDependencies, 'isAllowed'>): Strategy {
  /** Requires the verb `sign` on the signer, or on all signers of its domain, of those who decide. */
  async function requireSigner(
    object: PodCertificateRequest,
    old: PodCertificateRequest | undefined,
    context: StrategyContext,
  ): Promise<void> {
    if (context.subresource !== 'status' || old === undefined) return;
    if (statusesEqual(object.status ?? {}, old.status ?? {})) return;
    if (validateDecision(object, old, context).length > 0) return;
    const { signerName = '' } = old.spec ?? {};
    const { user } = context;
    for (const name of [signerName, `${signerName.split('/')[0]}/*`])
      if (await isAllowed(resourceAccess({ user, verb: 'sign', group: GROUP, resource: 'signers', name })))
        return;
    const text = `User ${quote(user.name)} is not permitted to "sign" for signer ${quote(signerName)}`;
    throw errors.invalid({ group: GROUP, kind: 'PodCertificateRequest' }, object.metadata?.name ?? '', [
      forbidden('spec.signerName', text),
    ]);
  }
  return {
    metadata: { validateName: nameIsSubdomain },
    validate: validateCertificateRequest,
    validateUpdate: (object: PodCertificateRequest, old: PodCertificateRequest) =>
      validateImmutable(object.spec, old.spec, 'spec', internalTypes.type(SPEC)),
    validateSubresource: { status: validateDecision },
    authorize: requireSigner,
    status: { updatesMetadata: false },
    requiresResourceVersion: true,
  };
}

const stateOf = ({ status = {} }: PodCertificateRequest): string =>
  status.conditions?.findLast(({ type = '' }) => DECISIONS.includes(type))?.type ?? 'Pending';

const REPLACEMENT = 'certificates.k8s.io/v1 PodCertificateRequest';

export const podCertificateRequests = defineResource({
  group: GROUP,
  versions: [
    { name: 'v1', since: '1.37' },
    {
      name: 'v1beta1',
      since: '1.35',
      deprecation: { since: '1.37', unavailable: '1.40', replacement: REPLACEMENT },
    },
    { name: 'v1alpha1', since: '1.34', until: '1.35' },
  ],
  resource: 'podcertificaterequests',
  kind: 'PodCertificateRequest',
  gate: 'PodCertificateRequest',
  subresources: ['status'],
  strategy: podCertificateRequestStrategy,
  fieldSelectors: {
    'spec.signerName': textAt('spec', 'signerName'),
    'spec.podName': textAt('spec', 'podName'),
    'spec.nodeName': textAt('spec', 'nodeName'),
  },
  table: table<PodCertificateRequest>(
    [
      NAME,
      column('PodName', 'Pod that gets the certificate.'),
      column('ServiceAccountName', 'Service account of the pod.'),
      column('NodeName', 'Node of the pod.'),
      column('SignerName', 'Signer of the certificate.'),
      column('State', 'Whether it is decided, and how.'),
      { ...column('UnverifiedUserAnnotations', 'Annotations for the signer.'), since: '1.35' },
    ],
    (object) => {
      const { podName = '', serviceAccountName = '', nodeName = '', signerName = '' } = object.spec ?? {};
      const annotations = formatLabels(object.spec?.unverifiedUserAnnotations);
      const state = stateOf(object);
      return [nameOf(object), podName, serviceAccountName, nodeName, signerName, state, annotations];
    },
  ),
});
