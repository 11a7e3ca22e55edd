import { type Event, getScalarValue, parseEvents, type ScalarEvent, YAMLException } from 'js-yaml';
import { setMember } from '../model/object.ts';
import { DecodeError } from './decode-error.ts';
import type { ParsedDocument } from './json-parse.ts';
import { parseYamlAsJson } from './yaml-as-json.ts';
import { resolvePlainScalar, type YamlScalar } from './yaml-scalar.ts';

/** Constants of js-yaml for event types and for the plain style, named here for readable switches. */
const opens = { document: 1, sequence: 2, mapping: 3, scalar: 4, alias: 5, pop: 6 } as const;
const plainStyle = 1;

const maximumDepth = 10_000;
/** Maximum values that aliases may add to a document. */
const maximumAliased = 100_000;
/** Maximum characters of text that aliases may add. */
const maximumAliasedCharacters = 3 * 1024 * 1024;

/**
 * Parses the first document of a YAML 1.1 text into plain data like kube-apiserver's conversion to JSON: `on`
 * and `yes` are booleans, integers are exact, keys become strings and are sorted, the last of duplicate keys
 * is used. `duplicates` has one message for each (`line 7: key "a" already set in map`).
 * @throws DecodeError on syntax errors, excessive aliases and values that JSON does not have
 */
export function parseYaml(bytes: Uint8Array): ParsedDocument {
  const json = parseYamlAsJson(bytes);
  if (json !== undefined) return json;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const source = buffer.toString('utf8').replace(/^\ufeff/, '');
  try {
    return new TreeBuilder(source, parseEvents(source, { maxDepth: maximumDepth })).build();
  } catch (error) {
    if (error instanceof YAMLException)
      throw new DecodeError(`yaml: line ${(error.mark?.line ?? 0) + 1}: ${error.reason}`);
    if (error instanceof RangeError) throw new DecodeError(`yaml: exceeded max depth of ${maximumDepth}`);
    throw error;
  }
}

class TreeBuilder {
  private at = 0;
  private aliased = 0;
  private aliasedCharacters = 0;
  private readonly anchors = new Map<string, unknown>();
  private readonly open = new Set<string>();
  private readonly duplicates: string[] = [];
  private line = 1;
  private lineAt = 0;

  constructor(
    private readonly source: string,
    private readonly events: readonly Event[],
  ) {}

  build(): ParsedDocument {
    const first = this.events[this.at++];
    if (first?.type !== opens.document || this.events[this.at]?.type === opens.pop)
      return { value: null, duplicates: [] };
    return { value: this.node(), duplicates: this.duplicates };
  }

  private node(): unknown {
    const event = this.events[this.at++]!;
    if (event.type === opens.alias) return this.alias(this.source.slice(event.anchorStart, event.anchorEnd));
    if (event.type === opens.document || event.type === opens.pop)
      throw new DecodeError('yaml: unexpected end of a collection');
    const anchor = event.anchorStart < 0 ? undefined : this.source.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.open.add(anchor);
    const value =
      event.type === opens.scalar
        ? jsonValue(this.scalar(event))
        : event.type === opens.sequence
          ? this.sequence()
          : this.mapping();
    if (anchor !== undefined) {
      this.open.delete(anchor);
      this.anchors.set(anchor, value);
    }
    return value;
  }

  private scalar(event: ScalarEvent): YamlScalar {
    const text = getScalarValue(this.source, event);
    const tag = event.tagStart < 0 ? '' : this.source.slice(event.tagStart, event.tagEnd);
    if (tag === '')
      return event.style === plainStyle ? resolvePlainScalar(text) : { tag: 'str', value: text };
    return explicit(tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1'), text);
  }

  private sequence(): unknown[] {
    const items: unknown[] = [];
    while (this.events[this.at]!.type !== opens.pop) items.push(this.node());
    this.at++;
    return items;
  }

  private mapping(): object {
    const members = new Map<string, unknown>();
    while (this.events[this.at]!.type !== opens.pop) {
      const event = this.events[this.at]!;
      const key = event.type === opens.scalar ? this.scalar(event) : undefined;
      if (key?.tag === 'merge') {
        this.at++;
        this.merge(members, this.node());
        continue;
      }
      const offset = event.type === opens.scalar ? event.valueStart : 0;
      const value = this.node();
      const [name, quoted] = keyName(key ?? value);
      const member = this.node();
      if (members.has(name)) this.duplicate(quoted, offset);
      members.set(name, member);
    }
    this.at++;
    const mapping = {};
    for (const name of [...members.keys()].sort()) setMember(mapping, name, members.get(name));
    return mapping;
  }

  private duplicate(quoted: string, offset: number): void {
    if (this.duplicates.length >= 100) return;
    if (offset < this.lineAt) {
      this.line = 1;
      this.lineAt = 0;
    }
    for (
      let next = this.source.indexOf('\n', this.lineAt);
      next >= 0 && next < offset;
      next = this.source.indexOf('\n', this.lineAt)
    ) {
      this.line++;
      this.lineAt = next + 1;
    }
    this.duplicates.push(`line ${this.line}: key ${quoted} already set in map`);
  }

  /** `<<`: members of one mapping, or of several of which earlier ones win. */
  private merge(members: Map<string, unknown>, merged: unknown): void {
    const sources = Array.isArray(merged) ? merged.toReversed() : [merged];
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source))
        throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
      for (const [name, value] of Object.entries(source)) members.set(name, value);
    }
  }

  private alias(name: string): unknown {
    if (this.open.has(name)) throw new DecodeError(`yaml: anchor '${name}' value contains itself`);
    if (!this.anchors.has(name)) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    return this.copy(this.anchors.get(name));
  }

  /** Aliased values are copied, so that their cost is counted here. */
  private copy(value: unknown): unknown {
    if (typeof value === 'string') this.aliasedCharacters += value.length;
    if (++this.aliased > maximumAliased || this.aliasedCharacters > maximumAliasedCharacters)
      throw new DecodeError('yaml: document contains excessive aliasing');
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    const mapping = {};
    for (const key in value) {
      this.aliasedCharacters += key.length;
      setMember(mapping, key, this.copy((value as Record<string, unknown>)[key]));
    }
    return mapping;
  }
}

/** A scalar with an explicit tag. Unknown tags mean string. */
function explicit(tag: string, text: string): YamlScalar {
  const resolved = resolvePlainScalar(text);
  if (tag === '!!binary') return { tag: 'str', value: decodeBinary(text) };
  if (tag === '!!float' && resolved.tag === 'int') return { tag: 'float', value: Number(resolved.value) };
  const name = tag.startsWith('!!') ? tag.slice(2) : 'str';
  if (!['int', 'float', 'bool', 'null'].includes(name)) return { tag: 'str', value: text };
  if (resolved.tag !== name)
    throw new DecodeError(`yaml: cannot decode !!${resolved.tag} \`${text.slice(0, 100)}\` as a ${tag}`);
  return resolved;
}

/** The string encoded by a `!!binary` scalar; line breaks are ignored. @throws DecodeError */
function decodeBinary(text: string): string {
  const encoded = text.replace(/[\r\n]/g, '');
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(encoded, 'base64').toString('utf8');
}

function jsonValue({ value }: YamlScalar): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DecodeError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    );
  return value;
}

/** The JSON name of a key, and its form in messages. */
function keyName(key: YamlScalar | unknown): [string, string] {
  const scalar = (key as { value?: unknown } | null)?.value !== undefined ? (key as YamlScalar) : undefined;
  if (scalar !== undefined && scalar.value !== null && typeof scalar.value !== 'object') {
    const name = String(scalar.value);
    return [name, typeof scalar.value === 'string' ? JSON.stringify(name) : name];
  }
  throw new DecodeError('unsupported map key of type: only texts, numbers and booleans can be keys');
}
