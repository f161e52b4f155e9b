import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";

/** What one user filled in for the headers of one tool server. */
export interface FilledValues {
  userId: string;
  server: string;
  /** The address that they are for. */
  url: string;
  /** By name, in plain text. */
  values: Record<string, string>;
  /** Whether the tools of the server are read with them. */
  lists: boolean;
  filledAt: Date;
}

/** Where they are kept. */
export interface UserValues {
  find(server: string, userId: string): Promise<FilledValues | undefined>;
  /** Those with which the tools of a server are read. */
  findListing(server: string): Promise<FilledValues | undefined>;
  listOf(userId: string): Promise<FilledValues[]>;
  save(filled: Omit<FilledValues, "filledAt">): Promise<void>;
  remove(server: string, userId: string): Promise<void>;
}

interface Row extends Omit<FilledValues, "values"> {
  sealed: string;
}

const MAX_LISTED = 1_000;
const COLUMNS = sql`user_id as "userId", server, url, sealed, lists, filled_at as "filledAt"`;

export function createUserValues(db: Database, encryptionKey: string): UserValues {
  const toFilled = ({ sealed, ...row }: Row): FilledValues => ({
    ...row,
    // what `save` sealed
    values: JSON.parse(openSecret(sealed, encryptionKey)) as Record<string, string>,
  });
  return {
    async find(server, userId) {
      const [row] = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.user_values
        where user_id = ${userId} and server = ${server}`);
      return row && toFilled(row);
    },
    async findListing(server) {
      const [row] = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.user_values
        where server = ${server} and lists`);
      return row && toFilled(row);
    },
    async listOf(userId) {
      const rows = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.user_values
        where user_id = ${userId} order by server limit ${MAX_LISTED}`);
      return rows.map(toFilled);
    },
    async save({ userId, server, url, values, lists }) {
      const sealed = sealSecret(JSON.stringify(values), encryptionKey);
      await db.tx(async () => {
        if (lists)
          await db.query(sql`update tool_gateway.user_values set lists = false
            where server = ${server} and lists`);
        await db.query(sql`insert into tool_gateway.user_values as v
            (user_id, server, url, sealed, lists)
          values (${userId}, ${server}, ${url}, ${sealed}, ${lists})
          on conflict (user_id, server) do update set url = excluded.url,
            sealed = excluded.sealed,
            lists = excluded.lists or (v.lists and v.url = excluded.url), filled_at = now()`);
      });
    },
    async remove(server, userId) {
      await db.query(sql`delete from tool_gateway.user_values
        where user_id = ${userId} and server = ${server}`);
    },
  };
}
