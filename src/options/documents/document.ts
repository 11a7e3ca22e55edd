import { type ParsedDocument, parseJson } from '../../codec/json-parse.ts';
import { strictErrors } from '../../codec/json-strict.ts';
import { type TypeMeta, typeMetaOf } from '../../codec/type-meta.ts';
import { fromPlain } from '../../codec/typed.ts';
import { parseYaml } from '../../codec/yaml.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { MessageType } from '../../schema/message.ts';
import { runNow } from '../../steps/run.ts';

/** The supported versions of a configuration kind. */
export interface DocumentKind {
  readonly kind: string;
  /** Message type by apiVersion; created on first use. */
  readonly versions: Readonly<Record<string, () => MessageType>>;
  /** Documents may hold keys, so that errors must not quote them. */
  readonly secret?: boolean;
  /** The apiVersion of documents that leave out kind or apiVersion, even of empty ones; without it they are errors. */
  readonly impliedVersion?: string;
}

/** A decoded configuration document: its apiVersion and typed members. */
export interface ConfigurationDocument<Content> {
  readonly apiVersion: string;
  readonly content: Content;
}

/**
 * Parses a configuration document in YAML or JSON. Rejects unknown and duplicate members.
 * @param kinds the accepted kinds; versions may have different ones
 * @param tolerate called with the strict decoding errors instead, for kinds that ignore them
 * @throws ConfigurationError with the text of Kubernetes' configuration loaders
 */
export function readDocument<Content extends object>(
  text: string,
  kinds: DocumentKind | readonly DocumentKind[],
  tolerate?: (problem: string) => void,
): ConfigurationDocument<Content> {
  const bytes = Buffer.from(text);
  const isJson = /^\s*\{/.test(text);
  try {
    const { value: parsed, duplicates } = isJson ? parseHeaded(bytes) : parseYaml(bytes);
    const known = [kinds].flat();
    const implied = known.find(({ impliedVersion }) => impliedVersion !== undefined);
    const value = implied === undefined ? parsed : (parsed ?? {});
    const named = completed(headerOf(value), implied);
    const makeType = known.find(
      ({ kind, versions }) => named.kind === kind && Object.hasOwn(versions, named.apiVersion),
    )?.versions[named.apiVersion];
    if (makeType === undefined)
      throw new ConfigurationError(
        unknownKind(named, known.some(({ secret }) => secret) ? '' : ` in '${text}'`),
      );
    const { value: content, unknown } = fromPlain(makeType(), value);
    const problems = runNow(strictErrors(bytes, isJson ? duplicates : [], unknown));
    const repeated = isJson ? [] : duplicates.map((duplicate) => `yaml: unmarshal errors:\n  ${duplicate}`);
    const found = [...repeated, ...problems].join(', ');
    if (found !== '' && tolerate === undefined)
      throw new ConfigurationError(`strict decoding error: ${found}`);
    if (found !== '') tolerate?.(`strict decoding error: ${found}`);
    return { apiVersion: named.apiVersion, content: content as unknown as Content };
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new ConfigurationError((error as Error).message);
  }
}

/** For kinds whose documents may have unknown and duplicate members. */
export const tolerateProblems = (): void => {};

const headerProblem = (error: unknown): ConfigurationError =>
  new ConfigurationError(`couldn't get version/kind; json parse error: ${(error as Error).message}`);

/** Kubernetes reads apiVersion and kind first, so they are what a syntax error is reported about. */
function parseHeaded(bytes: Buffer): ParsedDocument {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw headerProblem(error);
  }
}

function headerOf(value: unknown): TypeMeta {
  let named: TypeMeta;
  try {
    named = typeMetaOf(value);
  } catch (error) {
    throw headerProblem(error);
  }
  if (named.apiVersion.split('/').length > 2)
    throw new ConfigurationError(`unexpected GroupVersion string: ${named.apiVersion}`);
  return named;
}

/** A header with what the kind implies for missing parts. */
function completed({ apiVersion, kind }: TypeMeta, implied: DocumentKind | undefined): TypeMeta {
  if (implied?.impliedVersion === undefined) return { apiVersion, kind };
  const { impliedVersion } = implied;
  const [group] = impliedVersion.split('/');
  const isVersioned = apiVersion !== '' && apiVersion !== `${group}/`;
  return { apiVersion: isVersioned ? apiVersion : impliedVersion, kind: kind || implied.kind };
}

function unknownKind({ apiVersion, kind }: TypeMeta, where: string): string {
  if (kind === '') return `Object 'Kind' is missing${where}`;
  if (apiVersion === '') return `Object 'apiVersion' is missing${where}`;
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`;
}
