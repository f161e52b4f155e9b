import { texts } from "./language.ts";

/** What people find wrong with an answer, by the API's names. */
const en = {
  wrong: "Wrong",
  incomplete: "Incomplete",
  not_my_documents: "Not my documents",
  not_followed: "Instructions not followed",
  too_long: "Too long",
  unsafe: "Unsafe",
};
const de = {
  wrong: "Falsch",
  incomplete: "Unvollständig",
  not_my_documents: "Nicht meine Dokumente",
  not_followed: "Anweisung nicht befolgt",
  too_long: "Zu lang",
  unsafe: "Bedenklich",
} satisfies typeof en;

export const useReasonTexts = texts({ en, de });
