import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Asks } from "./fill/asks.ts";
import type { ListingProvider } from "./listing-provider.ts";
import { actionsOf } from "./actions-of.ts";

/** What the forms need. */
export interface Stage {
  asks: Asks;
  lister: ListingProvider;
}

/** A form that two people fill at once. */
export interface Form {
  name: string;
  /** Makes what is changed. */
  make: (stage: Stage) => Promise<Made>;
  open?: (page: Page) => Promise<void>;
  label: string;
  typed: string;
  save?: string;
}

export interface Made {
  /** Where the form is. */
  page: string;
  read: () => Promise<Record<string, unknown>>;
  /** Changes the field of the form, and another one. */
  changeAsOther: () => Promise<unknown>;
  /** What is stored once both have saved. */
  both: Record<string, unknown>;
}

/** What is read and changed at one address. */
function at(
  asks: Asks,
  path: string,
  page: string,
  theirs: Record<string, unknown>,
  both: Record<string, unknown>,
): Made {
  return {
    page,
    read: () => asks.get(path),
    changeAsOther: () => asks.patch(path, theirs),
    both,
  };
}

const choose = (whose: string, action: string) => async (page: Page) => {
  await actionsOf(page, whose).click();
  await page.getByRole("menuitem", { name: action }).click();
};

const PERMISSION = { action: "administer", subject: "audit" };
export const FORMS: Form[] = [
  {
    name: "user",
    label: "Name",
    typed: "Mine",
    async make({ asks }) {
      const user = { name: "Ada", email: "ada@test.example" };
      const { id } = await asks.post("/api/v1/users", user);
      const theirs = { name: "Theirs", email: "theirs@test.example" };
      const path = `/api/v1/users/${id}`;
      return at(asks, path, `/admin/users/${id}/account`, theirs, {
        ...theirs,
        name: "Mine",
      });
    },
  },
  {
    name: "group",
    label: "Name",
    typed: "Mine",
    open: choose("Crew", "Change"),
    async make({ asks }) {
      const { id } = await asks.post("/api/v1/groups", { name: "Crew" });
      const theirs = { name: "Theirs", description: "theirs" };
      const path = `/api/v1/groups/${id}`;
      return at(asks, path, `/admin/groups/${id}`, theirs, { ...theirs, name: "Mine" });
    },
  },
  {
    name: "role",
    label: "Description",
    typed: "Mine",
    async make({ asks }) {
      await asks.post("/api/v1/roles", { name: "late", permissions: [] });
      const theirs = { description: "Theirs", permissions: [PERMISSION] };
      return at(asks, "/api/v1/roles/late", "/admin/roles/late", theirs, {
        description: "Mine",
        permissions: [expect.objectContaining(PERMISSION)],
      });
    },
  },
  {
    name: "template",
    label: "Text",
    typed: "Mine {{gap}}",
    async make({ asks }) {
      const template = { name: "Letter", content: "Dear all", scope: "personal" };
      const { id } = await asks.post("/api/v1/templates", template);
      const theirs = { content: "Theirs", name: "Their letter", variables: [] };
      return at(asks, `/api/v1/templates/${id}`, `/templates/${id}`, theirs, {
        content: "Mine {{gap}}",
        name: "Their letter",
        variables: [expect.objectContaining({ name: "gap" })],
      });
    },
  },
  {
    name: "rule",
    label: "Origin",
    typed: "mine/**",
    async make({ asks }) {
      const agent = await asks.post("/api/v1/agent", { name: "Reader" });
      const rule = { name: "Post", type: "pdf", agents: [agent.id] };
      const { id } = await asks.post("/api/automations", rule);
      const theirs = { origin: "theirs/**", name: "Their post" };
      const both = { ...theirs, origin: "mine/**" };
      return at(asks, `/api/automations/${id}`, `/automations/${id}`, theirs, both);
    },
  },
  {
    name: "schedule",
    label: "Input for the agents",
    typed: "Mine",
    async make({ asks }) {
      const agent = await asks.post("/api/v1/agent", { name: "Writer" });
      const times = { cron: "0 7 1 1 *", timeZone: "UTC", isActive: false };
      const schedule = { name: "Yearly", input: "Ours", agents: [agent.id], ...times };
      const path = "/api/automations/schedules";
      const { id } = await asks.post(path, schedule);
      const theirs = { input: "Theirs", cron: "0 8 1 1 *" };
      const both = { ...theirs, input: "Mine" };
      return at(asks, `${path}/${id}`, `/automations/schedules/${id}`, theirs, both);
    },
  },
  {
    name: "source",
    label: "Name",
    typed: "Mine",
    async make({ asks }) {
      const path = "/api/automations/sources";
      const source = { name: "Hook", origin: "hook", kind: "webhook" };
      const made = await asks.post<{ id?: string; source?: { id: string } }>(path, source);
      const id = made.id ?? made.source?.id;
      const theirs = { name: "Theirs", tags: ["theirs"] };
      const both = { ...theirs, name: "Mine" };
      return at(asks, `${path}/${id}`, `/automations/sources/${id}`, theirs, both);
    },
  },
  {
    name: "budget",
    label: "Name",
    typed: "Mine",
    open: choose("Ours", "Change"),
    async make({ asks }) {
      const limit = { unit: "tokens", amount: 1_000, period: "month" };
      const everybody = { subjectType: "user", subjectId: "*" };
      const budget = { name: "Ours", ...everybody, ...limit };
      const { id } = await asks.post("/api/v1/budgets", budget);
      const theirs = { name: "Theirs", amount: 2_000 };
      const both = { ...theirs, name: "Mine" };
      return at(asks, `/api/v1/budgets/${id}`, "/usage/budgets", theirs, both);
    },
  },
  {
    name: "provider",
    label: "Name",
    typed: "Mine",
    open: choose("Ours", "Change address and key"),
    save: "Test and save",
    async make({ asks, lister }) {
      await asks.post("/api/v1/model-providers", {
        name: "own",
        displayName: "Ours",
        kind: "openai-compatible",
        config: { baseUrl: lister.url },
      });
      const theirs = { displayName: "Theirs", config: { baseUrl: `${lister.url}/` } };
      const both = { ...theirs, displayName: "Mine" };
      const path = "/api/v1/model-providers/own";
      return at(asks, path, "/admin/models/providers", theirs, both);
    },
  },
  {
    name: "model",
    label: "Name",
    typed: "Mine",
    open: choose("Ours", "Price and abilities"),
    async make({ asks }) {
      await asks.post("/api/v1/models", { id: "big", name: "Big", kind: "completion" });
      const offer = { providerName: "own", providerModelId: "big-chat" };
      const model = { modelId: "big", displayName: "Ours", ...offer };
      const { id } = await asks.post("/api/v1/available-models", model);
      const pricing = { inputPerMillion: 1, outputPerMillion: 2, currency: "EUR" };
      const theirs = { displayName: "Theirs", pricing };
      const both = { ...theirs, displayName: "Mine" };
      return at(
        asks,
        `/api/v1/available-models/${id}`,
        "/admin/models/offered",
        theirs,
        both,
      );
    },
  },
  {
    name: "tool server",
    label: "Address",
    typed: "http://127.0.0.1:1/mine",
    open: choose("clock", "Change"),
    async make({ asks }) {
      const path = "/api/v1/mcp-servers";
      await asks.post(path, { name: "clock", url: "http://127.0.0.1:1/mcp" });
      const theirs = { url: "http://127.0.0.1:1/theirs", hide: ["drop"], enabled: false };
      return {
        page: "/admin/tools/servers",
        async read() {
          type Listed = { items: Record<string, unknown>[] };
          const { items } = await asks.get<Listed>(path);
          return items.find(({ name }) => name === "clock") ?? {};
        },
        changeAsOther: () => asks.put(`${path}/clock`, { name: "clock", ...theirs }),
        both: { ...theirs, url: "http://127.0.0.1:1/mine" },
      };
    },
  },
  {
    name: "look",
    label: "Name",
    typed: "Mine",
    async make({ asks }) {
      const theirs = { name: "Theirs", accent: "#112233" };
      return branding(asks, theirs, { ...theirs, name: "Mine" });
    },
  },
  {
    name: "notice",
    label: "Text",
    typed: "Mine",
    save: "Show the notice",
    async make({ asks }) {
      const notice = { text: "Theirs", until: null };
      return branding(asks, { notice }, { notice: { text: "Mine", until: null } });
    },
  },
  {
    name: "kept text",
    label: "Result",
    typed: "Mine",
    open: (page) => page.getByRole("button", { name: "Edit the result" }).click(),
    async make({ asks }) {
      const text = { type: "grammar", text: "hello", stream: false };
      const { id } = await asks.post("/api/v1/conversion", text);
      const path = `/api/v1/conversion/${id}`;
      return at(asks, path, `/text/kept/${id}`, { output: "Theirs" }, { output: "Mine" });
    },
  },
];

function branding(
  asks: Asks,
  theirs: Record<string, unknown>,
  both: Record<string, unknown>,
): Made {
  return {
    page: "/admin/branding",
    async read() {
      type Shown = { branding: Record<string, unknown> };
      return (await asks.get<Shown>("/api/v1/app")).branding;
    },
    changeAsOther: () => asks.patch("/api/v1/app/branding", theirs),
    both,
  };
}
