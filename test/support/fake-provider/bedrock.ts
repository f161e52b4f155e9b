import { crc32 } from "node:zlib";
import { halves, json, type WireWriter } from "./wire-writer.ts";

/** Source: Amazon Bedrock API reference, ConverseStream; AWS event stream encoding. */
export function bedrock(): WireWriter {
  const STOP = {
    stop: "end_turn",
    length: "max_tokens",
    tool_calls: "tool_use",
    content_filter: "content_filtered",
  };
  let index = -1;
  const block = (start: object | undefined, deltas: object[]) => {
    index += 1;
    return [
      ...(start
        ? [bedrockFrame("contentBlockStart", { contentBlockIndex: index, start })]
        : []),
      ...deltas.map((delta) =>
        bedrockFrame("contentBlockDelta", { contentBlockIndex: index, delta }),
      ),
      bedrockFrame("contentBlockStop", { contentBlockIndex: index }),
    ].join("");
  };
  return {
    encoding: "latin1",
    open: () => bedrockFrame("messageStart", { role: "assistant" }),
    step(step) {
      if ("text" in step) return block(undefined, [{ text: step.text }]);
      if ("reasoning" in step)
        return block(undefined, [{ reasoningContent: { text: step.reasoning } }]);
      if (!("calls" in step)) return "";
      return step.calls
        .map(({ id, name, arguments: input }) =>
          block(
            { toolUse: { toolUseId: id, name } },
            halves(json(input)).map((part) => ({ toolUse: { input: part } })),
          ),
        )
        .join("");
    },
    close({ finish = "stop", usage = { inputTokens: 0, outputTokens: 0 } }) {
      const { inputTokens, outputTokens } = usage;
      const counts = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      return (
        bedrockFrame("messageStop", { stopReason: STOP[finish] }) +
        bedrockFrame("metadata", { usage: counts, metrics: { latencyMs: 1 } })
      );
    },
  };
}

/**
 * One message of an AWS event stream, as Latin-1: lengths, their checksum, headers, payload, the
 * checksum of all.
 */
export function bedrockFrame(
  name: string,
  payload: object,
  kind: "event" | "exception" = "event",
): string {
  const header = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]);
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const body = Buffer.from(json(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message), 0);
  return Buffer.concat([message, checksum]).toString("latin1");
}
