// Import rules of docs/architecture.md, enforced. One rule a layer, no cycles anywhere.
const layer = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|config|hil|server)/', pathNot: allowed },
});
const srcLayers = {
  math: ['math'],
  shapes: ['math', 'shapes'],
  proximity: ['math', 'shapes', 'proximity'],
  overlap: ['math', 'shapes', 'proximity', 'overlap'],
  contact: ['math', 'shapes', 'proximity', 'overlap', 'contact'],
  integrate: ['math', 'contact', 'integrate'],
  identify: ['math', 'contact', 'identify'],
  multibody: ['math', 'shapes', 'multibody'],
  fem: ['math', 'multibody', 'fem'],
  control: ['math', 'multibody', 'control'],
};
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(srcLayers).map(([folder, allowed]) =>
      layer(`src-${folder}`, `^src/${folder}/`, [
        '^src/(errors|model|contact-spec|tuples|parameter-checks)[.]ts$',
        ...allowed.map((name) => `^src/${name}/`),
      ]),
    ),
    layer('src-imports-only-src', '^src/', ['^src/']),
    {
      name: 'src-no-node-no-npm',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    layer('config-imports', '^config/', ['^src/', '^config/']),
    layer('hil-imports', '^hil/', ['^src/', '^config/', '^hil/']),
    {
      name: 'hil-no-http',
      severity: 'error',
      from: { path: '^hil/' },
      to: { path: 'node_modules/(@?fastify|prom-client)' },
    },
    {
      name: 'prom-client-only-in-metrics',
      severity: 'error',
      from: { path: '^(src|config|hil|server)/', pathNot: '^server/metrics[^/]*[.]ts$' },
      to: { path: 'node_modules/prom-client' },
    },
    {
      name: 'serialport-only-in-serial-link',
      severity: 'error',
      from: { path: '^(src|config|hil|server)/', pathNot: '^hil/links/serial[^/]*[.]ts$' },
      to: { path: 'node_modules/(@serialport|serialport)' },
    },
    {
      name: 'manifold-only-in-decompose-mesh',
      severity: 'error',
      from: { path: '^(src|config|hil|server)/', pathNot: '^config/decompose-mesh[.]ts$' },
      to: { path: 'node_modules/manifold-3d' },
    },
    {
      name: 'xmldom-only-in-urdf-xml',
      severity: 'error',
      from: { path: '^(src|config|hil|server)/', pathNot: '^config/urdf-xml[.]ts$' },
      to: { path: 'node_modules/@xmldom' },
    },
    {
      name: 'koffi-only-in-os',
      severity: 'error',
      from: { path: '^(src|config|hil|server)/', pathNot: '^hil/os[^/]*[.]ts$' },
      to: { path: 'node_modules/koffi' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
