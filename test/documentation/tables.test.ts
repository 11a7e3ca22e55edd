import { describe, expect, it } from 'vitest';
import { DOCUMENT_TABLES, withTable } from '../../scripts/support/document-tables.ts';
import { pageText } from '../support/documents.ts';

describe('the tables of the documentation', () => {
  it.each(DOCUMENT_TABLES.map((table) => [table.page, table] as const))(
    'of %s are current (else: npx tsx scripts/generate-tables.ts)',
    (page, table) => expect(pageText(page)).toBe(withTable(pageText(page), table)),
  );

  it('are found by their header, and by the rows around them', () => {
    const table = { page: 'p', header: ['A', 'B'], rows: [['1', '']] };
    const text = 'x\n| A | B |\n|---|---|\n| old |  |\n| end |  |\n\ny';
    expect(withTable(text, table)).toBe('x\n| A | B |\n|---|---|\n| 1 |  |\n\ny');
    expect(withTable(text, { ...table, between: ['old', 'end'] })).toBe(
      'x\n| A | B |\n|---|---|\n| old |  |\n| 1 |  |\n| end |  |\n\ny',
    );
    expect(() => withTable(text, { ...table, header: ['C'] })).toThrow('p has no table | C |');
    expect(() => withTable(text, { ...table, between: ['old', 'none'] })).toThrow('p has no row none');
  });
});
