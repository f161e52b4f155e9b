import type { Message } from "./contract.ts";
import { textOf } from "./message-text.ts";

type Part = Exclude<Message["content"], string>[number];

interface Reader {
  /** Whether the model sees images. */
  sees: boolean;
  /** Mistral's models refuse a user's message right after a result. */
  needsAnswerBetween: boolean;
}

const HEADING = "Images that the tools returned, in the order of their results:";
const BETWEEN: Message = { role: "assistant", content: "I go on." };

/**
 * Few providers take images inside of a tool's result, so those of a turn's results follow them in
 * a message of the user. A model that sees none reads the text alone, which names them.
 */
export function withToolImages(
  messages: readonly Message[],
  { sees, needsAnswerBetween }: Reader,
): Message[] {
  const sent: Message[] = [];
  let images: Part[] = [];
  const show = () => {
    if (images.length > 0)
      sent.push({ role: "user", content: [{ type: "text", text: HEADING }, ...images] });
    images = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      if (sees) images.push(...imagesOf(message));
      sent.push({ ...message, content: textOf(message) });
    } else {
      // one message: some models refuse two of a user in a row
      if (message.role === "user" && images.length > 0) {
        sent.push({
          ...message,
          content: [{ type: "text", text: HEADING }, ...images, ...partsOf(message)],
        });
        images = [];
      } else {
        show();
        sent.push(message);
      }
    }
  }
  show();
  return needsAnswerBetween ? sent.flatMap(addAnswer) : sent;
}

function addAnswer(message: Message, at: number, all: readonly Message[]): Message[] {
  const followsResult = message.role === "user" && all[at - 1]?.role === "tool";
  return followsResult ? [BETWEEN, message] : [message];
}

function partsOf({ content }: Message): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function imagesOf(message: Message): Part[] {
  return partsOf(message).filter(({ type }) => type === "image");
}
