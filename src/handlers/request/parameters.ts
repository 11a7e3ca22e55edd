import { quote } from '../../errors/quote.ts';
import { validateFieldManager } from '../../kinds/validation/object-meta.ts';
import { validateDryRun } from '../../operations/delete-options.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Query } from '../../request/query.ts';
import { errors, type FieldError, forbidden, notSupported, required } from '../../status/index.ts';
import type { IncludeObject } from '../response/view-context.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of a write, from its query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** As sent; empty if absent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** As sent, for admission; absent if not. */
  readonly sentFieldValidation?: string;
}

const LEVELS: readonly string[] = ['Ignore', 'Strict', 'Warn'];

/**
 * Parses write options. @param kind CreateOptions or UpdateOptions, for the error @throws ApiError 422
 */
export const parseWriteOptions = (
  { query }: RequestContext,
  kind: 'CreateOptions' | 'UpdateOptions',
): WriteOptions => parseOptions(query, kind, []);

/** Parses the options of a patch that is not applied: force is not allowed. @throws ApiError 422 */
export const parsePatchOptions = ({ query }: RequestContext): WriteOptions =>
  parseOptions(
    query,
    'PatchOptions',
    query.has('force') ? [forbidden('force', 'may not be specified for non-apply patch')] : [],
  );

/** Parses the options of an apply: fieldManager is required, force is allowed. @throws ApiError 422 */
export const parseApplyOptions = ({ query }: RequestContext): WriteOptions & { readonly force: boolean } => ({
  ...parseOptions(
    query,
    'PatchOptions',
    query.get('fieldManager') === '' ? [required('fieldManager', 'is required for apply patch')] : [],
  ),
  force: query.boolean('force'),
});

/** @param ofKind problems with the options that only this kind has */
function parseOptions(query: Query, kind: string, ofKind: readonly FieldError[]): WriteOptions {
  if (query.empty && ofKind.length === 0) return DEFAULTS;
  // An empty `dryRun` means no dry run, as specified; kube-apiserver rejects it.
  const dryRun = query.all('dryRun').filter((value) => value !== '');
  const fieldManager = query.get('fieldManager');
  const fieldValidation = query.get('fieldValidation');
  const problems: FieldError[] = [
    ...ofKind,
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...validateDryRun(dryRun),
  ];
  if (fieldValidation !== '' && !LEVELS.includes(fieldValidation))
    problems.push(notSupported('fieldValidation', fieldValidation, ['', ...LEVELS]));
  if (problems.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind }, '', problems);
  return {
    dryRun: dryRun.includes('All'),
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    ...(fieldValidation === '' ? {} : { sentFieldValidation: fieldValidation }),
  };
}

const DEFAULTS: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };

/** `includeObject` of a Table. @throws ApiError 400 */
export function parseIncludeObject({ query }: RequestContext): IncludeObject {
  const value = query.get('includeObject');
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  throw errors.badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
