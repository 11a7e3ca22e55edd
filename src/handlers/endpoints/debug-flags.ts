import type { Handler } from '../../request/context.ts';
import { send } from '../response/answer.ts';

/** A flag that can be changed while the server runs. */
export interface DebugFlag {
  readonly name: string;
  /** Sets it from text. @returns the response @throws Error with a message for the client */
  set(text: string): string;
}

const ROOT = '/debug/flags';
const MAXIMUM_BYTES = 1024;

/** Serves the flags that PUT changes while the server runs. */
export function debugFlagPaths(flags: readonly DebugFlag[]): (readonly [path: string, handler: Handler])[] {
  const index = `<html>\n<head>\n<title>${ROOT}/</title>\n</head>\n<body>\n${ROOT}/<br>\n<br>\nflags:<br>\n<table>\n${flags
    .map(({ name }) => `<tr>${name}<br>\n`)
    .join('')}</table>\n<br>\nfull flags configurable<br>\n</body>\n</html>\n`;
  const serveIndex: Handler = (context) => send(context, 200, 'text/html; charset=utf-8', index);
  return [
    ...flags.map((flag) => [`${ROOT}/${flag.name}`, flagHandler(flag)] as const),
    [ROOT, serveIndex],
    [`${ROOT}/*`, serveIndex],
  ];
}

function flagHandler(flag: DebugFlag): Handler {
  return async (context) => {
    const { exchange } = context;
    exchange.setHeader('x-content-type-options', 'nosniff');
    const answer = (status: number, text: string) => send(context, status, 'text/plain', `${text}\n`);
    if (exchange.method !== 'PUT') return answer(406, 'unsupported http method');
    const body = (await exchange.readBody(MAXIMUM_BYTES)).toString('utf8');
    let response: string;
    try {
      response = flag.set(body);
    } catch (error) {
      return answer(400, (error as Error).message);
    }
    await answer(200, response);
  };
}

/** The verbosity of the log as a flag. */
export function verbosityFlag(set: (verbosity: number) => void): DebugFlag {
  return {
    name: 'v',
    set(text) {
      const verbosity = Number(text);
      if (!/^\d+$/.test(text))
        throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
      if (verbosity > 2 ** 31 - 1)
        throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
      set(verbosity);
      return `successfully set klog.logging.verbosity to ${text}`;
    },
  };
}
