import fc from "fast-check";
import { expect, test } from "vitest";
import { hasEnded, type PlannedStep, planSteps } from "./plan-steps.ts";

const step = (agentId: string, dependsOn: string[] = [], priority = 0): PlannedStep => ({
  agentId,
  dependsOn,
  priority,
  status: "waiting",
});

test("agents run in parallel unless priority or depends_on orders them", () => {
  expect(planSteps([step("a"), step("b")]).begin).toEqual(["a", "b"]);
  expect(planSteps([step("a"), step("b", [], 1)]).begin).toEqual(["b"]);
  expect(planSteps([step("a"), step("b", ["a"])]).begin).toEqual(["a"]);
  // "slow" inherits the priority of the agent that waits for it
  expect(
    planSteps([step("slow"), step("other", [], 1), step("urgent", ["slow"], 2)]).begin,
  ).toEqual(["slow"]);
});

/** Acyclic graphs: each step depends on earlier ones. */
const graphs = fc
  .array(
    fc.record({
      priority: fc.integer({ min: -2, max: 2 }),
      depends: fc.array(fc.nat(20), { maxLength: 4 }),
      fails: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((drawn) =>
    drawn.map(({ priority, depends, fails }, index) => ({
      fails,
      step: step(
        `s${index}`,
        index === 0 ? [] : [...new Set(depends.map((n) => `s${n % index}`))],
        priority,
      ),
    })),
  );

test("every graph ends, starts steps after their dependencies, and skips only after failures", () => {
  fc.assert(
    fc.property(graphs, fc.infiniteStream(fc.nat(1_000)), (graph, choices) => {
      const steps = graph.map((one) => ({ ...one.step }));
      const of = (id: string) => steps.find(({ agentId }) => agentId === id);
      for (let turn = 0; turn <= 2 * steps.length; turn += 1) {
        const { begin, skip } = planSteps(steps);
        for (const id of skip) {
          expect(
            of(id)?.dependsOn.some((needed) =>
              ["failed", "skipped"].includes(of(needed)?.status ?? ""),
            ),
          ).toBe(true);
          Object.assign(of(id) ?? {}, { status: "skipped" });
        }
        for (const id of begin) {
          expect(
            of(id)?.dependsOn.every((needed) => of(needed)?.status === "completed"),
          ).toBe(true);
          Object.assign(of(id) ?? {}, { status: "running" });
        }
        const running = steps.filter(({ status }) => status === "running");
        if (running.length === 0) break;
        const [choice = 0] = [choices.next().value];
        const ended = running[choice % running.length];
        const fails = graph.find((one) => one.step.agentId === ended?.agentId)?.fails;
        if (ended) ended.status = fails ? "failed" : "completed";
      }
      expect(steps.filter((one) => !hasEnded(one))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
