/**
 * Robots from URDF files. The tree of links is that of the file. Links without mass are merged into
 * the link that holds them and stay as frames. docs/robots.md lists what is read, assumed and
 * refused.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { compileRobot, type Robot } from './compile-robot.ts';
import { composePoses, type Pose } from './robot-mount.ts';
import { type RobotFile, type RobotFileLink, RobotSchema } from './robot-schema.ts';
import { nearest, defaults, type Schema } from './read.ts';
import { readUrdfJoint, type UrdfJoint } from './urdf-joint.ts';
import { readUrdfLink, type UrdfLink } from './urdf-link.ts';
import { parseXml, type XmlElement } from './urdf-xml.ts';
import { ConfigError } from './yaml-source.ts';

/** Most bytes of a URDF file, and links in it: the mass matrix grows with their square. */
export const MOST_URDF_BYTES = 4_000_000;
const MOST_LINKS = 200;

const HERE: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] };

/** The robot of a URDF file; `shown` is its name in messages. @throws ConfigError with `file:line:column` */
export function readUrdf(file: string, shown: string): Robot {
  const { size } = statSync(file);
  if (size > MOST_URDF_BYTES) {
    const message = `has ${size} bytes; allowed: at most ${MOST_URDF_BYTES}`;
    throw new ConfigError([{ code: 'BERTH_XML', where: shown, path: '', message }]);
  }
  const root = parseXml(shown, readFileSync(file, 'utf8'));
  if (root.name !== 'robot') {
    throw root.fault('BERTH_MISMATCH', `the file holds <${root.name}>; allowed: <robot>`);
  }
  const source = `URDF file ${shown}`;
  const links = byName(root, 'link', (element) => readUrdfLink(element, file));
  const joints = byName(root, 'joint', (element) => readUrdfJoint(element, source));
  if (links.size === 0) throw root.fault('BERTH_MISSING_FIELD', 'the robot has no <link>', 'link');
  if (links.size > MOST_LINKS) {
    const message = `the robot has ${links.size} links; allowed: at most ${MOST_LINKS}`;
    throw root.fault('BERTH_PARAMETER_RANGE', message, 'link');
  }
  const above = parents(links, [...joints.values()]);
  const tree = new Walk(links, above, source);
  tree.walk(rootOf(root, links, above));
  const described: RobotFile = {
    name: root.text('name'),
    title: root.text('name'),
    description: '',
    sources: [],
    base: { position_m: [0, 0, 0], orientation: { kind: 'identity' } },
    links: tree.links,
    frames: tree.frames,
    control: defaults(
      (RobotSchema.properties as Record<string, Schema>)['control'],
    ) as RobotFile['control'],
  };
  if (tree.links.length === 0) {
    throw root.fault('BERTH_MISMATCH', 'no link of the robot has a mass; allowed: at least one');
  }
  try {
    return compileRobot(described, dirname(file));
  } catch (error) {
    if (!(error instanceof BerthError) || error instanceof ConfigError) throw error;
    const index = /^links\[(\d+)\]/.exec(error.field ?? '')?.[1];
    const name = index === undefined ? undefined : tree.links[Number(index)]?.name;
    throw (links.get(name ?? '')?.element ?? root).relocate(error);
  }
}

/** Reads all elements of a type, indexed by `name`. */
function byName<T extends { readonly name: string; readonly element: XmlElement }>(
  root: XmlElement,
  what: 'link' | 'joint',
  read: (element: XmlElement) => T,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const element of root.all(what)) {
    const item = read(element);
    if (found.has(item.name)) {
      const message = `two ${what}s are named "${item.name}"; allowed: each name once`;
      throw element.fault('BERTH_DUPLICATE_NAME', message, 'name');
    }
    found.set(item.name, item);
  }
  return found;
}

/** The joint above each link. @throws ConfigError for links that are not there, or have two parents */
function parents(
  links: ReadonlyMap<string, UrdfLink>,
  joints: readonly UrdfJoint[],
): Map<string, UrdfJoint> {
  const above = new Map<string, UrdfJoint>();
  for (const joint of joints) {
    for (const end of ['parent', 'child'] as const) {
      if (links.has(joint[end])) continue;
      const near = nearest(joint[end], [...links.keys()]);
      const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'allowed: a <link>';
      const message = `joint ${joint.name} names the ${end} "${joint[end]}", which is no link; ${hint}`;
      throw joint.element.fault('BERTH_UNKNOWN_NAME', message, end);
    }
    const other = above.get(joint.child);
    if (other !== undefined) {
      throw joint.element.fault(
        'BERTH_MISMATCH',
        `link ${joint.child} hangs on two joints, ${other.name} and ${joint.name}; allowed: one, as in a tree`,
        'child',
      );
    }
    above.set(joint.child, joint);
  }
  return above;
}

/** The one link without a joint above it, once no joints form a loop. */
function rootOf(
  root: XmlElement,
  links: ReadonlyMap<string, UrdfLink>,
  above: ReadonlyMap<string, UrdfJoint>,
): string {
  const leads = new Set<string>();
  for (const name of links.keys()) {
    const way = new Set<string>();
    let at = name;
    for (let joint = above.get(at); joint !== undefined && !leads.has(at); joint = above.get(at)) {
      if (way.has(at)) {
        const names = [...way].slice([...way].indexOf(at));
        const message = `joint ${joint.name} closes a loop of the links ${names.join(', ')}; allowed: a tree`;
        throw joint.element.fault('BERTH_MISMATCH', message, 'parent');
      }
      way.add(at);
      at = joint.parent;
    }
    for (const one of way) leads.add(one);
  }
  const roots = [...links.keys()].filter((name) => !above.has(name));
  if (roots.length === 1) return roots[0];
  const message = `the links ${roots.slice(0, 5).join(', ')} hang on no joint; allowed: one such link, the root`;
  throw (links.get(roots[1])?.element ?? root).fault('BERTH_MISMATCH', message);
}

/** Where a link of the file ended up: on a link of the robot, −1 for the base, at a pose there. */
interface Carrier extends Pose {
  readonly link: string | undefined;
}

/** Goes from the root outwards and collects links and frames of the robot. */
class Walk {
  readonly links: RobotFileLink[] = [];
  readonly frames: RobotFile['frames'] = [];
  readonly #given: ReadonlyMap<string, UrdfLink>;
  readonly #below = new Map<string, UrdfJoint[]>();
  readonly #source: string;

  constructor(
    links: ReadonlyMap<string, UrdfLink>,
    above: ReadonlyMap<string, UrdfJoint>,
    source: string,
  ) {
    this.#given = links;
    this.#source = source;
    for (const joint of above.values()) {
      const list = this.#below.get(joint.parent);
      if (list === undefined) this.#below.set(joint.parent, [joint]);
      else list.push(joint);
    }
  }

  walk(root: string): void {
    const todo: { name: string; joint: UrdfJoint | null; on: Carrier }[] = [
      { name: root, joint: null, on: { link: undefined, ...HERE } },
    ];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const link = this.#given.get(next.name);
      if (link === undefined) continue;
      const on = this.#add(link, next.joint, next.on);
      for (const joint of [...(this.#below.get(next.name) ?? [])].reverse()) {
        todo.push({ name: joint.child, joint, on });
      }
    }
  }

  #add(link: UrdfLink, joint: UrdfJoint | null, on: Carrier): Carrier {
    const own: Pose =
      joint === null ? HERE : { position: joint.origin.xyz, orientation: joint.origin.orientation };
    const pose = composePoses(on, own);
    const kind = joint?.joint.kind ?? 'fixed';
    const end = !this.#below.has(link.name);
    if (link.body === null) {
      if (kind !== 'fixed') {
        throw link.element.fault(
          'BERTH_MISSING_FIELD',
          `link ${link.name} has no mass, but moves by joint ${joint?.name ?? ''}; allowed: <inertial> with mass and inertia, or a fixed joint`,
          'inertial',
        );
      }
      this.#draw(link, on.link, pose);
      this.#frame(link.name, on.link, pose);
      return { link: on.link, ...pose };
    }
    this.links.push({
      name: link.name,
      ...(on.link === undefined ? {} : { parent: on.link }),
      ...written(pose),
      joint: joint?.joint ?? { kind: 'fixed' },
      body: link.body,
      drawing: link.drawing,
      source: this.#source,
    });
    if (end || (kind === 'fixed' && joint !== null)) this.#frame(link.name, link.name, HERE);
    return { link: link.name, ...HERE };
  }

  /** Shapes of a merged link move to the one that carries it; those of the base are not drawn. */
  #draw(link: UrdfLink, on: string | undefined, pose: Pose): void {
    const carrier = this.links.find(({ name }) => name === on);
    for (const cell of link.drawing) {
      const { orientation } = cell;
      const own: Pose = {
        position: cell.position_m,
        orientation: orientation.kind === 'quaternion' ? orientation.xyzw : HERE.orientation,
      };
      carrier?.drawing.push({
        ...cell,
        name: `${link.name} ${cell.name ?? ''}`,
        ...written(composePoses(pose, own)),
      });
    }
  }

  #frame(name: string, link: string | undefined, pose: Pose): void {
    if (link === undefined) return;
    this.frames.push({ name, link, ...written(pose), source: this.#source });
  }
}

function written(pose: Pose): Pick<RobotFileLink, 'position_m' | 'orientation'> {
  return {
    position_m: [...pose.position],
    orientation: { kind: 'quaternion', xyzw: [...pose.orientation] },
  };
}
