/** Value of a plain YAML 1.1 scalar, as resolved by kube-apiserver's parser (go-yaml 2). */
export type YamlScalar =
  | { readonly tag: 'str' | 'timestamp'; readonly value: string }
  | { readonly tag: 'int'; readonly value: number | bigint }
  | { readonly tag: 'float'; readonly value: number }
  | { readonly tag: 'bool'; readonly value: boolean }
  | { readonly tag: 'null'; readonly value: null }
  | { readonly tag: 'merge'; readonly value: string };

const words = new Map<string, YamlScalar>();
const define = (scalar: YamlScalar, texts: string): void => {
  for (const text of texts.split(' ')) words.set(text, scalar);
};
define({ tag: 'bool', value: true }, 'y Y yes Yes YES on On ON true True TRUE');
define({ tag: 'bool', value: false }, 'n N no No NO off Off OFF false False FALSE');
define({ tag: 'null', value: null }, ' ~ null Null NULL');
define({ tag: 'float', value: Number.NaN }, '.nan .NaN .NAN');
define({ tag: 'float', value: Number.POSITIVE_INFINITY }, '.inf .Inf .INF +.inf +.Inf +.INF');
define({ tag: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf -.Inf -.INF');
define({ tag: 'merge', value: '<<' }, '<<');

const decimal = /^[+-]?(?:0|[1-9][0-9]*)$/;
const based = /^([+-]?)0(?:[xX]([0-9a-fA-F]+)|[oO]?([0-7]+)|[bB]([01]+))$/;
const float = /^[+-]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][+-]?[0-9]+)?$/;
const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?)?$/;

/**
 * Resolves a plain scalar. Timestamps are distinguished only so that writers quote them: in data they are
 * strings.
 */
export function resolvePlainScalar(text: string): YamlScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  if (!numeric || text.length > 400) return { tag: 'str', value: text };
  if (isTimestamp(text)) return { tag: 'timestamp', value: text };
  const plain = first === 0x2e ? text : text.replaceAll('_', '');
  const integer = resolveInteger(plain);
  if (integer !== undefined) return { tag: 'int', value: integer };
  if (float.test(plain)) return { tag: 'float', value: Number(plain) };
  return { tag: 'str', value: text };
}

/** Integers from -2^63 to 2^64-1; larger ones are floats if they look like one. */
function resolveInteger(text: string): number | bigint | undefined {
  let value: bigint;
  if (decimal.test(text)) {
    if (text.length < 16) return Number(text) + 0;
    value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  } else {
    const match = based.exec(text);
    if (!match) return undefined;
    const [, sign, hexadecimal, octal, binary] = match;
    const magnitude = BigInt(
      hexadecimal !== undefined ? `0x${hexadecimal}` : octal !== undefined ? `0o${octal}` : `0b${binary}`,
    );
    value = sign === '-' ? -magnitude : magnitude;
  }
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [, , month, day, ...clock] = match.map((part) => (part === undefined ? 0 : Number(part))) as number[];
  return (
    month! >= 1 &&
    month! <= 12 &&
    day! >= 1 &&
    day! <= 31 &&
    clock.every((part, index) => part < (index % 3 === 0 ? 24 : 60))
  );
}
