/** The Fastify application: security headers, rate limit, routes, documents, page and sockets over one running loop. */
import type { Server as TlsServer } from 'node:tls';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Settings } from '../config/settings.ts';
import { ConnectionPlaces, type PlaceLimits } from '../hil/access/connection-places.ts';
import { connectionBudget } from '../hil/os/descriptors.ts';
import type { Runtime } from '../hil/threads/runtime-types.ts';
import { readTls } from '../hil/access/tls.ts';
import { serveApiDocument } from './routes/api-document.ts';
import { NO_AUDIT, openAuditOf } from './audit/audit-place.ts';
import { GatheredAudit } from './audit/audit-repeats.ts';
import type { AuditSink } from './audit/audit-sink.ts';
import { AccessControl } from './access/auth.ts';
import { Certificates } from './access/certificates.ts';
import { BerthError } from '../src/base/errors.ts';
import { handleError } from './contract/errors.ts';
import { logStream } from './contract/log-lines.ts';
import { KeyExchange } from './access/key-exchange.ts';
import { guardKeys } from './access/key-guard.ts';
import { FoxgloveServer } from './telemetry/foxglove.ts';
import type { ProfileName } from '../config/profiles.ts';
import { BERTH_VERSION, ServerCounters } from './metrics/metrics-families.ts';
import { OperatorHub } from './operator/operator.ts';
import { pageFiles } from './access/page-files.ts';
import { Peers } from './access/peers.ts';
import { notedAudit } from './audit/recording-notes.ts';
import { alarmRoutes } from './routes/alarms.ts';
import { Refusals } from './access/refusals.ts';
import { guardRequests, REQUEST_TIMES, SERVER_TIMES, TLS_TIMES } from './access/request-guard.ts';
import { RecordingShelf } from './recordings/shelf.ts';
import { healthRoutes } from './routes/health.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { studyRoutes } from './routes/studies.ts';
import { sceneRoutes } from './routes/scene.ts';
import { faultRoutes } from './routes/faults.ts';
import { sessionRoutes } from './routes/session.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { ScenarioList } from './scenarios/scenario-list.ts';
import { type LoadHelp, ScenarioLoader } from './scenarios/scenario-loader.ts';
import { StudyShelf } from './studies/study-shelf.ts';
import { guardNames } from './access/name-guard.ts';
import { guardRoles } from './access/role-guard.ts';
import { ServedNames } from './access/served-names.ts';
import { TelemetryStream } from './telemetry/stream.ts';
import { TlsContext } from './access/tls-context.ts';
import { attachSockets, socketCapacity, type SocketHandlers } from './access/upgrade.ts';

const BODY_LIMIT = 16 * 1024;
/** Connections of one peer: a page has six, a script some more. And of all peers, where descriptors are very few. */
const PEER_CONNECTIONS = 128;
const LEAST_CONNECTIONS = 16;
/** How long a browser that came by https comes by nothing else, s: half a year. */
const HSTS_S = 15_552_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Read certificates again, and take the keys of fresh settings. @returns lines for the log */
    reload(fresh?: Settings): Promise<string[]>;
  }
}

export interface AppParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  /** Profile of the embedded settings; left out with those of a file. */
  readonly profile?: ProfileName;
  /** The audit log of actions and clients; the log of the settings when left out. */
  readonly audit?: AuditSink;
  /** Certificate and key; without, what the settings name is read. */
  readonly tls?: TlsContext | null;
  /** What is done at a load; left out, robots stay where they are, and every scenario is loaded. */
  readonly loadHelp?: LoadHelp;
  /** Clock of the tickets' lives; the machine's own by default. */
  readonly now_ms?: () => number;
}

/** The audit log of the settings, closed with the service. */
async function openAudit(
  app: FastifyInstance,
  settings: Settings,
  counters: ServerCounters,
): Promise<AuditSink> {
  const audit = await openAuditOf(settings, {
    onRecord: () => counters.add('audit_records_total', 1),
    onNote: (note) => app.log.error(note),
  });
  // hooks run from the last to the first: after the sockets, whose ends are written too
  app.addHook('onClose', () => audit.close());
  return audit;
}

/** What the settings name; null without TLS. @throws BerthError naming setting, file and what is wrong */
export function openTls({ server }: Settings): TlsContext | null {
  const material = readTls('server.tls', server.tls);
  return material === null ? null : new TlsContext(material);
}

/** Connections that are no sockets: what descriptors leave once the sockets have theirs, and what one peer may have of that. */
function connectionLimits(left: number): PlaceLimits {
  const total = Math.max(LEAST_CONNECTIONS, left);
  return { total, perPeer: Math.min(PEER_CONNECTIONS, Math.ceil(0.75 * total)) };
}

/** Build the service around a running loop. `listen` and `close` are the caller's; `close` leaves the loop running. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, runtime, now_ms } = parts;
  const tls = parts.tls === undefined ? openTls(settings) : parts.tls;
  const peers = new Peers(settings);
  const app = Fastify({
    // an https server is an http server to all that follows
    ...({ https: tls === null ? null : { ...tls.options, ...TLS_TIMES } } as object),
    logger: {
      level: settings.server.log_level,
      // Standard output belongs to the command; the log has its own stream.
      stream: logStream(settings.server.log_format, process.stderr),
      redact: ['req.headers.authorization'],
      // Tickets travel in the address of a socket; they stay out of the log.
      serializers: {
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          url: request.url.split('?')[0],
        }),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    ...REQUEST_TIMES,
    http: SERVER_TIMES,
    trustProxy: (address) => peers.isProxy(address),
    // a STOP with a slash too many is one
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  tls?.attach(app.server as unknown as TlsServer);
  const access = new AccessControl(settings, now_ms);
  const names = new ServedNames(settings);
  const counters = new ServerCounters();
  const log = parts.audit ?? (await openAudit(app, settings, counters));
  const gathered = new GatheredAudit(log);
  app.addHook('onClose', () => gathered.close());
  const audit = notedAudit(gathered, (text, level) => runtime.note?.(text, level));
  const refusals = new Refusals(audit);
  app.addHook('onClose', () => refusals.close());
  runtime.onWrongKey?.((peer) => {
    const entry = { actor: 'robot', action: 'robot.handshake', result: 'BERTH_AUTH' } as const;
    refusals.refused(peer, entry);
  });
  const certificates = new Certificates({
    settings,
    runtime,
    tls,
    counters,
    audit,
    onNote: (text) => app.log.warn(text),
  });
  app.addHook('onClose', () => certificates.close());
  const connections = connectionBudget();
  const sockets = socketCapacity(connections);
  const limits = connectionLimits(
    connections - sockets.operator - sockets.telemetry - sockets.foxglove,
  );
  new ConnectionPlaces(limits, peers.proxies, () =>
    counters.add('http_rejects_total', 1, 'places'),
  ).attach(app.server);
  const keepsAudit = settings.audit.enabled && log !== NO_AUDIT;
  const scenarios = new ScenarioList(settings);
  const loader = new ScenarioLoader(runtime, scenarios, parts.loadHelp ?? {});
  const operators = new OperatorHub({
    settings,
    runtime,
    loader,
    counters,
    audit,
    keepsAudit,
    log: app.log,
    ...(parts.profile === undefined ? {} : { profile: parts.profile }),
  });
  const live = new FoxgloveServer(runtime, counters);
  const stream = new TelemetryStream(runtime, counters, settings.loop.period_s);

  app.setErrorHandler(handleError);
  // Commands have no body; a client that declares JSON and sends nothing is accepted.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  app.setNotFoundHandler((request) => {
    throw new BerthError('BERTH_NOT_FOUND', `Nothing is at ${request.url.split('?')[0]}.`);
  });
  guardNames(app, names, counters, refusals);
  const guesses = guardKeys(app, {
    access,
    counters,
    refusals,
    peerOf: (request) => peers.of(request.raw),
    now_ms: () => performance.now(),
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Without TLS a browser that keeps to https would lock its user out.
    strictTransportSecurity: tls === null ? false : { maxAge: HSTS_S, includeSubDomains: false },
  });
  await guardRequests(app, { access, peers, refusals, counters });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Berth',
        version: BERTH_VERSION,
        description:
          'Real-time contact dynamics for hardware-in-the-loop tests. Not a safety device.',
      },
    },
  });
  // in a scope of its own, and before the guard: the page needs no key
  await app.register(pageFiles);
  guardRoles(app, access);
  await app.register(healthRoutes(runtime, counters, settings.allow_fault_injection));
  await app.register(sessionRoutes(runtime, operators, audit, scenarios, loader));
  await app.register(faultRoutes(settings, runtime, audit));
  await app.register(alarmRoutes(operators.alarms, audit));
  await app.register(sceneRoutes(runtime));
  const shelf = new RecordingShelf(settings.recording, () => runtime.recording?.());
  app.addHook('onClose', () => shelf.reader.close());
  await app.register(recordingRoutes(shelf, audit));
  const studies = new StudyShelf(settings.studies);
  app.addHook('onClose', () => studies.close());
  await app.register(studyRoutes(studies, shelf.reader, audit));
  await app.register(ticketRoutes(access, refusals, peers));
  serveApiDocument(app);
  const { enabled, origins } = settings.foxglove;
  const handlers: SocketHandlers = {
    operator: (socket, role) => operators.accept(socket, role),
    telemetry: (socket, role) => stream.accept(socket, role),
    foxglove: (socket) => live.accept(socket),
  };
  const endSockets = attachSockets(
    app,
    access,
    names,
    counters,
    refusals,
    peers,
    sockets,
    handlers,
    enabled ? origins : null,
  );
  const keys = new KeyExchange({
    access,
    runtime,
    audit,
    guesses,
    endSockets,
    dropAuthority: () => operators.dropAuthority(),
  });
  app.decorate('reload', (fresh?: Settings) => {
    certificates.reload();
    return fresh === undefined ? Promise.resolve([]) : keys.exchange(settings, fresh);
  });
  app.addHook('preClose', (done) => {
    operators.close();
    stream.close();
    live.close();
    done();
  });
  return app;
}
