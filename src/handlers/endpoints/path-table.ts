import type { Handler } from '../../request/context.ts';
import { errors } from '../../status/index.ts';

/** The routes of a document: any number of slashes may follow its path, and nothing else. */
export function documentRoutes(path: string, handler: Handler): [path: string, handler: Handler][] {
  const below: Handler = (context) => {
    if (/[^/]/.test(context.info.path.slice(path.length))) throw errors.pathNotFound();
    return handler(context);
  };
  return [
    [path, handler],
    [`${path}/*`, below],
  ];
}

/** Handlers of non-resource paths: exact paths, and prefixes. */
export class PathTable {
  readonly #exact = new Map<string, Handler>();
  readonly #unlisted = new Set<string>();
  readonly #prefixes: [string, Handler][] = [];

  /** @param path `/version`, or `/openapi/v3/*` for everything below */
  add(path: string, handler: Handler): this {
    if (path.endsWith('/*')) this.#prefixes.push([path.slice(0, -1), handler]);
    else this.#exact.set(path, handler);
    return this;
  }

  /** Adds a path that the index of `/` does not show. */
  addUnlisted(path: string, handler: Handler): this {
    this.#unlisted.add(path);
    return this.add(path, handler);
  }

  /** The exact paths for the index of `/`. */
  exactPaths(): Iterable<string> {
    return [...this.#exact.keys()].filter((path) => !this.#unlisted.has(path));
  }

  find(path: string): Handler | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  }
}
