import sql from "sql-template-tag";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { TooLarge } from "../../../platform/http/errors.ts";

type Preferences = Record<string, unknown>;

const MAX_CHARACTERS = 32 * 1024;

export async function getPreferences(db: Database, userId: string): Promise<Preferences> {
  const [row] = await db.query<{ value: Preferences }>(
    sql`select value from users.preferences where user_id = ${userId}`,
  );
  return row?.value ?? {};
}

/**
 * Merges a change, so that two clients can change different preferences at once. Null removes one.
 * @throws TooLarge `preferences_too_large`.
 */
export async function changePreferences(
  db: Database,
  userId: string,
  change: Preferences,
): Promise<Preferences> {
  const removed = Object.keys(change).filter((name) => change[name] === null);
  const updated = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== null),
  );
  return db.tx(async () => {
    const [row] = await db.query<{ value: Preferences }>(sql`
      insert into users.preferences (user_id, value) values (${userId}, ${jsonb(updated)})
      on conflict (user_id) do update
      set value = (preferences.value || excluded.value) - ${removed}::text[], updated_at = now()
      returning value`);
    const value = row?.value ?? {};
    if (JSON.stringify(value).length > MAX_CHARACTERS)
      throw new TooLarge(
        "preferences_too_large",
        "All preferences together may have at most 32 KB. Remove some first.",
      );
    return value;
  });
}
