import type { CompiledExpression } from './expressions.ts';

/** A claim taken as it is, behind a prefix. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

export type Mapping = ClaimMapping | CompiledExpression;

export interface Rule {
  readonly expression: CompiledExpression;
  /** Said when the rule does not hold; may be empty. */
  readonly message: string;
}

/** One issuer whose tokens are accepted, checked and with its expressions compiled. */
export interface IssuerConfiguration {
  readonly url: string;
  /** Where its discovery document is; by default below its URL. */
  readonly discoveryUrl: string | undefined;
  /**
   * PEM of the authorities that its servers' certificates are checked with; undefined: those of the system.
   */
  readonly caBundle: string | undefined;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly username: Mapping;
  readonly groups: Mapping | undefined;
  readonly uid: Mapping | undefined;
  readonly extra: readonly { readonly key: string; readonly value: CompiledExpression }[];
  /** Claims that must be texts with these values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly claimRules: readonly Rule[];
  readonly userRules: readonly Rule[];
}
