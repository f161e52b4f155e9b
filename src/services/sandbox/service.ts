import { join } from "node:path";
import { defineService } from "../../platform/service.ts";
import { sandboxConfig } from "./config.ts";
import { sandboxContract } from "./contract.ts";
import { openSandbox } from "./open-sandbox.ts";
import { sandboxRoutes } from "./routes.ts";

/** Runs people's code in isolated processes. No process runs until code does. */
export default defineService({
  name: "sandbox",
  port: 4000,
  contract: sandboxContract,
  config: sandboxConfig,
  uses: ["documents"],
  async prepare() {
    const { preparePyodide } = await import("./engines/pyodide.ts");
    await preparePyodide();
  },
  async create({ config, dataDir, files, peer, hasPeer }) {
    const sandbox = openSandbox({ config, folder: join(dataDir, "sandbox") });
    const documents = hasPeer("documents") ? peer("documents") : undefined;
    return {
      routes: sandboxRoutes({ sandbox, files, documents }),
      close: () => sandbox[Symbol.asyncDispose](),
    };
  },
});
