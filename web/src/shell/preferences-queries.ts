import { queryOptions } from "@tanstack/react-query";
import { personalContract } from "../../../src/services/users/contract-personal.ts";
import { call } from "../api/call.ts";

const MINUTE_MS = 60_000;

/** `model` is the one that new conversations begin with. */
const NAMES = ["theme", "language", "textSize", "density", "model"] as const;

/** A value for some of them; null forgets it. */
export type PreferenceChange = Partial<
  Record<(typeof NAMES)[number], string | null | undefined>
>;
/** What the person chose, on whatever device. Other clients may keep further things there. */
export type Preferences = PreferenceChange;

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  async queryFn({ signal }): Promise<Preferences> {
    const stored = await call(personalContract.getPreferences, { query: {} }, { signal });
    const known = NAMES.map((name) => [name, stored[name]] as const);
    return Object.fromEntries(known.filter(([, value]) => typeof value === "string"));
  },
  staleTime: 5 * MINUTE_MS,
});

export function changePreferences(change: PreferenceChange) {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const body = Object.fromEntries(given) as Record<string, string | null>; // without undefined
  return call(personalContract.changePreferences, { query: {}, body });
}
