import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Way = "mouse" | "keys" | "touch" | "german";
/** A file of `walks/`, and how the title of its test begins. */
type Walk = readonly [file: string, title: string];

/** Which walk goes through an area in which way. Touch means a phone, 390 pixels wide. */
const WALKS: Record<string, Record<Way, Walk>> = {
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

const cells = Object.entries(WALKS).flatMap(([area, ways]) =>
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
    german: /[äöüß]|Speichern|Senden|Beispiel/,
  };
  expect(body).toMatch(SIGNS[way] ?? /./);
});
