// Import rules: one rule a room, made from test/architecture/rooms.json; no cycle anywhere; and packages that have one owner.
const rooms = require('./test/architecture/rooms.json');

const OURS = '^(src|config|hil|server|dashboards|examples|bench|test)/';
const escaped = (path) => path.replaceAll('.', '[.]');
/** A room is a folder, or a file at the root of one. */
const pathOf = (name) => (/[.]\w+$/.test(name) ? `^${escaped(name)}$` : `^${escaped(name)}/`);
/** Rooms inside a room have rules of their own. */
const inside = (name) =>
  rooms.filter(({ room }) => room.startsWith(`${name}/`)).map(({ room }) => pathOf(room));

const roomRules = rooms.map(({ room, sees }) => ({
  name: `room ${room}`,
  comment: `sees ${sees.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: pathOf(room), ...(inside(room).length > 0 ? { pathNot: inside(room) } : {}) },
  to: { path: OURS, pathNot: [room, ...sees].map(pathOf) },
}));

const OWNERS = {
  'prom-client': '^server/metrics/',
  '(@serialport|serialport)': '^hil/links/serial[^/]*[.]ts$',
  'manifold-3d': '^config/decompose-mesh[.]ts$',
  meshoptimizer: '^config/simplify-mesh[.]ts$',
  '@xmldom': '^config/urdf-xml[.]ts$',
  '(bullmq|ioredis)': '^server/cli/study/redis-[^/]*[.]ts$',
  koffi: '^hil/os/os-library[.]ts$',
};
const ownerRules = Object.entries(OWNERS).map(([name, owner]) => ({
  name: `owner of ${name}`,
  severity: 'error',
  from: { path: '^(src|config|hil|server)/', pathNot: owner },
  to: { path: `node_modules/${name}` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...roomRules,
    ...ownerRules,
    {
      name: 'src-no-node-no-npm',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'client-types-only',
      comment: 'a browser loads no schema',
      severity: 'error',
      from: { path: '^server/client/' },
      to: { path: '^server/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'hil-no-http',
      severity: 'error',
      from: { path: '^hil/' },
      to: { path: 'node_modules/(@?fastify|prom-client)' },
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
