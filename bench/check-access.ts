import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import type { Database } from "../src/platform/db/database.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { createApp } from "../src/platform/http/app.ts";
import { call } from "../src/platform/http/call.ts";
import { Unauthorized } from "../src/platform/http/errors.ts";
import { Routes } from "../src/platform/http/routes.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { createMetrics, httpMetrics } from "../src/platform/telemetry/metrics.ts";
import { testDatabase } from "../src/platform/testing/database.ts";
import { sharingContract as contract } from "../src/services/users/contract-sharing.ts";
import { decideAccess } from "../src/services/users/sharing/decide-access.ts";
import { sharingRoutes } from "../src/services/users/sharing/routes.ts";
import type { Stage } from "./server.ts";
import { interleaved, type Row, rowsAgainst, timed } from "./measure.ts";

const DOCUMENTS = 20_000;
const FOLDERS = 1_000;
const USERS = 2_000;
const GROUPS = 200;
const SHARES = 100_000;
const SEEDED_AT_ONCE = 20_000;
const CHECKS = 300;
const BATCH = 500;

/** The seeded users, as the users service knows them. */
const userOf = (n: number) =>
  `${md5(`user${n}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

const QUERY = "one indexed SQL query";
const ONE = "POST check-access";

/**
 * Measures decisions with 100,000 shares, 20,000 documents in 1,000 folders and users in nested
 * groups, on an embedded database or that of DATABASE_URL: one decision against one indexed SQL
 * query, and 500 at once against one.
 */
export async function checkAccess({ rounds }: Pick<Stage, "rounds">): Promise<Row[]> {
  await using db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../src/services/users/migrations/", import.meta.url),
    log: silentLog(),
  });
  await seed(db);
  const routes = new Routes();
  sharingRoutes(routes, { db, maxShares: 1_000 });
  const nobody = () =>
    Promise.reject(new Unauthorized("credentials_required", "This is a benchmark."));
  const app = createApp({
    services: [{ name: "users", contract, routes }],
    auth: {
      accessToken: nobody,
      session: nobody,
      apiKey: nobody,
      flowKey: nobody,
      scimToken: nobody,
      mcpToken: nobody,
      agentToken: nobody,
      secretMatches: () => true,
    },
    metrics: httpMetrics(createMetrics()),
    log: silentLog(),
  });
  const viaContract = (request: Request) => {
    request.headers.set("x-platform-user-service-secret", "s");
    return app.fetch(request, {
      listener: "in-process",
      peer: "bench",
      trusted: true,
      isLocal: true,
    });
  };
  const [{ ids } = { ids: [] }] = await db.query<{ ids: string[] }>(
    sql`select array_agg(id order by resource_id) as ids from users.features where type = 'document'`,
  );
  let at = 0;
  const next = () => {
    at = (at + 7_919) % DOCUMENTS;
    return {
      at,
      userId: userOf(at % USERS),
      resource: { resourceType: "document" as const, resourceId: `document-${at}` },
    };
  };
  const many = () => Array.from({ length: BATCH }, () => next().resource);
  const measured = (count: number, work: () => Promise<unknown>) => async () => {
    const times: number[] = [];
    const seconds = await timed(count, 1, async () => {
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
    });
    times.sort((a, b) => a - b);
    return {
      "ms, mean": (seconds * 1_000) / count,
      "ms, p99": times[Math.floor(times.length * 0.99)] ?? Number.NaN,
      "checks a second, 16 at once":
        count / (await timed(count, 16, async () => void (await work()))),
    };
  };
  const query = (options?: { name: string }) => () => {
    const ask = next();
    const statement = sql`select access_role from users.shares
      where feature_id = ${ids[ask.at] ?? ""} and subject = ${`user:${ask.userId}`} and revoked_at is null`;
    return db.query(statement, options);
  };
  const figures = await interleaved(
    [
      { name: QUERY, run: measured(CHECKS, query()) },
      { name: "the same, prepared", run: measured(CHECKS, query({ name: "floor" })) },
      {
        name: "check-access, the decision",
        run: measured(CHECKS, () => {
          const ask = next();
          return decideAccess(db, ask.userId, [ask.resource]);
        }),
      },
      {
        name: ONE,
        run: measured(CHECKS, () => {
          const { userId, resource } = next();
          return call(viaContract, contract.checkAccess, { body: { ...resource, userId } });
        }),
      },
      {
        name: `a batch of ${BATCH}, the decision`,
        run: measured(CHECKS / 10, () => decideAccess(db, next().userId, many())),
      },
      {
        name: `POST check-access/batch of ${BATCH}`,
        run: measured(CHECKS / 10, () =>
          call(viaContract, contract.checkAccessBatch, {
            body: { userId: next().userId, resources: many() },
          }),
        ),
      },
    ],
    rounds,
  );
  const isOfMany = ({ name }: Row) => name.includes(String(BATCH));
  return [
    ...rowsAgainst(QUERY, figures).filter((row) => !isOfMany(row)),
    // the time of a batch counts, and a ratio of its second figure means nothing
    ...rowsAgainst(ONE, figures).filter(
      (row) => isOfMany(row) && row.figure === "ms, mean",
    ),
  ];
}

async function seed(db: Database): Promise<void> {
  // like a UUIDv7: the same number must always give the same id
  const id = (kind: string, n: ReturnType<typeof sql>) =>
    sql`md5(${kind} || ${n}::text)::uuid`;
  const n = sql`n`;
  await db.query(
    sql`insert into users.groups (id, name) select ${id("group", n)}, 'group ' || n from generate_series(0, ${GROUPS - 1}::int) n`,
  );
  // every tenth group contains the nine after it
  const above = sql`(n / 10 * 10)`;
  await db.query(sql`insert into users.group_groups (parent_id, child_id)
    select ${id("group", above)}, ${id("group", n)} from generate_series(0, ${GROUPS - 1}::int) n where n % 10 <> 0`);
  await db.query(sql`insert into users.group_closure (descendant_id, ancestor_id)
    select ${id("group", n)}, ${id("group", n)} from generate_series(0, ${GROUPS - 1}::int) n
    union select child_id, parent_id from users.group_groups`);
  const user = (of: ReturnType<typeof sql>) => id("user", of);
  await db.query(
    sql`insert into users.users (id, email, name) select ${user(n)}, n || '@bench.example', 'User ' || n from generate_series(0, ${USERS - 1}::int) n`,
  );
  await db.query(sql`insert into users.group_members (group_id, user_id)
    select ${id("group", sql`((n * 31 + turn * 77) % ${GROUPS}::int)`)}, ${user(n)}::text
    from generate_series(0, ${USERS - 1}::int) n, generate_series(0, 4) turn on conflict do nothing`);
  await db.query(sql`insert into users.features (id, type, resource_id, owner_id, ancestors)
    select ${id("folder", n)}, 'folder', 'folder-' || n, ${user(sql`(n * 13 % ${USERS}::int)`)}::text, array[${id("folder", n)}]
    from generate_series(0, ${FOLDERS - 1}::int) n`);
  const folder = id("folder", sql`(n % ${FOLDERS}::int)`);
  await db.query(sql`insert into users.features (id, type, resource_id, owner_id, parent_id, ancestors)
    select ${id("document", n)}, 'document', 'document-' || n, ${user(sql`(n * 17 % ${USERS}::int)`)}::text, ${folder}, array[${folder}, ${id("document", n)}]
    from generate_series(0, ${DOCUMENTS - 1}::int) n`);
  // a multiplicative generator, so that neighbours are shared with different users
  const spread = sql`(n::bigint * 48271 % 2147483647)`;
  // longer statements would be ended after a few seconds
  for (let from = 0; from < SHARES * 2; from += SEEDED_AT_ONCE)
    await db.query(sql`insert into users.shares (id, feature_id, subject_type, subject_id, access_role, granted_by_user_id)
    select ${id("share", n)}, case when n % 20 = 0 then ${id("folder", sql`(n / 20 % ${FOLDERS}::int)`)} else ${id("document", sql`(n % ${DOCUMENTS}::int)`)} end,
      case when n % 4 = 0 then 'group' else 'user' end,
      case when n % 4 = 0 then ${id("group", sql`(${spread} % ${GROUPS}::int)`)}::text else ${user(sql`(${spread} % ${USERS}::int)`)}::text end,
      (array['viewer', 'commenter', 'editor'])[n % 3 + 1], 'user-0'
    from generate_series(${from}::int, ${from + SEEDED_AT_ONCE - 1}::int) n on conflict do nothing`);
  const [count] = await db.query<{ shares: number }>(
    sql`select count(*)::int as shares from users.shares`,
  );
  if (!count || count.shares < SHARES)
    throw new Error(`only ${count?.shares} shares could be made`);
  await db.query(sql`analyze`);
}
