import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyRoute } from "../src/platform/http/route.ts";
import { loadServices } from "../src/server/services.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { proxiesAreThere, proxyKinds, startProxy } from "./support/proxy.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** Real proxies in front of the server, with common configurations. */
const definitions = await loadServices();
const routes = definitions.flatMap(({ contract }): AnyRoute[] => Object.values(contract));
const betweenServices = routes.filter(({ access }) => [access].flat().includes("internal"));

/** The status without a credential, with any Host header. */
function asked(url: string, { method, path }: AnyRoute, host?: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const message = JSON.stringify({
    model: "offline/offline",
    messages: [{ role: "user", content: "hello" }],
  });
  const body = method === "get" ? "" : message;
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        hostname,
        port,
        path: path.replace(/:\w+/g, "00000000-0000-7000-8000-000000000000"),
        method: method.toUpperCase(),
        headers: {
          "content-type": "application/json",
          // Node sends the body of a DELETE without a length, which a proxy reads as another
          // request
          "content-length": body.length,
          ...(host !== undefined && { host }),
        },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asking.on("error", reject).end(body);
  });
}

describe.runIf(proxiesAreThere)("behind a real proxy", () => {
  let provider: ScriptedProvider;
  let here: TestServer;
  beforeAll(async () => {
    provider = await startScriptedProvider();
    here = await startTestServer(settingsOf(provider));
  }, 60_000);
  afterAll(async () => {
    await here[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const portOf = (url: string) => Number(new URL(url).port);

  test.each(proxyKinds)(
    "%s, undeclared: strangers get nothing of the routes between services",
    async (kind) => {
      expect(betweenServices.length).toBeGreaterThan(3);
      await using proxy = await startProxy(kind, portOf(here.url));
      for (const host of ["parlance.example", "localhost", undefined])
        for (const route of betweenServices)
          expect([route.path, host, await asked(proxy.url, route, host)]).toEqual([
            route.path,
            host,
            401,
          ]);
    },
  );

  test("every proxy passes on the events of a reply as they are made", async () => {
    provider.answer(() => ({ text: ["first", "never"], fault: "stall", faultAfter: 1 }));
    for (const kind of proxyKinds) {
      await using proxy = await startProxy(kind, portOf(here.url));
      const leave = new AbortController();
      const response = await fetch(`${proxy.url}/api/v1/conversation`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${here.token}`,
        },
        body: JSON.stringify({ content: "hello", model: "openai/gpt-test" }),
        signal: leave.signal,
      });
      expect([kind, response.status]).toEqual([kind, 200]);
      let read = "";
      // a buffering proxy would never show any, because the reply does not end
      for await (const chunk of response.body ?? []) {
        read += Buffer.from(chunk).toString();
        if (read.includes("first")) break;
      }
      expect([kind, read]).toEqual([kind, expect.stringContaining("event: text_delta")]);
      leave.abort();
    }
  });
});
