import { Script } from 'node:vm';

/** What a bundle in CommonJS gets from outside of it. */
export interface BundleSurroundings {
  /** Path by which stack traces name the bundle. */
  readonly name: string;
  /** Loads modules that are not in the bundle. */
  readonly require: NodeJS.Require;
  /** What the bundle takes for its own path. */
  readonly file: string;
  /** Code that was compiled before. Without an error it is not used where V8 or its flags differ. */
  readonly compiled?: Buffer | undefined;
}

/**
 * Compiles and evaluates a bundle.
 * @param text in ASCII
 * @returns its exports and the script, which knows all code that has been compiled so far
 */
export function evaluateBundle<T>(
  text: string,
  { name, require, file, compiled }: BundleSurroundings,
): { readonly script: Script; readonly exports: T } {
  const script = new Script(`(function (require, exports, module, __filename) {${text}\n})`, {
    filename: name,
    ...(compiled !== undefined && { cachedData: compiled }),
  });
  const module = { exports: {} as T };
  script.runInThisContext()(require, module.exports, module, file);
  return { script, exports: module.exports };
}
