import { texts } from "../../texts/language.ts";

const en = {
  release: "Release the lock",
  title: "Release this lock?",
  text: (name: string) =>
    `${name} may be editing right now. What they typed stays with them as a draft, and can be ` +
    "saved only as long as nobody else starts to edit. The audit log keeps who released the lock.",
  somebody: "Somebody",
  released: "The lock is released.",
};

const de = {
  release: "Sperre lösen",
  title: "Diese Sperre lösen?",
  text: (name: string) =>
    `Vielleicht bearbeitet ${name} das gerade. Getipptes bleibt dort als Entwurf und lässt sich nur ` +
    "speichern, solange niemand anders mit dem Bearbeiten beginnt. Das Protokoll hält fest, wer die " +
    "Sperre gelöst hat.",
  somebody: "jemand",
  released: "Die Sperre ist gelöst.",
} satisfies typeof en;

export const useLockTexts = texts({ en, de });
