import { z } from "zod";
import { Id } from "./contract-subjects.ts";

/** The most labels of one organisation, and so of one run. */
export const MAX_LABELS = 50;

export const LabelColor = z.enum(["plain", "blue", "green", "amber", "red", "violet"]);

export const LabelRule = z.object({
  providers: z
    .array(Id)
    .max(100)
    .nullable()
    .describe("Names of the providers whose models may read it; null: all"),
  openWorld: z
    .enum(["allowed", "ask", "refused"])
    .describe(
      "Calls of tools that reach the open world, once a run has read it. With `ask` they wait for a " +
        "decision, as destructive calls do with `ask` and `refused`",
    ),
  sharing: z
    .array(z.uuid())
    .max(100)
    .nullable()
    .describe(
      "Groups within which it may be shared; empty: with nobody; null: with anybody",
    ),
});

/** What a label says of itself wherever it is shown. */
export const NamedLabel = z.object({
  id: z.uuid(),
  name: z.string().max(100),
  color: LabelColor,
});
export type NamedLabel = z.output<typeof NamedLabel>;

/** A label as a run carries it on: with its rule, by which each of its steps is judged. */
export const CarriedLabel = NamedLabel.extend(LabelRule.shape);
export type CarriedLabel = z.output<typeof CarriedLabel>;
export const CarriedLabels = z.array(CarriedLabel).max(MAX_LABELS);

/** What is about to happen with what carries labels. */
export type Act =
  | { kind: "provider"; provider: string }
  | { kind: "call"; openWorld: boolean; destructive: boolean }
  /** `groups`: those that whoever receives it belongs to. */
  | { kind: "share"; groups: readonly string[] };

type Verdict = "allowed" | "ask" | "refused";

export interface Judgement {
  verdict: Verdict;
  /** The one that asks or refuses. */
  label?: CarriedLabel;
}

const ALLOWED: Judgement = { verdict: "allowed" };

/** The one place where labels decide: the strictest of them counts. */
export function judgeByLabels(labels: readonly CarriedLabel[], act: Act): Judgement {
  let strictest = ALLOWED;
  for (const label of labels) {
    const verdict = judge(label, act);
    if (verdict === "refused") return { verdict, label };
    if (verdict === "ask" && strictest === ALLOWED) strictest = { verdict, label };
  }
  return strictest;
}

function judge({ providers, openWorld, sharing }: CarriedLabel, act: Act): Verdict {
  switch (act.kind) {
    case "provider":
      return providers === null || providers.includes(act.provider) ? "allowed" : "refused";
    case "call":
      if (act.openWorld) return openWorld;
      return act.destructive && openWorld !== "allowed" ? "ask" : "allowed";
    case "share":
      return sharing === null || sharing.some((group) => act.groups.includes(group))
        ? "allowed"
        : "refused";
  }
}

/** The labels of both, each once. */
export function joinLabels(
  some: readonly CarriedLabel[],
  more: readonly CarriedLabel[],
): CarriedLabel[] {
  return [...new Map([...some, ...more].map((label) => [label.id, label])).values()];
}
