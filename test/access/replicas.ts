import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testServerUrl } from "../../src/platform/testing/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

export interface Replicas extends AsyncDisposable {
  servers: readonly [TestServer, ...TestServer[]];
}

/** Two replicas on one PostgreSQL, RabbitMQ and Redis where they run, otherwise one server. */
export async function startReplicas(env: Record<string, string>): Promise<Replicas> {
  const isShared = process.env["AMQP_URL"] && process.env["REDIS_URL"];
  const database = isShared ? await testServerUrl() : undefined;
  if (!database) {
    const server = await startTestServer(env);
    return {
      servers: [server],
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-replicas-"));
  const shared = {
    ...env,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    NAMESPACE: `replicas-${process.pid}`,
  };
  const one = await startTestServer(shared);
  const two = await startTestServer(shared);
  return {
    servers: [one, two],
    async [Symbol.asyncDispose]() {
      await two[Symbol.asyncDispose]();
      await one[Symbol.asyncDispose]();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
