/** A topic of an MCAP file as a table: fields of nested messages as `wrench.force.z`, of lists as `axes[0]`; headers are left out. */
import { ROW_COLUMNS } from '../../hil/contract/columns.ts';
import { rosName } from '../../hil/recording/ros-schemas.ts';
import type { Fields, TopicFile } from '../../hil/recording/topic-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { type Cell, hint, type Table } from './table.ts';

/** Columns that every topic has before its own. */
export const LOG_TIME = ['log_time_s', 'log_time_ns'] as const;
/** Topic that is taken where none is named. */
const ROWS = '/berth/tick';

/** Names as docs/columns.md has them; the fields of a ROS message are in lower case. */
const COLUMN_NAMES = new Map(ROW_COLUMNS.map((name) => [rosName(name), name as string]));

type Visit = (name: string, value: Cell) => void;

function visitFields(fields: Fields, prefix: string, visit: Visit): void {
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'header' && !isTime(value)) visitValue(value, prefix + name, visit);
  }
}

function visitValue(value: unknown, name: string, visit: Visit): void {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const list = value as ArrayLike<unknown>;
    for (let i = 0; i < list.length; i++) visitValue(list[i], `${name}[${i}]`, visit);
  } else if (typeof value === 'object' && value !== null) {
    visitFields(value as Fields, `${name}.`, visit);
  } else {
    visit(name, value as Cell);
  }
}

/** A stamp says what the log time says. */
function isTime(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sec' in value && 'nanosec' in value;
}

/** The topic with this name, or the one that is taken without a name. @throws BerthError for a topic that the file has not */
export function findTopic(file: TopicFile, name: string | undefined): TopicFile['topics'][number] {
  const names = file.topics.map(({ topic }) => topic);
  const found = file.topics.find(({ topic }) => topic === (name ?? ROWS));
  if (found !== undefined) return found;
  const all = names.join(', ');
  const text =
    name === undefined
      ? `--topic is needed, as "${file.path}" has no ${ROWS}; allowed: ${all}`
      : `--topic is "${name}"; ${hint(name, names, all)}`;
  throw new BerthError('BERTH_USAGE', text, { field: '--topic' });
}

/** The messages of a topic as rows. Where their number of values varies, all are read once for the columns. */
export async function topicTable(
  file: TopicFile,
  { topic, varies }: TopicFile['topics'][number],
): Promise<Table> {
  const places = new Map<string, number>();
  for await (const { fields } of file.messages(topic)) {
    visitFields(fields, '', (name) => {
      if (!places.has(name)) places.set(name, places.size + LOG_TIME.length);
    });
    if (!varies) break;
  }
  const names = [...places.keys()];
  return {
    columns: [
      ...LOG_TIME,
      ...(topic === ROWS ? names.map((name) => COLUMN_NAMES.get(name) ?? name) : names),
    ],
    time: 0,
    async *rows() {
      for await (const { time_s, time_ns, fields } of file.messages(topic)) {
        const row = [time_s, time_ns, ...names.map((): Cell => null)];
        visitFields(fields, '', (name, value) => {
          row[places.get(name)!] = value;
        });
        yield row;
      }
    },
  };
}
