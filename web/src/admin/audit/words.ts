import type { AuditEntry } from "./queries.ts";
import type { en } from "./texts.en.ts";

type Words = Pick<typeof en, "actions" | "routes">;

/** What was done, in words, with places for names: by the route where that says more. */
export function wordsOf(
  texts: Words,
  { action, details }: Pick<AuditEntry, "action" | "details">,
): string {
  const verb = action.slice(action.lastIndexOf(".") + 1);
  return (
    find(texts.routes, `${verb} ${String(details["path"])}`) ??
    find(texts.actions, action) ??
    // another version of the server may have it
    `${action} {name}`
  );
}

function find(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

interface Subject {
  name: string;
  /** What finds all of its actions. */
  all: string;
  actions: string[];
}

/** All actions by what they are about, in the order of the texts. */
export function actionsBySubject(actions: Readonly<Record<string, string>>): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const action of Object.keys(actions)) {
    const [name = ""] = action.split(".");
    const subject = subjects.get(name) ?? { name, all: `${name}.`, actions: [] };
    subject.actions.push(action);
    subjects.set(name, subject);
  }
  return [...subjects.values()];
}
