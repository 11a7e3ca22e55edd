import type { KubernetesObject } from '../../model/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../request/admission.ts';
import type { Attributes, Authorizer } from '../../request/attributes.ts';
import { admissionForbidden } from '../forbidden.ts';

const GROUP = 'certificates.k8s.io';

/** Whoever approves a request for a certificate needs the verb `approve` on its signer. */
export const certificateApproval = (authorizer: Authorizer): AdmissionPlugin =>
  signerPlugin('CertificateApproval', 'approval', 'approve', authorizer, () => true);

/** Whoever answers one needs the verb `sign` on its signer. */
export const certificateSigning = (authorizer: Authorizer): AdmissionPlugin =>
  signerPlugin('CertificateSigning', 'status', 'sign', authorizer, isAnswered);

/** Whoever puts a bundle of trust in the name of a signer needs the verb `attest` on it. */
export function clusterTrustBundleAttest(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    handles: (operation, group, resource, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      group === GROUP &&
      resource === 'clustertrustbundles' &&
      subresource === '',
    async validate(request) {
      const { signerName = '' } = (request.object!.spec ?? {}) as { signerName?: string };
      if (signerName === '') return;
      for (const signer of [signerName, `${signerName.split('/')[0]}/*`])
        if (await isAllowed(request, 'attest', signer, authorizer)) return;
      throw admissionForbidden(
        request,
        `user not permitted to attest for signerName ${JSON.stringify(signerName)}`,
      );
    },
  };
}

function signerPlugin(
  name: string,
  subresource: string,
  verb: string,
  authorizer: Authorizer,
  concerns: (object: KubernetesObject, old: KubernetesObject) => boolean,
): AdmissionPlugin {
  return {
    name,
    handles: (operation, group, resource, wanted) =>
      operation === 'UPDATE' &&
      group === GROUP &&
      resource === 'certificatesigningrequests' &&
      wanted === subresource,
    async validate(request) {
      if (!concerns(request.object!, request.oldObject!)) return;
      const { signerName = '' } = ((request.oldObject ?? request.object)!.spec ?? {}) as {
        signerName?: string;
      };
      // The right on one signer, or on all signers of its domain.
      for (const signer of [signerName, `${signerName.split('/')[0]}/*`])
        if (await isAllowed(request, verb, signer, authorizer)) return;
      throw admissionForbidden(
        request,
        `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
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
  const attributes: Attributes = {
    user,
    verb,
    isResource: true,
    path: '',
    group: GROUP,
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    name,
  };
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

function isAnswered(object: KubernetesObject, old: KubernetesObject): boolean {
  const answer = ({ status }: KubernetesObject) => {
    const { certificate, conditions } = (status ?? {}) as { certificate?: string; conditions?: unknown };
    return JSON.stringify([certificate, conditions]);
  };
  return answer(object) !== answer(old);
}
