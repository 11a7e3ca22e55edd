import type { Authenticated, TokenAuthenticator } from '../../request/authenticator.ts';
import { openIdAuthenticator } from './authenticator.ts';
import type { IssuerConfiguration } from './compiled.ts';
import { createClaimSources } from './distributed-claims.ts';
import { discoverIssuer, type Issuer, type IssuerEnvironment } from './issuer.ts';

/** How long issuers of a new configuration may take to be known before it is given up. */
const REPLACE_MILLISECONDS = 60_000;

export interface IssuersOptions {
  readonly audiences: readonly string[];
  /** Wall clock, milliseconds. */
  readonly wallClock: () => number;
  /** What reaching an issuer needs. */
  readonly environmentOf: (configuration: IssuerConfiguration) => IssuerEnvironment;
  readonly after: IssuerEnvironment['after'];
  /** Told of each token how long it took. */
  readonly observe: (issuerUrl: string, result: 'success' | 'failure', seconds: number) => void;
}

/** The issuers whose tokens are accepted, which may be replaced while the server runs. */
export interface Issuers extends TokenAuthenticator {
  /**
   * Takes over other issuers once all of them are known. Rejects, and leaves those before, when one isn't for
   * a minute.
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

/** Begins to accept tokens of these issuers; until one is known, its tokens are refused. */
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
    const told = (result: 'success' | 'failure', seconds: number) => observe(url, result, seconds);
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
        observe: told,
      }),
    };
  };
  let running = configurations.map(run);
  const stopAll = (all: readonly Running[]) => {
    for (const { stop } of all) stop();
  };

  return {
    name: 'openid',
    authenticateToken(token, wanted) {
      // Each issuer has its own URL, so one at most has anything to say.
      for (const { authenticator } of running) {
        const answer: Authenticated | Promise<Authenticated | undefined> | undefined =
          authenticator.authenticateToken(token, wanted);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
    async replace(next) {
      const fresh = next.map(run);
      let stopTimer: (() => void) | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        stopTimer = after(REPLACE_MILLISECONDS, () => {
          const missing = fresh.filter(({ issuer }) => issuer.keys === undefined).map(({ url }) => url);
          reject(
            new Error(
              `oidc: these issuers are not known after ${REPLACE_MILLISECONDS / 1000} seconds: ${missing.join(', ')}`,
            ),
          );
        });
      });
      try {
        await Promise.race([late, Promise.all(fresh.map(({ issuer }) => issuer.ready))]);
      } catch (error) {
        stopAll(fresh);
        throw error;
      } finally {
        stopTimer?.();
      }
      stopAll(running);
      running = fresh;
    },
    stop: () => stopAll(running),
  };
}
