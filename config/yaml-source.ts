/** A YAML text with positions: every error can name file, line and column. */
import {
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParseOptions,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { BerthError, type BerthErrorCode } from '../src/base/errors.ts';

/** One complaint about a file. */
export interface ConfigIssue {
  readonly code: BerthErrorCode;
  /** `file:line:column`, or the `--set` argument that brought the value. */
  readonly where: string;
  /** Path of the field; '' for the file as a whole. */
  readonly path: string;
  /** One sentence: field, value, allowed range. */
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

/** Largest number of characters, of aliases, and of steps of a path: far above real files, and quick to refuse. */
const MOST_CHARACTERS = 1_000_000;
const MOST_ALIASES = 200;
const MOST_STEPS = 20;
/** Deepest nesting; parser and visitors call themselves at each level. */
const MOST_LEVELS = 100;
const TOO_DEEP = `nested too deeply; allowed: at most ${MOST_LEVELS} levels`;
/** Longest value that a message repeats. */
const MOST_SHOWN = 80;

/** A parsed YAML file whose nodes have positions. */
export class YamlSource {
  readonly file: string;
  readonly root: Node | null;
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  private readonly overridden = new WeakMap<Node, string>();
  /** What aliases stand for: finding it walks the file. */
  private readonly targets = new Map<Node, Node | null>();

  /** @throws ConfigError when the text is not YAML or has a key twice. */
  constructor(file: string, text: string) {
    this.file = file;
    if (text.length > MOST_CHARACTERS) {
      const message = `has ${text.length} characters; allowed: at most ${MOST_CHARACTERS}`;
      throw new ConfigError([{ code: 'BERTH_YAML', where: file, path: '', message }]);
    }
    // its own check of keys compares each with all others
    const document = parse(text, { lineCounter: this.lines, uniqueKeys: false });
    if (document === null) {
      throw new ConfigError([{ code: 'BERTH_YAML', where: file, path: '', message: TOO_DEEP }]);
    }
    this.document = document;
    const issues = this.document.errors.map((error) =>
      this.issue(error.pos[0], `not valid YAML: ${error.message.replace(/\s+/g, ' ')}`),
    );
    if (issues.length === 0) issues.push(...this.repeatedKeys());
    if (issues.length > 0) throw new ConfigError(issues);
    this.root = this.document.contents;
  }

  private issue(offset: number, message: string): ConfigIssue {
    return { code: 'BERTH_YAML', where: this.at(offset), path: '', message };
  }

  private repeatedKeys(): ConfigIssue[] {
    const issues: ConfigIssue[] = [];
    visit(this.document, {
      Map: (_, { items }) => {
        const seen = new Set<unknown>();
        for (const { key } of items) {
          if (!isScalar(key)) continue;
          if (seen.has(key.value)) {
            const name = String(key.value).slice(0, MOST_SHOWN);
            const text = `the field "${name}" appears twice; allowed: each field once`;
            issues.push(this.issue(key.range?.[0] ?? 0, text));
          }
          seen.add(key.value);
        }
      },
    });
    return issues;
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
    if (!isAlias(node)) return node;
    let target = this.targets.get(node);
    if (target === undefined) {
      if (this.targets.size === MOST_ALIASES) {
        const message = `the file has more than ${MOST_ALIASES} aliases; write the values out`;
        const where = this.where(node);
        throw new ConfigError([{ code: 'BERTH_YAML', where, path: '', message }]);
      }
      target = node.resolve(this.document) ?? null;
      this.targets.set(node, target);
    }
    return target;
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
    // without the value: it may be a key
    const where = `--set ${(assignment.split('=')[0] ?? '').slice(0, MOST_SHOWN)}`;
    const fail = (message: string): never => {
      throw new ConfigError([{ code: 'BERTH_USAGE', where, path: '', message }]);
    };
    const equals = assignment.indexOf('=');
    const steps = assignment
      .slice(0, equals)
      .split(/[.[\]]/)
      .filter((step) => step !== '');
    if (equals < 1 || steps.length === 0) fail('not of the form path=value');
    if (steps.length > MOST_STEPS) fail(`a path of more than ${MOST_STEPS} steps`);
    if (assignment.length > MOST_CHARACTERS) fail(`longer than ${MOST_CHARACTERS} characters`);
    const value = parse(assignment.slice(equals + 1), {}) ?? fail(TOO_DEEP);
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

/** The document of a text; null when it is nested too deeply to be read, or to be looked through afterwards. */
function parse(text: string, options: ParseOptions & DocumentOptions): Document.Parsed | null {
  try {
    const document = parseDocument(text, { ...options, prettyErrors: false });
    return isDeep(document.contents) ? null : document;
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) return null; // the parser's own
    throw error;
  }
}

function isDeep(root: Node | null): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((node): unknown[] => {
      if (isSeq(node)) return node.items;
      return isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : [];
    });
  }
  return false;
}

/** What a user would recognise of a value, on one line. */
export function showNode(node: Node | null): string {
  if (node === null) return 'empty';
  if (isScalar(node)) {
    if (node.value === null) return 'empty';
    // JSON has no .inf and .nan
    const { value, source } = node;
    const odd = typeof value === 'number' && !Number.isFinite(value);
    const text = odd ? (source ?? String(value)) : (JSON.stringify(value) ?? 'not a value');
    return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
  }
  if (isMap(node)) return 'a group of fields';
  if (isSeq(node)) return `a list of ${node.items.length}`;
  return 'not a value';
}
