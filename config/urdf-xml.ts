/**
 * The XML of a URDF file as elements with line and column. It supports elements and attributes
 * only. Document types are refused, and with them all entities of the file. Only this module uses
 * the XML parser.
 */
import { DOMParser, type Element as DomElement, type Node as DomNode } from '@xmldom/xmldom';
import { BerthError, type BerthErrorCode } from '../src/base/errors.ts';
import { ConfigError } from './yaml-source.ts';

/** Most characters of a URDF file, elements in it and depth of them: far beyond any robot, and quick to refuse. */
const MOST_CHARACTERS = 4_000_000;
const MOST_ELEMENTS = 50_000;
const MOST_DEPTH = 50;
/** Longest value that a message repeats. */
const MOST_SHOWN = 80;

/** One element of a file. */
export class XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly #attributes: ReadonlyMap<string, string>;
  readonly #where: string;

  constructor(
    name: string,
    where: string,
    attributes: ReadonlyMap<string, string>,
    children: readonly XmlElement[],
  ) {
    this.name = name;
    this.children = children;
    this.#where = where;
    this.#attributes = attributes;
  }

  /** Every child of that name. */
  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The child of that name. @throws ConfigError when there are two */
  one(name: string): XmlElement | undefined {
    const [first, second] = this.all(name);
    if (second === undefined) return first;
    throw second.fault(
      'BERTH_DUPLICATE_NAME',
      `<${this.name}> has two <${name}>; allowed: one`,
      name,
    );
  }

  /** The child of that name. @throws ConfigError when there is not one */
  needed(name: string, of: string): XmlElement {
    const child = this.one(name);
    if (child !== undefined) return child;
    throw this.fault('BERTH_MISSING_FIELD', `${of} has no <${name}>; it needs one`, name);
  }

  attribute(name: string): string | undefined {
    return this.#attributes.get(name);
  }

  /** Text of an attribute that must be there and not be empty. */
  text(name: string): string {
    const value = this.attribute(name)?.trim() ?? '';
    if (value !== '') return value;
    throw this.fault(
      'BERTH_MISSING_FIELD',
      `<${this.name}> has no ${name}; it needs text of 1 or more characters`,
      name,
    );
  }

  /** `count` numbers of an attribute, or the default. @throws ConfigError when it is missing without default, or no numbers */
  numbers(name: string, count: number, standard?: readonly number[]): number[] {
    const text = this.attribute(name);
    if (text === undefined && standard !== undefined) return [...standard];
    if (text === undefined) {
      throw this.fault(
        'BERTH_MISSING_FIELD',
        `<${this.name}> has no ${name}; it needs ${numberWords(count)}`,
        name,
      );
    }
    const words = text.length > 1000 ? [] : text.trim().split(/\s+/);
    const values = words.map((word) =>
      /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(word) ? Number(word) : Number.NaN,
    );
    if (values.length === count && values.every(Number.isFinite)) return values;
    throw this.fault(
      'BERTH_PARAMETER_RANGE',
      `<${this.name} ${name}> is ${shown(text)}; allowed: ${numberWords(count)}`,
      name,
    );
  }

  number(name: string, standard?: number): number {
    return this.numbers(name, 1, standard === undefined ? undefined : [standard])[0];
  }

  /** A complaint at this element. */
  fault(code: BerthErrorCode, message: string, path = ''): ConfigError {
    return new ConfigError([{ code, where: this.#where, path, message }]);
  }

  /** A complaint of a check without positions, moved here. */
  relocate(error: BerthError): ConfigError {
    return this.fault(error.code, error.message, error.field ?? '');
  }
}

/** A value in quotes, shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`);
}

function numberWords(count: number): string {
  return count === 1 ? 'one number' : `${count} numbers`;
}

/** The root element of an XML text. @throws ConfigError with file, line and column */
export function parseXml(file: string, text: string): XmlElement {
  const refuse = (message: string, at = '1:1'): ConfigError =>
    new ConfigError([{ code: 'BERTH_XML', where: `${file}:${at}`, path: '', message }]);
  if (text.length > MOST_CHARACTERS) {
    throw refuse(`has ${text.length} characters; allowed: at most ${MOST_CHARACTERS}`);
  }
  const declared = text.search(/<!(DOCTYPE|ENTITY)/i);
  if (declared >= 0) {
    const message = 'declares a document type or entity; a URDF file needs none, and none is read';
    throw refuse(message, position(text, declared));
  }
  const open = text.match(/<[^!?/]/g)?.length ?? 0;
  if (open > MOST_ELEMENTS) throw refuse(`has ${open} elements; allowed: at most ${MOST_ELEMENTS}`);
  const parser = new DOMParser({
    locator: true,
    onError: (level, message, context: { locator?: Place }) => {
      if (level === 'warning' && !/entity|attribute/i.test(message)) return;
      const { lineNumber = 1, columnNumber = 1 } = context.locator ?? {};
      throw refuse(`not valid XML: ${firstLine(message)}`, `${lineNumber}:${columnNumber}`);
    },
  });
  let root: DomElement | null;
  try {
    root = parser.parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    // the parser wraps what its error handler throws
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (cause instanceof ConfigError) throw cause;
    throw refuse(`not valid XML: ${firstLine(String(error))}`);
  }
  if (root === null) throw refuse('not valid XML: there is no element');
  return element(root, file, 0);
}

interface Place {
  readonly lineNumber?: number;
  readonly columnNumber?: number;
}

function element(node: DomElement, file: string, depth: number): XmlElement {
  const { lineNumber, columnNumber } = node as Place;
  const where = `${file}:${lineNumber ?? 1}:${columnNumber ?? 1}`;
  if (depth > MOST_DEPTH) {
    const message = `elements are nested more than ${MOST_DEPTH} deep`;
    throw new ConfigError([{ code: 'BERTH_XML', where, path: '', message }]);
  }
  const attributes = new Map(Array.from(node.attributes, ({ name, value }) => [name, value]));
  const children: XmlElement[] = [];
  for (let child: DomNode | null = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 1) children.push(element(child as DomElement, file, depth + 1));
  }
  return new XmlElement(node.nodeName, where, attributes, children);
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}

function position(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${lines[lines.length - 1].length + 1}`;
}
