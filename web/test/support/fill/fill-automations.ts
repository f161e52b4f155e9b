import { vi } from "vitest";
import type { Asks } from "./asks.ts";
import type { Words } from "./words.ts";

/** Ids of what `fillAutomations` made, one of each kind. */
export interface Automated {
  rule: string;
  run: string;
  source: string;
  schedule: string;
}

/** Patterns take no characters of control. */
const pattern = (name: string) => name.replaceAll(/\p{C}/gu, "");

/** Rules, media, runs, sources and schedules. */
export async function fillAutomations(asks: Asks, words: Words): Promise<Automated> {
  const agents: string[] = [];
  for (const name of words.names().slice(0, 3))
    agents.push((await asks.post("/api/v1/agent", { name })).id);
  let rule = "";
  for (const name of words.names()) {
    const more = { origin: pattern(name), agents, is_active: false };
    const made = await asks.post<{ id: number }>("/api/automations", {
      name,
      type: "*",
      ...more,
    });
    rule = String(made.id);
  }
  const first = { name: words.name(), type: "*", origin: "*", agents };
  await asks.post("/api/automations", first);
  let run = "";
  for (const name of words.names().slice(0, 10)) {
    const file = new File([words.texts().join("\n\n")], `${name.slice(0, 100)}.md`);
    const fields = {
      origin: name,
      path: name,
      tags: words.name(50).replaceAll(",", ""),
      metadata: JSON.stringify({ [words.name(100)]: words.name() }),
    };
    const sent = await asks.upload<{ runId: string }>(
      "/api/automations/media",
      file,
      fields,
    );
    run ||= sent.runId;
  }
  await ended(asks, run);
  return { rule, run, source: await fillSources(asks, words), schedule: await plan() };

  async function plan(): Promise<string> {
    let id = "";
    for (const name of words.names()) {
      const times = { cron: "0 7 1 1 *", timeZone: "Europe/Berlin", isActive: false };
      ({ id } = await asks.post("/api/automations/schedules", {
        name,
        input: words.texts().join("\n\n"),
        agents,
        ...times,
      }));
    }
    return id;
  }
}

async function fillSources(asks: Asks, words: Words): Promise<string> {
  let id = "";
  for (const name of words.names()) {
    const made = await asks.post<{ id?: string; source?: { id: string } }>(
      "/api/automations/sources",
      { name, origin: words.name(), tags: [words.name()], kind: "webhook" },
    );
    id = made.id ?? made.source?.id ?? "";
  }
  return id;
}

async function ended(asks: Asks, run: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { endedAt } = await asks.get<{ endedAt: string | null }>(
        `/api/automations/runs/${run}`,
      );
      if (!endedAt) throw new Error("the run goes on");
    },
    { timeout: 120_000, interval: 200 },
  );
}
