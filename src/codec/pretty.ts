/**
 * Indents compact or spaced JSON by two spaces as Go does: strings and numbers stay as they are, empty objects and lists stay closed.
 * The text must be valid JSON. There is no line break at the end.
 */
export function prettyJson(text: string): string {
  let pretty = '';
  let depth = 0;
  let from = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      continue;
    }
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      pretty += text.slice(from, at);
      from = at + 1;
    } else if (character === ',' || character === ':') {
      pretty += text.slice(from, at + 1) + (character === ',' ? line() : ' ');
      from = at + 1;
    } else if (character === '{' || character === '[') {
      let end = at + 1;
      while (/\s/.test(text[end]!)) end++;
      if (text[end] === '}' || text[end] === ']') {
        pretty += `${text.slice(from, at + 1)}${text[end]}`;
        at = end;
      } else {
        depth++;
        pretty += text.slice(from, at + 1) + line();
      }
      from = at + 1;
    } else if (character === '}' || character === ']') {
      depth--;
      pretty += text.slice(from, at) + line() + character;
      from = at + 1;
    }
  }
  return pretty + text.slice(from);
}
