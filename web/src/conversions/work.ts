import { EMPTY_DRAFT, loadDraft, saveDraft } from "../shell/drafts.ts";

/** The options beside the text. Empty: the defaults. */
export interface Options {
  targetLanguage: string;
  tone: string;
  length: "short" | "medium" | "long";
  model: string;
}

interface Work {
  text: string;
  options: Options;
}

const ID = "text";
const NEW_WORK: Work = {
  text: "",
  options: { targetLanguage: "", tone: "", length: "medium", model: "" },
};

/** The current text, stored with every change. */
export function loadWork(): Work {
  const { text } = loadDraft(ID);
  return text === "" ? NEW_WORK : { ...NEW_WORK, ...(JSON.parse(text) as Partial<Work>) }; // written below
}

export function saveWork(work: Work): void {
  saveDraft(ID, { ...EMPTY_DRAFT, text: JSON.stringify(work) });
}
