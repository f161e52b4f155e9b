import { forwardChanges } from "../../platform/changes/publish-changes.ts";
import { Routes } from "../../platform/http/routes.ts";
import { defineService } from "../../platform/service.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { automationsConfig } from "./config.ts";
import { automationsContract } from "./contract.ts";
import { automationJobs, createWorkLoops, DUE_CHANGES } from "./jobs.ts";
import { createDependencies } from "./dependencies.ts";
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
    const deps = await createDependencies(context);
    const routes = new Routes();
    runRoutes(routes, deps);
    scheduleRoutes(routes, deps);
    sourceRoutes(routes, deps);
    ruleRoutes(routes, deps);
    routes.on(automationsContract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    );
    const loops = createWorkLoops(deps, {
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
          handle: (deletion) => forgetUser(deps, deletion),
        }),
      ],
      jobs: automationJobs(deps, loops, config.AUTOMATION_RUN_RETENTION),
      close: () => deps.matcher[Symbol.asyncDispose](),
    };
  },
});
