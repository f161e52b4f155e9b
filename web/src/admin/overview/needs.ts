import type { RouteOk } from "../../../../src/platform/http/route.ts";
import type { usageContract } from "../../../../src/services/core/usage/contract.ts";
import type { ProviderHealth } from "../models/queries.ts";
import type { Health } from "../system/queries.ts";
import type { ServerState } from "../tools/queries.ts";

type Budget = RouteOk<typeof usageContract.listBudgets>["items"][number];
/** How the calls to a provider ended, with the name that people gave it. */
type NamedHealth = ProviderHealth & { displayName: string };
type Queue = { name: string; deadLetters: number };

/** What is known of the installation; absent is what the reader may not see. */
export interface Known {
  health?: Pick<Health, "checks" | "jobs" | "unreachable"> | undefined;
  queues?: readonly Queue[] | undefined;
  providers?: readonly NamedHealth[] | undefined;
  servers?: readonly Pick<ServerState, "name" | "state" | "withheld">[] | undefined;
  budgets?: readonly Budget[] | undefined;
}

/** Something that an administrator should look at. */
export type Need = { isUrgent: boolean } & (
  | { kind: "part"; name: string; status: "degraded" | "down" }
  | { kind: "job"; name: string }
  | { kind: "unreachable"; services: string }
  | { kind: "deadLetters"; name: string; count: number }
  | { kind: "provider"; name: string; at: string }
  | { kind: "server"; name: string; state: "down" | "signed-out" }
  | { kind: "withheld"; count: number }
  | { kind: "budget"; name: string; share: number }
);

/** Parts of which there is more to say, where the reader may see it. */
const SAID_ELSEWHERE = {
  "model providers": "providers",
  "tool servers": "servers",
} as const;

/** What needs attention, what cannot wait first. */
export function findNeeds(known: Known): Need[] {
  const needs = [
    ...partsOf(known),
    ...providersOf(known.providers ?? []),
    ...serversOf(known.servers ?? []),
    ...jobsOf(known),
    ...(known.budgets ?? []).flatMap(budgetOf),
  ];
  return needs.toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
}

function partsOf({ health, providers, servers }: Known): Need[] {
  const isSaid = (name: string) => {
    const by = Object.entries(SAID_ELSEWHERE).find(([key]) => key === name)?.[1];
    return by !== undefined && { providers, servers }[by] !== undefined;
  };
  return Object.entries(health?.checks ?? {}).flatMap(([name, { status }]): Need[] =>
    status === "ok" || isSaid(name)
      ? []
      : [{ kind: "part", name, status, isUrgent: status === "down" }],
  );
}

function jobsOf({ health, queues = [] }: Known): Need[] {
  const failed = health?.jobs.filter(({ status }) => status === "failed") ?? [];
  const missing = health?.unreachable ?? [];
  return [
    ...failed.map(({ name }): Need => ({ kind: "job", name, isUrgent: true })),
    ...(missing.length > 0
      ? [
          {
            kind: "unreachable" as const,
            services: missing.join(", "),
            isUrgent: true,
          },
        ]
      : []),
    ...queues
      .filter(({ deadLetters }) => deadLetters > 0)
      .map(({ name, deadLetters: count }): Need => ({
        kind: "deadLetters",
        name,
        count,
        isUrgent: false,
      })),
  ];
}

/** Those whose last call failed. One that nobody called since yesterday says nothing. */
function providersOf(providers: readonly NamedHealth[]): Need[] {
  return providers.flatMap(({ displayName, hours, lastAnswerAt, lastFailure }): Need[] => {
    const isCalled = hours.some(({ calls }) => calls > 0);
    const fails = lastFailure !== null && (lastAnswerAt ?? "") < lastFailure.at;
    return isCalled && fails
      ? [{ kind: "provider", name: displayName, at: lastFailure.at, isUrgent: true }]
      : [];
  });
}

function serversOf(servers: NonNullable<Known["servers"]>): Need[] {
  const withheld = servers.reduce((sum, one) => sum + (one.withheld ?? 0), 0);
  return [
    ...servers.flatMap(({ name, state }): Need[] =>
      state === "down" || state === "signed-out"
        ? [{ kind: "server", name, state, isUrgent: state === "down" }]
        : [],
    ),
    ...(withheld > 0
      ? [{ kind: "withheld" as const, count: withheld, isUrgent: false }]
      : []),
  ];
}

function budgetOf({ name, enabled, subjectType, amount, warnAt, highest }: Budget): Need[] {
  // one of a single reply is never near its end here
  if (!enabled || subjectType === "run") return [];
  const share = highest / amount;
  return share > 0 && share >= Math.min(1, warnAt)
    ? [{ kind: "budget", name, share, isUrgent: share >= 1 }]
    : [];
}
