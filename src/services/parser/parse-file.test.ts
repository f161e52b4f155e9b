import { type Absence, notSet } from "./absence.ts";
import { afterAll, expect, test } from "vitest";
import { ApiError, Unavailable } from "../../platform/http/errors.ts";
import { createWorkers } from "../../platform/workers/workers.ts";
import type { Backend } from "./backends/backend.ts";
import type { BackendKey } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type { OcrEngine } from "./ocr/ocr-engine.ts";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import { parseFile } from "./parse-file.ts";
import type { ReadFile } from "./read-file.ts";

const LONG = "A sentence that is long enough to be the text of a page.";
const OTHER = "Another sentence, as another backend reads what the first did not.";

/** Pages by their texts. A text that begins with `!` stands for a page with an image, too. */
function file(...pages: string[]): ReadFile {
  const texts = pages.map((text) => text.replace(/^!/, ""));
  return {
    markdown: texts.join("\f"),
    pages: pages.length,
    warnings: [],
    pageQuality: texts.map((text, index) => ({
      page: index + 1,
      characters: countCharacters(text),
      images: pages[index]?.startsWith("!") ? 1 : 0,
    })),
  };
}

function backend(
  key: BackendKey,
  gives: ReadFile | Error,
  more: Partial<Backend> = {},
): Backend {
  return {
    key,
    name: key,
    reads: () => true,
    async parse() {
      if (gives instanceof Error) throw gives;
      return gives;
    },
    ...more,
  };
}

function engine(name: string, read: OcrEngine["read"], absent?: Absence): OcrEngine {
  return { name, reads: () => true, read, ...(absent && { absent }) };
}

const workers = createWorkers({ size: 1 });
afterAll(() => workers[Symbol.asyncDispose]());
const asked: number[] = [];
const parse = (
  backends: Backend[],
  options: ParseOptions = {},
  engines: OcrEngine[] = [],
  mimeType = "application/pdf",
) =>
  parseFile(
    {
      backends,
      workers,
      ocr: {
        engines,
        maxPages: 3,
        async renderPage(_, page) {
          asked.push(page);
          return { bytes: new Uint8Array([page]), mimeType: "image/png" };
        },
      },
    },
    { path: import.meta.filename, fileName: "a.pdf", mimeType, size: 1 },
    {
      options,
      parsing: { signal: new AbortController().signal, trace: [], begin: () => {} },
    },
  );
const outcomes = ({ metadata: { trace } }: Awaited<ReturnType<typeof parse>>) =>
  trace.map(({ backend: of, outcome, reason }) =>
    [of, outcome, ...(reason ? [reason] : [])].join(" "),
  );
const refused = new ApiError(422, "file_refused", "It cannot read this file.");
const away = new Unavailable("parser_unreachable", "It cannot be reached.");

test("uses the first backend that can read the file, and no other", async () => {
  const result = await parse([
    backend("document_intelligence", file(OTHER), { absent: notSet("NOT_SET") }),
    backend("pdf_fallback", file(LONG)),
    backend("optional_parser_one", new Error("was asked")),
    backend("local", new Error("was asked"), { reads: () => false }),
  ]);
  expect(result.metadata).toMatchObject({
    parserMethod: "pdf_fallback",
    fallbacks: [],
    pages: 1,
  });
  expect(outcomes(result)).toEqual([
    "document_intelligence skipped NOT_SET is not set",
    "pdf_fallback used",
  ]);
});

test("tries the requested backend first and others after a failure, with the reason in the trace", async () => {
  const result = await parse(
    [
      backend("document_intelligence", new Error("planted inside")),
      backend("pdf_fallback", file(LONG)),
      backend("optional_parser_two", away),
    ],
    { parserMethod: "optional_parser_two" },
  );
  expect(outcomes(result)).toEqual([
    "optional_parser_two failed It cannot be reached.",
    "document_intelligence failed The backend failed without giving a reason.",
    "pdf_fallback used",
  ]);
  expect(result.metadata.fallbacks.map(({ backend: of }) => of)).toEqual([
    "optional_parser_two",
    "document_intelligence",
  ]);
});

test("skips and reports an unknown method, or one that does not read the type", async () => {
  const local = backend("local", file(LONG));
  expect(outcomes(await parse([local], { parserMethod: "of_old" }))).toEqual([
    "of_old skipped there is no such backend",
    "local used",
  ]);
  const pdf = backend("pdf_fallback", file(LONG), {
    reads: (type) => type === "application/pdf",
  });
  expect(
    outcomes(await parse([pdf, local], { parserMethod: "pdf_fallback" }, [], "text/html")),
  ).toEqual(["pdf_fallback skipped it does not read text/html", "local used"]);
});

test("takes pages of which most characters cannot be read from the next backend", async () => {
  const unread = file(LONG, LONG);
  unread.pageQuality[1] = { page: 2, characters: 10, images: 0, unread: 30 };
  const result = await parse([
    backend("pdf_fallback", unread),
    backend("local", file(OTHER, "Another text of it.")),
  ]);
  expect(result.file.markdown).toBe(`${LONG}\fAnother text of it.`);
  expect(outcomes(result)).toEqual([
    "pdf_fallback used too little text on page 2",
    "local improved page 2",
  ]);
});

test("takes pages with too little text from the next backend that finds more", async () => {
  const result = await parse([
    backend("pdf_fallback", file(LONG, "!3", "! ", "4")),
    backend("optional_parser_one", file("worse", OTHER, "", "worse")),
    backend("optional_parser_two", file("one page only")),
  ]);
  expect(result.file.markdown.split("\f")).toEqual([LONG, OTHER, " ", "4"]);
  expect(result.metadata.parserMethod).toBe("pdf_fallback");
  expect(outcomes(result).slice(0, 3)).toEqual([
    "pdf_fallback used too little text on pages 2, 3",
    "optional_parser_one improved page 2",
    "optional_parser_two skipped no more text than before",
  ]);
});

test("uses the next backend when the first finds nothing, even with another page count", async () => {
  const result = await parse([
    backend("pdf_fallback", file("!")),
    backend("optional_parser_one", file(LONG, OTHER)),
  ]);
  expect([result.metadata.parserMethod, result.metadata.pages]).toEqual([
    "optional_parser_one",
    2,
  ]);
});

test("reads by OCR only what no backend can read, with a warning for the rest", async () => {
  asked.splice(0);
  const read = engine("ocr:one", async ({ bytes }) => {
    if (bytes[0] === 3) throw new ApiError(422, "ocr_failed", "It could not.");
    return OTHER;
  });
  const result = await parse(
    [backend("pdf_fallback", file(LONG, "!", "!", "!", "!"))],
    { ocrEnabled: true, ocrMode: "auto" },
    [engine("ocr:absent", read.read, notSet("OCR")), read],
  );
  expect(asked).toEqual([2, 3, 4]);
  expect(result.file.markdown).toBe([LONG, OTHER, "", OTHER, ""].join("\f"));
  expect(outcomes(result).at(-1)).toBe("ocr:one improved pages 2, 4");
  expect(result.metadata.warnings).toEqual([
    "OCR read the first 3 of 4 pages without text.",
    "OCR failed on 1 of them: It could not.",
  ]);
});

test("falls back to the second engine", async () => {
  const failing = engine("ocr:one", () => Promise.reject(away));
  const result = await parse([backend("pdf_fallback", file("!"))], { ocrEnabled: true }, [
    failing,
    engine("ocr:two", async () => OTHER),
  ]);
  expect(result.file.markdown).toBe(OTHER);
});

test("with `always` reads every page by OCR, with `never` none, and images by default", async () => {
  const read = engine("ocr:one", async () => OTHER);
  const pages = [backend("pdf_fallback", file(LONG, LONG))];
  expect(
    (await parse(pages, { ocrEnabled: true, ocrMode: "always" }, [read])).file.markdown,
  ).toBe(`${OTHER}\f${OTHER}`);
  const picture = [backend("local", file("!"))];
  expect((await parse(picture, {}, [read], "image/png")).file.markdown).toBe(OTHER);
  await expect(
    parse(picture, { ocrEnabled: false }, [read], "image/png"),
  ).rejects.toMatchObject({
    code: "no_text_found",
  });
  await expect(
    parse(picture, { ocrMode: "never" }, [read], "image/png"),
  ).rejects.toMatchObject({
    code: "no_text_found",
  });
});

test("sends an image to a vision model only if the request enables OCR", async () => {
  const sent: string[] = [];
  const remote = {
    ...engine("ocr:model", async () => {
      sent.push("model");
      return OTHER;
    }),
    isRemote: true,
  };
  const local = engine("ocr:tesseract", async () => LONG);
  const picture = [backend("local", file("!"))];
  expect((await parse(picture, {}, [remote, local], "image/png")).file.markdown).toBe(LONG);
  await expect(parse(picture, {}, [remote], "image/png")).rejects.toThrow(
    "ocr_enabled=true",
  );
  expect(sent).toEqual([]);
  const asked = await parse(picture, { ocrEnabled: true }, [remote, local], "image/png");
  expect([asked.file.markdown, sent]).toEqual([OTHER, ["model"]]);
  // a route whose files may be pictures permits it for those alone
  const sends = { sendsPictures: true };
  expect((await parse(picture, sends, [remote], "image/png")).file.markdown).toBe(OTHER);
  await expect(
    parse(picture, { ...sends, ocrEnabled: false }, [remote], "image/png"),
  ).rejects.toMatchObject({ code: "no_text_found" });
  const scan = [backend("pdf_fallback", file("!"))];
  await parse(scan, sends, [remote]).catch(() => undefined);
  expect(sent).toEqual(["model", "model"]);
});

test("a page that is one picture goes to OCR though a head stands beside it, which stays where OCR finds less", async () => {
  const head = "Annual report of the harbour 2026, page 4";
  const scan = file(LONG, head, head);
  for (const [index, covered] of [0.9, 0.9, 0.5].entries()) {
    const quality = scan.pageQuality[index];
    if (quality) Object.assign(quality, { covered, images: 1 });
  }
  // the first page has so much text that it is no picture
  const [first] = scan.pageQuality;
  if (first) first.characters = 300;
  const readBy = async (text: string) => {
    const engines = [engine("ocr:one", async () => text)];
    const { file: read } = await parse(
      [backend("local", scan)],
      { ocrEnabled: true },
      engines,
    );
    return read.markdown.split("\f");
  };
  expect(await readBy(OTHER)).toEqual([LONG, OTHER, head]);
  expect(await readBy("Less")).toEqual([LONG, head, head]);
  const { file: unread } = await parse([backend("local", scan)], { ocrEnabled: false });
  expect(unread.warnings.join()).toContain("page 2");
});

test("the pages of a TIFF file are read one by one, as PNG", async () => {
  const types: string[] = [];
  const read = engine("ocr:model", async ({ bytes, mimeType }) => {
    types.push(mimeType);
    return `page ${bytes[0]}`;
  });
  const scans = [backend("local", file("!", "!"))];
  const { file: result } = await parse(scans, { ocrEnabled: true }, [read], "image/tiff");
  expect([result.markdown, types]).toEqual(["page 1\fpage 2", ["image/png", "image/png"]]);
});

test.each(["text/plain", "text/markdown"])(
  "the document service reads %s by default, before the local readers",
  async (mimeType) => {
    const backends = [
      backend("document_intelligence", file(LONG)),
      backend("optional_parser_one", file(OTHER)),
      backend("local", file(OTHER)),
    ];
    const used = async (available: Backend[]) =>
      (await parse(available, {}, [], mimeType)).metadata.parserMethod;
    expect(await used(backends)).toBe("document_intelligence");
    expect(await used(backends.slice(1))).toBe("local");
  },
);

test.each([
  ["no OCR is wanted", {}, [], "ocr_enabled"],
  [
    "no OCR is set up",
    { ocrEnabled: true },
    [engine("ocr:one", async () => "", notSet("OCR_MODEL"))],
    "Ask an administrator to set up OCR",
  ],
  [
    "OCR finds nothing",
    { ocrEnabled: true },
    [engine("ocr:one", async () => "")],
    "finds no text",
  ],
])("no text at all is a failure that says why: %s", async (_, options, engines, why) => {
  const running = parse([backend("pdf_fallback", file("!", ""))], options, engines);
  await expect(running).rejects.toMatchObject({ status: 422, code: "no_text_found" });
  await expect(running).rejects.toThrow(why);
});

test("the trace says to administrators which setting OCR lacks", async () => {
  const engines = [engine("ocr:one", async () => "", notSet("OCR_MODEL"))];
  const running = parse([backend("local", file("!"))], { ocrEnabled: true }, engines);
  await expect(running).rejects.toMatchObject({
    trace: expect.arrayContaining([
      expect.objectContaining({
        backend: "ocr",
        reason: expect.stringContaining("OCR_MODEL is not set"),
      }),
    ]),
  });
});

test("when all fail, an error about the file takes precedence over an unavailable backend", async () => {
  await expect(
    parse([backend("pdf_fallback", refused), backend("optional_parser_one", away)]),
  ).rejects.toMatchObject({
    code: refused.code,
    message: refused.message,
    trace: [
      { backend: "pdf_fallback" },
      { backend: "optional_parser_one", outcome: "failed" },
    ],
  });
  await expect(parse([backend("pdf_fallback", away)])).rejects.toMatchObject({
    status: 503,
    code: "parsers_unavailable",
  });
  await expect(
    parse([backend("local", file(LONG), { reads: () => false })]),
  ).rejects.toMatchObject({ status: 415 });
});

test("returns tables and images on request", async () => {
  const image = { page: 1, name: "p.png", mimeType: "image/png", bytes: new Uint8Array(3) };
  const full = () => ({
    ...file(LONG),
    tables: '[{"page":1,"rows":[["a"]]}]',
    images: [image],
  });
  const { file: bare } = await parse([backend("pdf_fallback", full())]);
  expect([bare.tables, bare.images]).toEqual([undefined, undefined]);
  const { file: whole } = await parse([backend("pdf_fallback", full())], {
    extractTables: true,
    extractImages: true,
  });
  expect([whole.tables, whole.images]).toEqual(['[{"page":1,"rows":[["a"]]}]', [image]]);
  // another backend's tables come from its Markdown, and images from one that extracts them
  const other = backend(
    "optional_parser_one",
    file(`${LONG}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n`),
  );
  const both = await parse([other, backend("pdf_fallback", full(), { pictures: true })], {
    extractTables: true,
    extractImages: true,
  });
  expect([both.file.tables, both.file.images]).toEqual([
    '[{"page":1,"rows":[["a","b"],["1","2"]]}]',
    [image],
  ]);
  const none = await parse([other], { captionImages: true });
  expect(none.file.warnings).toEqual([expect.stringContaining("pictures")]);
  const captioned = await parse([backend("pdf_fallback", full())], {
    captionImages: true,
    extractImages: true,
  });
  expect(captioned.metadata.warnings).toEqual([
    "Pictures have no captions: CAPTION_MODEL is not set.",
  ]);
});
