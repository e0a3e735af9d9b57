// Lint rules: type-checked correctness everywhere, hot-path and determinism bans in src and hil.
// Oxlint has them natively, but for two plugins in JavaScript: restricted syntax by selectors, and comments of what is public.

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
  rules: { 'eslint-js/no-restricted-syntax': ['error', ...restricted] },
});

/** The strict type-checked set of typescript-eslint, which oxlint has under the same names. */
const STRICT = `
  await-thenable no-array-constructor no-array-delete no-base-to-string no-deprecated no-duplicate-enum-values
  no-duplicate-type-constituents no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion
  no-floating-promises no-for-in-array no-generated-empty-object-type no-implied-eval no-invalid-void-type
  no-meaningless-void-operator no-misused-new no-misused-promises no-misused-spread no-mixed-enums no-namespace
  no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain no-redundant-type-constituents
  no-require-imports no-this-alias no-unnecessary-boolean-literal-compare no-unnecessary-template-expression
  no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint
  no-unnecessary-type-conversion no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment no-unsafe-call
  no-unsafe-declaration-merging no-unsafe-enum-assignment no-unsafe-enum-comparison no-unsafe-function-type
  no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus no-unused-expressions no-unused-vars
  no-useless-constructor no-useless-default-assignment no-wrapper-object-types only-throw-error prefer-as-const
  prefer-literal-enum-member prefer-namespace-keyword prefer-promise-reject-errors prefer-reduce-type-parameter
  prefer-return-this-type related-getter-setter-pairs require-await triple-slash-reference unbound-method
  unified-signatures use-unknown-in-catch-callback-variable
`
  .trim()
  .split(/\s+/);

export default {
  plugins: ['typescript'],
  jsPlugins: [
    { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' },
    { name: 'jsdoc-js', specifier: 'eslint-plugin-jsdoc' },
  ],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    'dist/**',
    'node_modules/**',
    '**/*.cjs',
    '*.config.js',
    '**/vite.config.ts',
    'src/kernels/**',
  ],
  rules: {
    ...Object.fromEntries(STRICT.map((name) => [`typescript/${name}`, 'error'])),
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': [
      'error',
      { allowNumber: true, allowBoolean: true },
    ],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    // Not no-unnecessary-condition: indexed access is typed without undefined (hot loops would need `!` everywhere), so it would ban real checks.
    'typescript/explicit-module-boundary-types': 'error',
    'max-lines': ['error', { max: 500, skipComments: true, skipBlankLines: true }],
    'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
  },
  overrides: [
    {
      files: ['src/**/*.ts'],
      rules: {
        'jsdoc-js/require-jsdoc': ['error', { publicOnly: true }],
        'jsdoc-js/check-tag-names': ['error', { definedTags: tags }],
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
      excludeFiles: [
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
      rules: { 'typescript/no-floating-promises': 'off' },
    },
  ],
};
