import { textClaim } from '../service-account/claims.ts';
import { createKeySet, type KeySet } from './key-set.ts';

/** An issuer that can't be reached is tried again after so long. */
const RETRY_MILLISECONDS = 10_000;

/** What an issuer needs of its surroundings; replaced in tests. */
export interface IssuerEnvironment {
  /** A JSON document at an https URL. */
  readonly fetch: (url: string) => Promise<Readonly<Record<string, unknown>>>;
  /** A text at an https URL; the headers go to its own server only. */
  readonly fetchText: (url: string, headers: Readonly<Record<string, string>>) => Promise<string>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  /** Calls once after so many milliseconds. @returns stops it */
  readonly after: (milliseconds: number, act: () => void) => () => void;
  /** Told why the issuer isn't known yet. */
  readonly onFailure: (message: string) => void;
}

/** An issuer's keys, once it is known where they are. */
export interface Issuer {
  /** Undefined until its discovery document was read. */
  readonly keys: KeySet | undefined;
  /** Resolves when the issuer is known; never when it is stopped before. */
  readonly ready: Promise<void>;
  stop(): void;
}

/**
 * Finds out where an issuer publishes its keys, now and again until that succeeds.
 * @param discoveryUrl where its document is, if not below its URL
 */
export function discoverIssuer(
  url: string,
  discoveryUrl: string | undefined,
  { fetch, now, after, onFailure }: Omit<IssuerEnvironment, 'fetchText'>,
): Issuer {
  let keys: KeySet | undefined;
  let stopped = false;
  let stopTimer: (() => void) | undefined;
  let known!: () => void;
  const ready = new Promise<void>((resolve) => {
    known = resolve;
  });

  const discover = async (): Promise<KeySet> => {
    const document = await fetch(
      discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`,
    );
    const named = textClaim(document.issuer);
    if (named !== url)
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(url)} got ${JSON.stringify(named)}`,
      );
    const keysUrl = textClaim(document.jwks_uri);
    return createKeySet({ now, fetch: () => fetch(keysUrl) });
  };
  const attempt = async (): Promise<void> => {
    try {
      keys = await discover();
      known();
    } catch (error) {
      if (stopped) return;
      onFailure((error as Error).message);
      stopTimer = after(RETRY_MILLISECONDS, () => void attempt());
    }
  };
  void attempt();
  return {
    ready,
    get keys() {
      return keys;
    },
    stop() {
      stopped = true;
      stopTimer?.();
    },
  };
}
