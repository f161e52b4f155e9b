import type { Answer, MediaUsage } from "./ask-model.ts";

/** An answer that is checked before it is passed on; the provider charged for it either way. */
export async function wholeAnswer(
  { response, finish, toFailure }: Answer,
  signal: AbortSignal,
  read: (text: string) => MediaUsage,
  type = "application/json",
): Promise<Response> {
  let usage: MediaUsage = { inputTokens: 0, outputTokens: 0, estimated: true };
  let end: "stop" | "cancelled" | "error" = "error";
  try {
    const text = await response.text();
    usage = read(text);
    end = "stop";
    return new Response(text, { headers: { "content-type": type } });
  } catch (error) {
    if (signal.aborted) end = "cancelled";
    throw toFailure(error);
  } finally {
    await finish(usage, end);
  }
}
