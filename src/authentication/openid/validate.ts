import type {
  AuthenticationConfiguration,
  ClaimValidationRule,
  JWTAuthenticator,
  UserValidationRule,
} from '../../model/generated/apiserverconfig-v1beta1.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFormatted,
  required,
  tooMany,
} from '../../status/field-error.ts';
import type { IssuerConfiguration, Mapping, Rule } from './compiled.ts';
import { type CompiledExpression, readsMember } from './expressions.ts';
import { validateIssuer } from './validate-issuer.ts';
import { type Compilation, compileField, compileMappings } from './validate-mappings.ts';

/** Maximum issuers in one configuration. */
const MAXIMUM_ISSUERS = 64;

const EMAIL_TEXT =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** A compiled configuration; its issuers may be used when there are no errors. */
export interface CompiledConfiguration {
  readonly issuers: readonly IssuerConfiguration[];
  readonly errors: readonly FieldError[];
}

/**
 * Validates a configuration and compiles its expressions.
 * @param ownIssuers service account issuers of this server, which JWT issuers must not repeat
 */
export function compileConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  signingAlgorithms: readonly string[],
  ownIssuers: readonly string[],
): CompiledConfiguration {
  if (jwt.length > MAXIMUM_ISSUERS)
    return { issuers: [], errors: [tooMany('jwt', jwt.length, MAXIMUM_ISSUERS)] };
  const errors: FieldError[] = [];
  const issuers: IssuerConfiguration[] = [];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  jwt.forEach((authenticator, index) => {
    const path = `jwt[${index}]`;
    const { url = '', discoveryURL = '' } = authenticator.issuer ?? {};
    issuers.push(...compileAuthenticator(authenticator, path, signingAlgorithms, { errors }));
    if (urls.has(url)) errors.push(duplicate(`${path}.issuer.url`, url));
    urls.add(url);
    if (discoveryURL === '') return;
    if (discoveryUrls.has(discoveryURL)) errors.push(duplicate(`${path}.issuer.discoveryURL`, discoveryURL));
    discoveryUrls.add(discoveryURL);
  });
  const conditions = anonymous?.conditions ?? [];
  if (anonymous !== undefined && anonymous.enabled !== true && conditions.length > 0) {
    const formatted = conditions
      .map(({ path = '' }) => `apiserver.AnonymousAuthCondition{Path:${JSON.stringify(path)}}`)
      .join(', ');
    errors.push(
      invalidFormatted(
        'anonymous.conditions',
        `[]apiserver.AnonymousAuthCondition{${formatted}}`,
        'enabled should be set to true when conditions are defined',
      ),
    );
  }
  // Reported only without other errors, and with the path of the issuer alone.
  if (errors.length === 0) {
    const own = [...new Set(ownIssuers)].sort();
    for (const { url } of issuers)
      if (own.includes(url))
        errors.push(
          invalid('issuer.url', url, `URL must not overlap with disallowed issuers: [${own.join(' ')}]`),
        );
  }
  return { issuers, errors };
}

function compileAuthenticator(
  authenticator: JWTAuthenticator,
  path: string,
  signingAlgorithms: readonly string[],
  compilation: Compilation,
): IssuerConfiguration[] {
  const {
    issuer = {},
    claimMappings = {},
    claimValidationRules = [],
    userValidationRules = [],
  } = authenticator;
  const { errors } = compilation;
  errors.push(...validateIssuer(issuer, `${path}.issuer`));
  const { requiredClaims, claimRules } = compileClaimRules(
    claimValidationRules,
    `${path}.claimValidationRules`,
    compilation,
  );
  const mappings = compileMappings(claimMappings, `${path}.claimMappings`, compilation);
  if (
    usesUnverifiedEmail(mappings.username, [
      ...(mappings.extra ?? []).map(({ value }) => value),
      ...claimRules.map(({ expression }) => expression),
    ])
  )
    errors.push(
      invalid(
        `${path}.claimMappings.username.expression`,
        claimMappings.username?.expression ?? '',
        EMAIL_TEXT,
      ),
    );
  const userRules = compileUserRules(userValidationRules, `${path}.userValidationRules`, compilation);
  if (mappings.username === undefined) return [];
  return [
    {
      url: issuer.url ?? '',
      discoveryUrl: issuer.discoveryURL || undefined,
      caBundle: issuer.certificateAuthority || undefined,
      audiences: issuer.audiences ?? [],
      signingAlgorithms,
      username: mappings.username,
      groups: mappings.groups,
      uid: mappings.uid,
      extra: mappings.extra ?? [],
      requiredClaims,
      claimRules,
      userRules,
    },
  ];
}

/** An email address may serve as username only when `email_verified` is checked. */
function usesUnverifiedEmail(username: Mapping | undefined, others: readonly CompiledExpression[]): boolean {
  if (username === undefined || !('root' in username) || !readsMember(username.root, 'claims', 'email'))
    return false;
  return ![username, ...others].some(({ root }) => readsMember(root, 'claims', 'email_verified'));
}

function compileClaimRules(
  rules: readonly ClaimValidationRule[],
  path: string,
  compilation: Compilation,
): { requiredClaims: Map<string, string>; claimRules: Rule[] } {
  const { errors } = compilation;
  const requiredClaims = new Map<string, string>();
  const claimRules: Rule[] = [];
  const seen = new Set<string>();
  rules.forEach(({ claim = '', requiredValue = '', expression = '', message = '' }, index) => {
    const at = `${path}[${index}]`;
    if (claim !== '' && expression !== '')
      errors.push(invalid(at, claim, "claim and expression can't both be set"));
    else if (claim === '' && expression === '') errors.push(required(at, 'claim or expression is required'));
    else if (claim !== '') {
      if (message !== '')
        errors.push(invalid(`${at}.message`, message, "message can't be set when claim is set"));
      if (requiredClaims.has(claim)) errors.push(duplicate(`${at}.claim`, claim));
      requiredClaims.set(claim, requiredValue);
    } else {
      if (requiredValue !== '')
        errors.push(
          invalid(`${at}.requiredValue`, requiredValue, "requiredValue can't be set when expression is set"),
        );
      if (seen.has(expression)) {
        errors.push(duplicate(`${at}.expression`, expression));
        return;
      }
      seen.add(expression);
      const compiled = compileField(expression, 'claimRule', `${at}.expression`, compilation);
      if (compiled !== undefined) claimRules.push({ expression: compiled, message });
    }
  });
  return { requiredClaims, claimRules };
}

function compileUserRules(
  rules: readonly UserValidationRule[],
  path: string,
  compilation: Compilation,
): Rule[] {
  const compiled: Rule[] = [];
  const seen = new Set<string>();
  rules.forEach(({ expression = '', message = '' }, index) => {
    const at = `${path}[${index}].expression`;
    if (expression === '') compilation.errors.push(required(at, 'expression is required'));
    else if (seen.has(expression)) compilation.errors.push(duplicate(at, expression));
    else {
      seen.add(expression);
      const rule = compileField(expression, 'userRule', at, compilation);
      if (rule !== undefined) compiled.push({ expression: rule, message });
    }
  });
  return compiled;
}
