import { type Answer, type End, type MediaUsage, NO_USAGE } from "./ask-media-model.ts";

/** An answer that is checked before it is passed on; the provider charged for it either way. */
export async function wholeAnswer(
  { response, finish, toFailure, isLeft }: Answer,
  read: (text: string) => MediaUsage,
  type = "application/json",
): Promise<Response> {
  let usage = NO_USAGE;
  let end: End = "error";
  try {
    const text = await response.text();
    usage = read(text);
    end = "stop";
    return new Response(text, { headers: { "content-type": type } });
  } catch (error) {
    if (isLeft()) end = "cancelled";
    throw toFailure(error);
  } finally {
    await finish(usage, end);
  }
}
