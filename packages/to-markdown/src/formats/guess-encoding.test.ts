import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { decodeText, readEncoded } from "./decode-text.ts";
import { fileToMarkdown } from "./file-to-markdown.ts";

const SENTENCES: [string, string, string[]][] = [
  [
    "German",
    "Der Bürgermeister grüßt die Gäste der Stadt Nürnberg. Die Straße wurde gesperrt, weil Bäume fallen.",
    ["win1252", "cp850", "cp437", "macintosh", "utf-16le", "utf-16be"],
  ],
  [
    "Polish",
    "Zażółć gęślą jaźń. Umowa została podpisana w Łodzi przez wszystkich właścicieli, którzy są obecni.",
    ["win1250", "iso-8859-2", "cp852", "utf-16le"],
  ],
  [
    "Russian",
    "Договор был подписан сторонами в Москве. Срок расторжения составляет три месяца.",
    ["win1251", "koi8-r", "cp866", "iso-8859-5", "maccyrillic", "utf-16le", "utf-16be"],
  ],
  [
    "Turkish",
    "Sözleşme İstanbul'da taraflarca imzalandı. Fesih süresi, bildirimin alınmasından itibaren üç aydır.",
    ["win1254", "cp857"],
  ],
  [
    "Greek",
    "Η σύμβαση υπογράφηκε στην Αθήνα από τα μέρη. Η προθεσμία είναι τρεις μήνες.",
    ["win1253", "iso-8859-7"],
  ],
  [
    "Hebrew",
    "החוזה נחתם בירושלים על ידי הצדדים. תקופת ההודעה היא שלושה חודשים.",
    ["win1255"],
  ],
  [
    "Arabic",
    "تم توقيع العقد في القاهرة من قبل الطرفين. مدة الإشعار ثلاثة أشهر.",
    ["win1256"],
  ],
  ["Thai", "สัญญาลงนามที่กรุงเทพโดยทั้งสองฝ่าย ระยะเวลาบอกเลิกสามเดือน", ["win874"]],
  [
    "Japanese",
    "契約は東京で両当事者によって署名されました。\n解約予告期間は通知の受領から三か月です。\n",
    ["shiftjis", "eucjp", "utf-16le", "utf-16be"],
  ],
  [
    "Chinese",
    "合同由双方在北京签署。解约通知期为收到通知之日起三个月。",
    ["gbk", "utf-16le", "utf-16be"],
  ],
  [
    "Chinese of Taiwan",
    "合約由雙方在臺北簽署。解約通知期為收到通知之日起三個月。",
    ["big5", "utf-16le", "utf-16be"],
  ],
  [
    "Korean",
    "계약은 서울에서 양 당사자에 의해 서명되었습니다. 해지 통지 기간은 삼 개월입니다.",
    ["euc-kr"],
  ],
];

test.each(
  SENTENCES.flatMap(([language, text, names]) =>
    names.map((name) => [language, name, text] as const),
  ),
)("reads %s in %s without a declaration", (_, name, text) => {
  expect(decodeText(iconv.encode(text, name))).toBe(text);
});

test.each([
  ["café", "win1252"],
  ["Résumé", "win1252"],
  ["5 €", "win1252"],
  ["it’s", "win1252"],
])("reads the few foreign letters of %s as Western ones, and says so", (text, name) => {
  const read = readEncoded(iconv.encode(text, name));
  expect(read.text).toBe(text);
  expect(read.warnings).toEqual([expect.stringContaining("windows-1252")]);
});

test("finds the encoding of letters that begin late", () => {
  const text = `${"plain,row,of,numbers\n".repeat(10_000)}Größe, Straße, Übergröße, Äpfel und Bäume`;
  expect(decodeText(iconv.encode(text, "win1252"))).toBe(text);
});

test("keeps UTF-8 to which another program has added a line, and says what is lost", () => {
  const own = Buffer.from(
    "Größe und Länge ändern, Übermaß prüfen, Äste schneiden, öfter üben\n",
  );
  const read = readEncoded(Buffer.concat([own, own, Buffer.from("Gr\xf6sse", "latin1")]));
  expect(read.text).toContain("Übermaß prüfen");
  expect(read.warnings).toEqual([
    expect.stringContaining("1 characters could not be read"),
  ]);
});

test("reads a log with zeros and mixed line ends, and no program", async () => {
  const log = `${"2024-01-01 12:00:00 a line of the log\r\n".repeat(40)}before\0after\rlast line\n`;
  const file = await fileToMarkdown(Buffer.from(log), { fileName: "app.log" });
  expect(file.markdown).toMatch(/log\nbeforeafter\nlast line$/);
  const program = Buffer.from([
    0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 65, 66, 67, 68,
  ]);
  await expect(fileToMarkdown(program, { fileName: "a.log" })).rejects.toMatchObject({
    code: "file_type_not_supported",
  });
});

test("one zero in a short table does not make it a binary file", async () => {
  const bytes = Buffer.from("name,town\nAda,Lon\0don\nBob,Rome\n");
  const { markdown } = await fileToMarkdown(bytes, { fileName: "a.csv" });
  expect(markdown).toContain("| Bob | Rome |");
});
