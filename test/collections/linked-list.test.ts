import { expect, test } from 'vitest';
import { type Linked, LinkedList } from '../../src/collections/linked-list.ts';

class Element implements Linked<Element> {
  previous: Element | undefined;
  next: Element | undefined;
}

const elementsOf = (list: LinkedList<Element>): Element[] => {
  const found: Element[] = [];
  for (let element = list.first; element !== undefined; element = element.next) found.push(element);
  return found;
};

test('keeps the order, and a removed element refers to no other', () => {
  const list = new LinkedList<Element>();
  const [a, b, c] = [new Element(), new Element(), new Element()];
  for (const element of [a, b, c]) list.add(element);
  expect(elementsOf(list)).toEqual([a, b, c]);
  expect(list.delete(b)).toBe(true);
  expect(list.delete(b)).toBe(false);
  expect(b).toEqual(new Element());
  expect(elementsOf(list)).toEqual([a, c]);
  list.add(b);
  expect(list.delete(a)).toBe(true);
  expect(list.delete(b)).toBe(true);
  expect(elementsOf(list)).toEqual([c]);
  expect(list.delete(c)).toBe(true);
  expect(list).toMatchObject({ size: 0, first: undefined });
  list.add(a);
  expect(elementsOf(list)).toEqual([a]);
});
