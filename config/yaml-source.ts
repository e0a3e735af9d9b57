/** A YAML text with positions: every complaint about it can say file, line and column. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { BerthError, type BerthErrorCode } from '../src/errors.ts';

/** One complaint about a file. */
export interface ConfigIssue {
  readonly code: BerthErrorCode;
  /** `file:line:column`, or the `--set` argument that brought the value. */
  readonly where: string;
  /** Path of the field; '' for the file as a whole. */
  readonly path: string;
  /** One sentence: field, value, what is allowed. */
  readonly message: string;
}

/** A file that cannot be used, with everything that is wrong in it. */
export class ConfigError extends BerthError {
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    const first = issues[0];
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(first.code, `${first.where}: ${first.message}${more}`, { field: first.path });
    this.name = 'ConfigError';
    this.issues = issues;
  }
}

/** A parsed YAML file whose nodes know where they came from. */
export class YamlSource {
  readonly file: string;
  readonly root: Node | null;
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  private readonly overridden = new WeakMap<Node, string>();

  /** @throws ConfigError when the text is not YAML or has a key twice. */
  constructor(file: string, text: string) {
    this.file = file;
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    if (this.document.errors.length > 0) {
      throw new ConfigError(
        this.document.errors.map((error) => ({
          code: 'BERTH_YAML',
          where: this.at(error.pos[0]),
          path: '',
          message:
            error.code === 'DUPLICATE_KEY'
              ? `the field "${keyAt(text, error.pos[0])}" appears twice; allowed: each field once`
              : `not valid YAML: ${error.message.replace(/\s+/g, ' ')}`,
        })),
      );
    }
    this.root = this.document.contents;
  }

  /** Position of a node. */
  where(node: Node | null | undefined): string {
    if (node === null || node === undefined) return this.at(0);
    const override = this.overridden.get(node);
    if (override !== undefined) return override;
    return this.at(node.range?.[0] ?? 0);
  }

  /** The node an alias stands for, or the node itself. */
  resolve(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.document) ?? null) : node;
  }

  /** The deepest existing node along a path of keys and indices. */
  nodeAt(path: readonly (string | number)[]): Node | null {
    let node = this.resolve(this.root);
    for (const step of path) {
      const next =
        isMap(node) || isSeq(node) ? (node.get(step, true) as Node | undefined) : undefined;
      if (next === undefined) return node;
      node = this.resolve(next);
    }
    return node;
  }

  /**
   * Applies `path=value` (`contacts.0.normal.restitution=0.5`; list items by index or by their name). The value is YAML.
   * @throws ConfigError when it is not of that form, or the path runs through something that holds no fields.
   */
  override(assignment: string): void {
    const where = `--set ${assignment.split('=')[0] ?? ''}`; // without the value: it may be a key
    const fail = (message: string): never => {
      throw new ConfigError([{ code: 'BERTH_USAGE', where, path: '', message }]);
    };
    const equals = assignment.indexOf('=');
    const steps = assignment
      .slice(0, equals)
      .split(/[.[\]]/)
      .filter((step) => step !== '');
    if (equals < 1 || steps.length === 0) fail('not of the form path=value');
    const value = parseDocument(assignment.slice(equals + 1), { prettyErrors: false });
    if (value.errors.length > 0) fail(`the value is not valid YAML: ${value.errors[0].message}`);
    const replacement = (value.contents ?? this.document.createNode(null)) as Node;
    this.mark(replacement, where);

    let node = this.resolve(this.root);
    for (const [depth, step] of steps.entries()) {
      const last = depth === steps.length - 1;
      const here = steps.slice(0, depth).join('.') || this.file;
      if (isSeq(node)) {
        const index = /^\d+$/.test(step)
          ? Number(step)
          : node.items.findIndex((item) => isMap(item) && item.get('name') === step);
        if (index < 0 || index >= node.items.length) {
          const names = node.items.flatMap((item) =>
            isMap(item) && typeof item.get('name') === 'string' ? [String(item.get('name'))] : [],
          );
          const known = names.length > 0 ? ` or ${names.join(', ')}` : '';
          fail(`"${here}" has no item "${step}"; allowed: 0 to ${node.items.length - 1}${known}`);
        }
        if (last) node.set(index, replacement);
        else node = this.resolve(node.items[index] as Node);
      } else if (isMap(node)) {
        if (last || !node.has(step)) {
          const key = this.document.createNode(step) as Node;
          const value = last ? replacement : (this.document.createNode({}) as YAMLMap);
          this.mark(key, where);
          this.mark(value, where);
          node.delete(step);
          node.add(this.document.createPair(key, value));
        }
        if (last) break;
        node = this.resolve(node.get(step, true) as Node);
      } else {
        fail(`"${here}" has no fields`);
      }
    }
  }

  private mark(node: Node, where: string): void {
    this.overridden.set(node, where);
    if (isMap(node)) {
      for (const item of node.items) {
        this.mark(item.key as Node, where);
        if (item.value !== null) this.mark(item.value as Node, where);
      }
    } else if (isSeq(node)) {
      for (const item of node.items) this.mark(item as Node, where);
    }
  }

  private at(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}

/** What a user would recognise of a value, on one line. */
export function showNode(node: Node | null): string {
  if (node === null) return 'empty';
  if (isScalar(node)) return node.value === null ? 'empty' : JSON.stringify(node.value);
  if (isMap(node)) return 'a group of fields';
  if (isSeq(node)) return `a list of ${node.items.length}`;
  return 'not a value';
}

function keyAt(text: string, offset: number): string {
  return /^[^:\s]*/.exec(text.slice(offset))?.[0] ?? '';
}
