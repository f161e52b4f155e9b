import { type App, answerWith } from "../../support/app.ts";

const ANSWERS = [
  "An answer of **some** length.\n\n- one\n- two\n\n",
  "| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst one = 1;\n```\n\n",
  "A paragraph that is longer than the others, so that the messages differ in their height. ",
];

/** A conversation of so many messages, as a user would have written it. Returns its id. */
export async function writeThread(
  { provider, server }: App,
  messages: number,
): Promise<string> {
  let conversationId: string | undefined;
  let parentMessageId: string | undefined;
  for (let turn = 0; turn < messages / 2; turn += 1) {
    const text = (ANSWERS[turn % ANSWERS.length] ?? "").repeat(1 + (turn % 4));
    answerWith(provider, [text]);
    const sent = await server.request("/api/v1/conversation", {
      body: { content: `Question ${turn}`, stream: false, conversationId, parentMessageId },
    });
    const reply = (await sent.json()) as { conversationId: string; messageId: string };
    conversationId = reply.conversationId;
    parentMessageId = reply.messageId;
  }
  if (!conversationId) throw new Error("A thread has at least one message.");
  return conversationId;
}
