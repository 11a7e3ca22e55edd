import { formatGoStrings } from '../kinds/validation/format-value.ts';
import type { DeleteOptions } from '../model/generated/meta-v1.ts';
import type { Life } from '../model/life.ts';
import type { RuleContext } from '../model/rule-context.ts';
import type { Query } from '../request/query.ts';
import { errors, type FieldError, invalid, notSupported, notSupportedFormatted } from '../status/index.ts';
import { integerParameter } from './integer-parameter.ts';

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Validates the options. @throws ApiError 422 on forbidden combinations */
export function validateDeleteOptions(options: DeleteOptions, context: Pick<RuleContext, 'has'>): void {
  const problems: FieldError[] = [];
  if (options.propagationPolicy !== undefined && options.orphanDependents !== undefined)
    problems.push(
      invalid(
        'propagationPolicy',
        options.propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  if (options.propagationPolicy !== undefined && !POLICIES.includes(options.propagationPolicy))
    problems.push(notSupported('propagationPolicy', options.propagationPolicy, [...POLICIES, 'nil']));
  problems.push(...validateDryRun(options.dryRun ?? []));
  problems.push(...validateUnreadableDeletion(options, context));
  if (problems.length > 0)
    throw errors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', problems);
}

/** The releases that can try an unsafe deletion without doing it. */
const TRIES_UNSAFE_DELETION: Life = { since: '1.37' };

/** An unsafe deletion allows no other option. */
function validateUnreadableDeletion(options: DeleteOptions, { has }: Pick<RuleContext, 'has'>): FieldError[] {
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return [];
  const field = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  const others: [string, boolean][] = [
    ['dryRun', (options.dryRun ?? []).length > 0 && !has(TRIES_UNSAFE_DELETION)],
    ['propagationPolicy', options.propagationPolicy !== undefined],
    ['orphanDependents', options.orphanDependents !== undefined],
    ['gracePeriodSeconds', options.gracePeriodSeconds !== undefined],
    ['preconditions', options.preconditions !== undefined],
  ];
  return others
    .filter(([, given]) => given)
    .map(([name]) => invalid(field, true, `cannot be set together with .${name}`));
}

/** `dryRun` must be `All` or absent. */
export function validateDryRun(values: readonly string[], field = 'dryRun'): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const formatted = formatGoStrings(values);
  return [notSupportedFormatted(field, formatted, ['All'])];
}

/**
 * Parses the query of a DELETE without a body. `uid` and `resourceVersion` are preconditions there.
 * @throws ApiError 400
 */
export function deleteOptionsFromQuery(query: Query): DeleteOptions {
  const options: DeleteOptions = {};
  const gracePeriodSeconds = integerParameter(query, 'gracePeriodSeconds');
  if (gracePeriodSeconds !== undefined) options.gracePeriodSeconds = gracePeriodSeconds;
  if (query.has('propagationPolicy')) options.propagationPolicy = query.get('propagationPolicy');
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  if (uid !== '' || resourceVersion !== '')
    options.preconditions = {
      ...(uid === '' ? {} : { uid }),
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    };
  if (query.has('orphanDependents')) options.orphanDependents = query.boolean('orphanDependents');
  if (query.has('ignoreStoreReadErrorWithClusterBreakingPotential'))
    options.ignoreStoreReadErrorWithClusterBreakingPotential = query.boolean(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
    );
  const dryRun = query.all('dryRun').filter((value) => value !== '');
  if (dryRun.length > 0) options.dryRun = dryRun;
  return options;
}
