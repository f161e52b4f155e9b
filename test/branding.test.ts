import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1");
const change = (body: object) => ask("PATCH", "/app/branding", { body });
const app = async () => (await ask("GET", "/app", { token: null })).body;
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);

test("without branding the installation is called Parlance and looks as usual", async () => {
  expect(await app()).toMatchObject({
    name: "Parlance",
    branding: { name: null, accent: null, logo: null, notice: null },
  });
  expect((await ask("GET", "/app/logo", { token: null })).status).toBe(404);
});

test("name, colour, logo and notice are shown to everybody, and each goes back to the usual", async () => {
  const notice = { text: "Maintenance on Sunday", until: "2100-01-01T00:00:00Z" };
  const changed = await change({
    name: "Acme Assistant",
    accent: "#7a2048",
    logo: PNG.toString("base64"),
    notice,
  });
  expect(changed.status).toBe(200);
  const shown = await app();
  expect(shown).toMatchObject({
    name: "Acme Assistant",
    branding: { accent: "#7a2048", notice: { text: notice.text } },
  });
  const { logo: address } = shown["branding"] as unknown as { logo: string };
  const logo = await fetch(`${parlance.url}${address}`);
  expect(logo.headers.get("content-type")).toBe("image/png");
  expect(logo.headers.get("x-content-type-options")).toBe("nosniff");
  expect(Buffer.from(await logo.arrayBuffer())).toEqual(PNG);

  await change({ logo: null, name: null });
  expect(await app()).toMatchObject({
    name: "Parlance",
    branding: { logo: null, accent: "#7a2048", notice: { text: notice.text } },
  });
});

test("a misspelt field is refused by its name, and changes nothing", async () => {
  const refused = await change({ name: "Misspelt", acent: "#7a2048" });
  expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
  expect(JSON.stringify(refused.body)).toContain("acent");
  expect((await app())["name"]).not.toBe("Misspelt");
});

test("a notice disappears when its time is over", async () => {
  await change({ notice: { text: "Over", until: "2020-01-01T00:00:00Z" } });
  expect(await app()).toMatchObject({ branding: { notice: null } });
});

test("only pictures that hold no script, of a bounded size, and colours are accepted", async () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const svg = base64(
    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
  );
  expect((await change({ logo: svg })).body).toMatchObject({ code: "logo_unreadable" });
  const large = Buffer.concat([PNG, Buffer.alloc(200_000)]).toString("base64");
  expect((await change({ logo: large })).status).toBe(400);
  for (const accent of ["red", "#fff", "#12345g", "url(x)"])
    expect((await change({ accent })).status).toBe(400);
});

test("a change is in the audit log, without the picture", async () => {
  await change({ name: "Audited" });
  const { body } = await ask("GET", "/audit?action=branding.changed");
  expect(body["items"]).toContainEqual(
    expect.objectContaining({ details: expect.objectContaining({ name: "Audited" }) }),
  );
  expect(JSON.stringify(body)).not.toContain(PNG.toString("base64"));
});
