import { alike, ownerAlone, type Rows, services } from "../row.ts";
import { upload, type World } from "../world.ts";

/** Runs belong to their owner, whoever created the rule. */

const access = ["jwt", "key"] as const;
/** A run whose medium matched no rule, so it has ended. */
const run = async (world: World) => {
  const mark = world.word();
  const { runId } = await upload<{ runId: string }>(
    world,
    "/api/automations/media",
    `${mark}.txt`,
    { type: mark },
  );
  return { id: runId, mark };
};
const one = async (world: World) => {
  const { id, mark } = await run(world);
  return { params: { id }, mark };
};

export const automationRuns: Rows = {
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: services,
      },
    },
  },
  takeMedium: {
    access,
    cases: {
      it: {
        ask: (world) => ({ form: { file: new File([world.word()], "a.txt") } }),
        answers: alike(),
      },
    },
  },
  inspectMedium: {
    access: "jwt",
    cases: {
      it: {
        ask: (world) => ({ form: { file: new File([world.word()], "a.txt") } }),
        answers: alike(),
      },
    },
  },
  listRuns: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ mark: (await run(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
    harmless: {
      "query.ruleId": "it narrows one's own runs",
      "query.sourceId": "it narrows one's own runs",
      "query.scheduleId": "it narrows one's own runs",
    },
  },
  getRun: { access, cases: { it: { ask: one, answers: ownerAlone("with it") } } },
  runEvents: { access, cases: { it: { ask: one, answers: ownerAlone() } } },
  cancelRun: {
    access,
    cases: {
      it: { ask: one, answers: ownerAlone("409 not_in_work"), defence: "identity" },
    },
  },
  retryRun: {
    access,
    cases: {
      it: { ask: one, answers: ownerAlone("409 nothing_to_retry"), defence: "identity" },
    },
  },
  rerun: {
    access,
    cases: {
      it: { ask: one, answers: ownerAlone("409 nothing_to_run"), defence: "identity" },
    },
  },
  removeRun: {
    access,
    cases: { it: { ask: one, answers: ownerAlone(), defence: "identity", once: true } },
  },
};
