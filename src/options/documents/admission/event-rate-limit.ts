import type { EventLimit } from '../../../admission/plugin-configuration.ts';
import { aggregate } from '../../../errors/aggregate.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { Configuration, Limit } from '../../../model/generated/eventratelimitconfig-v1alpha1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { type FieldError, formatFieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { type DocumentKind, readDocument, tolerateProblems } from '../document.ts';

const KIND: DocumentKind = {
  kind: 'Configuration',
  versions: {
    'eventratelimit.admission.k8s.io/v1alpha1': () =>
      internalTypes.type('eventratelimitconfig_v1alpha1.Configuration'),
  },
};
const TYPES: readonly EventLimit['type'][] = ['Namespace', 'Server', 'SourceAndObject', 'User'];

/** Parses the document of EventRateLimit. @throws ConfigurationError; also without document */
export function parseEventLimits(text: string | undefined): readonly EventLimit[] {
  const { limits } =
    text === undefined ? {} : readDocument<Configuration>(text, KIND, tolerateProblems).content;
  if (limits === undefined || limits.length === 0)
    throw new ConfigurationError(
      `limits: Invalid value: []eventratelimit.Limit${limits === undefined ? '(nil)' : '{}'}: must not be empty`,
    );
  const problems = limits.flatMap(validate);
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems.map(formatFieldError)));
  return limits.map(({ type, qps = 0, burst = 0, cacheSize = 0 }) => ({
    type: type as EventLimit['type'],
    qps,
    burst,
    cacheSize,
  }));
}

function validate({ type = '', qps = 0, burst = 0, cacheSize = 0 }: Limit, index: number): FieldError[] {
  const path = `limits[${index}]`;
  return [
    ...((TYPES as readonly string[]).includes(type) ? [] : [notSupported(`${path}.type`, type, TYPES)]),
    ...(burst > 0 ? [] : [invalid(`${path}.burst`, burst, 'must be positive')]),
    ...(qps > 0 ? [] : [invalid(`${path}.qps`, qps, 'must be positive')]),
    ...(type === 'Server' || cacheSize >= 0
      ? []
      : [invalid(`${path}.cacheSize`, cacheSize, 'must not be negative')]),
  ];
}
