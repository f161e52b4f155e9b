import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

let parlance: TestServer;
const PASSWORD = "a long enough password";
const MAX_TEMPLATES = 3;
/** Tries of what depends on the order of concurrent requests. */
const ROUNDS = 10;
interface Person {
  id: string;
  token: string;
}
let ada: Person;
let bob: Person;
beforeAll(async () => {
  parlance = await startTestServer({ TEMPLATES_PER_USER: String(MAX_TEMPLATES) });
  ada = await createPerson("Ada");
  bob = await createPerson("Bob");
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "");
async function createPerson(name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@test.example`;
  const { body } = await ask("POST", "/api/v1/users", {
    body: { email, name, password: PASSWORD },
  });
  return { id: body.id, token: await parlance.signIn(email, PASSWORD) };
}
const createTemplate = async ({ token }: Person, name: string) => {
  const { body } = await ask("POST", "/api/v1/templates", {
    body: {
      name,
      content: "Write about {{topic}}.",
      variables: [{ name: "topic", label: "Topic" }],
    },
    token,
  });
  return body;
};
const share = (template: string, { id }: Person, accessRole: string, { token }: Person) =>
  ask("POST", "/api/v1/sharing/share", {
    body: {
      resourceType: "template",
      resourceId: template,
      shares: [{ subjectType: "user", subjectId: id, accessRole }],
    },
    token,
  });
const listPersonal = async ({ token }: Person) =>
  (await ask("GET", "/api/v1/templates?scope=personal&limit=100", { token })).body;

test("a personal template belongs to its owner until it is shared, and lists name the owner", async () => {
  const template = await createTemplate(ada, "Essay");
  expect(template).toMatchObject({ scope: "personal", ownerId: ada.id, role: "owner" });
  const path = `/api/v1/templates/${template.id}`;
  expect((await ask("GET", path, { token: bob.token })).body.code).toBe(
    "template_not_found",
  );
  expect((await listPersonal(bob)).items).toEqual([]);

  await share(template.id, bob, "viewer", ada);
  const { items, total } = await listPersonal(bob);
  expect(items).toMatchObject([{ id: template.id, ownerName: "Ada", role: "viewer" }]);
  expect(total).toBe(1);
  const filled = await ask("POST", `${path}/fill`, {
    body: { values: { topic: "rain" } },
    token: bob.token,
  });
  expect(filled.body["text"]).toBe("Write about rain.");
  const change = { body: { name: "Changed" }, token: bob.token };
  expect((await ask("PATCH", path, change)).body.code).toBe("template_read_only");

  await share(template.id, bob, "editor", ada);
  expect((await ask("PATCH", path, change)).body["name"]).toBe("Changed");
  expect((await ask("DELETE", path, { token: bob.token })).status).toBe(403);
  expect((await ask("DELETE", path, { token: ada.token })).status).toBe(204);
  expect((await listPersonal(bob)).items).toEqual([]);
});

test("administrators create templates of the organisation unless they request a personal one", async () => {
  const content = "text";
  const { body: shared } = await ask("POST", "/api/v1/templates", {
    body: { name: "A", content },
  });
  expect(shared).toMatchObject({ scope: "organization", ownerId: null, ownerName: null });
  const seen = await ask("GET", `/api/v1/templates/${shared.id}`, { token: bob.token });
  expect(seen.body).toMatchObject({ scope: "organization", role: "viewer" });
  const personal = { name: "B", content, scope: "personal" };
  const { body: own } = await ask("POST", "/api/v1/templates", { body: personal });
  expect(own).toMatchObject({ scope: "personal", role: "owner" });
  expect(
    (await ask("GET", `/api/v1/templates/${own.id}`, { token: bob.token })).status,
  ).toBe(404);
});

test("only the holder of the lock changes a locked template", async () => {
  const template = await createTemplate(ada, "Locked");
  await share(template.id, bob, "editor", ada);
  const lock = `/api/v1/sharing/locks/template/${template.id}`;
  expect((await ask("POST", lock, { token: ada.token })).status).toBe(201);
  const path = `/api/v1/templates/${template.id}`;
  const change = (person: Person) =>
    ask("PATCH", path, { body: { name: "New" }, token: person.token });
  expect((await change(bob)).status).toBe(423);
  expect((await change(ada)).status).toBe(200);
});

test("a template that is changed while it is deleted stays deleted", async () => {
  const token = ada.token;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await createTemplate(ada, `Deleted ${round}`);
    const path = `/api/v1/templates/${id}`;
    const changes = Array.from({ length: 4 }, () =>
      ask("PATCH", path, { body: { name: "New" }, token }),
    );
    const answers = await Promise.all([...changes, ask("DELETE", path, { token })]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual(
      [],
    );
    expect((await ask("GET", path, { token })).status).toBe(404);
  }
});

test("concurrent changes of a template's fields all stay", async () => {
  const { id } = await createTemplate(ada, "Both");
  const path = `/api/v1/templates/${id}`;
  const change = (body: object) => ask("PATCH", path, { body, token: ada.token });
  for (let round = 0; round < ROUNDS; round += 1) {
    const changed = { name: `N${round}`, description: `D${round}` };
    await Promise.all([
      change({ name: changed.name }),
      change({ description: changed.description }),
    ]);
    expect((await ask("GET", path, { token: ada.token })).body).toMatchObject(changed);
  }
  await ask("DELETE", path, { token: ada.token });
});

test("a user has a limited number of templates, and a deleted user's go to the recipient", async () => {
  const carol = await createPerson("Carol");
  for (let count = 0; count < MAX_TEMPLATES; count += 1)
    await createTemplate(carol, `T${count}`);
  expect(await createTemplate(carol, "too many")).toMatchObject({
    code: "too_many_templates",
  });
  await ask("DELETE", `/api/v1/users/${carol.id}?transferTo=${bob.id}`);
  await expect
    .poll(
      async () =>
        (await listPersonal(bob)).items.filter(({ role }) => role === "owner").length,
      {
        timeout: 90_000,
      },
    )
    .toBe(MAX_TEMPLATES);
});
