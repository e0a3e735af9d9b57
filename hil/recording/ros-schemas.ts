/**
 * Schemas of the messages in the text form of ROS 2 (`ros2msg`): the definition, then each type that it uses after a line of
 * 80 equals signs. Standard types come from the published definitions; those of `berth_msgs` are written here.
 */
import { ros2jazzy } from '@foxglove/rosmsg-msgs-common';
import { COLUMN_MODES, COLUMN_TEXTS, type RowColumn } from '../contract/columns.ts';

type Definition = (typeof ros2jazzy)['std_msgs/Header'];

const SEPARATOR = `${'='.repeat(80)}\n`;

/** Unit, frame, mode and description of a column, as a comment of the schema. */
function columnComment({ unit, frame, mode, what }: RowColumn): string {
  return `${unit}${frame === '' ? '' : `, frame ${frame}`}; ${mode}: ${what}`;
}

/** Text of Tick: the modes, then each column of the telemetry row with its comment. */
function tickText(): string {
  const modes = Object.entries(COLUMN_MODES).map(([key, words]) => `# ${key}: ${words}`);
  const fields = COLUMN_TEXTS.map((c) => `float64 ${rosName(c.name)} # ${columnComment(c)}`);
  return `${['std_msgs/Header header', ...modes, ...fields].join('\n')}\n`;
}

/** Types of the project; the text of Tick follows the columns of the telemetry row. */
const OWN: Readonly<Record<string, string>> = {
  'berth_msgs/Tick': tickText(),
  'berth_msgs/Energy': `std_msgs/Header header
# ledger of the model, J
float64 kinetic_j
float64 potential_j
float64 elastic_j
float64 dissipated_j
float64 external_j
float64 balance_j
# present or last contact, J: taken from the simulated body, given back to it, created by the loop; NaN without a loop
float64 contact_in_j
float64 contact_out_j
float64 contact_created_j
# created since the start, J
float64 created_total_j
# last contact
float64 restitution_sim
float64 restitution_hardware
# passivity guard: observer, J; removed since the start, J; 1 when it acted in this tick
float64 passivity_j
float64 passivity_removed_j
float64 passivity_active
# level of the energy tank, J
float64 tank_j
`,
  'berth_msgs/Scene': `std_msgs/Header header
# model time, s
float64 sim_time
# contacts that touch, drawn or not
uint32 touching
geometry_msgs/Pose[] bodies
berth_msgs/ContactPoint[] points
# the simulated arm: status, condition, manipulability, rate scale, tip deflection (m, rad), brake; empty without joints
float64[] arm
# per joint: position, rate, reference, torque, deflection, margin to the limit, bending of the link
float64[] joints
# per point: 1 sticks, 2 slides, 0 not of an elastic face; its pressure, Pa
float64[] faces
# empty without surfaces of free form, else per point: number of its contact, constraints after contacts; places, least and largest
# relative curvature, 1/m, axis of the least, reciprocal condition; else 0
float64[] touches
`,
  'berth_msgs/ContactPoint': `# place, m; force on the first body, N; unit normal towards it
geometry_msgs/Point point
geometry_msgs/Vector3 force
geometry_msgs/Vector3 normal
`,
  // scene of Foxglove's 3-D panel; its definitions are public, https://docs.foxglove.dev/docs/sdk/schemas/scene-update
  'foxglove_msgs/SceneUpdate': `foxglove_msgs/SceneEntityDeletion[] deletions
foxglove_msgs/SceneEntity[] entities
`,
  'foxglove_msgs/SceneEntityDeletion': `builtin_interfaces/Time timestamp
uint8 MATCHING_ID=0
uint8 ALL=1
uint8 type
string id
`,
  'foxglove_msgs/SceneEntity': `builtin_interfaces/Time timestamp
string frame_id
string id
builtin_interfaces/Duration lifetime
bool frame_locked
foxglove_msgs/KeyValuePair[] metadata
foxglove_msgs/ArrowPrimitive[] arrows
foxglove_msgs/CubePrimitive[] cubes
foxglove_msgs/SpherePrimitive[] spheres
foxglove_msgs/CylinderPrimitive[] cylinders
foxglove_msgs/LinePrimitive[] lines
foxglove_msgs/TriangleListPrimitive[] triangles
foxglove_msgs/TextPrimitive[] texts
foxglove_msgs/ModelPrimitive[] models
`,
  'foxglove_msgs/KeyValuePair': 'string key\nstring value\n',
  'foxglove_msgs/Color': 'float64 r\nfloat64 g\nfloat64 b\nfloat64 a\n',
  'foxglove_msgs/ArrowPrimitive': `geometry_msgs/Pose pose
float64 shaft_length
float64 shaft_diameter
float64 head_length
float64 head_diameter
foxglove_msgs/Color color
`,
  'foxglove_msgs/CubePrimitive': `geometry_msgs/Pose pose
geometry_msgs/Vector3 size
foxglove_msgs/Color color
`,
  'foxglove_msgs/SpherePrimitive': `geometry_msgs/Pose pose
geometry_msgs/Vector3 size
foxglove_msgs/Color color
`,
  'foxglove_msgs/CylinderPrimitive': `geometry_msgs/Pose pose
geometry_msgs/Vector3 size
float64 bottom_scale
float64 top_scale
foxglove_msgs/Color color
`,
  'foxglove_msgs/LinePrimitive': `uint8 LINE_STRIP=0
uint8 LINE_LOOP=1
uint8 LINE_LIST=2
uint8 type
geometry_msgs/Pose pose
float64 thickness
bool scale_invariant
geometry_msgs/Point[] points
foxglove_msgs/Color color
foxglove_msgs/Color[] colors
uint32[] indices
`,
  'foxglove_msgs/TriangleListPrimitive': `geometry_msgs/Pose pose
geometry_msgs/Point[] points
foxglove_msgs/Color color
foxglove_msgs/Color[] colors
uint32[] indices
`,
  'foxglove_msgs/TextPrimitive': `geometry_msgs/Pose pose
bool billboard
float64 font_size
bool scale_invariant
foxglove_msgs/Color color
string text
`,
  'foxglove_msgs/ModelPrimitive': `geometry_msgs/Pose pose
geometry_msgs/Vector3 scale
foxglove_msgs/Color color
bool override_color
string url
string media_type
uint8[] data
`,
  'berth_msgs/Doubles': `# loop clock, microseconds
float64 time_us
float64[] values
`,
  'berth_msgs/Frame': `# loop clock, microseconds
float64 time_us
uint8[] bytes
`,
};

/** Name of a telemetry column as a field of a ROS message: lower case. */
export function rosName(column: string): string {
  return column.toLowerCase();
}

/** Name of a type in a file: `geometry_msgs/msg/Pose`. */
export function schemaName(type: string): string {
  return type.replace('/', '/msg/');
}

/** Schema text of a type, with all that it uses. @throws Error for an unknown type, at load */
export function schemaText(type: string): string {
  const types = [type];
  for (const name of types) {
    for (const used of usedTypes(definitionText(name))) if (!types.includes(used)) types.push(used);
  }
  return types
    .map((name, i) => (i === 0 ? '' : `${SEPARATOR}MSG: ${name}\n`) + definitionText(name))
    .join('');
}

function usedTypes(text: string): string[] {
  return [...text.matchAll(/^(\w+\/\w+)/gm)].map((match) => match[1]);
}

function definitionText(type: string): string {
  const own = OWN[type];
  if (own !== undefined) return own;
  const definition = (ros2jazzy as Readonly<Record<string, Definition | undefined>>)[type];
  if (definition === undefined) throw new Error(`No ROS 2 type is named "${type}"`);
  return definition.definitions
    .map((field) => {
      const name = field.type === 'time' ? 'builtin_interfaces/Time' : field.type;
      if (field.isConstant === true) return `${name} ${field.name}=${String(field.value)}\n`;
      const array = field.isArray === true ? `[${field.arrayLength ?? ''}]` : '';
      return `${name}${array} ${field.name}\n`;
    })
    .join('');
}
