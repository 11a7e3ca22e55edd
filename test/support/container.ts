import { readFileSync } from 'node:fs';

/** The instructions of a Dockerfile, in order, with continued lines joined. */
export function instructions(file: string): { readonly name: string; readonly value: string }[] {
  return readFileSync(file, 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line)!;
      return { name: name!, value: value! };
    });
}

/** What a container of the recipe is. */
export interface Recipe {
  readonly user: number;
  readonly volume: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The program and its flags. */
  readonly command: readonly [string, ...string[]];
  readonly stopSignal: string;
}

/** @throws where an instruction is missing or has the form for a shell */
export function readRecipe(file: string): Recipe {
  const all = instructions(file);
  const only = (name: string): string => {
    const found = all.filter((one) => one.name === name);
    if (found.length !== 1) throw new Error(`there are ${found.length} instructions ${name}`);
    return found[0]!.value;
  };
  const list = (name: string) => JSON.parse(only(name)) as string[];
  return {
    user: Number(/^(\d+):\d+$/.exec(only('USER'))![1]),
    volume: list('VOLUME')[0]!,
    environment: Object.fromEntries([only('ENV').split('=') as [string, string]]),
    command: [...list('ENTRYPOINT'), ...list('CMD')] as [string, ...string[]],
    stopSignal: only('STOPSIGNAL'),
  };
}
