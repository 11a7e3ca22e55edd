import { ListValue, TextList, type Value, valueOfJson } from '../../cel/index.ts';
import { setMember } from '../../model/object.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import type { UserInfo } from '../../request/user.ts';
import { CREDENTIAL_ID_KEY } from '../user.ts';
import type { IssuerConfiguration, Mapping, Rule } from './compiled.ts';
import { evaluateExpression } from './expressions.ts';
import { type Claims, hasClaim, readBoolean, readText, readTexts } from './read-claim.ts';

/**
 * Maps verified claims to a user and checks the issuer's validation rules.
 * @throws AuthenticationError
 */
export function userFromClaims(claims: Claims, issuer: IssuerConfiguration): UserInfo {
  const value = valueOfJson(claims);
  const user: UserInfo = {
    name: nameOf(issuer.username, claims, value),
    groups: groupsOf(issuer.groups, claims, value),
    uid: uidOf(issuer.uid, claims, value),
    extra: extraOf(issuer.extra, claims, value),
  };
  for (const [claim, required] of issuer.requiredClaims) {
    if (!hasClaim(claims, claim))
      throw new AuthenticationError(`oidc: required claim ${claim} not present in ID token`);
    const actual = readText(claims, claim, `claim ${claim}`);
    if (actual !== required)
      throw new AuthenticationError(
        `oidc: required claim ${claim} value does not match. Got = ${actual}, want = ${required}`,
      );
  }
  checkRules(issuer.claimRules, 'claims', value, 'oidc: error evaluating claim validation expression');
  if (issuer.userRules.length > 0)
    checkRules(issuer.userRules, 'user', userValue(user), 'oidc: error evaluating user info validation rule');
  return user;
}

/** Evaluates a mapping; the message of an error starts with `prefix`. @throws AuthenticationError */
function evaluated(mapping: Exclude<Mapping, { claim: string }>, value: Value, prefix = ''): Value {
  try {
    return evaluateExpression(mapping, 'claims', value);
  } catch (error) {
    throw new AuthenticationError(`${prefix}${(error as Error).message}`);
  }
}

const evaluateMapping = (mapping: Exclude<Mapping, { claim: string }>, value: Value, what: string): Value =>
  evaluated(mapping, value, `oidc: error evaluating ${what}: `);

function nameOf(mapping: Mapping, claims: Claims, value: Value): string {
  if (!('claim' in mapping)) {
    const text = singleText(evaluateMapping(mapping, value, 'username claim expression'), 'username');
    if (text === '') throw new AuthenticationError('oidc: empty username via CEL expression is not allowed');
    return text;
  }
  const name = readText(claims, mapping.claim, `username claims ${JSON.stringify(mapping.claim)}`);
  // An unverified email address does not identify a user.
  if (
    mapping.claim === 'email' &&
    hasClaim(claims, 'email_verified') &&
    !readBoolean(claims, 'email_verified', "'email_verified' claim")
  )
    throw new AuthenticationError('oidc: email not verified');
  return mapping.prefix + name;
}

function groupsOf(mapping: Mapping | undefined, claims: Claims, value: Value): readonly string[] {
  if (mapping === undefined) return [];
  if (!('claim' in mapping)) {
    const what = 'group claim expression';
    return textsOf(evaluateMapping(mapping, value, what), `oidc: error evaluating ${what}`);
  }
  if (!hasClaim(claims, mapping.claim)) return [];
  return readTexts(claims, mapping.claim, `groups claim ${JSON.stringify(mapping.claim)}`).map(
    (group) => mapping.prefix + group,
  );
}

function uidOf(mapping: Mapping | undefined, claims: Claims, value: Value): string {
  if (mapping === undefined) return '';
  if ('claim' in mapping)
    return readText(claims, mapping.claim, `uid claim ${JSON.stringify(mapping.claim)}`);
  return singleText(evaluateMapping(mapping, value, 'uid claim expression'), 'uid');
}

function extraOf(
  mappings: IssuerConfiguration['extra'],
  { jti }: Claims,
  value: Value,
): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  if (typeof jti === 'string' && jti !== '') extra.set(CREDENTIAL_ID_KEY, [`JTI=${jti}`]);
  for (const { key, value: mapping } of mappings) {
    const texts = textsOf(
      evaluated(mapping, value),
      `oidc: error evaluating extra claim expression: ${mapping.text}`,
    );
    if (texts.length > 0) extra.set(key, texts);
  }
  return extra;
}

function singleText(value: Value, what: string): string {
  if (typeof value === 'string') return value;
  throw new AuthenticationError(
    `oidc: error evaluating ${what} claim expression: ${what} claim expression must return a string`,
  );
}

/**
 * A string, a list of strings, or null; empty strings are dropped. Results of `split` and `findAll` are
 * rejected, as in kube-apiserver.
 */
function textsOf(value: Value, what: string): string[] {
  if (value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  const wrong = new AuthenticationError(`${what}: expression must return a string or a list of strings`);
  if (!(value instanceof ListValue) || value instanceof TextList) throw wrong;
  const texts: string[] = [];
  for (let index = 0; index < value.size; index++) {
    const text = value.get(index);
    if (typeof text !== 'string') throw wrong;
    if (text !== '') texts.push(text);
  }
  return texts;
}

function checkRules(rules: readonly Rule[], variable: 'claims' | 'user', value: Value, what: string): void {
  for (const { expression, message } of rules) {
    let result: Value;
    try {
      result = evaluateExpression(expression, variable, value);
    } catch (error) {
      throw new AuthenticationError(`${what}: ${(error as Error).message}`);
    }
    if (result !== true)
      throw new AuthenticationError(`${what}: validation expression '${expression.text}' failed: ${message}`);
  }
}

/** The variable `user` of rules: every member is present. */
function userValue({ name, uid, groups, extra }: UserInfo): Value {
  const extras: Record<string, readonly string[]> = {};
  for (const [key, values] of extra) setMember(extras, key, values);
  return valueOfJson({ username: name, uid, groups, extra: extras });
}
