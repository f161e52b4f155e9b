/** The marker of a list item in Markdown, and what of its label the marker cannot hold. */
export interface ListMarker {
  marker: string;
  label: string;
}

/**
 * Writes the label of an item as the reader sees it. Markdown numbers items with digits only, so
 * that other labels (`a)`, `§ 2`, `1.1`) become the first words of the item.
 */
export function listMarker(label: string): ListMarker {
  const trimmed = label.trim();
  const plain = /^(0|[1-9]\d{0,8})([.)]?)$/.exec(trimmed);
  return plain
    ? { marker: `${plain[1]}${plain[2] || "."}`, label: "" }
    : { marker: "-", label: trimmed };
}

const LETTERS: Record<string, string> = {
  latin: "abcdefghijklmnopqrstuvwxyz",
  greek: "αβγδεζηθικλμνξοπρστυφχψω",
  russian: "абвгдежзиклмнопрстуфхцчшщыэюя",
  hebrew: "אבגדהוזחטיכלמנסעפצקרשת",
  arabic: "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
  thai: "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
  hangul: "가나다라마바사아자차카타파하",
  kana: "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
  iroha:
    "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
  stems: "甲乙丙丁戊己庚辛壬癸",
};

/** Formats of Word's lists by their names. Source: ECMA-376 part 1, 17.18.59. */
const FORMATS: Record<string, (value: number) => string> = {
  lowerLetter: (value) => lettersOf(value, "latin"),
  upperLetter: (value) => lettersOf(value, "latin").toUpperCase(),
  lowerRoman: (value) => roman(value).toLowerCase(),
  upperRoman: roman,
  decimalZero: (value) => String(value).padStart(2, "0"),
  russianLower: (value) => lettersOf(value, "russian"),
  russianUpper: (value) => lettersOf(value, "russian").toUpperCase(),
  lowerGreek: (value) => lettersOf(value, "greek"),
  hebrew2: (value) => lettersOf(value, "hebrew"),
  arabicAlpha: (value) => lettersOf(value, "arabic"),
  thaiLetters: (value) => lettersOf(value, "thai"),
  ganada: (value) => lettersOf(value, "hangul"),
  aiueo: (value) => lettersOf(value, "kana"),
  aiueoFullWidth: (value) => lettersOf(value, "kana"),
  iroha: (value) => lettersOf(value, "iroha"),
  irohaFullWidth: (value) => lettersOf(value, "iroha"),
  ideographTraditional: (value) => lettersOf(value, "stems"),
  decimalFullWidth: (value) => digitsOf(value, "０"),
  decimalFullWidth2: (value) => digitsOf(value, "０"),
  hindiNumbers: (value) => digitsOf(value, "०"),
  thaiNumbers: (value) => digitsOf(value, "๐"),
  decimalEnclosedCircle: (value) => enclosed(value, 0x2460),
  decimalEnclosedParen: (value) => enclosed(value, 0x2474),
  decimalEnclosedFullstop: (value) => enclosed(value, 0x2488),
  chineseCounting: counted,
  chineseCountingThousand: counted,
  taiwaneseCounting: counted,
  taiwaneseCountingThousand: counted,
  japaneseCounting: counted,
  ideographDigital: (value) =>
    String(value).replace(/\d/g, (digit) => "〇一二三四五六七八九"[Number(digit)] ?? digit),
  ordinal: (value) => `${value}${ordinalEnding(value)}`,
  numberInDash: (value) => `- ${value} -`,
  none: () => "",
};

/** Writes a number of a list in one of Word's formats; in digits when the format is unknown. */
export function numberAs(value: number, format: string): string {
  return Object.hasOwn(FORMATS, format) ? (FORMATS[format]?.(value) ?? "") : String(value);
}

/** Converts a number to letters as Word does: a … z, aa, bb …. */
function lettersOf(value: number, alphabet: string): string {
  const letters = Array.from(LETTERS[alphabet] ?? "");
  const index = Math.max(1, value) - 1;
  const letter = letters[index % letters.length] ?? "";
  return letter.repeat(Math.min(10, Math.floor(index / letters.length) + 1));
}

function digitsOf(value: number, zero: string): string {
  const first = zero.codePointAt(0) ?? 48;
  return String(value).replace(/\d/g, (digit) =>
    String.fromCodePoint(first + Number(digit)),
  );
}

function enclosed(value: number, first: number): string {
  return value >= 1 && value <= 20
    ? String.fromCodePoint(first + value - 1)
    : String(value);
}

/** Chinese and Japanese numbers to 99: 三, 十二, 二十三. */
function counted(value: number): string {
  if (value < 1 || value > 99) return String(value);
  const digits = "零一二三四五六七八九";
  const tens = Math.floor(value / 10);
  const ones = value % 10;
  return `${tens > 1 ? digits[tens] : ""}${tens > 0 ? "十" : ""}${ones > 0 ? digits[ones] : ""}`;
}

function ordinalEnding(value: number): string {
  const [ten, one] = [value % 100, value % 10];
  if (ten >= 11 && ten <= 13) return "th";
  return one === 1 ? "st" : one === 2 ? "nd" : one === 3 ? "rd" : "th";
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let left = value;
  let text = "";
  for (const [worth, sign] of ROMAN) {
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  }
  return text;
}
