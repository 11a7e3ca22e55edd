import type { DeviceClass } from '../../../model/generated/resource-v1beta1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateFew, validateOpaque, validateSelector } from './device-requests.ts';

const validate = ({ spec = {} }: DeviceClass): FieldError[] => [
  ...validateFew(spec.selectors, 'spec.selectors', validateSelector),
  ...validateFew(spec.config, 'spec.config', ({ opaque }, field) => validateOpaque(opaque, `${field}.opaque`)),
];

export const deviceClassStrategy: Strategy = { validate, validateUpdate: validate, managesGeneration: true };
