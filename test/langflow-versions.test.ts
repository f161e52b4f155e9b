import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutgoing } from "../src/platform/outgoing/open-outgoing.ts";
import type { Outgoing } from "../src/platform/outgoing/outgoing.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { langflow } from "../src/services/integrations/providers/langflow/provider.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "./support/fake-langflow/start-fake-langflow.ts";

let fake: FakeLangflow;
let outgoing: Outgoing;
beforeAll(async () => {
  fake = await startFakeLangflow();
  outgoing = openOutgoing({ allow: ["127.0.0.0/8"], own: () => [] });
});
afterAll(async () => {
  await outgoing[Symbol.asyncDispose]();
  await fake[Symbol.asyncDispose]();
});

const SAFE = { version: "1.10.1", package: "Langflow", autoLogin: false };
/** A new adapter, because each caches what it saw for a minute. */
const open = (change: object, adminKey = LANGFLOW_ADMIN_KEY) => {
  Object.assign(fake.settings, SAFE, change);
  const config = langflow.config.parse({
    FLOWENGINE_BASE_URL: fake.url,
    FLOWENGINE_ADMIN_API_KEY: adminKey,
  });
  const users = () => Promise.reject(new Error("nothing is kept"));
  const provider = langflow.open(config, { outgoing, log: silentLog(), users });
  if (!provider) throw new Error("it is configured");
  return provider;
};
const create = (provider: ReturnType<typeof open>) =>
  provider.users.create("parlance-anne", "a password", AbortSignal.timeout(60_000));

test.each([
  [{ version: "0.9.0", package: "Langflow Base" }, /Langflow 0\.9\.0 is refused/],
  [{ version: "1.9.1" }, /Langflow 1\.9\.1 is refused/],
  [{ version: "1.10.0" }, /Langflow 1\.10\.0 is refused/],
  [{ version: "1.10.1.dev3" }, /Langflow 1\.10\.1\.dev3 is refused/],
  [{ version: "1.10.1rc1" }, /Langflow 1\.10\.1rc1 is refused/],
  [{ version: "0.10.1.dev0", package: "Langflow Base" }, /is refused/],
  [{ version: "1.8.4" }, /Langflow 1\.8\.4 is refused/],
  [{ version: "unknown" }, /is refused/],
  [{ autoLogin: true }, /LANGFLOW_AUTO_LOGIN=false/],
])(
  "a server with %o is refused with the reason, before anything is sent to it",
  async (change, reason) => {
    const provider = open(change);
    await expect(provider.check()).rejects.toMatchObject({
      code: "provider_refused",
      message: expect.stringMatching(reason) as string,
    });
    await expect(create(provider)).rejects.toMatchObject({ code: "provider_refused" });
    expect(fake.state.users).toHaveLength(1);
  },
);

test.each([
  { version: "1.10.1" },
  { version: "1.10.1.post1" },
  { version: "1.10.3" },
  { version: "0.10.3", package: "Langflow Base" },
  { version: "1.13.0", package: "Langflow Base" },
  { version: "2.0.0.dev1", package: "Langflow Nightly" },
])("a server with %o is taken", async (change) => {
  expect(await open(change).check()).toMatchObject({ version: change.version });
});

test("a key that is not a superuser's is reported as the operator's mistake", async () => {
  await expect(create(open({}, "a key of nobody there"))).rejects.toMatchObject({
    code: "provider_admin_key_refused",
  });
});

test("without an address or a key there is no provider", () => {
  const deps = {
    outgoing,
    log: silentLog(),
    users: () => Promise.reject(new Error("nothing is kept")),
  };
  const address = { FLOWENGINE_BASE_URL: fake.url };
  const key = { FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY };
  for (const env of [{}, address, key])
    expect(langflow.open(langflow.config.parse(env), deps)).toBeUndefined();
});
