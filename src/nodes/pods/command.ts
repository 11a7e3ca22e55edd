import { parseMilliseconds } from '../../time/duration.ts';

/** How long a container runs and how it ends. */
export interface Run {
  readonly milliseconds: number;
  readonly exitCode: number;
}

interface Command {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash']);
/** Longer scripts are not read: the container runs until it is stopped. */
const MOST_CHARACTERS = 4096;
const SECOND = 1000;

/**
 * What a container's command says, where that is plain: `sleep N`, `exit N`, `true`, `false`, `:` and `echo …`, alone
 * or as a shell script of them joined by `;`, `&&` or line feeds. Any other word means that it runs until it is stopped.
 * @returns undefined for a container that runs until it is stopped
 */
export function runOfCommand({ command = [], args = [] }: Command): Run | undefined {
  const words = [...command, ...args];
  const [first] = words;
  if (first === undefined) return undefined;
  if (!SHELLS.has(baseName(first))) return runOfStatements([{ words, joiner: ';' }]);
  const script = /^-[a-z]*c$/.test(words[1] ?? '') ? words[2] : undefined;
  if (script === undefined || script.length > MOST_CHARACTERS) return undefined;
  const statements = statementsOf(script);
  return statements === undefined ? undefined : runOfStatements(statements);
}

type Joiner = ';' | '&&';

interface Statement {
  readonly words: readonly string[];
  /** What follows it. */
  readonly joiner: Joiner;
}

const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

function runOfStatements(statements: readonly Statement[]): Run | undefined {
  let milliseconds = 0;
  let exitCode = 0;
  for (const { words, joiner } of statements) {
    const [name = '', ...rest] = words;
    switch (baseName(name)) {
      case 'sleep': {
        const time = sleepTime(rest);
        if (time === undefined) return undefined;
        milliseconds += time;
        exitCode = 0;
        break;
      }
      case 'exit': {
        const code = rest[0] === undefined ? exitCode : exitCodeOf(rest[0]);
        return code === undefined ? undefined : { milliseconds, exitCode: code };
      }
      case 'true':
      case 'echo':
      case ':':
        exitCode = 0;
        break;
      case 'false':
        exitCode = 1;
        break;
      default:
        return undefined;
    }
    if (joiner === '&&' && exitCode !== 0) break;
  }
  return { milliseconds, exitCode };
}

/** An exit code, of which a process keeps the lowest byte. */
const exitCodeOf = (word: string): number | undefined =>
  /^\d{1,9}$/.test(word) ? Number(word) % 256 : undefined;

/** The sum of the arguments of `sleep`, in milliseconds; undefined for ever. */
function sleepTime(words: readonly string[]): number | undefined {
  if (words.length === 0) return undefined;
  let sum = 0;
  for (const word of words) {
    const time = durationOf(word);
    if (time === undefined) return undefined;
    sum += time;
  }
  return sum;
}

function durationOf(word: string): number | undefined {
  if (/^\d{1,12}(\.\d{1,9})?$/.test(word)) return Number(word) * SECOND;
  if (/^\d{1,9}d$/.test(word)) return Number(word.slice(0, -1)) * 86_400 * SECOND;
  try {
    const time = parseMilliseconds(word);
    return time >= 0 ? time : undefined;
  } catch {
    return undefined;
  }
}

/** The statements of a script; undefined where it has anything but words, quotes and the joiners. */
function statementsOf(script: string): Statement[] | undefined {
  const statements: Statement[] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endStatement = (joiner: Joiner): void => {
    endWord();
    if (words.length > 0) statements.push({ words, joiner });
    words = [];
  };
  for (let at = 0; at < script.length; at += 1) {
    const character = script[at]!;
    switch (character) {
      case ' ':
      case '\t':
        endWord();
        break;
      case ';':
      case '\n':
        endStatement(';');
        break;
      case '&':
        if (script[at + 1] !== '&') return undefined;
        at += 1;
        endStatement('&&');
        break;
      case '"':
      case "'": {
        const end = script.indexOf(character, at + 1);
        if (end < 0) return undefined;
        word = (word ?? '') + script.slice(at + 1, end);
        at = end;
        break;
      }
      case '|':
      case '(':
      case ')':
      case '`':
        return undefined;
      default:
        word = (word ?? '') + character;
    }
  }
  endStatement(';');
  return statements;
}
