import type { Language } from "./document.ts";
import type { Random } from "./random.ts";

/** Generates text in one language. */
export interface TextMaker {
  sentence(words?: number): string;
  paragraph(sentences: number): string;
  /** A few words without a full stop. */
  phrase(from: number, to: number): string;
  label(): string;
  value(): string;
}

const SPACELESS: ReadonlySet<Language> = new Set(["zh", "ja"]);

export function createTextMaker(random: Random, language: Language): TextMaker {
  const space = SPACELESS.has(language) ? "" : " ";
  const join = (count: number) =>
    Array.from({ length: count }, () => random.pick(WORDS[language])).join(space);
  const phrase = (from: number, to: number) => capital(join(random.whole(from, to)));
  const stop = SPACELESS.has(language) ? "。" : ".";
  const comma = { zh: "，", ja: "、", ar: "، " }[language as string] ?? ", ";
  const sentence = (words = random.whole(7, 22)) =>
    words > 12
      ? `${capital(join(words >> 1))}${comma}${join(words - (words >> 1))}${stop}`
      : `${capital(join(words))}${stop}`;
  return {
    sentence,
    paragraph: (count) => Array.from({ length: count }, () => sentence()).join(space),
    phrase,
    label: () =>
      random.chance(0.5) && language !== "ar" ? random.pick(NAMES) : phrase(1, 2),
    value: () => valueOf(random),
  };
}

function valueOf(random: Random): string {
  switch (random.whole(0, 7)) {
    case 0:
      return String(random.whole(0, 9));
    case 1:
      return (random.next() * 1000).toFixed(random.whole(1, 2));
    case 2:
      return `${random.whole(1, 99)},${String(random.whole(0, 999)).padStart(3, "0")}`;
    case 3:
      return `${random.whole(1, 999)} ${random.pick(UNITS)}`;
    case 4:
      return `${random.whole(1990, 2026)}-${String(random.whole(1, 12)).padStart(2, "0")}`;
    case 5:
      return random.pick(["yes", "no", "–", "n/a", "+", "open"]);
    case 6:
      return `${random.chance(0.5) ? "-" : ""}${(random.next() * 10).toFixed(3)}`;
    default:
      return `${random.whole(1, 100)} %`;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Common words of each language. Sentences made of them look like text, and have no meaning. */
const WORDS: Record<Language, readonly string[]> = {
  en: words(
    "the a of river harbour council report results season method water supply measured values between stations during each year samples were taken and compared with earlier figures in order to find changes which nobody had expected because most of them are small but some show clear growth over time while others remain as they were before work began on new bridge near old market town where people live trade and meet every week for many reasons that differ from place to place",
  ),
  de: words(
    "der die das und Messung Ergebnisse zwischen Stationen wurden jedes Jahr Wasserversorgung Stadtverwaltung Bericht über neue Brücke am alten Markt weil viele Menschen dort wohnen arbeiten handeln und sich treffen obwohl einige Werte kleiner sind als früher während andere deutlich wachsen Grundstück Hafenordnung Jahresabschluss für mehrere Gründe die sich von Ort zu Ort unterscheiden müssen können größere Änderungen vorher niemand erwartet hatte",
  ),
  fr: words(
    "le la les des rapport mesure résultats entre stations chaque année ville eau pont marché ancien nouveau parce que plusieurs valeurs étaient plus petites avant le début du travail près du port où les gens vivent et se rencontrent chaque semaine pour différentes raisons selon les lieux changements attendus méthode été hiver conseil général",
  ),
  ru: words(
    "река порт совет отчёт результаты между станциями каждый год измерения воды новый мост возле старого рынка где люди живут и работают многие значения меньше чем раньше другие растут метод сезон город причина различные изменения которых никто не ожидал потому что время проходит быстро",
  ),
  ar: words(
    "التقرير السنوي عن المياه في المدينة القديمة بين المحطات كل سنة نتائج القياس الجسر الجديد قرب السوق حيث يعيش الناس ويعملون لأن القيم أصغر من قبل بينما تنمو أخرى بوضوح مجلس الميناء طريقة موسم تغييرات أسباب كثيرة",
  ),
  he: words(
    "דוח שנתי על המים בעיר העתיקה בין התחנות בכל שנה תוצאות המדידה גשר חדש ליד השוק שבו אנשים גרים ועובדים כי הערכים קטנים מבעבר ואחרים גדלים מועצה נמל שיטה עונה שינויים סיבות רבות",
  ),
  zh: words(
    "河流 港口 报告 结果 测量 每年 之间 车站 新的 桥梁 靠近 老 市场 人们 居住 工作 因为 数值 比以前 小 而 其他 明显 增长 方法 季节 城市 变化 原因 供水 委员会",
  ),
  ja: words(
    "川 港 報告 結果 測定 毎年 駅の間 新しい 橋 古い 市場の 近くに 人々が 住み 働く ため 値は 以前より 小さく 他は 増え 方法 季節 都市 変化 理由 水道 委員会",
  ),
};

/** Units, which belong to the number before them. */
const UNITS = ["km", "%", "€", "kg", "m³", "h", "MB", "°C"] as const;
const NAMES = words(
  "Hamburg Bremen Kiel Lübeck Rostock Emden Husum Stade Aurich Verden Celle Gifhorn Peine Soltau Uelzen Winsen",
);

function words(text: string): string[] {
  return text.split(" ");
}
