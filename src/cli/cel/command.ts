import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DecodeError } from '../../codec/decode-error.ts';
import { parseJson } from '../../codec/json-parse.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { parseYaml } from '../../codec/yaml.ts';
import { ConfigurationError, withFile } from '../../errors/configuration-error.ts';
import { decodedFrom } from '../decoded-from.ts';
import type { CommandOutput } from '../output.ts';
import { computeCases } from './cases.ts';
import { schemaIn } from './definition.ts';
import { ENVIRONMENTS } from './environments.ts';
import { type CelOptions, parseCelOptions } from './options.ts';
import { tryExpression } from './try-expression.ts';
import { tryRules } from './try-rules.ts';

const HELP = `Tries expressions and rules of the Kubernetes API.

Usage:
  binnacle cel EXPRESSION [flags]                 evaluate an expression: its value, type and cost
  binnacle cel --schema FILE --self FILE [flags]  evaluate all rules of a schema on an object
  binnacle cel --cases FILE                       evaluate recorded cases and print a JSON array

Files are YAML or JSON. The exit code is 1 when the expression or a rule fails.

  --self FILE           the object: \`self\` in rules, \`object\` in policies
  --old FILE            the previous object: \`oldSelf\`, \`oldObject\`
  --schema FILE         a CustomResourceDefinition, or a schema, with the types of \`self\`
  --environment NAME    the place of the expression in the API: ${[...ENVIRONMENTS.keys()].join(', ')}
  --variable NAME=FILE  the value of another variable, such as params or request
  --cases FILE          cases; the beginning of the file's name selects their kind
`;

/** Runs `binnacle cel` with its arguments, and returns the exit code. */
export function runCelCommand(words: readonly string[], output: CommandOutput): number {
  try {
    const options = parseCelOptions(words);
    if (options.help) {
      output.out(HELP);
      return 0;
    }
    return run(options, output);
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof DecodeError)) throw error;
    output.error(`Error: ${error.message}\n`);
    return 1;
  }
}

function run({ expression, cases, ...options }: CelOptions, output: CommandOutput): number {
  if (cases !== undefined) {
    if (expression !== undefined) throw new ConfigurationError('--cases takes no expression');
    const { value } = decodedFrom(cases, () => parseJson(contentOf(cases)));
    output.out(`[\n${computeCases(basename(cases), value).map(writePlain).join(',\n')}\n]\n`);
    return 0;
  }
  const [self, old] = [options.self, options.old].map((file) => file && documentIn(file));
  const { schema: file } = options;
  const schema = file && decodedFrom(file, () => schemaIn(documentIn(file), self, file));
  if (expression !== undefined) {
    const variables = new Map([...options.variables].map(([name, file]) => [name, documentIn(file)]));
    return tryExpression(
      expression,
      { self, old, schema: schema || undefined, environment: options.environment, variables },
      output,
    );
  }
  if (!schema || self === undefined)
    throw new ConfigurationError(
      `nothing to evaluate: give an expression, or ${missing(!schema, self === undefined)}; see binnacle cel --help`,
    );
  return tryRules(schema, self, old, output);
}

const missing = (schema: boolean, self: boolean): string =>
  schema && self ? '--schema and --self' : schema ? '--schema' : '--self';

const contentOf = (file: string): Uint8Array => withFile('open', file, () => readFileSync(file));

function documentIn(file: string): unknown {
  const { value } = decodedFrom(file, () => parseYaml(contentOf(file)));
  if (value === undefined || value === null) throw new ConfigurationError(`${file} is empty`);
  return value;
}
