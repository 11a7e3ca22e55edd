import { strictErrors } from '../../codec/json-strict.ts';
import { fromPlain } from '../../codec/typed.ts';
import { parseYaml } from '../../codec/yaml.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { MessageType } from '../../schema/message.ts';

/** The supported versions of a configuration kind. */
export interface DocumentKind {
  readonly kind: string;
  /** Message type by apiVersion; created on first use. */
  readonly versions: Readonly<Record<string, () => MessageType>>;
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
  try {
    const { value, duplicates } = parseYaml(bytes);
    const header = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
    const named = { apiVersion: textOf(header, 'apiVersion'), kind: textOf(header, 'kind') };
    const makeType = [kinds]
      .flat()
      .find(({ kind, versions }) => named.kind === kind && Object.hasOwn(versions, named.apiVersion))
      ?.versions[named.apiVersion];
    if (makeType === undefined) throw new ConfigurationError(unknownKind(named));
    const { value: content, unknown } = fromPlain(makeType(), value);
    const problems = strictErrors(bytes, text.trimStart().startsWith('{') ? duplicates : [], unknown);
    const repeated = text.trimStart().startsWith('{')
      ? []
      : duplicates.map((duplicate) => `yaml: unmarshal errors: ${duplicate}`);
    const found = [...repeated, ...problems].join(', ');
    if (found !== '' && tolerate === undefined)
      throw new ConfigurationError(`strict decoding error: ${found}`);
    if (found !== '') tolerate?.(`strict decoding error: ${found}`);
    return { apiVersion: named.apiVersion, content: content as unknown as Content };
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new ConfigurationError((error as Error).message);
  }
}

function unknownKind({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  if (kind === '') return "Object 'Kind' is missing";
  if (apiVersion === '') return "Object 'apiVersion' is missing";
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`;
}

function textOf(object: Readonly<Record<string, unknown>>, member: string): string {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  return typeof value === 'string' ? value : '';
}
