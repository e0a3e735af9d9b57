/** Words that comments and names of the source do not use, and where they stand. */
import ts from 'typescript';
import type { Sources } from './rooms.ts';

/** Phrases that a reader of one comment cannot follow: pointers to elsewhere without an address. */
const PHRASES: readonly RegExp[] = [/\bsee above\b/i, /\bDESIGN §/, /\bHIL facts\b/];
/** A sheet without a name; `Modia3D sheet` is a page of docs/reference. */
const NAMELESS_SHEET = /\bthe(?: reference)? sheet\b/i;

/** Names that a reader has to decode, with the folder in which they may not come back. */
const NAMES: readonly { readonly folder: string; readonly names: readonly string[] }[] = [
  {
    folder: '',
    names: [
      'rub',
      'rubAndRoll',
      'unroll',
      'unspin',
      'strike',
      'feel',
      'felt',
      'feltWrench',
      'sufferWorkerFault',
      'forgetMotion',
    ],
  },
  { folder: 'src/arm/', names: ['told', 'given', 'lost'] },
];

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm;

/** Comments with a pointer that leads nowhere, as `path:line phrase`. */
export function vagueComments(sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, text] of sources) {
    for (const { 0: comment, index } of text.matchAll(COMMENT)) {
      const words = comment.replaceAll(/\s+(?:\*|\/\/)? ?/g, ' ');
      for (const phrase of [...PHRASES, NAMELESS_SHEET]) {
        const hit = phrase.exec(words);
        if (hit === null) continue;
        found.push(`${path}:${text.slice(0, index).split('\n').length} ${hit[0]}`);
      }
    }
  }
  return found;
}

/** Identifiers that need decoding, as `path:line name`. */
export function obscureNames(sources: Sources): string[] {
  const found: string[] = [];
  for (const [path, text] of sources) {
    const names = new Set(
      NAMES.filter(({ folder }) => path.startsWith(folder)).flatMap((row) => row.names),
    );
    if (![...names].some((name) => new RegExp(`\\b${name}\\b`).test(text))) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const name = node.text.replace('#', '');
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        if (names.has(name)) found.push(`${path}:${line + 1} ${name}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}
