import type { Language } from "./document.ts";

/** Common words of each language. Sentences made of them look like text, and have no meaning. */
export const WORDS: Record<Language, readonly string[]> = {
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
export const UNITS = ["km", "%", "€", "kg", "m³", "h", "MB", "°C"] as const;
export const NAMES = words(
  "Hamburg Bremen Kiel Lübeck Rostock Emden Husum Stade Aurich Verden Celle Gifhorn Peine Soltau Uelzen Winsen",
);

function words(text: string): string[] {
  return text.split(" ");
}
