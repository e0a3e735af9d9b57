/** The list of studies, as `GET /api/studies` answers it and the console shows it. */

/** A study of the folder. */
export interface ListedStudy {
  readonly name: string;
  /** There is a study file, which can be run. */
  readonly runnable: boolean;
  /** Runs of the plan; null before there is one. */
  readonly planned: number | null;
  /** Runs that have a result, those of an earlier plan included. */
  readonly done: number;
  readonly running: boolean;
  /** There is a report. */
  readonly report: boolean;
  /** Files of the runs that stand out. */
  readonly notable: readonly string[];
  /** Why its last start from here failed; '' when it did not. */
  readonly trouble: string;
}

/** Answer of `GET /api/studies`. */
export interface StudyList {
  readonly folder: string;
  readonly studies: readonly ListedStudy[];
}
