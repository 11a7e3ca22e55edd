import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { Action } from './actions.ts';
import type { ReplicaSets } from './replica-sets.ts';
import { previousRevision, ROLLBACK, restoredAnnotations, revisionOf } from './revisions.ts';
import { HASH_LABEL, isSameTemplate } from './template-hash.ts';

const report = (type: 'Normal' | 'Warning', reason: string, message: string): Action => ({
  does: 'report',
  type,
  reason,
  message,
});

/**
 * Takes the template of an earlier revision, as the annotation of the API extensions/v1beta1 asks for it; kubectl
 * replaces the template itself. The annotation goes in any case.
 * @param revision 0 for the previous one
 */
export function rollBack(deployment: Deployment, { all }: ReplicaSets, revision: bigint): readonly Action[] {
  const wantedRevision = revision === 0n ? previousRevision(all) : revision;
  if (wantedRevision === 0n)
    return [
      report('Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.'),
      { does: 'respecify', deployment: withoutRequest(deployment) },
    ];
  const set = all.find((one) => revisionOf(one) === wantedRevision);
  if (set === undefined)
    return [
      report('Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'),
      { does: 'respecify', deployment: withoutRequest(deployment) },
    ];
  if (isSameTemplate(deployment.spec?.template, set.spec?.template))
    return [
      report(
        'Warning',
        'DeploymentRollbackTemplateUnchanged',
        `The rollback revision contains the same template as current deployment "${deployment.metadata?.name}"`,
      ),
      { does: 'respecify', deployment: withoutRequest(deployment) },
    ];
  return [
    { does: 'respecify', deployment: withoutRequest(withTemplateOf(deployment, set)) },
    report(
      'Normal',
      'DeploymentRollback',
      `Rolled back deployment "${deployment.metadata?.name}" to revision ${wantedRevision}`,
    ),
  ];
}

function withTemplateOf(deployment: Deployment, set: ReplicaSet): Deployment {
  const { template = {} } = set.spec ?? {};
  const labels = Object.entries(template.metadata?.labels ?? {}).filter(([name]) => name !== HASH_LABEL);
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...restoredAnnotations(deployment, set) } },
    spec: {
      ...deployment.spec,
      template: { ...template, metadata: { ...template.metadata, labels: Object.fromEntries(labels) } },
    },
  };
}

function withoutRequest(deployment: Deployment): Deployment {
  const annotations = Object.entries(deployment.metadata?.annotations ?? {}).filter(
    ([name]) => name !== ROLLBACK,
  );
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: Object.fromEntries(annotations) },
  };
}
