// Lint rules: type-checked correctness everywhere, hot-path and determinism bans in src and hil.
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

const tags = ['units', 'shape', 'frame', 'equation', 'source', 'alloc', 'test'];

// Engines compute these in C++, whose last bit depends on compiler and processor. + − × ÷ √ are exact everywhere.
const BUILT_IN_FUNCTIONS =
  'acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 log log10 log1p log2 pow sin sinh tan tanh'.split(
    ' ',
  );

const SAME_BITS = {
  selector: "BinaryExpression[operator='**']:not([left.value=2]):not([right.callee.name='BigInt'])",
  message: 'its bits differ between machines: a product, or src/math/elementary/power.ts',
};

// A place in a row, a record or a block of counters has a name: its list is `as const`, and src/base/name-indices.ts makes the
// indices once. Within a vector an axis is added to the name of its first component.
const OFFSET =
  "MemberExpression[computed=true] > BinaryExpression.property[operator='+'][right.type='Literal']";
const INDEX_OBJECT = '/^[A-Z][A-Z0-9]*[a-z]/';
const NAMED_INDICES = [
  {
    selector:
      "CallExpression[callee.property.name='indexOf'][callee.object.name=/^[A-Z][A-Z0-9_]*$/][arguments.0.type='Literal']",
    message: 'the index of a name is made once: indicesOf or codesOf of src/base/name-indices.ts',
  },
  ...['left.object.name', 'left.right.object.name'].map((object) => ({
    selector: `${OFFSET}[${object}=${INDEX_OBJECT}]`,
    message: 'counted from a name: every place has a name of its own',
  })),
];
const NAMED_COLUMNS = [
  {
    selector: `${OFFSET}[right.value>3]`,
    message: 'a counted offset beyond a vector or a quaternion: name the place',
  },
  {
    selector:
      "MemberExpression[computed=true][property.type='Literal'][property.value>=0][object.name=/^(row|record|event|readout)$/]",
    message: 'a counted place in a row or a record: name it',
  },
];

// The last entry that takes a file in is the one that counts.
const restrictSyntax = (files, restricted) => ({
  files,
  rules: { 'no-restricted-syntax': ['error', ...restricted] },
});

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '**/*.cjs',
      'eslint.config.js',
      '**/vite.config.ts',
      'src/kernels/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { jsdoc },
    rules: {
      'max-lines': ['error', { max: 500, skipComments: true, skipBlankLines: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      // Indexed access is typed without undefined (hot loops would need `!` everywhere), so this rule would ban real checks.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'jsdoc/require-jsdoc': ['error', { publicOnly: true }],
      'jsdoc/check-tag-names': ['error', { definedTags: tags }],
      'no-restricted-globals': ['error', 'process', 'performance', 'console', 'Date'],
    },
  },
  restrictSyntax(['src/**/*.ts', 'config/**/*.ts'], [...NAMED_INDICES, SAME_BITS]),
  restrictSyntax(['hil/**/*.ts'], [...NAMED_INDICES, ...NAMED_COLUMNS, SAME_BITS]),
  restrictSyntax(['server/**/*.ts'], [...NAMED_INDICES, ...NAMED_COLUMNS]),
  // a matrix times a wrench, and the tables of published cases
  restrictSyntax(['hil/energy/sextuple.ts'], [...NAMED_INDICES, SAME_BITS]),
  restrictSyntax(['server/validation/**/*.ts'], NAMED_INDICES),
  {
    files: ['src/**/*.ts', 'hil/**/*.ts', 'config/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'hypot', message: 'allocates: use Math.sqrt' },
        ...BUILT_IN_FUNCTIONS.map((property) => ({
          object: 'Math',
          property,
          message: 'its bits differ between machines: use src/math/elementary',
        })),
        {
          object: 'Math',
          property: 'random',
          message: 'not deterministic: use src/math/random.ts',
        },
      ],
    },
  },
  {
    // The wall clock may jump: only what is written for people has its time. What decides has a monotonic clock.
    files: ['hil/**/*.ts', 'server/**/*.ts', 'config/**/*.ts'],
    ignores: [
      'hil/threads/recorder-worker.ts',
      'hil/recording/retention.ts',
      'hil/recording/freezer.ts',
      'hil/access/tls.ts',
      'server/audit/audit.ts',
      'server/access/certificates.ts',
      'server/telemetry/foxglove.ts',
      'server/cli/validate.ts',
      'server/console/**',
    ],
    rules: { 'no-restricted-globals': ['error', 'Date'] },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
);
