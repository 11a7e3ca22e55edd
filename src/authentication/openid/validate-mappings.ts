import type {
  ClaimMappings,
  ExtraMapping,
  PrefixedClaimOrExpression,
} from '../../model/generated/apiserverconfig-v1beta1.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, required } from '../../status/field-error.ts';
import type { IssuerConfiguration, Mapping } from './compiled.ts';
import { type CompiledExpression, compileExpression, ExpressionError } from './expressions.ts';

const RESERVED = /(?:^|\.)(?:kubernetes|k8s)\.io$/;

export type CompiledMappings = Pick<IssuerConfiguration, 'username' | 'groups' | 'uid' | 'extra'>;

/** Collects the errors of a compilation. */
export interface Compilation {
  readonly errors: FieldError[];
}

/** Compiles an expression and reports an error at its field. */
export function compileField(
  text: string,
  place: Parameters<typeof compileExpression>[1],
  path: string,
  { errors }: Compilation,
): CompiledExpression | undefined {
  try {
    return compileExpression(text, place);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    errors.push(invalid(path, text, error.message));
    return undefined;
  }
}

/**
 * Validates and compiles the claim mappings.
 * @returns the valid mappings; complete only without errors
 */
export function compileMappings(
  { username = {}, groups = {}, uid = {}, extra = [] }: ClaimMappings,
  path: string,
  compilation: Compilation,
): Partial<CompiledMappings> {
  const { errors } = compilation;
  const name = compilePrefixed(username, `${path}.username`, true, compilation);
  const group = compilePrefixed(groups, `${path}.groups`, false, compilation);
  let id: Mapping | undefined;
  if (isSet(uid.claim) && isSet(uid.expression))
    errors.push(invalid(`${path}.uid`, '', "claim and expression can't both be set"));
  else if (isSet(uid.expression))
    id = compileField(uid.expression, 'mapping', `${path}.uid.expression`, compilation);
  else if (isSet(uid.claim)) id = { claim: uid.claim, prefix: '' };
  return {
    ...(name === undefined ? {} : { username: name }),
    groups: group,
    uid: id,
    extra: compileExtra(extra, `${path}.extra`, compilation),
  };
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

function compilePrefixed(
  mapping: PrefixedClaimOrExpression,
  path: string,
  isRequired: boolean,
  compilation: Compilation,
): Mapping | undefined {
  const { claim, prefix, expression } = mapping;
  const { errors } = compilation;
  if (isSet(claim) && isSet(expression)) {
    errors.push(invalid(path, '', "claim and expression can't both be set"));
    return undefined;
  }
  if (isSet(expression)) {
    if (prefix !== undefined)
      errors.push(invalid(`${path}.prefix`, prefix, "prefix can't be set when expression is set"));
    return compileField(expression, 'mapping', `${path}.expression`, compilation);
  }
  if (!isSet(claim)) {
    if (isRequired) errors.push(required(path, 'claim or expression is required'));
    return undefined;
  }
  if (prefix === undefined)
    errors.push(
      required(
        `${path}.prefix`,
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ),
    );
  return { claim, prefix: prefix ?? '' };
}

function compileExtra(
  mappings: readonly ExtraMapping[],
  path: string,
  compilation: Compilation,
): CompiledMappings['extra'] {
  const compiled: { key: string; value: CompiledExpression }[] = [];
  const seen = new Set<string>();
  mappings.forEach(({ key = '', valueExpression = '' }, index) => {
    const at = `${path}[${index}]`;
    compilation.errors.push(...validateKey(key, `${at}.key`));
    if (seen.has(key)) {
      compilation.errors.push(duplicate(`${at}.key`, key));
      return;
    }
    seen.add(key);
    if (valueExpression === '') {
      compilation.errors.push(required(`${at}.valueExpression`, 'valueExpression is required'));
      return;
    }
    const value = compileField(valueExpression, 'mapping', `${at}.valueExpression`, compilation);
    if (value !== undefined) compiled.push({ key, value });
  });
  return compiled;
}

const BAD_PATH = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Keys are lower-case `<domain>/<path>`, outside of the reserved Kubernetes domains. */
function validateKey(key: string, path: string): FieldError[] {
  if (key === '') return [required(path)];
  const errors: FieldError[] = [];
  const slash = key.indexOf('/');
  const [domain, rest] = slash < 0 ? [key, ''] : [key.slice(0, slash), key.slice(slash + 1)];
  if (domain === '' || rest === '')
    errors.push(invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else {
    errors.push(...dns1123Subdomain(domain).map((text) => invalid(path, domain, text)));
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) errors.push(invalid(path, rest, BAD_PATH));
  }
  if (key !== key.toLowerCase()) errors.push(invalid(path, key, 'key must be lowercase'));
  if (slash >= 0 && RESERVED.test(domain))
    errors.push(
      invalid(path, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'),
    );
  return errors;
}
