import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
} from '../model/generated/admissionregistration-v1.ts';
import type { Resource } from '../reconcile/client.ts';
import type { Controller, NamedContext } from '../reconcile/controller.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';

/** Checks the types of a policy's expressions. */
export type CheckPolicyTypes = (policy: ValidatingAdmissionPolicy) => Promise<readonly ExpressionWarning[]>;

const POLICIES: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
};

/** Checks the types of each policy once per generation, and writes the warnings into its status. */
export function policyStatusController(parts: NamedContext, check: CheckPolicyTypes): Controller {
  const client = parts.client(parts.user);
  const policies = parts.objects(POLICIES);
  const queue = controllerQueue(parts, parts.name, async (key) => {
    const policy = policies.get(key) as ValidatingAdmissionPolicy | undefined;
    const generation = policy?.metadata?.generation ?? 0;
    if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return 'done';
    const expressionWarnings = await check(policy);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const status = { observedGeneration: generation, typeChecking };
    await client.apply(POLICIES, { metadata: { name: key }, status }, parts.name, { subresource: 'status' });
    return 'done';
  });
  policies.onChange((key) => queue.add(key));
  return { name: parts.name, sources: [policies], queue };
}
