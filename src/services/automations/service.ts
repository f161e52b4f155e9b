import { forwardChanges } from "../../platform/changes/publish-changes.ts";
import { Routes } from "../../platform/http/routes.ts";
import { defineService } from "../../platform/service.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { automationsConfig } from "./config.ts";
import { automationsContract } from "./contract.ts";
import { automationJobs, createWorkLoops, DUE_CHANGES } from "./jobs.ts";
import { createParts } from "./parts.ts";
import { ruleRoutes } from "./routes.ts";
import { runRoutes } from "./runs/routes.ts";
import { CHANGES, findOwners } from "./runs/store.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { sourceRoutes } from "./sources/routes.ts";
import { forgetUser, personalData } from "./user-deletion.ts";
export default defineService({
  name: "automations",
  port: 4006,
  contract: automationsContract,
  config: automationsConfig,
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["core", "users"],
  uses: ["documents", "completion"],
  encrypts: true,
  async create(context) {
    const { config, db, cache } = context;
    const parts = await createParts(context);
    const routes = new Routes();
    runRoutes(routes, parts);
    scheduleRoutes(routes, parts);
    sourceRoutes(routes, parts);
    ruleRoutes(routes, parts);
    routes.on(automationsContract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    );
    const loops = createWorkLoops(parts, {
      agentsAtOnce: config.AUTOMATION_AGENTS_AT_ONCE,
    });
    const workLoops = [loops.readings, loops.steps, loops.sources];
    return {
      routes,
      workLoops,
      subscriptions: [
        {
          channel: CHANGES,
          onNotification: () => workLoops.forEach((loop) => loop.wake()),
        },
        { channel: DUE_CHANGES, onNotification: loops.due.wake, onGap: loops.due.wake },
        forwardChanges(cache, CHANGES, "run", (ids) => findOwners(db, ids)),
      ],
      consumers: [
        confirmedConsumer({
          ...deletionsFor("automations", () => context.peer("users")),
          handle: (deletion) => forgetUser(parts, deletion),
        }),
      ],
      jobs: automationJobs(parts, loops, config.AUTOMATION_RUN_RETENTION),
      close: () => parts.matcher[Symbol.asyncDispose](),
    };
  },
});
