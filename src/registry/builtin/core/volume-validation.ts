import { duplicate, type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { appendAll, invalidTexts } from '../../validation/fields.ts';
import { dns1123Label } from '../../validation/names.ts';
import type { Volumes } from './mounts-validation.ts';
import type { Volume } from './pod-types.ts';
import { volumeSourceRules } from './volume-sources-validation.ts';

/** The errors, and the volumes that containers can use. */
export function validateVolumes(list: readonly Volume[] = [], field: string): { readonly errors: FieldError[]; readonly volumes: Volumes } {
  const errors: FieldError[] = [];
  const volumes = new Map<string, Volume>();
  list.forEach((volume, index) => {
    const { name = '' } = volume;
    const path = `${field}[${index}]`;
    const found = validateVolumeSource(volume, path);
    if (name === '') found.push(required(`${path}.name`));
    else found.push(...invalidTexts(`${path}.name`, name, dns1123Label(name)));
    if (volumes.has(name)) found.push(duplicate(`${path}.name`, name));
    if (found.length === 0) volumes.set(name, volume);
    appendAll(errors, found);
  });
  return { errors, volumes };
}

/** Exactly one source; the first one given is checked, further ones are refused. */
function validateVolumeSource(volume: Volume, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const [name, rule] of volumeSourceRules) {
    if (volume[name] === undefined) continue;
    count += 1;
    appendAll(errors, count > 1 ? [forbidden(`${field}.${name}`, 'may not specify more than 1 volume type')] : rule(volume, `${field}.${name}`));
  }
  return count === 0 ? [required(field, 'must specify a volume type')] : errors;
}
