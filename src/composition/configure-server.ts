import { ADMISSION_PLUGINS } from '../admission/plugins/table.ts';
import { builtinResourcesOf } from '../kinds/builtin-resources.ts';
import { type Configuration, configure, type Selectable, type ServerOptions } from '../options/options.ts';

/** What the flags of this server select from. */
const SELECTABLE: Selectable = {
  resourcesOf: (scheme) => builtinResourcesOf(scheme).rows,
  plugins: ADMISSION_PLUGINS,
};

/** Sets defaults and validates the options of a server. @throws ConfigurationError with every error, in one line */
export const configureServer = (options: ServerOptions): Configuration => configure(options, SELECTABLE);
