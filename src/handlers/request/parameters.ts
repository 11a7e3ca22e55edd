import { validateDryRun } from '../../operations/delete-options.ts';
import { validateFieldManager } from '../../registry/validation/object-meta.ts';
import type { RequestContext } from '../../request/context.ts';
import { quote } from '../../schema/structural/go-text.ts';
import { errors, type FieldError, notSupported } from '../../status/index.ts';
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
 * Parses write options. @param kind CreateOptions, UpdateOptions or PatchOptions, for the error @throws
 * ApiError 422
 */
export function parseWriteOptions({ query }: RequestContext, kind: string): WriteOptions {
  if (query.empty) return DEFAULTS;
  // An empty `dryRun` means no dry run, as specified; kube-apiserver rejects it.
  const dryRun = query.all('dryRun').filter((value) => value !== '');
  const fieldManager = query.get('fieldManager');
  const fieldValidation = query.get('fieldValidation');
  const problems: FieldError[] = [
    ...validateDryRun(dryRun),
    ...validateFieldManager(fieldManager, 'fieldManager'),
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
