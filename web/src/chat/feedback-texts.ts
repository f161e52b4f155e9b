import { texts } from "../texts/language.ts";

const en = {
  title: "What is wrong with this answer?",
  comment: "Comment (optional)",
  whoReads:
    "Administrators read your rating with your name. They see the conversation only if it is shared with them.",
  send: "Send",
  cancel: "Cancel",
  takeBack: "Take the rating back",
  sent: "Thank you. Your reasons are stored with the answer.",
};
const de = {
  title: "Was stimmt an dieser Antwort nicht?",
  comment: "Kommentar (freiwillig)",
  whoReads:
    "Die Verwaltung liest Ihre Bewertung mit Ihrem Namen. Die Unterhaltung sieht sie nur, wenn sie mit ihr geteilt ist.",
  send: "Senden",
  cancel: "Abbrechen",
  takeBack: "Bewertung zurücknehmen",
  sent: "Danke. Ihre Gründe sind bei der Antwort gespeichert.",
} satisfies typeof en;

export const useFeedbackTexts = texts({ en, de });
