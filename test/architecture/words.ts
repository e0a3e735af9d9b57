/** Words that comments and names of the source do not use, and where they stand. */
import ts from 'typescript';
import type { Sources } from './rooms.ts';

/** Phrases that a reader of one comment cannot follow: pointers to elsewhere without an address. */
const PHRASES: readonly RegExp[] = [/\bsee above\b/i, /\bDESIGN §/, /\bHIL facts\b/];
/** A sheet without a name; `Modia3D sheet` is a page of docs/reference. */
const NAMELESS_SHEET = /\bthe(?: reference)? sheet\b/i;

/** Words that make a person of code. */
const PERSONS = new RegExp(
  '\\b(?:[Ww]hoever|[Ww]hom|[Ss]ome(?:body|one)|[Nn]obody|[Aa]nybody|[Ee]very(?:body|one)' +
    '|feels?|felt|suffers?|hears?|heard|wants|believe[sd]?|knows|tells|remembers|look(?:s|ed)? at)\\b',
);
/** Folders whose comments are held to that. */
const IMPERSONAL = ['src/', 'config/', 'hil/', 'server/', 'dashboards/', 'bench/', 'examples/'];

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
      'goTo',
      'letGo',
      'hearFault',
      'hearWrongKeys',
    ],
  },
  ...['src/', 'hil/', 'server/'].map((folder) => ({
    folder,
    names: ['told', 'hear', 'look', 'say', 'said'],
  })),
  { folder: 'src/arm/', names: ['given', 'lost'] },
];

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm;

/** Places where comments have one of the phrases, as `path:line phrase`. */
function phrasesIn(path: string, text: string, phrases: readonly RegExp[]): string[] {
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const words = comment.replaceAll(/\s+(?:\*|\/\/)? ?/g, ' ');
    const line = text.slice(0, index).split('\n').length;
    return phrases.flatMap((phrase) => {
      const hit = phrase.exec(words);
      return hit === null ? [] : [`${path}:${line} ${hit[0]}`];
    });
  });
}

/** Comments with a pointer that leads nowhere, as `path:line phrase`. */
export function vagueComments(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    phrasesIn(path, text, [...PHRASES, NAMELESS_SHEET]),
  );
}

/** Comments with a person as the subject of code, as `path:line word`. */
export function personalComments(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => IMPERSONAL.some((room) => path.startsWith(room)))
    .flatMap(([path, text]) => phrasesIn(path, text, [PERSONS]));
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
