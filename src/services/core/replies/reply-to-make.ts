import type { RunRequest } from "../../agent-loop/contract.ts";
import type { EarlierRun } from "../../agent-loop/contract-transcript.ts";
import type { Message } from "../../completion/contract.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { Resource } from "../../users/contract-sharing.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import type { Source } from "../sources/contract.ts";
import type { ConversationEvent } from "./contract.ts";
import type { ReplyPlan } from "./plan-reply.ts";

/** A reply to generate. */
export interface ReplyToMake {
  messageId: string;
  conversationId: string;
  userId: string;
  /** Whether the conversation began with this reply. */
  isNew?: boolean;
  /** The number of the segment: a reply continues in another after each decision. */
  segment: number;
  /** The first events. */
  opening: readonly ConversationEvent[];
  plan: ReplyPlan;
  messages: StoredMessage[];
  /** The first message of a conversation that has no title yet. */
  titleFor?: string;
  /** What the reply reads from its beginning, such as the files of the message. */
  reads?: readonly Resource[];
  decisions?: RunRequest["decisions"];
  earlier?: EarlierRun;
}

/** A planned reply with everything that is needed to generate it. */
export interface PreparedReply {
  plan: ReplyPlan;
  userId: string;
  /** Absent for a reply that belongs to no conversation. */
  conversationId?: string;
  /** Absent for a reply that is not stored. */
  messageId?: string;
  messages: Message[];
  /** Documents that go into a flow. */
  files?: string[];
  decisions?: RunRequest["decisions"];
  /** Passages that an earlier segment of the reply has. */
  sources?: readonly Source[];
  maxTokens?: number;
  /** Whether its messages hold what somebody outside wrote, beside its tools and sources. */
  readsOpenWorld?: boolean;
  /** Labelled or not, what the reply reads from its beginning. */
  reads?: readonly Resource[];
  /** Of all that has been read for it. */
  labels?: readonly CarriedLabel[];
}
