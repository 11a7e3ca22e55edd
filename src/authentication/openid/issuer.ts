import { textClaim } from '../service-account/claims.ts';
import { createKeySet, type KeySet } from './key-set.ts';

/** Delay between discovery attempts. */
const RETRY_MILLISECONDS = 10_000;

/** Dependencies of an issuer; replaced in tests. */
export interface IssuerEnvironment {
  /** Fetches a JSON document from an https URL. */
  readonly fetch: (url: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Fetches a text from an https URL; only that server gets the headers. */
  readonly fetchText: (url: string, headers: Readonly<Record<string, string>>) => Promise<string>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  /** Calls `act` once after a delay. @returns cancels it */
  readonly after: (milliseconds: number, act: () => void) => () => void;
  /** Called when discovery fails. */
  readonly onFailure: (message: string) => void;
}

/** An issuer and its keys. */
export interface Issuer {
  /** Undefined until discovery succeeded. */
  readonly keys: KeySet | undefined;
  /** Resolves when discovery succeeded; never when the issuer is stopped before. */
  readonly ready: Promise<void>;
  stop(): void;
}

/**
 * Discovers the key set of an issuer and retries until that succeeds.
 * @param discoveryUrl URL of the discovery document, unless below the issuer's URL
 */
export function discoverIssuer(
  url: string,
  discoveryUrl: string | undefined,
  { fetch, now, after, onFailure }: Omit<IssuerEnvironment, 'fetchText'>,
): Issuer {
  let keys: KeySet | undefined;
  let stopped = false;
  let stopTimer: (() => void) | undefined;
  let resolveReady!: () => void;
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });

  const discover = async (): Promise<KeySet> => {
    const document = await fetch(
      discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`,
    );
    const issuer = textClaim(document.issuer);
    if (issuer !== url)
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(url)} got ${JSON.stringify(issuer)}`,
      );
    const keysUrl = textClaim(document.jwks_uri);
    return createKeySet({ now, fetch: () => fetch(keysUrl) });
  };
  const attempt = async (): Promise<void> => {
    try {
      keys = await discover();
      resolveReady();
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
