import { componentPages } from '../handlers/endpoints/component-pages.ts';
import { debugFlagPaths, verbosityFlag } from '../handlers/endpoints/debug-flags.ts';
import { profilePaths } from '../handlers/endpoints/profiles.ts';
import type { LogVerbosity } from '../observability/log.ts';
import { flagName } from '../options/flags/flag.ts';
import { DURATION } from '../options/flags/forms.ts';
import { flagOf, type OptionName, type OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { ProcessProfiler } from '../profiling/profiler.ts';
import type { Handler } from '../request/context.ts';
import { processClock } from '../time/clock.ts';

type Paths = readonly (readonly [path: string, handler: Handler])[];

/** The paths that tell about the process; the index of `/` shows some of them. */
export interface DebugEndpoints {
  readonly listed: Paths;
  readonly unlisted: Paths;
}

export interface DebugParts {
  readonly configuration: Pick<Configuration, 'gates' | 'flags' | 'emulatedVersion' | 'scheme'> & {
    readonly values: OptionSlice<'profiling'>;
  };
  readonly profiler: ProcessProfiler;
  readonly verbosity: LogVerbosity;
}

/** Creates the handlers of profiles and debug flags (`--profiling`), `/flagz` and `/statusz`. */
export function createDebugEndpoints({ configuration, profiler, verbosity }: DebugParts): DebugEndpoints {
  const { values, gates, flags, emulatedVersion, scheme } = configuration;
  return {
    listed: componentPages({
      flags: gates.enabled('ComponentFlagz') ? () => shownFlags(flags) : undefined,
      status: gates.enabled('ComponentStatusz')
        ? {
            startedAt: new Date(performance.timeOrigin),
            now: processClock.now,
            binaryVersion: scheme.release.gitVersion.slice(1),
            emulationVersion: emulatedVersion,
          }
        : undefined,
      random: Math.random,
    }),
    unlisted: values.profiling ? profilingPaths(profiler, verbosity) : [],
  };
}

/** Profiles and the flags that can be changed. */
export const profilingPaths = (profiler: ProcessProfiler, verbosity: LogVerbosity): Paths => [
  ...profilePaths(profiler),
  ...debugFlagPaths([
    verbosityFlag((level) => {
      verbosity.verbosity = level;
    }),
  ]),
];

function shownValue(option: OptionName, value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  const { form } = flagOf(option);
  return form.show(value) ?? (form === DURATION ? '0s' : String(value));
}

/** Every flag with its value, as the command line would show it. */
function shownFlags(flags: ReadonlyMap<OptionName, unknown>): Record<string, string> {
  return Object.fromEntries(
    [...flags].map(([option, value]) => [flagName(option), shownValue(option, value)]),
  );
}
