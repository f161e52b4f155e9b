import { memoryCache } from "../../src/platform/cache/memory.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import type { ToolServer } from "../../src/services/tool-gateway/contract.ts";
import type { Gateway } from "../../src/services/tool-gateway/gateway.ts";
import {
  completeConnection,
  connectAccount,
  type ConnectionsDeps,
} from "../../src/services/tool-gateway/sign-in/connections.ts";
import { ownAddresses } from "../../src/services/tool-gateway/sign-in/find-client.ts";
import type { Reach } from "../../src/services/tool-gateway/sign-in/reach.ts";
import { entry, type gatewaysForTests, say } from "./gateways.ts";
import { agree } from "./memory-sign-ins.ts";
import { startProtectedServer } from "./protected-server.ts";
import { startToolServer } from "./tool-server.ts";

type Gateways = ReturnType<typeof gatewaysForTests>;

interface Options {
  /** Seconds that a token is good for. */
  lifetime?: number;
  oauth?: ToolServer["oauth"];
  reach?: Reach;
}

export const TIDES = "test://tides";
const { signal } = new AbortController();

/** A gateway before a server that signs its users in, which is called "safe". */
export async function openProtectedGateway(
  gateways: Gateways,
  { oauth, reach, ...options }: Options = {},
) {
  const tools = await startToolServer(
    { look: say("seen") },
    { unknownSession: 404, resources: { [TIDES]: "high" } },
  );
  const server = await startProtectedServer({ target: tools.url, ...options });
  const gateway = gateways.open();
  await gateway.configure([entry("safe", server, oauth ? { oauth } : {})]);
  const deps = depsOf(gateways, gateway, reach);
  return {
    tools,
    server,
    gateway,
    deps,
    connect: async (userId: string, lists = false, mayList = true) => {
      const { url } = await connectAccount(deps, { server: "safe", userId, lists }, signal);
      return completeConnection(deps, { userId, mayList }, await agree(url), signal);
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
    },
  };
}

function depsOf(
  { signIns }: Gateways,
  gateway: Gateway,
  reach = signIns.reach,
): ConnectionsDeps {
  const { store, values, leases } = signIns;
  return {
    gateway,
    store,
    values,
    reach,
    cache: memoryCache(),
    leases,
    log: silentLog(),
    own: ownAddresses("https://parlance.example"),
    announce: (name) => gateway.signedIn(name),
  };
}
