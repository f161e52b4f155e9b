import type {
  Kind,
  Language,
  Look,
  SourceBlock,
  SourceDocument,
  SourceItem,
  TableLook,
} from "./document.ts";
import { makeFormula } from "./formula.ts";
import { makeTable, type TableWish } from "./make-table.ts";
import { createTextMaker, type TextMaker } from "./make-text.ts";
import { createRandom, type Random } from "./random.ts";

interface Maker {
  random: Random;
  text: TextMaker;
}

const LATIN: readonly Language[] = ["en", "en", "de", "fr", "ru"];
const RULED: readonly TableLook[] = [
  "grid",
  "grid",
  "levels",
  "book",
  "uprights",
  "frame",
  "dashed",
];
const COLOURED: readonly TableLook[] = [
  "zebra",
  "head-fill",
  "blocks",
  "heat",
  "white-grid",
];
const ALL: readonly TableLook[] = [...RULED, ...COLOURED, "none"];

/** Generates the document of a name; the same name gives the same document. */
export function makeDocument(
  name: string,
  kind: Kind,
  languages: readonly Language[] = LATIN,
): SourceDocument {
  const random = createRandom(name);
  const language = languageOf(random, kind, languages);
  const maker = { random, text: createTextMaker(random, language) };
  const title: SourceBlock = { type: "title", text: maker.text.phrase(2, 6) };
  const blocks = [title, ...CONTENT[kind](maker)];
  return { name, kind, language, blocks, look: makeLook(random, kind) };
}

function languageOf(random: Random, kind: Kind, languages: readonly Language[]): Language {
  if (kind === "right-to-left") return random.pick(["ar", "he"]);
  if (kind === "wide-characters") return random.pick(["zh", "ja"]);
  return random.pick(languages);
}

const CONTENT: Record<Kind, (maker: Maker) => SourceBlock[]> = {
  "ruled-tables": (maker) => around(maker, [aTable(maker, RULED)]),
  "open-tables": (maker) => around(maker, [aTable(maker, ["none"])]),
  "coloured-tables": (maker) => around(maker, [aTable(maker, COLOURED)]),
  "spanned-tables": (maker) =>
    around(maker, [aTable(maker, ALL, { spans: true, columns: maker.random.whole(4, 7) })]),
  "long-tables": (maker) =>
    around(maker, [aTable(maker, ALL, { rows: maker.random.whole(45, 90), wordy: false })]),
  "many-tables": manyTables,
  "framed-page": (maker) => around(maker, [prose(maker), aTable(maker, ALL), prose(maker)]),
  headings: (maker) => sections(maker, {}),
  "numbered-headings": (maker) => sections(maker, { numbered: true }),
  "long-headings": (maker) => sections(maker, { words: [11, 20] }),
  lists: (maker) => around(maker, [aList(maker), prose(maker), aList(maker)]),
  "parallel-lists": parallelLists,
  notes: (maker) => [
    ...sections(maker, { most: 2 }),
    { type: "notes", notes: [maker.text.sentence(), maker.text.sentence()] },
  ],
  columns: (maker) => [prose(maker), inColumns(maker)],
  captions,
  formulas: (maker) => [heading(maker, 2), ...[1, 2, 3].flatMap(() => formulas(maker))],
  "nested-tables": (maker) =>
    around(maker, [
      aTable(maker, ALL, {
        nested: true,
        rows: maker.random.whole(2, 5),
        columns: maker.random.whole(2, 3),
      }),
    ]),
  forms: (maker) => [prose(maker), fields(maker), heading(maker, 2), prose(maker)],
  "right-to-left": (maker) => [
    ...sections(maker, { most: 2 }),
    aTable(maker, ALL),
    aList(maker),
  ],
  "wide-characters": (maker) => [
    ...sections(maker, { most: 2 }),
    aTable(maker, ALL),
    aList(maker),
  ],
};

const prose = ({ random, text }: Maker, from = 2, to = 5): SourceBlock => ({
  type: "paragraph",
  text: text.paragraph(random.whole(from, to)),
});

const heading = (
  { text }: Maker,
  level: number,
  words: readonly [number, number] = [1, 6],
): SourceBlock => ({
  type: "heading",
  level,
  text: text.phrase(words[0], words[1]),
});

function aTable(
  { random, text }: Maker,
  looks: readonly TableLook[],
  wish: Partial<TableWish> = {},
): SourceBlock {
  const columns = wish.columns ?? random.whole(2, 7);
  const table = makeTable(random, text, {
    look: random.pick(looks),
    rows: random.whole(2, 12),
    wordy: columns < 6 && random.chance(0.4),
    ...wish,
    columns,
  });
  return { type: "table", table };
}

/** Surrounds blocks with a heading and text before them, and text after them. */
function around(maker: Maker, blocks: SourceBlock[]): SourceBlock[] {
  return [prose(maker), heading(maker, 2), ...blocks, prose(maker)];
}

function manyTables(maker: Maker): SourceBlock[] {
  const { random } = maker;
  const look = [random.pick(ALL)];
  const same = random.chance(0.5);
  const columns = random.whole(3, 5);
  return Array.from({ length: random.whole(2, 4) }, () => [
    heading(maker, 2),
    ...(random.chance(0.3) ? [prose(maker, 1, 1)] : []),
    aTable(maker, same ? look : ALL, {
      rows: random.whole(2, 6),
      ...(same && { columns, wordy: false }),
    }),
  ]).flat();
}

interface SectionWish {
  numbered?: boolean;
  words?: readonly [number, number];
  most?: number;
}

function sections(maker: Maker, { numbered, words, most = 4 }: SectionWish): SourceBlock[] {
  const blocks: SourceBlock[] = [prose(maker)];
  const { random } = maker;
  const add = (level: number, number: string) => {
    const block = heading(maker, level, words);
    blocks.push(numbered && block.type === "heading" ? { ...block, number } : block);
  };
  for (let one = 1; one <= random.whole(2, most); one += 1) {
    add(2, String(one));
    if (random.chance(0.7)) blocks.push(prose(maker, 1, 4));
    for (let two = 1; two <= random.whole(0, 3); two += 1) {
      add(3, `${one}.${two}`);
      blocks.push(prose(maker, 1, 3));
      if (random.chance(0.2)) {
        add(4, `${one}.${two}.1`);
        blocks.push(prose(maker, 1, 2));
      }
    }
  }
  return [...blocks, prose(maker, 1, 2)];
}

function aList({ random, text }: Maker, nested = true): SourceBlock {
  const words = random.pick([4, 12, 30]);
  const items = Array.from({ length: random.whole(3, 8) }, (): SourceItem => {
    const inner = nested && random.chance(0.25) ? random.whole(1, 3) : 0;
    return {
      text: text.phrase(1, words),
      items: Array.from({ length: inner }, () => text.phrase(1, 8)),
    };
  });
  return { type: "list", ordered: random.chance(0.5), items };
}

/** Two or three short lists side by side, with headings above them, which are not a table. */
function parallelLists(maker: Maker): SourceBlock[] {
  const columns = Array.from({ length: maker.random.whole(2, 3) }, (): SourceBlock[] => [
    heading(maker, 3, [1, 2]),
    aList(maker, false),
  ]);
  return around(maker, [{ type: "columns", columns, flowing: false }]);
}

function inColumns(maker: Maker): SourceBlock {
  const { random } = maker;
  const flow = Array.from({ length: random.whole(2, 3) }, () => [
    heading(maker, 2),
    prose(maker, 3, 6),
    prose(maker, 3, 6),
    ...(random.chance(0.3)
      ? [aTable(maker, ALL, { columns: 3, rows: 4, wordy: false })]
      : []),
  ]).flat();
  return { type: "columns", columns: [flow], flowing: true };
}

function captions(maker: Maker): SourceBlock[] {
  return [1, 2].flatMap((number) => {
    const caption: SourceBlock = {
      type: "caption",
      text: `${maker.random.pick(["Table", "Tab."])} ${number}: ${maker.text.phrase(3, 9)}.`,
    };
    const table = aTable(maker, ALL, { rows: maker.random.whole(2, 6) });
    return [
      prose(maker),
      ...(maker.random.chance(0.5) ? [caption, table] : [table, caption]),
    ];
  });
}

/** A paragraph with a formula in it, then one between two paragraphs. */
function formulas(maker: Maker): SourceBlock[] {
  const { random, text } = maker;
  const within = {
    before: text.phrase(4, 14),
    after: text.sentence(),
  };
  return [
    { type: "formula", formula: makeFormula(random, false), within },
    prose(maker, 1, 2),
    { type: "formula", formula: makeFormula(random, true) },
    prose(maker, 1, 3),
  ];
}

function fields({ random, text }: Maker): SourceBlock {
  return {
    type: "fields",
    fields: Array.from({ length: random.whole(3, 8) }, () => ({
      label: `${text.phrase(1, 2)}:`,
      value: random.chance(0.5) ? text.phrase(1, 3) : text.value(),
    })),
  };
}

const FONTS = [
  "DejaVu Sans",
  "DejaVu Serif",
  "Liberation Sans",
  "Liberation Serif",
  "FreeSerif",
  "FreeSans",
] as const;
const DARK = ["#1f3864", "#7b241c", "#145a32", "#4a235a", "#333333", "#0b5394"] as const;
const PALE = ["#eaf2f8", "#f4ecf7", "#e8f8f5", "#f2f2f2", "#fef5e7", "#dae8fc"] as const;

function makeLook(random: Random, kind: Kind): Look {
  const step = random.pick([0, 0.1, 0.2, 0.35, 0.5]);
  const smallest = random.pick([1, 1.05, 1.15, 1.25]);
  return {
    font: random.pick(FONTS),
    size: random.pick([8.5, 9, 10, 10.5, 11, 12]),
    leading: random.pick([1.15, 1.25, 1.35, 1.5, 1.65]),
    paper: random.pick(["a4", "a4", "letter", "a5"]),
    margin: random.pick([14, 18, 22, 28]),
    justified: random.chance(0.4),
    headingSizes: [
      smallest + step * 3 + 0.2,
      smallest + step * 2,
      smallest + step,
      smallest,
    ],
    // headings of nearly body size must be bold, or nothing would distinguish them
    headingBold: smallest <= 1.15 || random.chance(0.7),
    headingColour: random.chance(0.5) ? random.pick(DARK) : "#000000",
    headingStyle: random.pick([
      "plain",
      "plain",
      "plain",
      "centred",
      "underlined",
      "band",
      "italic",
    ]),
    accent: random.pick(DARK),
    pale: random.pick(PALE),
    tagged: random.chance(0.4),
    framed: kind === "framed-page",
    running: random.chance(0.3),
    cellPadding: random.pick([1, 2, 3, 5]),
  };
}
