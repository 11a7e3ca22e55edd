import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript-6';

/** Methods by which a collection is changed. */
const CHANGES = /\.(?:set|add|delete|clear|push|shift|pop|getOrCreate|get)\(/;

const isCollection = (text: string): boolean =>
  /^new (?:Map|Set|WeakMap|WeakSet|BoundedMap|TtlCache|FinalizationRegistry)\b/.test(text);

/** Whether a collection is changed after its creation: then it is state, not a table. */
function isChanged(name: string, created: string, source: string): boolean {
  // Nothing but a later change, maybe by a function that gets it, gives a weak collection entries.
  if (/^new Weak(?:Map|Set)\b/.test(created)) return true;
  const uses = source.split(new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`)).slice(1);
  return uses.some((rest) => CHANGES.test(rest.slice(0, 12)) && !rest.startsWith('.get('));
}

/** The values of modules that change while the program runs: `file name`. */
export function moduleState(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.sort().flatMap((file) => {
    const source = readFileSync(join(directory, file), 'utf8');
    const parsed = typescript.createSourceFile(file, source, typescript.ScriptTarget.ES2022, true);
    return parsed.statements.filter(typescript.isVariableStatement).flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(({ name, initializer }) => {
        const isVariable = (declarationList.flags & typescript.NodeFlags.Const) === 0;
        const created = initializer?.getText() ?? '';
        const isState = isVariable || (isCollection(created) && isChanged(name.getText(), created, source));
        return isState ? [`${file} ${name.getText()}`] : [];
      }),
    );
  });
}
