import { getHeapStatistics } from 'node:v8';
import type { Handler, RequestContext } from '../../request/context.ts';
import { send } from '../response/answer.ts';

const ROOT = '/debug/pprof/';
const TEXT = 'text/plain; charset=utf-8';
/** Seconds of a profile without the parameter, by profile. */
const DEFAULT_SECONDS = { profile: 30, heap: 1 };
const MAXIMUM_SECONDS = 300;

/** The delay of the event loop, in milliseconds. */
export interface LoopDelay {
  readonly mean: number;
  readonly maximum: number;
  percentile(percent: number): number;
}

/** Takes profiles of the process. */
export interface Profiler {
  /** A V8 CPU profile (`.cpuprofile`) as JSON. Rejects while another one is taken. */
  cpu(seconds: number, signal: AbortSignal): Promise<string>;
  /** A V8 sampling heap profile (`.heapprofile`) as JSON. Rejects while another one is taken. */
  heap(seconds: number, signal: AbortSignal): Promise<string>;
  /** Undefined without `--contention-profiling`. */
  readonly loopDelay: LoopDelay | undefined;
}

interface Profile {
  readonly description: string;
  readonly handle: Handler;
}

/** Serves profiles of the process below `/debug/pprof/`, in the formats of Node.js. */
export function profilePaths(profiler: Profiler): (readonly [path: string, handler: Handler])[] {
  const profiles = new Map<string, Profile>([
    [
      'profile',
      {
        description: 'CPU profile in the format of V8 (.cpuprofile); the parameter seconds is its duration',
        handle: (context) => takeProfile(context, 'profile', (...given) => profiler.cpu(...given)),
      },
    ],
    [
      'heap',
      {
        description:
          'sampled allocations in the format of V8 (.heapprofile); with debug=1 the size of the heap',
        handle: (context) =>
          context.query.get('debug') === ''
            ? takeProfile(context, 'heap', (...given) => profiler.heap(...given))
            : send(context, 200, TEXT, heapText()),
      },
    ],
    [
      'goroutine',
      {
        description: 'resources that keep the event loop running',
        handle: (context) => send(context, 200, TEXT, resourcesText()),
      },
    ],
    [
      'block',
      {
        description: 'delay of the event loop, with --contention-profiling',
        handle: (context) => send(context, 200, TEXT, delayText(profiler.loopDelay)),
      },
    ],
    [
      'symbol',
      {
        description: 'profiles have names instead of addresses: there is nothing to look up',
        handle: (context) => send(context, 200, TEXT, 'num_symbols: 0\n'),
      },
    ],
  ]);
  const index = `<html>\n<head>\n<title>${ROOT}</title>\n</head>\n<body>\n${ROOT}<br>\n<table>\n${[
    ...profiles,
  ]
    .map(
      ([name, { description }]) => `<tr><td><a href="${name}">${name}</a></td><td>${description}</td></tr>\n`,
    )
    .join('')}</table>\n</body>\n</html>\n`;
  return [
    ['/debug/pprof', redirect],
    [
      `${ROOT}*`,
      (context) => {
        const name = context.info.path.slice(ROOT.length);
        context.exchange.setHeader('x-content-type-options', 'nosniff');
        if (name === '') return send(context, 200, 'text/html; charset=utf-8', index);
        const profile = profiles.get(name);
        return profile === undefined
          ? send(context, 404, TEXT, 'Unknown profile\n')
          : profile.handle(context);
      },
    ],
  ];
}

function redirect(context: RequestContext): void | Promise<void> {
  context.exchange.setHeader('location', ROOT);
  return send(context, 302, 'text/html; charset=utf-8', `<a href="${ROOT}">Found</a>.\n\n`);
}

async function takeProfile(
  context: RequestContext,
  name: keyof typeof DEFAULT_SECONDS,
  take: (seconds: number, signal: AbortSignal) => Promise<string>,
): Promise<void> {
  const given = context.query.get('seconds');
  const seconds = given === '' ? DEFAULT_SECONDS[name] : Number(given);
  if (!(seconds > 0 && seconds <= MAXIMUM_SECONDS)) {
    await send(context, 400, TEXT, `seconds must be between 0 and ${MAXIMUM_SECONDS}\n`);
    return;
  }
  try {
    const profile = await take(seconds, context.exchange.signal);
    context.exchange.setHeader(
      'content-disposition',
      `attachment; filename="${name}.${name === 'heap' ? 'heap' : 'cpu'}profile"`,
    );
    await send(context, 200, 'application/octet-stream', profile);
  } catch (error) {
    await send(context, 500, TEXT, `Could not enable profiling: ${(error as Error).message}\n`);
  }
}

function heapText(): string {
  const { rss, external, arrayBuffers } = process.memoryUsage();
  const lines = Object.entries({ ...getHeapStatistics(), rss, external, array_buffers: arrayBuffers });
  return `heap of the process in bytes\n${lines.map(([name, value]) => `${name} ${value}\n`).join('')}`;
}

function resourcesText(): string {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return `active resources: total ${total}\n${[...counts].map(([kind, count]) => `${count} ${kind}\n`).join('')}`;
}

function delayText(delay: LoopDelay | undefined): string {
  if (delay === undefined) return 'not measured: the server runs without --contention-profiling\n';
  const rows = [50, 90, 99, 99.9].map((percent) => `p${percent} ${delay.percentile(percent).toFixed(3)}\n`);
  return `delay of the event loop in milliseconds\nmean ${delay.mean.toFixed(3)}\n${rows.join('')}maximum ${delay.maximum.toFixed(3)}\n`;
}
