import { Conflict } from "../../platform/http/errors.ts";

/** @throws Conflict `too_many_versions`. Versions are counted from 1, and each one is kept. */
export function refuseManyVersions(version: number, max: number): void {
  if (version > max)
    throw new Conflict(
      "too_many_versions",
      `There are ${max} versions, the most that are kept. Copy the newest, and change the copy.`,
      { params: { max } },
    );
}
