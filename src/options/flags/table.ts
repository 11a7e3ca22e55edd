import {
  AUTHENTICATION,
  AUTHORIZATION,
  type AuthenticationOptions,
  type AuthorizationOptions,
} from './access.ts';
import { AUDITING, type AuditOptions } from './auditing.ts';
import { type Flag, flagName } from './flag.ts';
import { GENERIC, type GenericOptions, PRODUCT, type ProductOptions } from './generic.ts';
import {
  ADMISSION,
  type AdmissionOptions,
  API_ENABLEMENT,
  type ApiEnablementOptions,
  CLOUD_PROVIDER,
  type CloudProviderOptions,
  EGRESS,
  type EgressOptions,
  FEATURES,
  type FeatureOptions,
  GLOBAL,
  type GlobalOptions,
  LOGS,
  type LogOptions,
  METRICS,
  type MetricsOptions,
  MISCELLANEOUS,
  type MiscellaneousOptions,
  TRACES,
  type TraceOptions,
} from './others.ts';
import { SECURE_SERVING, type SecureServingOptions } from './secure-serving.ts';
import { STORAGE, type StorageOptions } from './storage.ts';

/**
 * Every flag by option name, in sections in the order of `--help`. The name of the flag is derived from that
 * of the option.
 */
export const SECTIONS = {
  Binnacle: PRODUCT,
  Generic: GENERIC,
  Storage: STORAGE,
  'Secure serving': SECURE_SERVING,
  Auditing: AUDITING,
  Features: FEATURES,
  Authentication: AUTHENTICATION,
  Authorization: AUTHORIZATION,
  'Cloud provider': CLOUD_PROVIDER,
  'API enablement': API_ENABLEMENT,
  'Egress selector': EGRESS,
  Admission: ADMISSION,
  Metrics: METRICS,
  Logs: LOGS,
  Traces: TRACES,
  Global: GLOBAL,
  Miscellaneous: MISCELLANEOUS,
};

/** All flags, by option. */
export const FLAGS = {
  ...PRODUCT,
  ...GENERIC,
  ...STORAGE,
  ...SECURE_SERVING,
  ...AUDITING,
  ...FEATURES,
  ...AUTHENTICATION,
  ...AUTHORIZATION,
  ...CLOUD_PROVIDER,
  ...API_ENABLEMENT,
  ...EGRESS,
  ...ADMISSION,
  ...METRICS,
  ...LOGS,
  ...TRACES,
  ...GLOBAL,
  ...MISCELLANEOUS,
};

export type OptionName = keyof typeof FLAGS;

/** The values of all flags. Durations are in milliseconds. */
export interface FlagValues
  extends AuthenticationOptions,
    AuthorizationOptions,
    AuditOptions,
    GenericOptions,
    ProductOptions,
    SecureServingOptions,
    StorageOptions,
    FeatureOptions,
    CloudProviderOptions,
    ApiEnablementOptions,
    EgressOptions,
    AdmissionOptions,
    MetricsOptions,
    LogOptions,
    TraceOptions,
    GlobalOptions,
    MiscellaneousOptions {}

/** Options that have an effect in this server. */
type EffectiveOption = {
  [Name in OptionName]: (typeof FLAGS)[Name] extends { readonly effect: string } ? never : Name;
}[OptionName];

/**
 * The options that a part takes, declared beside the part. An option without effect does not compile here, and
 * `test/options/flags-read.test.ts` checks that the part reads every option of its slice.
 */
export type OptionSlice<Names extends EffectiveOption> = Pick<FlagValues, Names>;

/** Option by flag name (`secure-port` → `securePort`). */
export const OPTION_BY_FLAG: ReadonlyMap<string, OptionName> = new Map(
  (Object.keys(FLAGS) as OptionName[]).map((option) => [flagName(option), option]),
);

/** The flag of an option, regardless of its value type. */
export function flagOf(option: OptionName): Flag<unknown> {
  return FLAGS[option] as Flag<unknown>;
}
