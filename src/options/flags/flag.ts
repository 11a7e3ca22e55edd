import {
  ADDRESS,
  BOOLEAN,
  DURATION,
  FILE_VERBOSITY,
  FLOAT,
  type Form,
  INTEGER,
  LIST,
  PAIR,
  PAIRS,
  PORT_RANGE,
  type PortRange,
  QUANTITY,
  REPEATED,
  TEXT,
  VERBOSITY,
} from './forms.ts';

/** A flag, with the data for parsing, `--help`, the reference page and the options type. */
export interface Flag<Value> {
  readonly form: Form<Value>;
  readonly initial: Value;
  readonly description: string;
  readonly shorthand?: string;
  /** Deprecation text; a warning contains it if the flag is used. */
  readonly deprecated?: string;
  /**
   * `none`: accepted with a warning, so that a kube-apiserver command line works. `refused`: prevents the
   * start, because ignoring the flag would be unsafe.
   */
  readonly effect?: 'none' | 'refused';
  /** Why the flag has no effect, or is refused; for the reference page and the error. */
  readonly because?: string;
  /** Overrides the name of the form in `--help`. */
  readonly placeholder?: string;
}

type Extra = Partial<Pick<Flag<unknown>, 'shorthand' | 'deprecated' | 'effect' | 'because' | 'placeholder'>>;

/** For a flag without effect in this server. */
export const noEffect = (because: string) => ({ effect: 'none', because }) as const satisfies Extra;

const flagOfForm =
  <Value>(form: Form<Value>) =>
  <const Properties extends Extra = Record<never, never>>(
    initial: Value,
    description: string,
    properties?: Properties,
  ) =>
    ({ form, initial, description, ...properties }) as Flag<Value> & Properties;

/** The values of some flags, by option name. */
export type OptionsOf<Flags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer Value> ? Value : never;
};

export const text = flagOfForm<string>(TEXT);
export const integer = flagOfForm<number>(INTEGER);
export const float = flagOfForm<number>(FLOAT);
export const bool = flagOfForm<boolean>(BOOLEAN);
export const list = flagOfForm<readonly string[]>(LIST);
export const repeated = flagOfForm<readonly string[]>(REPEATED);
export const pairs = flagOfForm<readonly string[]>(PAIRS);
export const pair = flagOfForm<readonly string[]>(PAIR);
export const address = flagOfForm<string>(ADDRESS);
export const portRange = flagOfForm<PortRange>(PORT_RANGE);
export const quantity = flagOfForm<number>(QUANTITY);
export const verbosity = flagOfForm<number>(VERBOSITY);
export const fileVerbosity = flagOfForm<readonly string[]>(FILE_VERBOSITY);
/** The default is in Go's notation. */
export const duration = (initial: string, description: string, extra?: Extra): Flag<number> => ({
  form: DURATION,
  initial: DURATION.parse(initial, undefined),
  description,
  ...extra,
});

/** `securePort` → `secure-port`. */
export function flagName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `secure-port` → `securePort`. */
export function optionName(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
