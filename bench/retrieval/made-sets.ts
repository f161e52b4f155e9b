import { createHash } from "node:crypto";
import type { Manual, ManualPage } from "./manuals.ts";
import type { Passage, QuestionSet } from "./question-sets.ts";

/** Each seed selects other pages and other questions. */
const MAX_PASSAGES = 1_500;
const MAX_QUESTIONS = 300;
/** Passages of the set that mixes all manuals. */
const MIXED_PASSAGES = 22_000;
const MIXED_QUESTIONS = 1_000;
const SHARE_OF_DUPLICATES = 0.1;
/** A near-duplicate lacks each of these words. */
const DROPPED_WORD = 12;
const MAX_PASSAGE_CHARACTERS = 1_500;
const MIN_ANSWER_CHARACTERS = 120;
const MIN_HEADING_WORDS = 2;

/**
 * Makes question sets from manuals. A heading asks for its section, an index entry and a page's
 * description ask for a page. Headings that are asked for are removed, so that no answer contains
 * its question because of them.
 */
export function makeSets(manuals: readonly Manual[], seed: string): QuestionSet[] {
  const sets = manuals.flatMap((manual) => [
    headingSet(manual, seed),
    pageSet(manual, "index", seed, ({ indexEntries }) => indexEntries.map(toWords)),
    pageSet(manual, "summary", seed, ({ description }) =>
      description ? [description] : [],
    ),
  ]);
  const kept = sets.filter(({ questions }) => questions.length >= 50);
  return [...kept, mixedSet(manuals, seed)];
}

/** An entry "templates, editing and saving" is asked as words. */
function toWords(entry: string): string {
  return entry.replace(/\s*,\s*/g, " ");
}

function headingSet(manual: Manual, seed: string): QuestionSet {
  const name = `${manual.name}-heading-${manual.language}`;
  const pages = sample(manual.pages, ({ path }) => `${seed} ${name} ${path}`, MAX_PASSAGES);
  const asked = pickHeadings(pages, `${seed} ${name}`, MAX_QUESTIONS);
  return {
    name,
    language: manual.language,
    passages: pages.flatMap((page) => passagesOf(page, asked, "section")),
    questions: [...asked.keys()].map((text) => ({
      id: text,
      text,
      language: manual.language,
    })),
    answers: new Map([...asked].map(([heading, section]) => [heading, new Set([section])])),
  };
}

function pageSet(
  manual: Manual,
  kind: string,
  seed: string,
  questionsOf: (page: ManualPage) => string[],
): QuestionSet {
  const name = `${manual.name}-${kind}-${manual.language}`;
  const pages = sample(manual.pages, ({ path }) => `${seed} ${name} ${path}`, MAX_PASSAGES);
  const answers = new Map<string, Set<string>>();
  for (const page of pages)
    for (const question of questionsOf(page))
      answers.set(question, (answers.get(question) ?? new Set()).add(page.path));
  const questions = inOrder([...answers.keys()], (text) => `${seed} ${text}`)
    .filter((text) => text.split(" ").length >= MIN_HEADING_WORDS)
    .slice(0, MAX_QUESTIONS);
  return {
    name,
    language: manual.language,
    passages: pages.flatMap((page) => passagesOf(page, new Map(), "page")),
    questions: questions.map((text) => ({ id: text, text, language: manual.language })),
    answers,
  };
}

/**
 * All manuals together, with near-duplicates of what answers nothing. The largest manual is one
 * file. Pages that are not translated are in the manuals of several languages, and only one of them
 * would count as the answer: so a heading of several manuals is no question, and the text of an
 * answer is nowhere else.
 */
function mixedSet(manuals: readonly Manual[], seed: string): QuestionSet {
  const [largest] = manuals;
  const repeated = headingsOfSeveral(manuals);
  const questions: QuestionSet["questions"] = [];
  const answers = new Map<string, Set<string>>();
  const all: Passage[] = [];
  for (const manual of manuals) {
    const of = `${manual.name}-${manual.language}/`;
    const asked = pickHeadings(
      manual.pages,
      `${seed} mixed ${of}`,
      MIXED_QUESTIONS,
      repeated,
    );
    const some = [...asked].slice(0, Math.ceil(MIXED_QUESTIONS / manuals.length));
    for (const [text, section] of some) {
      answers.set(text, new Set([of + section]));
      questions.push({ id: text, text, language: manual.language });
    }
    const passages = manual.pages.flatMap((page) =>
      passagesOf(page, new Map(some), "section"),
    );
    for (const passage of passages)
      all.push({
        ...passage,
        id: of + passage.id,
        doc: of + passage.doc,
        cutFrom: manual === largest ? "giant" : of + passage.cutFrom,
        language: manual.language,
      });
  }
  const judged = new Set([...answers.values()].flatMap((ids) => [...ids]));
  const answering = all.filter(({ doc }) => judged.has(doc));
  const answeringTexts = new Set(answering.map(({ text }) => text));
  const others = inOrder(
    all.filter(({ doc, text }) => !judged.has(doc) && !answeringTexts.has(text)),
    ({ id }) => `${seed} mixed ${id}`,
  );
  const free = MIXED_PASSAGES - answering.length;
  const kept = others.slice(0, Math.round(free * (1 - SHARE_OF_DUPLICATES)));
  const duplicates = kept.slice(0, free - kept.length).map(toNearDuplicate);
  return {
    name: "mixed-22000",
    language: undefined,
    passages: inOrder([...answering, ...kept, ...duplicates], ({ id }) => id),
    questions,
    answers,
  };
}

function toNearDuplicate(passage: Passage): Passage {
  const text = passage.text
    .split(" ")
    .filter((_, at) => at % DROPPED_WORD !== DROPPED_WORD - 1)
    .join(" ");
  const id = `copy of ${passage.id}`;
  return { ...passage, id, doc: id, cutFrom: `copy of ${passage.cutFrom}`, text };
}

function headingsOfSeveral(manuals: readonly Manual[]): Set<string> {
  const once = new Set<string>();
  const repeated = new Set<string>();
  for (const { pages } of manuals) {
    const headings = pages.flatMap(({ sections }) =>
      sections.map(({ heading }) => heading),
    );
    for (const heading of new Set(headings))
      (once.has(heading) ? repeated : once).add(heading);
  }
  return repeated;
}

/** @returns headings that stand over one section only, with the section. */
function pickHeadings(
  pages: readonly ManualPage[],
  seed: string,
  most: number,
  excluded: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const { path, sections } of pages)
    for (const [at, { heading, text }] of sections.entries())
      found.set(heading, [
        ...(found.get(heading) ?? []),
        ...(text.length < MIN_ANSWER_CHARACTERS ? ["", ""] : [`${path}#${at}`]),
      ]);
  const unique = [...found].flatMap(([heading, [section, ...more]]) =>
    section !== undefined &&
    more.length === 0 &&
    !excluded.has(heading) &&
    heading.split(" ").length >= MIN_HEADING_WORDS &&
    heading.length >= 10
      ? [[heading, section] as const]
      : [],
  );
  return new Map(inOrder(unique, ([heading]) => `${seed} ${heading}`).slice(0, most));
}

function passagesOf(
  { path, sections }: ManualPage,
  asked: ReadonlyMap<string, string>,
  judgedBy: "page" | "section",
): Passage[] {
  const [first] = sections.filter(({ heading }) => heading !== "");
  return sections.flatMap(({ heading, text }, at) => {
    const titles = [first?.heading ?? "", heading].filter(
      (title, n, all) => title !== "" && !asked.has(title) && all.indexOf(title) === n,
    );
    const section = `${path}#${at}`;
    return partsOf(text).map((part, n) => ({
      id: `${section}/${n}`,
      doc: judgedBy === "page" ? path : section,
      cutFrom: path,
      title: titles.join(" › "),
      text: part,
    }));
  });
}

/** Cuts a text at the ends of paragraphs. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const paragraph of text.split(/\n+/)) {
    if (part !== "" && part.length + paragraph.length > MAX_PASSAGE_CHARACTERS) {
      parts.push(part);
      part = "";
    }
    part += `${part === "" ? "" : "\n"}${paragraph}`;
  }
  return [...parts, part].filter((one) => one.trim() !== "");
}

/** Whole pages until they have so many sections. */
function sample(
  pages: readonly ManualPage[],
  keyOf: (page: ManualPage) => string,
  mostSections: number,
): ManualPage[] {
  let sections = 0;
  return inOrder(pages, keyOf).filter((page) => {
    if (sections >= mostSections) return false;
    sections += page.sections.length;
    return true;
  });
}

/** An order that depends on the keys only. */
function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, hash: createHash("sha256").update(keyOf(item)).digest("hex") }))
    .toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
    .map(({ item }) => item);
}
