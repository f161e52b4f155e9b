import { currentLanguage } from "../texts/language.ts";

const SAMPLE = {
  en: [
    "handbook-sample.md",
    `# Handbook of the Harbour Library

## Holidays

Everybody who works full time has 31 days of holidays a year. Whoever works part time has as many
days in proportion. Days that are not taken by 31 December may be taken until 31 March.

## Opening hours

The library opens at 9:00 and closes at 18:30. On Saturdays it closes at 13:00. It is closed on
Sundays and public holidays.

## Loans

A reader may borrow 12 books at a time, for four weeks. A loan can be renewed twice, unless somebody
else has reserved the book. A late book costs 30 cents a day.

## Travel

Train tickets of the second class are paid in full. A night in a hotel is paid up to 120 euros.
`,
  ],
  de: [
    "handbuch-beispiel.md",
    `# Handbuch der Hafenbibliothek

## Urlaub

Alle, die Vollzeit arbeiten, haben 31 Urlaubstage im Jahr. Bei Teilzeit sind es anteilig weniger.
Tage, die bis zum 31. Dezember nicht genommen sind, können bis zum 31. März genommen werden.

## Öffnungszeiten

Die Bibliothek öffnet um 9:00 Uhr und schließt um 18:30 Uhr, samstags um 13:00 Uhr. An Sonn- und
Feiertagen ist sie geschlossen.

## Ausleihe

Man kann 12 Bücher auf einmal ausleihen, für vier Wochen. Eine Ausleihe kann zweimal verlängert
werden, wenn niemand das Buch vorgemerkt hat. Ein verspätetes Buch kostet 30 Cent am Tag.

## Reisen

Bahnfahrten zweiter Klasse werden ganz bezahlt, eine Hotelnacht bis 120 Euro.
`,
  ],
} as const;

/** A sample file. */
export function sampleFile(): File {
  const [name, text] = SAMPLE[currentLanguage()];
  return new File([text], name, { type: "text/markdown" });
}
