import { quote } from '../../errors/quote.ts';
import type { CertificateSigningRequest } from '../../model/generated/certificates-v1.ts';
import type { ClusterTrustBundle } from '../../model/generated/certificates-v1alpha1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { type Authorizer, resourceAccess } from '../../request/attributes.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const GROUP = 'certificates.k8s.io';

/** Requires the verb `approve` on the signer to approve a certificate signing request. */
export const certificateApproval = (authorizer: Authorizer): BuiltinPlugin =>
  signerPlugin('approval', 'approve', authorizer, () => true);

/** Requires the verb `sign` on the signer to set the certificate or conditions of a request. */
export const certificateSigning = (authorizer: Authorizer): BuiltinPlugin =>
  signerPlugin('status', 'sign', authorizer, isDecisionChanged);

/** Requires the verb `attest` on the signer of a ClusterTrustBundle. */
export function clusterTrustBundleAttest(authorizer: Authorizer): BuiltinPlugin {
  return {
    handles: (operation, group, resource, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      group === GROUP &&
      resource === 'clustertrustbundles' &&
      subresource === '',
    async validate(request) {
      const { signerName = '' } = (request.object as ClusterTrustBundle).spec ?? {};
      if (signerName === '') return;
      for (const signer of [signerName, `${signerName.split('/')[0]}/*`])
        if (await isAllowed(request, 'attest', signer, authorizer)) return;
      throw admissionForbidden(request, `user not permitted to attest for signerName ${quote(signerName)}`);
    },
  };
}

function signerPlugin(
  subresource: string,
  verb: string,
  authorizer: Authorizer,
  applies: (object: KubernetesObject, old: KubernetesObject) => boolean,
): BuiltinPlugin {
  return {
    handles: (operation, group, resource, requestSubresource) =>
      operation === 'UPDATE' &&
      group === GROUP &&
      resource === 'certificatesigningrequests' &&
      requestSubresource === subresource,
    async validate(request) {
      if (!applies(request.object!, request.oldObject!)) return;
      const { signerName = '' } =
        ((request.oldObject ?? request.object) as CertificateSigningRequest).spec ?? {};
      // The permission for the signer, or for all signers of its domain.
      for (const signer of [signerName, `${signerName.split('/')[0]}/*`])
        if (await isAllowed(request, verb, signer, authorizer)) return;
      throw admissionForbidden(
        request,
        `user not permitted to ${verb} requests with signerName ${quote(signerName)}`,
      );
    },
  };
}

async function isAllowed(
  { user }: AdmissionRequest,
  verb: string,
  name: string,
  authorizer: Authorizer,
): Promise<boolean> {
  const attributes = resourceAccess({ user, verb, group: GROUP, resource: 'signers', name });
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

function isDecisionChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  const decision = ({ status: { certificate, conditions } = {} }: CertificateSigningRequest) =>
    JSON.stringify([certificate, conditions]);
  return decision(object) !== decision(old);
}
