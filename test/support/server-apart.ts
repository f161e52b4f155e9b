import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { startNginx } from "./proxy.ts";
import { clientOf, type TestServer } from "./server.ts";
import { startServicesApart } from "./services-apart.ts";

/**
 * The server of a test as a cluster runs it: every service in its own process, on the servers of
 * DATABASE_URL, AMQP_URL and REDIS_URL, behind nginx with deploy/nginx.conf.
 */
export async function startServerApart(
  env: Record<string, string> = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-apart-"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const services = await startServicesApart(dataDir, port, {
    OUTGOING_ALLOW: "127.0.0.0/8",
    SHUTDOWN_TIMEOUT: "2000",
    USER_STREAM_LIMIT: "1000",
    ...env,
  });
  opened.use(services);
  const { url } = opened.use(await startNginx(port, await services.nginxConfig()));
  const client = await clientOf(() => url);
  const running = opened.move();
  return {
    url,
    internalUrl: "",
    dataDir,
    ...client,
    // the service that writes replies and serves the pages
    restart: () => services.restart("core"),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
