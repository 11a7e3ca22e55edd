import { aggregate } from '../../../errors/aggregate.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
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
const TYPES = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const;

/** A limit on the rate of events. */
export interface ConfiguredEventLimit {
  readonly type: (typeof TYPES)[number];
  /** Events per second in the long run. */
  readonly qps: number;
  /** Events at once. */
  readonly burst: number;
  /** Maximum number of counted keys; 0: the default. */
  readonly cacheSize: number;
}

interface Content {
  readonly limits?: readonly Partial<
    Record<'type', string> & Record<'qps' | 'burst' | 'cacheSize', number>
  >[];
}

/** Parses the document of EventRateLimit. @throws ConfigurationError; also without document */
export function parseEventLimits(text: string | undefined): readonly ConfiguredEventLimit[] {
  const { limits } = text === undefined ? {} : readDocument<Content>(text, KIND, tolerateProblems).content;
  if (limits === undefined || limits.length === 0)
    throw new ConfigurationError(
      `limits: Invalid value: []eventratelimit.Limit${limits === undefined ? '(nil)' : '{}'}: must not be empty`,
    );
  const problems = limits.flatMap(validate);
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems.map(formatFieldError)));
  return limits.map(({ type, qps = 0, burst = 0, cacheSize = 0 }) => ({
    type: type as ConfiguredEventLimit['type'],
    qps,
    burst,
    cacheSize,
  }));
}

function validate(
  { type = '', qps = 0, burst = 0, cacheSize = 0 }: NonNullable<Content['limits']>[number],
  index: number,
): FieldError[] {
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
