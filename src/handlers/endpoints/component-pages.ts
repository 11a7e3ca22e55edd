import type { Handler, RequestContext } from '../../request/context.ts';
import { send } from '../response/answer.ts';

const COMPONENT = 'kube-apiserver';
const WARNING =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
/** One of them is chosen at random, so that nobody parses the pages. */
const DELIMITERS = [':', ': ', '=', ' '];

export interface ComponentPages {
  /** Values of flags by name; undefined without the gate ComponentFlagz. */
  readonly flags: (() => Readonly<Record<string, string>>) | undefined;
  /** Undefined without the gate ComponentStatusz. */
  readonly status: ComponentStatus | undefined;
  readonly random: () => number;
}

export interface ComponentStatus {
  readonly startedAt: Date;
  readonly now: () => number;
  /** `1.32.13` */
  readonly binaryVersion: string;
  /** `1.32` */
  readonly emulationVersion: string;
}

/** Serves `/flagz` and `/statusz`, if their gates are on. */
export function componentPages({
  flags,
  status,
  random,
}: ComponentPages): (readonly [path: string, handler: Handler])[] {
  const delimiter = () => DELIMITERS[Math.floor(random() * DELIMITERS.length)]!;
  const pages: (readonly [string, Handler])[] = [];
  if (flags !== undefined) {
    const between = delimiter();
    const lines = Object.entries(flags()).sort(([left], [right]) => (left < right ? -1 : 1));
    const text = lines.map(([name, value]) => `${name}${between}${value}\n`).join('');
    pages.push(['/flagz', page(() => `\n${COMPONENT} flags\n${WARNING}\n\n${text}`)]);
  }
  if (status !== undefined)
    pages.push([
      '/statusz',
      page(() => `\n${COMPONENT} statusz\n${WARNING}\n${statusText(status, delimiter())}`),
    ]);
  return pages;
}

function statusText(
  { startedAt, now, binaryVersion, emulationVersion }: ComponentStatus,
  delimiter: string,
): string {
  const seconds = Math.floor((now() - startedAt.getTime()) / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const up = `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
  const lines = {
    Started: unixDate(startedAt),
    Up: up,
    'Go version': `node ${process.version}`,
    'Binary version': binaryVersion,
    'Emulation version': emulationVersion,
  };
  return `\n${Object.entries(lines)
    .map(([name, value]) => `${name}${delimiter} ${value}\n`)
    .join('')}`;
}

/** `Mon Jan  2 15:04:05 UTC 2006` */
function unixDate(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

const page =
  (text: () => string): Handler =>
  (context) =>
    acceptsText(context)
      ? send(context, 200, 'text/plain; charset=utf-8', text())
      : send(context, 406, 'text/plain; charset=utf-8', 'media type not acceptable, must be: text/plain\n');

/** Whether the Accept header allows plain text, with no parameter besides `charset=utf-8`. */
function acceptsText({ exchange }: RequestContext): boolean {
  return (exchange.header('accept') ?? '').split(',').some((clause) => {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
    if (!['text/plain', 'text/*', '*/*', '*/plain'].includes(type)) return false;
    const others = parameters.filter((parameter) => !parameter.startsWith('q='));
    return others.length === 0 || (others.length === 1 && others[0] === 'charset=utf-8');
  });
}
