import { apiRootOf } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import type { CustomKind } from './custom-kind.ts';
import {
  byName,
  type Content,
  type GroupVersionKind,
  type Operation,
  type Parameter,
  type Path,
} from './document.ts';
import {
  DELETING,
  DELETING_COLLECTION,
  NAMESPACE,
  PATCHING,
  PRETTY,
  PROXIED_PATH,
  path,
  READING,
  sharedOption,
  WATCHING,
  WRITING,
} from './parameters.ts';
import { article, capitalized, groupWord, tagWord } from './words.ts';

/** The properties of a resource that the documents depend on, taken from the catalog. */
export interface DescribedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly group: string | undefined;
    readonly version: string | undefined;
    readonly verbs: readonly string[];
  }[];
  /** The schemas of a custom kind. */
  readonly customKind?: CustomKind;
}

export interface PathOptions {
  /** The message type of a kind. */
  readonly kindType: (group: string, version: string, kind: string) => MessageType | undefined;
  /** Whether a DELETE of the resource returns the object instead of a Status. */
  readonly deleteReturnsObject: (group: string, resource: string) => boolean;
  /** Media types of ordinary responses. */
  readonly mediaTypes: readonly string[];
  /** Additional media types of streams. */
  readonly streamTypes: readonly string[];
}

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const CUSTOM_PATCH_TYPES = PATCH_TYPES.filter((type) => !type.includes('strategic'));
/** Custom resources have no protobuf encoding. */
const CUSTOM_MEDIA_TYPES = ['application/json', 'application/yaml'];
const PATCH_TYPES_WITH_CBOR = [...PATCH_TYPES, 'application/apply-patch+cbor'];
const ANY = ['*/*'];
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
/** Patch bodies have no message of their own. */
export const PATCH = `${META}Patch`;
export const DELETE_OPTIONS = `${META}DeleteOptions`;
const PROXY_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** Paths of one resource with its operations. */
export class ResourcePaths {
  readonly #row: DescribedResource;
  readonly #options: PathOptions;
  readonly #kind: GroupVersionKind;
  readonly #mediaTypes: readonly string[];
  readonly #paths: Path[] = [];

  constructor(row: DescribedResource, options: PathOptions) {
    this.#row = row;
    this.#options = options;
    this.#kind = { group: row.group, version: row.version, kind: row.kind };
    this.#mediaTypes = row.customKind === undefined ? options.mediaTypes : CUSTOM_MEDIA_TYPES;
  }

  paths(): readonly Path[] {
    const { group, version, resource, namespaced, verbs, kind } = this.#row;
    const root = apiRootOf(group, version);
    const inScope = namespaced ? `/namespaces/{namespace}/${resource}` : `/${resource}`;
    const scope = namespaced ? [NAMESPACE] : [];
    const word = `${namespaced ? 'Namespaced' : ''}${kind}`;
    this.#add(root + inScope, [...scope, PRETTY], this.#collection(word));
    if (namespaced && verbs.includes('list'))
      this.#add(`${root}/${resource}`, [PRETTY], [this.#list(`${kind}ForAllNamespaces`)]);
    const item = [...scope, path('name', `name of the ${kind}`)];
    if (verbs.includes('get')) this.#add(`${root + inScope}/{name}`, [...item, PRETTY], this.#item(word));
    for (const subresource of this.#row.subresources)
      this.#subresource(`${root + inScope}/{name}`, item, word, subresource);
    if (verbs.includes('watch') && this.#row.customKind === undefined) {
      if (namespaced)
        this.#add(
          `${root}/watch/${resource}`,
          [PRETTY],
          [this.#watch('watchlist', `${kind}ListForAllNamespaces`)],
        );
      this.#add(`${root}/watch${inScope}`, [...scope, PRETTY], [this.#watch('watchlist', `${word}List`)]);
      this.#add(`${root}/watch${inScope}/{name}`, [...item, PRETTY], [this.#watch('watch', word)]);
    }
    return this.#paths;
  }

  /** Parameters common to all operations of a path are listed at the path. */
  #add(at: string, parameters: readonly Parameter[], operations: readonly Operation[]): void {
    if (operations.length === 0) return;
    const [only] = operations;
    const lifted =
      operations.length === 1
        ? { operations: [{ ...only!, parameters: [] }], own: only!.parameters }
        : { operations, own: [] };
    this.#paths.push({
      path: at,
      operations: lifted.operations,
      parameters: byName([...parameters, ...lifted.own]),
    });
  }

  #operation(
    method: Operation['method'],
    action: string,
    verb: string,
    word: string,
    own: Partial<Operation> & Pick<Operation, 'responses' | 'description'>,
  ): Operation {
    const { group, version } = this.#row;
    return {
      method,
      action,
      id: `${verb}${groupWord(group)}${capitalized(version)}${word}`,
      tag: `${tagWord(group)}_${version}`,
      kind: this.#kind,
      consumes: this.#row.customKind === undefined ? ANY : CUSTOM_MEDIA_TYPES,
      produces: this.#mediaTypes,
      parameters: [],
      ...own,
    };
  }

  #nameOf({ group, version, kind }: GroupVersionKind): string {
    if (this.#row.customKind !== undefined && group === this.#row.group && version === this.#row.version)
      return kind === this.#row.kind ? this.#row.customKind.name : this.#row.customKind.listName;
    return this.#options.kindType(group, version, kind)?.openapi ?? kind;
  }

  #collection(word: string): Operation[] {
    const { verbs, kind } = this.#row;
    const operations: Operation[] = [];
    if (verbs.includes('list')) operations.push(this.#list(word));
    if (verbs.includes('create'))
      operations.push(this.#post('create', word, this.#kind, `create ${article(kind)} ${kind}`));
    if (verbs.includes('deletecollection')) {
      const own =
        this.#row.customKind === undefined
          ? { parameters: DELETING_COLLECTION, body: { schema: DELETE_OPTIONS, required: false } }
          : { parameters: WATCHING };
      operations.push(
        this.#operation('delete', 'deletecollection', 'delete', `Collection${word}`, {
          description: `delete collection of ${kind}`,
          ...own,
          responses: [[200, { schema: `${META}Status` }]],
        }),
      );
    }
    return operations;
  }

  #list(word: string): Operation {
    const { group, version, listKind, kind, verbs } = this.#row;
    const streams = this.#row.customKind === undefined ? this.#options.streamTypes : [];
    return this.#operation('get', 'list', 'list', word, {
      description: `list ${verbs.includes('watch') && streams.length > 0 ? 'or watch ' : ''}objects of kind ${kind}`,
      parameters: WATCHING,
      produces: [...this.#mediaTypes, ...streams],
      responses: [[200, { schema: this.#nameOf({ group, version, kind: listKind }) }]],
    });
  }

  #watch(action: 'watch' | 'watchlist', word: string): Operation {
    const { mediaTypes, streamTypes } = this.#options;
    return this.#operation('get', action, 'watch', word, {
      description: `watch ${action === 'watch' ? 'changes to an object' : 'individual changes to a list'} of kind ${this.#row.kind}. deprecated: use the 'watch' parameter with a list operation instead.`,
      parameters: WATCHING,
      produces: [...mediaTypes, ...streamTypes],
      responses: [[200, { schema: `${META}WatchEvent` }]],
    });
  }

  #item(word: string): Operation[] {
    const { group, resource, verbs, kind } = this.#row;
    const operations = this.#objectOperations(verbs, word, this.#kind, `the specified ${kind}`);
    if (!verbs.includes('delete')) return operations;
    const response = {
      schema:
        this.#row.customKind === undefined && this.#options.deleteReturnsObject(group, resource)
          ? this.#nameOf(this.#kind)
          : `${META}Status`,
    };
    const deletion = this.#operation('delete', 'delete', 'delete', word, {
      description: `delete ${article(kind)} ${kind}`,
      parameters: DELETING,
      body: { schema: DELETE_OPTIONS, required: false },
      responses: [
        [200, response],
        [202, response],
      ],
    });
    return [...operations.slice(0, 2), deletion, ...operations.slice(2)];
  }

  /** The operations of an object or a subresource. */
  #objectOperations(
    verbs: readonly string[],
    word: string,
    kind: GroupVersionKind,
    what: string,
  ): Operation[] {
    const schema = this.#nameOf(kind);
    const responses: [number, Content][] = [[200, { schema }]];
    const written: [number, Content][] = [...responses, [201, { schema }]];
    const custom = this.#row.customKind !== undefined;
    const operations: Operation[] = [];
    if (verbs.includes('get'))
      operations.push(
        this.#operation('get', 'get', 'read', word, {
          kind,
          description: `read ${what}`,
          parameters: custom ? READING : [],
          responses,
        }),
      );
    if (verbs.includes('update')) {
      operations.push(
        this.#operation('put', 'put', 'replace', word, {
          kind,
          description: `replace ${what}`,
          parameters: WRITING,
          body: { schema, required: true },
          responses: written,
        }),
      );
    }
    if (verbs.includes('patch')) {
      operations.push(
        this.#operation('patch', 'patch', 'patch', word, {
          kind,
          description: `partially update ${what}`,
          consumes: this.#patchTypes(),
          parameters: PATCHING,
          body: { schema: PATCH, required: true },
          responses: custom ? responses : written,
        }),
      );
    }
    return operations;
  }

  #patchTypes(): readonly string[] {
    if (this.#row.customKind !== undefined) return CUSTOM_PATCH_TYPES;
    return this.#mediaTypes.includes('application/cbor') ? PATCH_TYPES_WITH_CBOR : PATCH_TYPES;
  }

  #post(verb: string, word: string, kind: GroupVersionKind, description: string): Operation {
    const schema = this.#nameOf(kind);
    return this.#operation('post', 'post', verb, word, {
      kind,
      description,
      parameters: WRITING,
      body: { schema, required: true },
      responses: [
        [200, { schema }],
        [201, { schema }],
        [202, { schema }],
      ],
    });
  }

  #subresource(
    item: string,
    parameters: readonly Parameter[],
    word: string,
    subresource: DescribedResource['subresources'][number],
  ): void {
    const { group, version, kind } = this.#row;
    const own: GroupVersionKind = {
      group: subresource.group ?? group,
      version: subresource.version ?? version,
      kind: subresource.kind,
    };
    const full = word + capitalized(subresource.name);
    const at = `${item}/${subresource.name}`;
    const what = `${subresource.name} of the specified ${kind}`;
    if (subresource.kind.endsWith('Options')) {
      this.#connect(at, parameters, full, own, subresource);
      return;
    }
    if (subresource.name === 'log') {
      const log = this.#operation('get', 'get', 'read', full, {
        kind: own,
        description: `read ${what}`,
        produces: ['text/plain', ...this.#options.mediaTypes],
        responses: [[200, 'text']],
      });
      this.#add(
        at,
        [...parameters, PRETTY, ...this.#optionParameters({ group, version, kind: 'PodLogOptions' })],
        [log],
      );
      return;
    }
    const operations = this.#objectOperations(subresource.verbs, full, own, what).map((operation) =>
      this.#row.customKind === undefined ? operation : { ...operation, kind: this.#kind },
    );
    if (subresource.verbs.includes('create'))
      operations.push(this.#post('create', full, own, `create ${what}`));
    this.#add(at, [...parameters, PRETTY], operations);
  }

  /** Subresources that open a connection; `proxy` accepts every method, and a path below it. */
  #connect(
    at: string,
    parameters: readonly Parameter[],
    word: string,
    kind: GroupVersionKind,
    { name }: DescribedResource['subresources'][number],
  ): void {
    const methods = name === 'proxy' ? PROXY_METHODS : (['get', 'post'] as const);
    const operations = (suffix: string) =>
      methods.map((method) =>
        this.#operation(method, 'connect', 'connect', '', {
          kind,
          id: `connect${groupWord(this.#row.group)}${capitalized(this.#row.version)}${capitalized(method)}${word}${suffix}`,
          description: `connect ${method.toUpperCase()} requests to ${name} of ${this.#row.kind}`,
          produces: ANY,
          responses: [[200, 'text']],
        }),
      );
    const all = [...parameters, ...this.#optionParameters(kind)];
    this.#add(at, all, operations(''));
    if (name === 'proxy') this.#add(`${at}/{path}`, [...all, PROXIED_PATH], operations('WithPath'));
  }

  /** The query parameters of an options kind: all its members except times. */
  #optionParameters({ group, version, kind }: GroupVersionKind): Parameter[] {
    const fields = this.#options.kindType(group, version, kind)?.jsonFields ?? [];
    return fields.flatMap(({ name, type: { scalar } }) => {
      if (scalar === undefined) return [];
      const type =
        scalar === 'boolean' ? 'boolean' : scalar === 'int32' || scalar === 'int64' ? 'integer' : 'string';
      const shared = sharedOption(kind, name);
      return [
        {
          name,
          in: 'query',
          type,
          description: `Field ${name} of ${kind}.`,
          ...(shared === undefined ? {} : { shared }),
        } as const,
      ];
    });
  }
}
