import type { en } from "./texts.en.ts";

export const de = {
  release: "Sperre lösen",
  title: "Diese Sperre lösen?",
  text: (name: string) =>
    `Vielleicht bearbeitet ${name} das gerade. Getipptes bleibt dort als Entwurf und lässt sich nur ` +
    "speichern, solange niemand anders mit dem Bearbeiten beginnt. Das Protokoll hält fest, wer die " +
    "Sperre gelöst hat.",
  somebody: "jemand",
  released: "Die Sperre ist gelöst.",
} satisfies typeof en;
