import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Way = "mouse" | "keys" | "touch" | "german";
/** A file of `walks/`, and how the title of its test begins. */
type Walk = readonly [file: string, title: string];

type Walks = Record<string, Partial<Record<Way, Walk>>>;

/** Which walk goes through an area in which way. Touch means a phone, 390 pixels wide. */
const WALKS: Walks = {
  "first run": {
    mouse: ["first-run", "a newcomer reads an answer from their own file"],
    keys: ["by-keys", "a newcomer signs in and asks the sample file"],
    touch: ["by-touch", "a newcomer signs in, asks the sample file"],
    german: ["by-touch", "a newcomer signs in, asks the sample file"],
  },
  chat: {
    mouse: ["chat", "regenerating and editing make versions"],
    keys: ["chat", "the whole conversation works by keyboard"],
    touch: ["by-touch", "a question is asked, answered again"],
    german: ["by-touch", "a question is asked, answered again"],
  },
  history: {
    mouse: ["history", "a conversation is found by its words"],
    keys: ["by-keys", "a conversation gets a name, and is shared"],
    touch: ["by-touch", "a conversation gets a name, is deleted"],
    german: ["by-touch", "a conversation gets a name, is deleted"],
  },
  canvas: {
    mouse: ["canvas", "an answer becomes a canvas"],
    keys: ["canvas", "by keyboard alone a new canvas"],
    touch: ["canvas", "a hostile title and text are inert"],
    german: ["by-touch", "a text is written and saved"],
  },
  documents: {
    mouse: ["documents", "a document shows its text and its chunks"],
    keys: ["by-keys", "a folder is made, renamed and deleted"],
    touch: ["by-touch", "a file is uploaded, and put into a folder"],
    german: ["by-touch", "a file is uploaded, and put into a folder"],
  },
  sharing: {
    mouse: ["history", "a conversation is shared with a person"],
    keys: ["by-keys", "a conversation gets a name, and is shared"],
    touch: ["by-touch", "a conversation is shared with a person"],
    german: ["by-touch", "a conversation is shared with a person"],
  },
  administration: {
    mouse: ["users", "a user is created with a password"],
    keys: ["admin-by-keys", "users: one is created and found"],
    touch: ["tools", "a server that is down says why"],
    german: ["admin-system", "in German, jobs, queues"],
  },
  settings: {
    mouse: ["settings", "a key is created with what it needs"],
    keys: ["by-keys", "the profile gets another name"],
    touch: ["by-touch", "a key is made and revoked"],
    german: ["by-touch", "a key is made and revoked"],
  },
};

/** The areas of administration, and of what is made once and used often. */
const FURTHER_WALKS: Walks = {
  agents: {
    mouse: ["agents", "many are put into a folder"],
    keys: ["agents", "by keyboard alone: find an agent"],
    touch: ["agents", "on a phone, by touch: an agent of a favourite answers"],
    german: ["many-folders", "on a phone in German, an agent is moved"],
  },
  templates: {
    mouse: ["templates", "a template with a hostile name is inert"],
    keys: ["templates", "by keyboard alone a template is written"],
    touch: ["templates", "a shared template is there for others to use"],
    german: ["templates", "a shared template is there for others to use"],
  },
  "text tools": {
    mouse: ["text", "a file and a document are summed up"],
    keys: ["text", "by keyboard alone a text is corrected"],
    touch: ["text", "on a phone, by touch, in German"],
    german: ["text", "on a phone, by touch, in German"],
  },
  flows: {
    mouse: ["flows", "a flow is run with an input that survives a reload"],
    keys: ["flows", "an administrator grants a flow by keys alone"],
    touch: ["flows", "on a phone a flow is run by touch"],
    german: ["flows", "on a phone a flow is run by touch"],
  },
  automations: {
    mouse: ["automations", "a rule is written while its matches stand beside it"],
    keys: ["automations", "by keys alone a rule is found"],
    touch: ["automations", "on a phone a rule is written by touch"],
    german: ["automations", "on a phone a rule is written by touch"],
  },
  "sources and schedules": {
    mouse: ["automation-sources", "the signed example of a new webhook works"],
    keys: ["automation-sources", "by keys alone a schedule is switched off"],
    touch: ["automation-sources", "by keys alone a schedule is switched off"],
  },
  "needs you": {
    mouse: ["needs-you", "decisions come before what failed"],
    keys: ["needs-you", "a reply that waits appears by itself"],
  },
  "original pages": {
    mouse: ["original-pages", "where the page cannot be drawn"],
    keys: ["original-pages", "by keyboard a number opens the page"],
    touch: ["original-pages", "on a phone, in German, the page lies over the chat"],
    german: ["original-pages", "on a phone, in German, the page lies over the chat"],
  },
  search: {
    mouse: ["search", "a document that is not found says why"],
    keys: ["search", "a question shows what each way of searching finds"],
    touch: ["search", "by touch on a narrow screen it works"],
  },
  "usage and budgets": {
    mouse: ["usage", "a report shows days and models"],
    keys: ["usage", "a budget is made, shows what is used"],
    touch: ["usage", "a budget for a person is found by name"],
  },
  "users, groups and roles": {
    mouse: ["users", "a role is copied, changed and kept as a draft"],
    keys: ["users", "by keyboard alone an account is deleted"],
    touch: ["users", "hostile names stay text and inside their place"],
  },
  models: {
    mouse: ["models", "a model gets a price and becomes the default"],
    keys: ["search-index", "by keyboard alone a model is chosen"],
    touch: ["models", "on a phone, by touch, a provider is tested"],
    german: ["search-index", "on a phone, in German, the page fits"],
  },
  "tool servers": {
    mouse: ["tools", "a tool that changed is withheld"],
    keys: ["tools", "a tool server is added by keyboard"],
    touch: ["tools", "a server that is down says why"],
  },
  labels: {
    mouse: ["labels", "with the mouse an administrator defines a label"],
    keys: ["labels", "by keyboard its rule is changed"],
    touch: ["labels", "on a phone, in German and in the dark"],
    german: ["labels", "on a phone, in German and in the dark"],
  },
  system: {
    mouse: ["admin-system", "failed messages are looked at"],
    keys: ["admin-system", "the log is narrowed by what was done"],
    touch: ["admin-system", "health, jobs, parsers and the search index are read"],
    german: ["admin-system", "in German, jobs, queues, failed messages"],
  },
  "shared with me": {
    mouse: ["access-reasons", "whoever does not own a thing reads why"],
    touch: ["access-reasons", "on a phone in German, a shared conversation"],
    german: ["access-reasons", "on a phone in German, a shared conversation"],
  },
};

const PLACE: Record<Way, string> = {
  mouse: "Mouse",
  keys: "Keyboard",
  touch: "Touch, 390 px",
  german: "German",
};
const ways = Object.keys(PLACE) as Way[]; // the keys of a constant object

/** The table of docs/web-walks.md. */
function toTable(walks: Walks): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const lines = Object.entries(walks).map(([area, by]) =>
    row([area, ...ways.map((way) => (by[way] ? `\`${by[way][0]}\`` : "all pages"))]),
  );
  const head = [row(["Area", ...ways.map((way) => PLACE[way])]), "| --- ".repeat(5) + "|"];
  return [...head, ...lines].join("\n");
}

test("docs/web-walks.md has the table of walks", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/web-walks.md"), "utf8");
  expect(page).toContain(toTable({ ...WALKS, ...FURTHER_WALKS }));
});

test("what no walk of its own covers is covered with all pages", () => {
  const all = Object.values({ ...WALKS, ...FURTHER_WALKS });
  expect(all.filter(({ mouse }) => !mouse)).toEqual([]);
  const walk = (name: string) =>
    readFileSync(join(import.meta.dirname, "walks", `${name}.walk.ts`), "utf8");
  // every page in both languages and themes, by keyboard, and 390 pixels wide
  expect(walk("access")).toMatch(/en-GB.*light[^]*de-DE.*dark[^]*filled\.pages/);
  expect(walk("pseudo")).toMatch(/filled\.pages[^]*\[WIDE, PHONE\]/);
});

const cells = Object.entries({ ...WALKS, ...FURTHER_WALKS }).flatMap(([area, ways]) =>
  Object.entries(ways).map(([way, walk]) => [area, way, ...walk] as const),
);

test.each(cells)("%s by %s: %s, “%s …”", (_area, way, file, title) => {
  const text = readFileSync(join(import.meta.dirname, "walks", `${file}.walk.ts`), "utf8");
  const begin = text.indexOf(`test("${title}`);
  expect(begin, `${file}.walk.ts has no such test`).toBeGreaterThan(-1);
  const end = text.indexOf("\ntest(", begin + 1);
  const body = text.slice(begin, end === -1 ? undefined : end);
  const SIGNS: Record<string, RegExp> = {
    mouse: /\.click\(|choose\(|click\(/,
    keys: /keyboard\.press|enterOn\(/,
    touch: /\.tap\(|tap\(/,
    german: /de-DE|[äöüß]|Speichern|Senden|Beispiel/,
  };
  expect(body).toMatch(SIGNS[way] ?? /./);
});
