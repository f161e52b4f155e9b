import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadServices } from "../../src/server/services.ts";
import { serverContract } from "../../src/server/contract.ts";
import type { admit } from "../../src/platform/http/access.ts";
import type { Caller } from "../../src/platform/http/caller.ts";
import type {
  Access,
  AnyRoute,
  Contract,
  SecretName,
} from "../../src/platform/http/route.ts";
import type { SigningKeys } from "../../src/services/users/sign-in/signing-keys.ts";
import type { decideAccess } from "../../src/services/users/sharing/decide-access.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "../support/fake-langflow/start-fake-langflow.ts";
import {
  AGENT_SECRET,
  type Credential,
  credentialsOf,
  secretHeader,
  SECRETS,
} from "./credentials.ts";
import { filledFields, idFieldsOf } from "./id-fields.ts";
import { forgedIn, PROTECTED, unknownTo, withForged } from "./forged.ts";
import { inventing, type Outcome, send, withoutIds, wrongWith } from "./judge.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import {
  alike,
  type Answer,
  type Asked,
  type Case,
  PEOPLE,
  type Person,
  type Row,
} from "./row.ts";
import { ROWS } from "./rows/all.ts";
import { DEFENCES, off, switchable, without } from "./switches.ts";
import { createWorld, type World } from "./world.ts";
import { held } from "../support/held.ts";

/**
 * Tests every route of every service with every kind of caller and credential. A route without a
 * row fails, and a row fails unless it detects that its defence is off. On PostgreSQL, RabbitMQ and
 * Redis two replicas answer in turn. The servers restart after the first half of the routes.
 */

// the parts of the server that can be switched off
const kept = vi.hoisted(() => ({
  signing: undefined as SigningKeys | undefined,
  admitted: "",
  identity: "",
}));
vi.mock("../../src/services/users/sign-in/signing-keys.ts", async (original) => {
  const actual =
    await original<typeof import("../../src/services/users/sign-in/signing-keys.ts")>();
  const loadSigningKeys = async (...given: Parameters<typeof actual.loadSigningKeys>) =>
    (kept.signing = await actual.loadSigningKeys(...given));
  return { ...actual, loadSigningKeys };
});
vi.mock("../../src/services/users/sharing/decide-access.ts", async (original) => {
  const actual = await original<{ decideAccess: typeof decideAccess }>();
  const decide: typeof decideAccess = async (db, userId, resources) =>
    off.decision
      ? resources.map(() => "owner")
      : actual.decideAccess(db, userId, resources);
  return { ...actual, decideAccess: decide };
});
vi.mock("../../src/platform/db/open-database.ts", async (original) => {
  const actual = await original<typeof import("../../src/platform/db/open-database.ts")>();
  const openDatabase = async (...given: Parameters<typeof actual.openDatabase>) =>
    switchable(await actual.openDatabase(...given));
  return { ...actual, openDatabase };
});
vi.mock("../../src/platform/http/access.ts", async (original) => {
  const actual = await original<{ admit: typeof admit }>();
  const admitted: typeof admit = async (route, request, connection, auth) => {
    const isOfProviders = [route.access].flat().includes("scim-token");
    if (off.listener && connection.listener === "public" && isOfProviders)
      return { kind: "scim", tokenId: kept.admitted, clientId: "default" };
    if (off.listener && connection.listener === "public")
      return [route.access]
        .flat()
        .some((way) =>
          ["jwt", "session", "admin", "operator", "key", "internal"].includes(way),
        )
        ? {
            kind: "user",
            via: "jwt",
            userId: kept.admitted,
            email: "",
            name: "",
            roles: ["user", "admin"],
            clientId: "default",
            isOfOperator: true,
          }
        : { kind: "service" };
    const caller = await actual.admit(route, request, connection, auth);
    if (caller.kind !== "user") return caller;
    if (off.identity) return { ...caller, userId: kept.identity, clientId: "default" };
    return off.roles ? { ...caller, roles: [...caller.roles, "admin"] } : caller;
  };
  return { ...actual, admit: admitted };
});
vi.mock("../../src/platform/http/caller.ts", async (original) => {
  const actual = await original<typeof import("../../src/platform/http/caller.ts")>();
  return {
    ...actual,
    isAdmin: (caller: Caller) => off.roles || actual.isAdmin(caller),
    isOperator: (caller: Caller) => off.roles || actual.isOperator(caller),
  };
});

const definitions = await loadServices();
const contracts: [string, Contract][] = [
  ...definitions.map(({ name, contract }): [string, Contract] => [name, contract]),
  ["server", serverContract],
];
const routes = contracts.flatMap(([service, contract]) =>
  Object.entries(contract).map(([name, route]) => ({
    service,
    name,
    route,
    row: ROWS[service]?.[name],
  })),
);
const titled = routes.map(
  (one) =>
    [
      `${one.service}.${one.name}: ${one.route.method.toUpperCase()} ${one.route.path}`,
      one,
    ] as const,
);

let world: World;
let credentials: Credential[];
let langflow: FakeLangflow;
let replicas: Replicas;
beforeAll(async () => {
  langflow = await startFakeLangflow();
  replicas = await startReplicas({
    // the tokens of all callers are valid until the end
    ACCESS_TOKEN_TTL: "86400000",
    CONFIRMATION_TTL: "86400000",
    // all requests come from here, so guess limits would refuse every caller
    SIGN_IN_NETWORK_LIMIT: "1000",
    SERVICE_SECRET: SECRETS["service-secret"],
    MCP_SERVICE_SECRET: SECRETS["mcp-secret"],
    COMPLETION_SERVICE_SECRET: SECRETS["completion-secret"],
    USER_SERVICE_SECRET: SECRETS["user-secret"],
    AGENT_JWT_SECRET: AGENT_SECRET,
    FLOWENGINE_BASE_URL: langflow.url,
    FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
  });
  const signing = () => {
    if (!kept.signing) throw new Error("the server has made no signing key");
    return kept.signing;
  };
  world = await createWorld(replicas.servers, signing, SECRETS["user-secret"]);
  credentials = await credentialsOf(world);
  kept.admitted = world.people.owner.id;
});
afterAll(async () => {
  await replicas[Symbol.asyncDispose]();
  await langflow[Symbol.asyncDispose]();
});

const waysOf = (access: Row["access"]): readonly Access[] =>
  typeof access === "string" ? [access] : access;
const OF_USERS: readonly Access[] = ["jwt", "session", "key", "internal", "agent-jwt"];
/** Also what anybody on this machine may read of a PORT that only this machine reaches. */
const isPublic = (row: Row) =>
  waysOf(row.access).some((way) => way === "public" || way === "local");

test.each(titled)("%s has a row", (_, { service, name, route, row }) => {
  const advice = `Add to a file of test/access/rows (${service}*.ts) what everybody gets of it:
  ${name}: { access: ${JSON.stringify(route.access)}, cases: { it: { ask: async (world) => ({ … }), answers: from("viewer") } } },
row.ts says what the answers mean; world.ts makes things to ask for.`;
  if (!row)
    throw new Error(`${route.method.toUpperCase()} ${route.path} has no row. ${advice}`);
  expect(waysOf(row.access), "the row says otherwise who may call it").toEqual(
    waysOf(route.access),
  );
});

test("every row is about an existing route", () => {
  const known = new Set(routes.map(({ service, name }) => `${service}.${name}`));
  const rows = Object.entries(ROWS).flatMap(([service, of]) =>
    Object.keys(of).map((name) => `${service}.${name}`),
  );
  expect(rows.filter((name) => !known.has(name))).toEqual([]);
});

/** The request of each case: all callers share its resource until it is used up. */
const things = new Map<Case, Promise<Asked>>();
function take(of: Case): Promise<Asked> {
  const asked = things.get(of) ?? Promise.resolve(of.ask(world));
  things.set(of, asked);
  return asked;
}

async function ask(
  of: Case,
  route: AnyRoute,
  headers: Record<string, string>,
): Promise<Outcome> {
  const answer = await send(world, route, await take(of), headers);
  if (of.once && answer.status < 400) things.delete(of);
  return answer;
}

/** @returns what is wrong with the answer: one line or none. */
async function judge(
  of: Case,
  route: AnyRoute,
  who: { name: string; headers: Record<string, string>; expected: Answer },
) {
  const { mark } = await take(of);
  const problem = wrongWith(await ask(of, route, who.headers), who.expected, mark);
  return problem === undefined ? [] : [`${who.name} ${problem}`];
}

function refuse(wrong: string[]): void {
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

const declared = (schema: unknown, name: string) =>
  typeof schema === "object" &&
  schema !== null &&
  "shape" in schema &&
  name in (schema.shape as object); // of a zod object
const fieldsIn = ({ status, text }: Outcome): Record<string, unknown> =>
  status < 300 && text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {}; // an object
const asPerson = (person: Person) => ({
  authorization: `Bearer ${world.people[person].token}`,
});
const isRefusal = (answer: Answer) =>
  answer === "without it" || Number.parseInt(String(answer), 10) >= 400;
/** Whether a caller with more rights gets another answer than one with fewer. */
const differs = ({ answers }: Case, refused: Person, other: Person) =>
  answers[refused] !== answers[other];

const half = Math.ceil(titled.length / 2);
testRoutes(titled.slice(0, half));

describe("after a restart", () => {
  beforeAll(async () => {
    for (const server of replicas.servers) await server.restart();
  }, 120_000);

  const cases = titled
    .slice(0, half)
    .flatMap(([title, { route, row }]) =>
      Object.entries(row?.cases ?? {}).map(
        ([name, one]) => [title, name, one, route] as const,
      ),
    );
  test.each(cases)("%s still refuses others: %s", async (_, __, one, route) => {
    const asked = await things.get(one);
    if (!asked) return;
    const others = (["foreigner", "foreignAdmin", "stranger"] as const).filter(
      (who) => Number.parseInt(String(one.answers[who]), 10) >= 400,
    );
    const wrong: string[] = [];
    for (const who of others) {
      const { status, text } = await send(world, route, asked, asPerson(who));
      const isTold = asked.mark !== undefined && text.includes(asked.mark);
      if (status < 400 || isTold) wrong.push(`${who} got ${status}: ${text.slice(0, 300)}`);
    }
    refuse(wrong);
    held("object-access", others.length);
  });
});

// people and credentials were made, and revoked, before the restart
testRoutes(titled.slice(half));

function testRoutes(some: typeof titled): void {
  describe.each(some)("%s", (_, { route, row }) => testRoute(route, row));
}

function testRoute(route: AnyRoute, row: Row | undefined): void {
  if (!row) return;
  const cases = Object.entries(row.cases);
  const access = waysOf(row.access);

  test.each(cases)("answers every caller as it should: %s", async (__, one) => {
    const wrong: string[] = [];
    for (const name of PEOPLE) {
      const who = { name, headers: asPerson(name), expected: one.answers[name] };
      wrong.push(...(await judge(one, route, who)));
    }
    refuse(wrong);
    held("object-access", PEOPLE.length);
  });

  const trusted = access.find((way): way is SecretName => way in SECRETS);
  test.skipIf(!trusted).each(cases)(
    "answers a service as it should: %s",
    async (__, one) => {
      if (!trusted) return;
      refuse(
        await judge(one, route, {
          name: `the ${trusted}`,
          headers: secretHeader(trusted),
          expected: one.service ?? "yes",
        }),
      );
    },
  );

  test.each(cases)(
    "answers a stranger as if the resource did not exist: %s",
    async (__, one) => {
      const answer = String(one.answers.stranger);
      if (!isRefusal(one.answers.stranger) || answer === "without it" || answer === "401")
        return;
      const asked = await take(one);
      const people = Object.values(world.people).map(({ id }) => id);
      const { asked: absent, ids } = inventing(asked, [
        ...people,
        ...(asked.everybodys ?? []),
      ]);
      const resultOf = async (of: Asked) =>
        withoutIds(await send(world, route, of, asPerson("stranger")), ids);
      expect(await resultOf(asked)).toEqual(await resultOf(absent));
    },
  );

  test.skipIf(isPublic(row))(
    "accepts the credentials that it should and no others",
    async () => {
      const one: Case = cases[0]?.[1] ?? { ask: () => ({}), answers: alike() };
      const wrong: string[] = [];
      let tried = 0;
      for (const { name, headers, on } of credentials) {
        const verdict = on(route, access);
        if (row.untried && typeof verdict === "string") continue;
        const owners = /API key|client of MCP/.test(name)
          ? (one.key ?? one.answers.owner)
          : one.answers.owner;
        const accepted = verdict === "as the owner" ? owners : (one.service ?? "yes");
        const expected = typeof verdict === "number" ? verdict : accepted;
        wrong.push(...(await judge(one, route, { name, headers, expected })));
        tried += 1;
      }
      refuse(wrong);
      held("one-verifier", tried);
    },
  );

  test("says for every identifying field what another user's id results in", async () => {
    if (!access.some((way) => OF_USERS.includes(way))) return; // services and administrators are trusted with names
    const judged = new Set<string>();
    for (const [, one] of cases) {
      const othersLearnLess = PEOPLE.some(
        (person) => isRefusal(one.answers[person]) && differs(one, person, "owner"),
      );
      if (othersLearnLess)
        for (const field of filledFields(await take(one))) judged.add(field);
    }
    const left = idFieldsOf(route).filter(
      (field) => !judged.has(field) && !(field in (row.harmless ?? {})),
    );
    const advice =
      "Add a case in which a stranger names the owner's thing there, or say in `harmless` why none is needed";
    if (left.length > 0) throw new Error(`${advice}: ${left.join(", ")}`);
  });

  const [, changed] =
    route.method === "put" || route.method === "patch" ? (cases[0] ?? []) : [];
  const changer = changed && PEOPLE.findLast((who) => !isRefusal(changed.answers[who]));
  test.skipIf(!changed || !changer || changed.once)(
    "changes nothing that the request has no field for",
    async () => {
      if (!changed || !changer) return;
      const asked = await take(changed);
      const { body } = asked;
      if (typeof body !== "object" || body === null) return;
      const names = PROTECTED.filter(
        (name) => !(name in body) && !declared(route.body, name),
      );
      // as JSON, since an object literal has no own field of the first name
      const foreign = `"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${names.map((name) => `"${name}":"forged"`).join(",")}`;
      const raw = JSON.stringify(body).replace(
        /^\{/,
        `{${foreign}${Object.keys(body).length > 0 ? "," : ""}`,
      );
      const before = fieldsIn(await send(world, route, asked, asPerson(changer)));
      const forged = await send(world, route, { ...asked, raw }, asPerson(changer));
      // where such a name is refused, what is there says that nothing came of it
      const after = fieldsIn(
        forged.status === 400 ? await send(world, route, asked, asPerson(changer)) : forged,
      );
      const ours = names.filter((name) => name in before);
      expect(ours.map((name) => [name, after[name]])).toEqual(
        ours.map((name) => [name, before[name]]),
      );
      const deep = fieldsIn(
        await send(
          world,
          route,
          { ...asked, raw: withForged(body, unknownTo(route)) },
          asPerson(changer),
        ),
      );
      expect(forgedIn(before, deep)).toEqual([]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
      held("mass-assignment", names.length);
    },
  );

  test.skipIf(isPublic(row))(
    "fails when the public listener admits strangers",
    async () => {
      const [, one] = cases[0] ?? [];
      if (!one) return;
      await take(one);
      const answer = await without(["listener"], () => ask(one, route, {}));
      expect(wrongWith(answer, 401, undefined), "nobody should be refused").toBeDefined();
    },
  );

  test.each(cases)("notices when its defence is off: %s", async (__, one) => {
    // callers of another tenant last, because several defences apply to them
    const refused = [...PEOPLE.slice(2), ...PEOPLE.slice(0, 2)].find(
      (who) =>
        isRefusal(one.answers[who]) && PEOPLE.some((other) => differs(one, who, other)),
    );
    if (!refused) return; // the same for everybody: there is nothing to defend
    kept.identity =
      world.people[PEOPLE.find((other) => differs(one, refused, other)) ?? "owner"].id;
    const noticed: string[] = [];
    for (const defences of one.defence ? ([[one.defence]] as const) : DEFENCES) {
      // an attempt may have changed the resource, whatever the answer
      if (one.once) things.delete(one);
      const { mark } = await take(one);
      const answer = await without(defences, () => ask(one, route, asPerson(refused)));
      if (wrongWith(answer, one.answers[refused], mark))
        noticed.push(defences.join(" and "));
    }
    expect(
      noticed,
      `no defence that is switched off changes what a ${refused} gets`,
    ).not.toEqual([]);
  });
}
