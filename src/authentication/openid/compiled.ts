import type { CompiledExpression } from './expressions.ts';

/** A claim used unchanged after a prefix. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

export type Mapping = ClaimMapping | CompiledExpression;

export interface Rule {
  readonly expression: CompiledExpression;
  /** Message for a failed rule; may be empty. */
  readonly message: string;
}

/** The validated and compiled configuration of one accepted issuer. */
export interface IssuerConfiguration {
  readonly url: string;
  /** URL of the discovery document; undefined: below the issuer's URL. */
  readonly discoveryUrl: string | undefined;
  /**
   * CA bundle that verifies the issuer's servers, PEM; undefined: the system's CAs.
   */
  readonly caBundle: string | undefined;
  /** Accepted audiences of tokens. */
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly username: Mapping;
  readonly groups: Mapping | undefined;
  readonly uid: Mapping | undefined;
  readonly extra: readonly { readonly key: string; readonly value: CompiledExpression }[];
  /** Required string claims and their values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly claimRules: readonly Rule[];
  readonly userRules: readonly Rule[];
}
