import type { Schema } from '../../openapi/document.ts';
import type { DocumentBuilder } from '../../openapi/documents.ts';
import type { PartV2 } from '../../openapi/v2.ts';
import { type Encoding, encodeMembers } from './openapi-encoding.ts';
import type { Entry, Index } from './openapi-index.ts';
import type { MergedParts } from './openapi-remote.ts';
import { concatenate, type Pause } from './time-slices.ts';

/** The encoded members of one entry. */
interface EncodedPart {
  readonly paths: Buffer;
  readonly definitions: ReadonlyMap<string, Buffer>;
  readonly parameters: ReadonlyMap<string, Buffer>;
}

const COMMA = Buffer.from(',');
/** The part of an entry that only the version 3 documents have. */
const NO_PART: PartV2 = { paths: {}, parameters: {} };
/** Stands for a schema that has been encoded. */
const ENCODED: Schema = {};

/**
 * Assembles the version 2 document in one encoding from parts by entry. Parts of unchanged entries are kept,
 * so the cost of a change is that of the changed entries and of joining the bytes.
 */
export class DocumentV2 {
  readonly #encoding: Encoding;
  readonly #parts = new WeakMap<Entry, EncodedPart>();
  /** Schemas that several parts refer to: names that the builder has written, and their bytes. */
  readonly #written = new Map<string, Schema>();
  readonly #shared = new Map<string, Buffer>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  /**
   * Assembles the document of an index, after those that were asked for before.
   * @param remote members of extension servers
   */
  assemble(index: Index, builder: DocumentBuilder, pause: Pause, remote?: MergedParts): Promise<Buffer> {
    const document = this.#last.then(() => this.#assemble(index, builder, pause, remote));
    this.#last = document.catch(() => undefined);
    return document;
  }

  /** The bytes of a definition of this server, once the document of the index has been assembled. */
  definition(index: Index, name: string): Buffer | undefined {
    const shared = this.#shared.get(name);
    if (shared !== undefined) return shared;
    for (const entry of index.entries.values()) {
      const found = this.#parts.get(entry)?.definitions.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #assemble(
    index: Index,
    builder: DocumentBuilder,
    pause: Pause,
    remote: MergedParts | undefined,
  ): Promise<Buffer> {
    const parts: EncodedPart[] = [];
    const parameters = new Map<string, Buffer>();
    for (const entry of index.entries.values()) {
      const part = await this.#part(entry, index, builder, pause);
      parts.push(part);
      for (const [name, bytes] of part.parameters) parameters.set(name, bytes);
      await pause();
    }
    const shared = [...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
    const sections = {
      paths: parts.map(({ paths }) => paths),
      definitions: [...shared, ...parts.flatMap(({ definitions }) => [...definitions.values()])],
      parameters: [...parameters.values()],
    };
    if (remote !== undefined) {
      const encode = async (section: keyof EncodedPart) => [
        ...(await encodeMembers(section, remote[section], this.#encoding, pause)),
      ];
      sections.paths.push(...(await encode('paths')).map(([, bytes]) => bytes));
      sections.definitions.push(...(await encode('definitions')).map(([, bytes]) => bytes));
      const added = (await encode('parameters')).filter(([name]) => !parameters.has(name));
      sections.parameters.push(...added.map(([, bytes]) => bytes));
    }
    const { minor } = builder.release;
    const buffers = await (this.#encoding === 'json' ? jsonOf(sections, minor) : protobufOf(sections, minor));
    return concatenate(buffers, pause);
  }

  async #part(entry: Entry, index: Index, builder: DocumentBuilder, pause: Pause): Promise<EncodedPart> {
    const known = this.#parts.get(entry);
    if (known !== undefined) return known;
    const groups = index.servedGroups;
    const custom = await builder.customSchemas(builder.resources(entry.name, groups), 'v2', pause);
    const { paths, parameters } = (await builder.partV2(entry.name, groups, this.#written, pause)) ?? NO_PART;
    const encode = (section: keyof EncodedPart, members: Iterable<readonly [string, unknown]>) =>
      encodeMembers(section, members, this.#encoding, pause);
    const added = [...this.#written].filter(([, schema]) => schema !== ENCODED);
    for (const [name, bytes] of await encode('definitions', added)) {
      this.#shared.set(name, bytes);
      this.#written.set(name, ENCODED);
    }
    const part: EncodedPart = {
      paths: this.#joined((await encode('paths', Object.entries(paths))).values()),
      definitions: await encode('definitions', Object.entries(custom)),
      parameters: await encode('parameters', Object.entries(parameters)),
    };
    this.#parts.set(entry, part);
    return part;
  }

  #joined(members: Iterable<Buffer>): Buffer {
    return this.#encoding === 'json' ? Buffer.concat(withCommas([...members])) : Buffer.concat([...members]);
  }
}

type Sections = Readonly<Record<'paths' | 'definitions' | 'parameters', readonly Buffer[]>>;

const withCommas = (members: readonly Buffer[]): Buffer[] =>
  members.filter(({ length }) => length > 0).flatMap((one, index) => (index === 0 ? [one] : [COMMA, one]));

async function jsonOf(sections: Sections, minor: string): Promise<Buffer[]> {
  const { headV2, TAIL_V2 } = await import('../../openapi/v2.ts');
  return [
    Buffer.from(JSON.stringify(headV2(minor)).slice(0, -1)),
    ...Object.entries(sections).flatMap(([name, members]) => [
      Buffer.from(`,"${name}":{`),
      ...withCommas(members),
      Buffer.from('}'),
    ]),
    Buffer.from(`,${JSON.stringify(TAIL_V2).slice(1)}`),
  ];
}

/** Decoders merge the repeated occurrences of a message. */
async function protobufOf({ paths, definitions, parameters }: Sections, minor: string): Promise<Buffer[]> {
  const [{ headV2, TAIL_V2 }, { encodePart }] = await Promise.all([
    import('../../openapi/v2.ts'),
    import('../../openapi/protobuf.ts'),
  ]);
  return [
    encodePart(headV2(minor), 'v2'),
    ...paths,
    ...definitions,
    ...parameters,
    encodePart(TAIL_V2, 'v2'),
  ];
}
