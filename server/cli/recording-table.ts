/** The part of a recording that `berth export` and `berth plot` are asked for: topic, columns, time. */
import type { TopicFile } from '../../hil/recording/topic-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { readQuantity } from '../../config/units.ts';
import { namesOf, type TableChoice } from './table.ts';

/** Options that both commands have. */
export const TABLE_OPTIONS = {
  topic: { type: 'string' },
  columns: { type: 'string', multiple: true },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

/** What they are, for a usage. */
export const TABLE_USAGE = `  --topic TOPIC      topic of a recording (default: /berth/tick)
  --columns NAMES    names with commas between, in any case, * for any letters (repeatable; default: all)
  --from TIME        first time, s since the start of the recording, e.g. 2.5s or 500ms
  --to TIME          last time`;

/** Values of TABLE_OPTIONS. */
export interface TableValues {
  readonly topic?: string;
  readonly columns?: string[];
  readonly from?: string;
  readonly to?: string;
}

function readMoment(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const plain = text.trim() === '' ? NaN : Number(text);
  const quantity = readQuantity(text, 's');
  const value = Number.isFinite(plain) ? plain : quantity.ok ? quantity.value : NaN;
  if (value >= 0) return value;
  throw new BerthError(
    'BERTH_USAGE',
    `${option} is "${text}"; allowed: a time of 0 or more, such as 2.5s or 500ms`,
    { field: option },
  );
}

/** Columns and times that are asked for. @throws BerthError for a value that is none */
export function readChoice({ columns, from, to }: TableValues): TableChoice {
  const from_s = readMoment('--from', from, 0);
  const to_s = readMoment('--to', to, Infinity);
  if (to_s < from_s) {
    throw new BerthError(
      'BERTH_USAGE',
      `--to is "${to ?? ''}"; allowed: a time after --from, which is "${from ?? ''}"`,
      { field: '--to' },
    );
  }
  const names = namesOf(columns);
  if (names.includes('')) {
    const text = `--columns is "${(columns ?? []).join(',')}"; allowed: names with a comma between`;
    throw new BerthError('BERTH_USAGE', text, { field: '--columns' });
  }
  return { columns: names, from_s, to_s };
}

/** First and last time of a topic in words, for a choice that has no rows. */
export async function timesInWords(file: TopicFile, topic: string): Promise<string> {
  let first = NaN;
  let last = NaN;
  for await (const { time_s } of file.messages(topic)) {
    if (!(first <= time_s)) first = time_s;
    if (!(last >= time_s)) last = time_s;
  }
  return Number.isNaN(first)
    ? `the file has no message of ${topic}`
    : `the messages of ${topic} go from ${first.toFixed(3)} s to ${last.toFixed(3)} s`;
}
