import { describe, expect, it } from 'vitest';
import { RecentValues } from '../../src/resources/recent-values.ts';

const value = (text: string): Uint8Array => Buffer.from(text);

describe('RecentValues', () => {
  it('finds a copy of a value', () => {
    const recent = new RecentValues();
    recent.add(value('a1'));
    recent.add(value('a2'));
    expect(recent.has(value('a1'))).toBe(true);
    expect(recent.has(value('a2'))).toBe(true);
    expect(recent.has(value('a3'))).toBe(false);
    expect(recent.has(value('a'))).toBe(false);
  });

  it('finds a copy of a large value', () => {
    const recent = new RecentValues();
    recent.add(new Uint8Array(100_000).fill(1));
    expect(recent.has(new Uint8Array(100_000).fill(1))).toBe(true);
    expect(recent.has(new Uint8Array(100_000).fill(2))).toBe(false);
    expect(recent.has(new Uint8Array(100_001).fill(1))).toBe(false);
  });

  it('forgets the oldest value', () => {
    const recent = new RecentValues();
    recent.add(value('first'));
    for (let index = 0; index < 32; index += 1) recent.add(value(`later ${index}`));
    expect(recent.has(value('first'))).toBe(false);
    expect(recent.has(value('later 0'))).toBe(true);
  });
});
