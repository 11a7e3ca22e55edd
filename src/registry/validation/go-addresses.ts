/**
 * Parses addresses like Go's `net/netip`, which is stricter than the address validation of the API. Its error
 * messages are part of warnings and validation errors.
 */

/** Returns the error of `netip.ParseAddr`; undefined for a valid address. */
export function parseAddressError(text: string): string | undefined {
  const problem = addressProblem(text);
  if (problem === undefined) return undefined;
  const at = problem.at === undefined ? '' : ` (at ${JSON.stringify(problem.at)})`;
  return `ParseAddr(${JSON.stringify(text)}): ${problem.message}${at}`;
}

/** Returns the error of `netip.ParsePrefix`; undefined for a valid prefix. */
export function parsePrefixError(text: string): string | undefined {
  const fail = (message: string): string => `netip.ParsePrefix(${JSON.stringify(text)}): ${message}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const address = text.slice(0, slash);
  const malformed = parseAddressError(address);
  if (malformed !== undefined) return fail(malformed);
  if (address.includes('%')) return fail('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{1,9})$/.test(bits)) return fail(`bad bits after slash: ${JSON.stringify(bits)}`);
  return Number(bits) > (address.includes(':') ? 128 : 32) ? fail('prefix length out of range') : undefined;
}

interface Problem {
  readonly message: string;
  readonly at?: string;
}

function addressProblem(text: string): Problem | undefined {
  for (const character of text) {
    if (character === '.') return quadProblem(text);
    if (character === ':') return ipv6Problem(text);
    if (character === '%') return { message: 'missing IPv6 address' };
  }
  return { message: 'unable to parse IP' };
}

function quadProblem(text: string): Problem | undefined {
  let value = 0;
  let digits = 0;
  let fields = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(character);
      digits += 1;
      if (value > 255) return { message: 'IPv4 field has value >255' };
    } else if (character === '.') {
      const isEmpty = index === 0 || index === text.length - 1 || text[index - 1] === '.';
      if (isEmpty) return { message: 'IPv4 field must have at least one digit', at: text.slice(index) };
      if (fields === 3) return { message: 'IPv4 address too long' };
      fields += 1;
      value = 0;
      digits = 0;
    } else return { message: 'unexpected character', at: text.slice(index) };
  }
  return fields < 3 ? { message: 'IPv4 address too short' } : undefined;
}

const GROUPS = 8;

function ipv6Problem(text: string): Problem | undefined {
  const zone = text.indexOf('%');
  if (zone >= 0 && zone === text.length - 1) return { message: 'zone must be a non-empty string' };
  let rest = zone < 0 ? text : text.slice(0, zone);
  let groups = 0;
  let ellipsis = rest.startsWith('::');
  if (ellipsis) {
    rest = rest.slice(2);
    if (rest === '') return undefined;
  }
  while (groups < GROUPS) {
    const digits = /^[0-9a-fA-F]{0,5}/.exec(rest)![0].length;
    if (digits > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === 0) return { message: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits] === '.') return embeddedQuadProblem(rest, groups, ellipsis);
    groups += 1;
    rest = rest.slice(digits);
    if (rest === '') break;
    if (rest[0] !== ':') return { message: 'unexpected character, want colon', at: rest };
    if (rest.length === 1) return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (ellipsis) return { message: 'multiple :: in address', at: rest };
    ellipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (groups < GROUPS) return ellipsis ? undefined : { message: 'address string too short' };
  return ellipsis ? { message: 'the :: must expand to at least one field of zeros' } : undefined;
}

function embeddedQuadProblem(rest: string, groups: number, ellipsis: boolean): Problem | undefined {
  if (!ellipsis && groups !== GROUPS - 2)
    return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  if (groups + 2 > GROUPS)
    return { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
  const problem = quadProblem(rest);
  if (problem !== undefined) return problem;
  return ellipsis && groups + 2 === GROUPS
    ? { message: 'the :: must expand to at least one field of zeros' }
    : undefined;
}
