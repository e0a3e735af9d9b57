/** Timing: lateness of wake-ups, use of the period, and missed periods with their causes. */
import { Fragment, type JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { feed } from '../feed.ts';
import { Panel } from '../shell/panel.tsx';
import { Duration, Value, Word } from '../shell/value.tsx';
import { duration } from '../shell/words.ts';
import { status } from '../store.ts';
import { LatenessStrip } from '../strips/strips.tsx';
import { useRefresh, useTopic } from '../strips/use-feed.ts';
import { count, roundDuration } from './figures.ts';
import { LatenessChart, QUANTILES } from './histogram.tsx';
import { OverrunTable } from './overruns.tsx';
import { type BucketQuantile, bucketQuantile } from './quantiles.ts';
import { StageBar } from './stages.tsx';
import { StageWindow } from './stage-window.ts';
import './timing.css';

const REFRESH_S = 0.5;

function quantileWords(quantile: BucketQuantile | null): string {
  if (quantile === null) return '—';
  if (quantile.high_s === Infinity) return `over ${roundDuration(quantile.low_s)}`;
  return duration(quantile.estimate_s);
}

function Lateness(): JSX.Element {
  const histogram = useTopic('lateness', REFRESH_S);
  return (
    <Panel name="lateness" title="Wake lateness">
      <dl class="figures">
        {QUANTILES.map(({ name, share }) => {
          const quantile = histogram === undefined ? null : bucketQuantile(histogram, share);
          return (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                <Word text={quantileWords(quantile)} label={`${name} of the lateness`} />
                {quantile === null || quantile.high_s === Infinity ? null : (
                  <span class="detail">
                    ({roundDuration(quantile.low_s)} to {roundDuration(quantile.high_s)})
                  </span>
                )}
              </dd>
            </Fragment>
          );
        })}
        <dt>worst of 10 s</dt>
        <dd>
          <Duration seconds={histogram?.maximum_s} label="Largest lateness of the last 10 s" />
        </dd>
      </dl>
      {histogram === undefined ? (
        <p class="hint">The histogram has not arrived yet.</p>
      ) : (
        <>
          <LatenessChart histogram={histogram} />
          <p class="hint">
            All ticks since the loop started. The quantiles are estimated from the buckets; what is
            certain is that each lies between the edges of its bucket, given beside it.
          </p>
        </>
      )}
    </Panel>
  );
}

function Period(): JSX.Element {
  const stages = useMemo(() => new StageWindow(), []);
  useEffect(
    () =>
      feed.on(({ timing }) => {
        if (timing !== undefined) stages.add(timing, performance.now() / 1000);
      }),
    [stages],
  );
  useRefresh(REFRESH_S);
  const timing = status.value?.timing;
  return (
    <Panel name="period" title="Where the period goes">
      <StageBar figures={stages.figures()} />
      <dl class="figures">
        <dt>sub-steps of the newest tick</dt>
        <dd>
          <Value value={timing?.substeps} label="Sub-steps" />
        </dd>
        <dt>periods dropped since the start</dt>
        <dd>
          <Word
            text={timing === undefined ? '—' : count(timing.slipped_total)}
            label="Periods dropped"
          />
        </dd>
      </dl>
      <p class="hint">
        Of the ticks that this page is sent, a hundred a second. <code>berth doctor</code> judges in
        a few seconds whether a machine is fit for the loop.
      </p>
    </Panel>
  );
}

function Overruns(): JSX.Element {
  const overruns = useTopic('overruns', REFRESH_S);
  return (
    <Panel name="overruns" title="Missed periods">
      {overruns === undefined ? null : <OverrunTable overruns={overruns} />}
    </Panel>
  );
}

export function TimingPage(): JSX.Element {
  return (
    <>
      <div class="column">
        <Lateness />
        <Panel name="lateness-strip" title="Last 10 s">
          <LatenessStrip />
        </Panel>
      </div>
      <div class="column">
        <Period />
        <Overruns />
      </div>
    </>
  );
}
