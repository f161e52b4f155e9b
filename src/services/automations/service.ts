import { z } from "zod";
import { defineService } from "../../platform/service.ts";
import { automationsContract } from "./contract.ts";
import { automationRoutes } from "./routes.ts";
import { createRuleMatcher } from "./rule-matcher.ts";

export default defineService({
  name: "automations",
  port: 4006,
  contract: automationsContract,
  config: z.object({}),
  migrations: new URL("./migrations/", import.meta.url),
  siblings: ["core"],
  async create({ db, cache, sibling }) {
    const matcher = await createRuleMatcher(db, cache);
    return {
      routes: automationRoutes({ db, core: sibling("core"), matcher }),
      close: () => Promise.resolve(matcher[Symbol.asyncDispose]()),
    };
  },
});
