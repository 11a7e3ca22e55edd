import { quote } from '../../../errors/quote.ts';
import type { Volume } from '../../../model/generated/core-v1.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { resultsOfEach } from '../../../steps/replay.ts';
import { appendAll, invalidTexts } from '../../validation/fields.ts';
import { validateClaimTemplate } from './ephemeral-claim-validation.ts';
import type { Volumes } from './mounts-validation.ts';
import { FORBIDDEN_PATHS, RULE_PATHS, volumeSourceRules } from './volume-sources-validation.ts';

const MAXIMUM_ISCSI_BYTES = 64;
const ISCSI_TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/**
 * Validates volumes; returns the errors and the volumes that containers can mount.
 * @param podName the pod's name, from which names of ephemeral claims are derived; empty in a template
 */
export function validateVolumes(
  list: readonly Volume[] = [],
  field: string,
  podName: string,
  context: RuleContext,
): { readonly errors: FieldError[]; readonly volumes: Volumes } {
  const errors: FieldError[] = [];
  const volumes = new Map<string, Volume>();
  const createdClaims = new Set(
    podName === ''
      ? []
      : list.flatMap(({ name = '', ephemeral }) => (ephemeral === undefined ? [] : [`${podName}-${name}`])),
  );
  const errorsByVolume = resultsOfEach(list, { place: field, cost: 4 }, (volume, index) => {
    const { name = '' } = volume;
    const path = `${field}[${index}]`;
    return [
      ...validateVolumeSource(volume, path, podName, context),
      ...(name === '' ? [required(`${path}.name`)] : invalidTexts(`${path}.name`, name, dns1123Label(name))),
    ];
  });
  for (const [index, volume] of list.entries()) {
    const { name = '', persistentVolumeClaim: claim } = volume;
    const path = `${field}[${index}]`;
    const volumeErrors = errorsByVolume[index]!;
    appendAll(errors, volumeErrors);
    if (volumes.has(name)) errors.push(duplicate(`${path}.name`, name));
    else if (volumeErrors.length === 0) volumes.set(name, volume);
    if (claim !== undefined && createdClaims.has(claim.claimName ?? '')) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${path}.persistentVolumeClaim.claimName`, claim.claimName, detail));
    }
  }
  return { errors, volumes };
}

/** Validates the first source; further sources are rejected. */
function validateVolumeSource(
  volume: Volume,
  field: string,
  podName: string,
  context: RuleContext,
): FieldError[] {
  const { name: volumeName = '', iscsi } = volume;
  const errors: FieldError[] = [];
  let count = 0;
  for (const [name, rule] of volumeSourceRules) {
    if (volume[name] === undefined) continue;
    count += 1;
    if (count > 1)
      errors.push(
        forbidden(`${field}.${FORBIDDEN_PATHS[name] ?? name}`, 'may not specify more than 1 volume type'),
      );
    else appendAll(errors, rule(volume, `${field}.${RULE_PATHS[name] ?? name}`, context));
    if (name === 'iscsi' && iscsi?.initiatorName !== undefined) {
      const length = Buffer.byteLength(`${volumeName}:${iscsi.targetPortal ?? ''}`);
      if (length > MAXIMUM_ISCSI_BYTES) errors.push(invalid(`${field}.name`, volumeName, ISCSI_TOO_LONG));
    }
    if (name === 'ephemeral' && count === 1) {
      const template = volume.ephemeral?.volumeClaimTemplate;
      const path = `${field}.ephemeral.volumeClaimTemplate`;
      if (template !== undefined) appendAll(errors, validateClaimTemplate(template, path, context));
      appendAll(errors, validateClaimName(podName, volumeName, field));
    }
  }
  return count === 0 ? [required(field, 'must specify a volume type')] : errors;
}

/** Validates the generated claim name `<pod>-<volume>` of an ephemeral volume. */
function validateClaimName(podName: string, volumeName: string, field: string): FieldError[] {
  if (podName === '' || volumeName === '') return [];
  const claimName = `${podName}-${volumeName}`;
  return dns1123Subdomain(claimName).map((text) =>
    invalid(`${field}.name`, volumeName, `PVC name ${quote(claimName)}: ${text}`),
  );
}
