export const DAYS = [7, 30, 90] as const;
export const GROUPS = ["model", "agent", "user"] as const;
export const MEASURES = ["tokens", "cost", "requests"] as const;

export type Group = (typeof GROUPS)[number];
export type Measure = (typeof MEASURES)[number];

/** What is shown, as in the address. Missing values mean the default. */
export interface Report {
  days?: (typeof DAYS)[number];
  by?: Group;
  measure?: Measure;
  /** The one model, agent or user whose days are shown. */
  only?: string;
}

export function readReport({ days, by, measure, only }: Record<string, unknown>): Report {
  const wanted = {
    days: find(DAYS, days),
    by: find(GROUPS, by),
    measure: find(MEASURES, measure),
  };
  return {
    ...(wanted.days !== undefined && { days: wanted.days }),
    ...(wanted.by !== undefined && { by: wanted.by }),
    ...(wanted.measure !== undefined && { measure: wanted.measure }),
    ...(typeof only === "string" && { only }),
  };
}

function find<Value>(values: readonly Value[], wanted: unknown): Value | undefined {
  return values.find((value) => value === wanted);
}
