import { AUTHENTICATION, AUTHORIZATION } from './access.ts';
import { AUDITING } from './auditing.ts';
import { CLUSTERS } from './clusters.ts';
import { CONTROLLER_MANAGER } from './controller-manager.ts';
import { type Flag, flagName, type OptionsOf } from './flag.ts';
import { GENERIC, PRODUCT } from './generic.ts';
import { NODE_CONTROLLERS } from './node-controllers.ts';
import {
  ADMISSION,
  API_ENABLEMENT,
  CLOUD_PROVIDER,
  EGRESS,
  FEATURES,
  GLOBAL,
  LOGS,
  METRICS,
  MISCELLANEOUS,
  TRACES,
} from './others.ts';
import { SECURE_SERVING } from './secure-serving.ts';
import { SERVICE_CONTROLLERS } from './service-controllers.ts';
import { SIMULATION } from './simulation.ts';
import { START_CONTRACT } from './start-contract.ts';
import { STORAGE } from './storage.ts';

/**
 * Every flag by option name, in sections in the order of `--help`. The name of the flag is derived from that
 * of the option.
 */
export const SECTIONS = {
  Binnacle: PRODUCT,
  'Start contract': START_CONTRACT,
  Clusters: CLUSTERS,
  Simulation: SIMULATION,
  'Node controllers': NODE_CONTROLLERS,
  'Controllers of endpoints': SERVICE_CONTROLLERS,
  Generic: GENERIC,
  'Controllers, as kube-controller-manager': CONTROLLER_MANAGER,
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

/** The members of all types of a union. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  merged: infer All,
) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;

type Flags = Merged<(typeof SECTIONS)[keyof typeof SECTIONS]>;

/** All flags, by option. */
export const FLAGS: Flags = Object.assign({}, ...Object.values(SECTIONS));

export type OptionName = keyof typeof FLAGS;

/** The values of all flags. Durations are in milliseconds. */
export interface FlagValues extends OptionsOf<Flags> {}

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
