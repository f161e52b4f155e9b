import { texts } from "../../texts/language.ts";

const en = {
  title: "Look",
  hint: "How the installation presents itself to everybody, also before the sign-in.",
  name: "Name",
  ownColour: "A colour of our own",
  colour: "Colour",
  colourHint:
    "Of buttons and links. Where it could not be read it is made darker or lighter.",
  save: "Save",
  saved: "Saved. Others see it when they load a page.",
  logo: "The logo",
  chooseLogo: "Choose a logo",
  removeLogo: "Remove the logo",
  logoHint: "PNG, JPEG or WebP, at most 200 kB.",
  notice: "Notice",
  noticeHint: "A sentence at the top of every page, such as before maintenance.",
  noticeText: "Text",
  until: "Until",
  untilHint: "Without a time it stays until you take it away.",
  show: "Show the notice",
  takeAway: "Take it away",
};

const de = {
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

export const useBrandingTexts = texts({ en, de });
