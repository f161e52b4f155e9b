import type { en } from "./texts.en.ts";

export const de = {
  title: "Erscheinungsbild",
  hint: "Wie sich die Installation allen zeigt, auch vor der Anmeldung.",
  name: "Name",
  ownColour: "Eine eigene Farbe",
  colour: "Farbe",
  colourHint:
    "Für Knöpfe und Links. Wo sie nicht lesbar wäre, wird sie dunkler oder heller.",
  save: "Speichern",
  saved: "Gespeichert. Andere sehen es, wenn sie eine Seite laden.",
  logo: "Das Logo",
  chooseLogo: "Logo wählen",
  removeLogo: "Logo entfernen",
  logoHint: "PNG, JPEG oder WebP, höchstens 200 kB.",
  notice: "Hinweis",
  noticeHint: "Ein Satz oben auf jeder Seite, etwa vor einer Wartung.",
  noticeText: "Text",
  until: "Bis",
  untilHint: "Ohne Zeitpunkt bleibt er, bis Sie ihn entfernen.",
  show: "Hinweis zeigen",
  takeAway: "Entfernen",
} satisfies typeof en;
