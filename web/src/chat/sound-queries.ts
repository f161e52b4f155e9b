import { imagesContract } from "../../../src/services/core/images/contract.ts";
import { request } from "../api/request.ts";
import { upload } from "../api/upload.ts";
import { currentLanguage } from "../texts/language.ts";

/** A model of the server writes down what was said. */
export async function transcribe(recording: File, signal: AbortSignal): Promise<string> {
  const fields = { language: currentLanguage() };
  const { text } = await upload(imagesContract.makeTranscription, recording, {
    fields,
    signal,
  });
  return text;
}

/** A model of the server speaks a text. */
export async function requestSpeech(text: string, signal: AbortSignal): Promise<Blob> {
  const response = await request(imagesContract.makeSpeech, { body: { text } }, { signal });
  return response.blob();
}
