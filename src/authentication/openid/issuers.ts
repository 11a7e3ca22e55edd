import type { Authenticated, TokenAuthenticator } from '../../request/authenticator.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { openIdAuthenticator } from './authenticator.ts';
import type { IssuerConfiguration } from './compiled.ts';
import { createClaimSources } from './distributed-claims.ts';
import { discoverIssuer, type Issuer, type IssuerEnvironment } from './issuer.ts';

/** Timeout for the discovery of all issuers of a new configuration. */
const REPLACE_MILLISECONDS = 60_000;

export interface IssuersOptions {
  readonly audiences: readonly string[];
  /** Wall clock of the process, milliseconds. */
  readonly wallClock: ProcessClock['now'];
  /** Dependencies for an issuer. */
  readonly environmentOf: (configuration: IssuerConfiguration) => IssuerEnvironment;
  readonly after: IssuerEnvironment['after'];
  /** Called for each token with the duration. */
  readonly observe: (issuerUrl: string, result: 'success' | 'failure', seconds: number) => void;
}

/** The accepted issuers, which can be replaced at run time. */
export interface Issuers extends TokenAuthenticator {
  /**
   * Replaces the issuers after discovery of all new ones. Rejects and keeps the previous issuers when one is
   * not discovered within a minute.
   */
  replace(configurations: readonly IssuerConfiguration[]): Promise<void>;
  stop(): void;
}

interface Running {
  readonly issuer: Issuer;
  readonly stop: () => void;
  readonly url: string;
  readonly authenticator: TokenAuthenticator;
}

/** Starts discovery of the issuers. Tokens of an issuer are rejected until it is discovered. */
export function createIssuers(
  configurations: readonly IssuerConfiguration[],
  options: IssuersOptions,
): Issuers {
  const { audiences, wallClock, environmentOf, after, observe } = options;
  const run = (configuration: IssuerConfiguration): Running => {
    const { url, groups, signingAlgorithms } = configuration;
    const environment = environmentOf(configuration);
    const issuer = discoverIssuer(url, configuration.discoveryUrl, environment);
    const sources =
      groups !== undefined && 'claim' in groups
        ? createClaimSources({
            claim: groups.claim,
            url,
            issuer,
            audiences: configuration.audiences,
            signingAlgorithms,
            environment: environment,
            now: wallClock,
          })
        : undefined;
    const stop = () => {
      issuer.stop();
      sources?.stop();
    };
    const observeToken = (result: 'success' | 'failure', seconds: number) => observe(url, result, seconds);
    return {
      issuer,
      stop,
      url,
      authenticator: openIdAuthenticator({
        configuration,
        issuer,
        sources,
        audiences,
        now: wallClock,
        observe: observeToken,
      }),
    };
  };
  let running = configurations.map(run);
  const stopAll = (all: readonly Running[]) => {
    for (const { stop } of all) stop();
  };

  return {
    name: 'openid',
    authenticateToken(token, requestedAudiences) {
      // Issuer URLs are unique: at most one authenticator handles the token.
      for (const { authenticator } of running) {
        const answer: Authenticated | Promise<Authenticated | undefined> | undefined =
          authenticator.authenticateToken(token, requestedAudiences);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
    async replace(next) {
      const replacements = next.map(run);
      let stopTimer: (() => void) | undefined;
      const timeout = new Promise<never>((_resolve, reject) => {
        stopTimer = after(REPLACE_MILLISECONDS, () => {
          const missing = replacements
            .filter(({ issuer }) => issuer.keys === undefined)
            .map(({ url }) => url);
          reject(
            new Error(
              `oidc: discovery timed out after ${REPLACE_MILLISECONDS / 1000} seconds for issuers: ${missing.join(', ')}`,
            ),
          );
        });
      });
      try {
        await Promise.race([timeout, Promise.all(replacements.map(({ issuer }) => issuer.ready))]);
      } catch (error) {
        stopAll(replacements);
        throw error;
      } finally {
        stopTimer?.();
      }
      stopAll(running);
      running = replacements;
    },
    stop: () => stopAll(running),
  };
}
