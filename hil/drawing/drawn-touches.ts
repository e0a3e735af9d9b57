/** What may touch, in the order of the numbers in scene rows: contacts, then constraints, with the body on which the way of their place is drawn. */
import { pairDefinition } from '../../src/contact/registry.ts';
import type { SystemModel } from '../../src/model/model.ts';
import type { DrawnBody } from './drawn-shapes.ts';

export interface DrawnTouch {
  readonly name: string;
  /** Index of the body that has the surface: j, or i where only i has faces; −1 for the world. */
  readonly body: number;
}

/** Of a model with its bodies as they are drawn. */
export function drawnTouches(model: SystemModel, drawn: readonly DrawnBody[]): DrawnTouch[] {
  const bodies = drawn.map(({ name }) => name);
  return [
    ...model.contacts.map(({ name, bodyI, bodyJ, pair }) => {
      const { i, j } = pairDefinition(pair).surfaces?.(pair) ?? {};
      const onI = i !== undefined && j === undefined;
      return { name, body: bodies.indexOf(onI ? bodyI : bodyJ) };
    }),
    ...(model.constraints ?? []).map(({ name, second }) => ({
      name,
      body: second.body === null ? -1 : bodies.indexOf(second.body),
    })),
  ];
}
